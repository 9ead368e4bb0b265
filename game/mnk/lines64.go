package mnk

import "math/bits"

//go:generate go run ./internal/genwide lines64.go state64.go

// wordBits is how many cells a set has room for.
const wordBits = 64

// Lines64 knows the windows of a board of at most 64 cells: all sets of k cells
// side by side. It works on sets of cells and on sets of windows, where bit i of
// direction d stands for the window that begins at cell i and runs right (0),
// down (1), down right (2) or down left (3). It is immutable.
//
// A window is looked at by shifting: cell j of all windows of a direction at
// once is the board shifted down by j times the direction's step. Starts holds
// only windows inside the board, so nothing wraps around.
type Lines64 struct {
	Rows, Cols, K int
	Cells         uint64    // all cells
	Step          [4]uint   // from one cell of a window to the next, in bits
	Starts        [4]uint64 // windows inside the board
	Pattern       [4]uint64 // the cells of a window that begins at cell 0
	All           []uint64  // the cells of each window, all directions
	Through       [64][]uint16
	Starting      [64][4]uint64 // the windows that hold a cell, by direction
}

func newLines64(g *Game) *Lines64 {
	l := &Lines64{Rows: g.rows, Cols: g.cols, K: g.k, Cells: ^uint64(0) >> (wordBits - uint(g.cells))}
	for d := range directions {
		l.Step[d] = uint(g.Step(d))
		for i := range g.k {
			if s := uint(i) * l.Step[d]; s < wordBits {
				l.Pattern[d] |= 1 << s
			}
		}
	}
	for d, first := range g.Windows() {
		w := l.Window(d, first)
		l.Starts[d] |= 1 << first
		for x := w; x != 0; x &= x - 1 {
			i := bits.TrailingZeros64(x)
			l.Through[i] = append(l.Through[i], uint16(len(l.All)))
			l.Starting[i][d] |= 1 << first
		}
		l.All = append(l.All, w)
	}
	return l
}

// Window returns the cells of the window of direction d that begins at cell i.
func (l *Lines64) Window(d, i int) uint64 { return l.Pattern[d] << uint(i) }

// full returns the windows of direction d that lie wholly in s.
func (l *Lines64) full(s uint64, d int) uint64 {
	step := l.Step[d]
	w := s
	// w holds the windows of length have; doubling, then one overlapping step.
	have := uint(1)
	k := uint(l.K)
	for ; 2*have <= k; have *= 2 {
		w &= w >> (have * step & 63)
	}
	if have < k {
		w &= w >> ((k - have) * step & 63)
	}
	return w & l.Starts[d]
}

// Won reports whether s holds a whole window.
func (l *Lines64) Won(s uint64) bool {
	return l.full(s, 0)|l.full(s, 1)|l.full(s, 2)|l.full(s, 3) != 0
}

// Clear returns the windows of direction d without a cell of s.
func (l *Lines64) Clear(s uint64, d int) uint64 { return l.full(^s, d) }

// Spread returns the cells of the windows w of direction d.
func (l *Lines64) Spread(w uint64, d int) uint64 {
	step := l.Step[d]
	have := uint(1)
	k := uint(l.K)
	for ; 2*have <= k; have *= 2 {
		w |= w << (have * step & 63)
	}
	if have < k {
		w |= w << ((k - have) * step & 63)
	}
	return w
}

// Planes counts the cells of s in every window of direction d, in binary: bit i
// of plane j is digit j of the number of cells of s in the window at i. Windows
// outside the board hold nothing of meaning. k ≤ 7 gives at most three digits;
// larger k overflow.
func (l *Lines64) Planes(s uint64, d int) (p0, p1, p2 uint64) {
	step := l.Step[d]
	switch l.K {
	case 3:
		a, b, c := s, s>>(step&63), s>>(2*step&63)
		x := a ^ b
		return x ^ c, a&b | x&c, 0
	case 4:
		// Two halves of two cells each.
		t := s >> (step & 63)
		lo, hi := s^t, s&t
		lo2, hi2 := lo>>(2*step&63), hi>>(2*step&63)
		carry := lo & lo2
		x := hi ^ hi2
		return lo ^ lo2, x ^ carry, hi&hi2 | x&carry
	case 5, 6, 7:
		a, b, c := s, s>>(step&63), s>>(2*step&63)
		x := a ^ b
		lo, hi := x^c, a&b|x&c // three cells
		lo2, hi2 := lo>>(3*step&63), hi>>(3*step&63)
		switch l.K {
		case 5: // three and two
			a, b = s>>(3*step&63), s>>(4*step&63)
			lo2, hi2 = a^b, a&b
		case 7: // three, three and one
			a = s >> (6 * step & 63)
			carry := lo & a
			lo ^= a
			// hi and carry: up to four of the first part.
			p2 = hi & carry
			hi ^= carry
		}
		carry := lo & lo2
		x = hi ^ hi2
		return lo ^ lo2, x ^ carry, p2 ^ (hi&hi2 | x&carry)
	}
	for j := range uint(l.K) {
		a := s >> (j * step & 63)
		c0 := p0 & a
		p0 ^= a
		c1 := p1 & c0
		p1 ^= c0
		p2 ^= c1
	}
	return p0, p1, p2
}
