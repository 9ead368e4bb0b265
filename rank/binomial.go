package rank

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"
)

// ErrOverflow is in the chain of every error about a count that does not fit
// 64 bits.
var ErrOverflow = errors.New("more than 64 bits")

// Binomial returns C(n,k), the number of k-subsets of n cells, 0 if k > n. The
// error wraps ErrOverflow if that does not fit 64 bits, and refuses negative
// arguments.
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
			return 0, fmt.Errorf("rank: C(%d,%d): %w", n, k, ErrOverflow)
		}
		c, _ = bits.Div64(hi, lo, i+1)
	}
	return c, nil
}

// terms is the table of the combinadic's terms: terms[i][c] is C(c,i+1), what
// the (i+1)-th lowest piece contributes on cell c. The last column is a bound
// for unranking. Entries that do not fit are the largest uint64; no set whose
// rank fits uses them.
type terms [128][129]uint64

// sharedTerms is computed once and never changes. All subsets use the same
// table, so that the armies of a game share what they bring into the cache.
var sharedTerms = sync.OnceValue(func() *terms {
	t := new(terms)
	for c := range 129 {
		t[0][c] = uint64(c)
	}
	for i := 1; i < 128; i++ {
		for c := range 128 {
			sum, carry := bits.Add64(t[i][c], t[i-1][c], 0)
			if carry != 0 {
				sum = math.MaxUint64
			}
			t[i][c+1] = sum
		}
	}
	return t
})
