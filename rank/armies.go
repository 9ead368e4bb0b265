package rank

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
)

// Armies numbers the positions of several armies that do not overlap, on n ≤
// 128 cells, 0…Size−1 without gaps. Make one with [NewArmies]. It is immutable
// and safe for concurrent use.
//
// The index is Σ rank of army i × [Armies.Stride](i), where an army is ranked
// among the cells that armies 0…i−1 leave free. The first army is the most
// significant.
//
// Methods ending in 64 are for n ≤ 64 and take the cells as one word. What a
// method does with armies that overlap, have the wrong size or leave the board
// is not defined, but it does not panic.
type Armies struct {
	n      int
	all    bitboard.Set128 // cells 0…n−1
	size   uint64
	army   []*Subsets // army[i] on the cells that are free for it
	stride []uint64
}

// NewArmies returns the numbering for armies of the given sizes on n cells.
// The error wraps ErrOverflow if the number of positions does not fit 64 bits.
func NewArmies(n int, sizes ...int) (*Armies, error) {
	if n < 0 || n > 128 {
		return nil, fmt.Errorf("rank: armies on %d cells: need 0 ≤ n ≤ 128", n)
	}
	a := &Armies{n: n, all: bitboard.First128(n), size: 1, stride: make([]uint64, len(sizes))}
	// What cannot be placed is refused before what cannot be counted.
	free := n
	for i, k := range sizes {
		if k < 0 || k > free {
			return nil, fmt.Errorf("rank: armies %v on %d cells: army %d: %d cells out of %d free ones", sizes, n, i, k, free)
		}
		free -= k
	}
	free = n
	for i, k := range sizes {
		s, err := NewSubsets(free, k)
		if err != nil {
			return nil, fmt.Errorf("rank: armies %v on %d cells: sets of army %d: %w", sizes, n, i, ErrOverflow)
		}
		a.army = append(a.army, s)
		free -= k
	}
	for i := len(sizes) - 1; i >= 0; i-- {
		a.stride[i] = a.size
		hi, lo := bits.Mul64(a.size, a.army[i].size)
		if hi != 0 {
			return nil, fmt.Errorf("rank: armies %v on %d cells: number of positions: %w", sizes, n, ErrOverflow)
		}
		a.size = lo
	}
	return a, nil
}

// N returns the number of cells of the board.
func (a *Armies) N() int { return a.n }

// Len returns the number of armies.
func (a *Armies) Len() int { return len(a.army) }

// Size returns the number of positions. Indices are below it.
func (a *Armies) Size() uint64 { return a.size }

// Army returns the numbering of army i among the cells that are free for it.
func (a *Armies) Army(i int) *Subsets { return a.army[i] }

// Stride returns by how much the index grows with the rank of army i: the
// number of positions of all later armies.
func (a *Armies) Stride(i int) uint64 { return a.stride[i] }

// Index returns the index of the position with sets[i] as army i;
// len(sets) = Len.
func (a *Armies) Index(sets []bitboard.Set128) uint64 {
	if len(sets) == 0 {
		return 0
	}
	index := a.army[0].Rank(sets[0])
	taken := sets[0]
	for i := 1; i < len(sets); i++ {
		s := a.army[i]
		index = index*s.size + s.Rank(bitboard.Extract128(sets[i], a.all.AndNot(taken)))
		taken = taken.Or(sets[i])
	}
	return index
}

// Index64 is Index for n ≤ 64.
func (a *Armies) Index64(sets []uint64) uint64 {
	if len(sets) == 0 {
		return 0
	}
	index := a.army[0].Rank64(sets[0])
	taken := sets[0]
	for i := 1; i < len(sets); i++ {
		s := a.army[i]
		index = index*s.size + s.Rank64(bitboard.Extract64(sets[i], a.all.Lo&^taken))
		taken |= sets[i]
	}
	return index
}

// Sets writes the armies of the position with the given index to dst;
// len(dst) = Len. It panics if index is not below Size.
func (a *Armies) Sets(dst []bitboard.Set128, index uint64) {
	if index >= a.size {
		panic("rank: Sets: index beyond the last position")
	}
	free := a.all
	for i := range dst {
		r := index
		if stride := a.stride[i]; stride > 1 { // spare the last army a division
			r = index / stride
			index -= r * stride
		} else {
			index = 0
		}
		dst[i] = bitboard.Deposit128(a.army[i].Unrank(r), free)
		free = free.AndNot(dst[i])
	}
}

// Sets64 is Sets for n ≤ 64.
func (a *Armies) Sets64(dst []uint64, index uint64) {
	if index >= a.size {
		panic("rank: Sets64: index beyond the last position")
	}
	free := a.all.Lo
	for i := range dst {
		r := index
		if stride := a.stride[i]; stride > 1 { // spare the last army a division
			r = index / stride
			index -= r * stride
		} else {
			index = 0
		}
		dst[i] = bitboard.Deposit64(a.army[i].Unrank64(r), free)
		free &^= dst[i]
	}
}

// ArmyLift finds the indices of the positions that arise when one piece of one
// army is taken up and put down on a free cell. Prepare it with [Armies.Lift]
// for each piece. Like [Lift] it is scratch space to keep: of one goroutine,
// about 1 KiB, not prepared when zero.
//
// Earlier armies keep their ranks, the army itself is looked up, and only
// later armies, whose free cells change, are ranked again for each
// destination. For the last army that is one lookup.
type ArmyLift struct {
	lift   Lift
	a      *Armies
	before uint64          // what earlier armies contribute
	free   bitboard.Set128 // cells that earlier armies leave free
	rest   bitboard.Set128 // the pieces of the army that stay, on the board
	later  []bitboard.Set128
	next   int // index of the army after this one
}

// Lift prepares l for army i of the position sets, len(sets) = Len, from which
// the piece on cell from is taken up. It keeps a copy of later armies, for
// which it allocates when l is first used with so many.
func (a *Armies) Lift(l *ArmyLift, sets []bitboard.Set128, i, from int) {
	l.a, l.next, l.later = a, i+1, append(l.later[:0], sets[i+1:]...)
	l.before, l.free = 0, a.all
	for j, s := range sets[:i] {
		r := a.army[j].Rank(bitboard.Extract128(s, l.free))
		l.before += r * a.stride[j]
		l.free = l.free.AndNot(s)
	}
	l.rest = sets[i].Without(from)
	a.army[i].Lift(&l.lift, bitboard.Extract128(l.rest, l.free))
}

// Index returns the index of the position with the piece on cell b, which must
// be free or the cell it came from.
func (l *ArmyLift) Index(b int) uint64 {
	c := bits.OnesCount64(l.free.Lo&(1<<uint(b)-1)) +
		bits.OnesCount64(l.free.Hi&(^uint64(0)>>uint(128-b)))
	index := l.before + l.lift.Rank(c)*l.a.stride[l.next-1]
	if len(l.later) == 0 {
		return index
	}
	return index + l.rank(b)
}

// rank returns what later armies contribute if the piece is on b.
func (l *ArmyLift) rank(b int) (sum uint64) {
	free := l.free.AndNot(l.rest).Without(b)
	for i, s := range l.later {
		sum += l.a.army[l.next+i].Rank(bitboard.Extract128(s, free)) * l.a.stride[l.next+i]
		free = free.AndNot(s)
	}
	return sum
}
