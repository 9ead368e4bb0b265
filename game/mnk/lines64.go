package mnk

import (
	"fmt"
	"math/bits"
)

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

// NewLines64 returns the windows of a board of m·n ≤ 64 cells.
func NewLines64(m, n, k int) (*Lines64, error) {
	if m < 1 || n < 1 || m*n > 64 || k < 1 {
		return nil, fmt.Errorf("%w: %d rows, %d columns, %d in a row: want at most 64 cells", ErrBoard, m, n, k)
	}
	l := &Lines64{Rows: m, Cols: n, K: k, Cells: ^uint64(0) >> (64 - uint(m*n))}
	for d, dir := range directions {
		l.Step[d] = uint(dir[0]*n + dir[1])
		for r := range m {
			for c := range n {
				rr, cc := r+(k-1)*dir[0], c+(k-1)*dir[1]
				if rr >= m || cc < 0 || cc >= n || k == 1 && d > 0 {
					continue
				}
				l.Starts[d] |= 1 << (r*n + c)
				var w uint64
				for i := range k {
					w |= 1 << ((r+i*dir[0])*n + c + i*dir[1])
				}
				for x := w; x != 0; x &= x - 1 {
					i := bits.TrailingZeros64(x)
					l.Through[i] = append(l.Through[i], uint16(len(l.All)))
					l.Starting[i][d] |= 1 << (r*n + c)
				}
				l.All = append(l.All, w)
			}
		}
		for i := range k {
			if s := uint(i) * l.Step[d]; s < 64 {
				l.Pattern[d] |= 1 << s
			}
		}
	}
	return l, nil
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
// larger k overflow, see [Lines64.Counts] for those.
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

// Threats returns the empty cells that complete a window for own: the rest of
// the window is own's. It is the plain statement, cell by cell of the window.
func (l *Lines64) Threats(own, free uint64) (t uint64) {
	for d := range 4 {
		for j := range l.K {
			w := l.Starts[d]
			for i := range l.K {
				s := own
				if i == j {
					s = free
				}
				w &= s >> (uint(i) * l.Step[d] & 63)
			}
			t |= w << (uint(j) * l.Step[d] & 63)
		}
	}
	return t
}
