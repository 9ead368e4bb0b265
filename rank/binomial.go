package rank

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"
)

var errOverflow = errors.New("more than 64 bits")

// Binomial returns C(n,k), the number of k-subsets of n cells, 0 if k > n. It is an error if
// that does not fit 64 bits, or an argument is negative.
func Binomial(n, k int) (uint64, error) {
	if n < 0 || k < 0 {
		return 0, fmt.Errorf("rank: C(%d,%d): negative argument", n, k)
	}
	if k > n {
		return 0, nil
	}
	c := uint64(1)
	for i := range uint64(min(k, n-k)) {
		// c is C(n,i) and c·(n−i) is divisible by i+1.
		hi, lo := bits.Mul64(c, uint64(n)-i)
		if hi >= i+1 {
			return 0, fmt.Errorf("rank: C(%d,%d): %w", n, k, errOverflow)
		}
		c, _ = bits.Div64(hi, lo, i+1)
	}
	return c, nil
}

// Choose is [Binomial], but returns 0 for negative arguments and panics if C(n,k) does not fit 64
// bits.
func Choose(n, k int) uint64 {
	if k < 0 || n < k {
		return 0
	}
	c, err := Binomial(n, k)
	if err != nil {
		panic(err)
	}
	return c
}

// Placements returns the number of ways to place armies of the given sizes on n cells without
// overlap. It is an error if that does not fit 64 bits, or an argument is negative.
func Placements(n int, sizes ...int) (uint64, error) {
	if n < 0 {
		return 0, fmt.Errorf("rank: armies on %d cells: negative argument", n)
	}
	all, free := uint64(1), n
	for _, k := range sizes {
		ways, err := Binomial(max(free, 0), k)
		if err != nil {
			return 0, fmt.Errorf("rank: armies %v on %d cells: %w", sizes, n, err)
		}
		hi, lo := bits.Mul64(all, ways)
		if hi != 0 {
			return 0, fmt.Errorf("rank: armies %v on %d cells: number of positions: %w", sizes, n, errOverflow)
		}
		all, free = lo, free-k
	}
	return all, nil
}

// terms holds C(c,i+1), the term of piece i (0…127, from the lowest) on cell c (0…128), or the
// largest uint64 if that does not fit. Cell 128 is a bound for unranking. The table is flat and
// its length a power of two, so that loops over pieces add stride to an index, and mask it
// instead of checking it.
type terms [1 << 15]uint64

const stride = 129 // entries per piece

func (t *terms) at(i, c int) uint64 { return t[uint(i*stride+c)%uint(len(t))] }

// row returns the entries of piece i.
func (t *terms) row(i int) *[stride]uint64 { return (*[stride]uint64)(t[i*stride:]) }

// shared is the table that all [Subsets] use, so that they share cache lines. It has entries for
// the first pieces; entries never change.
var shared struct {
	sync.Mutex
	terms
	pieces int
}

func sharedTerms(pieces int) *terms {
	shared.Lock()
	defer shared.Unlock()
	t := &shared.terms
	for ; shared.pieces < pieces; shared.pieces++ {
		row, i := t.row(shared.pieces), shared.pieces
		for c := range 128 {
			sum, carry := row[c]+1, uint64(0) // C(c+1, 1)
			if i > 0 {
				sum, carry = bits.Add64(row[c], t.row(i - 1)[c], 0)
			}
			if carry != 0 {
				sum = math.MaxUint64
			}
			row[c+1] = sum
		}
	}
	return t
}
