package mnk

import "perfectplay/bitboard"

//go:generate go run ../../internal/genkernel 64,128 lines64.go state64.go

// Lines64 holds the windows of a board of at most 64 cells: all sets of k cells side by
// side. It works on sets of cells and on sets of windows, where bit i of direction d stands
// for the window that begins at cell i and runs right (0), down (1), down right (2) or down
// left (3). It is immutable.
//
// Shifting the board down by j steps of a direction brings cell j of each window to its first
// cell. Starts holds only windows inside the board, so nothing wraps around.
type Lines64 struct {
	Rows, Cols, K int
	Cells         bitboard.Set64             // all cells
	Step          [4]uint                    // bits from one cell of a window to the next
	Starts        [4]bitboard.Set64          // windows inside the board
	Pattern       [4]bitboard.Set64          // cells of a window that begins at cell 0
	All           []bitboard.Set64           // the cells of each window, all directions
	Starting      [cells64][4]bitboard.Set64 // the windows that hold a cell, by direction
	steps         [4][]uint                  // see stretch
}

func newLines64(g *Game) *Lines64 {
	l := &Lines64{Rows: g.rows, Cols: g.cols, K: g.k, Cells: bitboard.First64(g.cells)}
	for d := range directions {
		l.Step[d] = uint(g.Step(d))
		l.steps[d] = stretch(uint(g.k), l.Step[d])
		for i := range g.k {
			if s := uint(i) * l.Step[d]; s < cells64 {
				l.Pattern[d] = l.Pattern[d].Or(bitboard.Cell64(int(s)))
			}
		}
	}
	for d, first := range g.Windows() {
		w := l.Window(d, first)
		l.Starts[d] = l.Starts[d].Or(bitboard.Cell64(first))
		for x := w; !x.IsEmpty(); x = x.DropMin() {
			i := x.Min()
			l.Starting[i][d] = l.Starting[i][d].Or(bitboard.Cell64(first))
		}
		l.All = append(l.All, w)
	}
	return l
}

// Window returns the cells of the window of direction d that begins at cell i.
func (l *Lines64) Window(d, i int) bitboard.Set64 { return l.Pattern[d].Shl(uint(i)) }

// full returns the windows of direction d that lie wholly in s.
func (l *Lines64) full(s bitboard.Set64, d int) bitboard.Set64 {
	for _, n := range l.steps[d] {
		s = s.And(s.Shr(n & mask64))
	}
	return s.And(l.Starts[d])
}

// Won reports whether s holds a whole window.
func (l *Lines64) Won(s bitboard.Set64) bool {
	return !l.full(s, 0).Or(l.full(s, 1)).Or(l.full(s, 2)).Or(l.full(s, 3)).IsEmpty()
}

// Clear returns the windows of direction d without a cell of s.
func (l *Lines64) Clear(s bitboard.Set64, d int) bitboard.Set64 { return l.full(s.Not(), d) }

// Spread returns the cells of the windows w of direction d.
func (l *Lines64) Spread(w bitboard.Set64, d int) bitboard.Set64 {
	for _, n := range l.steps[d] {
		w = w.Or(w.Shl(n & mask64))
	}
	return w
}

// Completing returns the cells outside of s that complete a window of s. They may have stones of
// the other player.
func (l *Lines64) Completing(s bitboard.Set64) (cells bitboard.Set64) {
	for d, step := range l.Step {
		if l.Starts[d].IsEmpty() {
			continue
		}
		// all are the windows whose first done cells lie in s; one are those where exactly one of
		// these cells does not. full and lack say the same about the n cells from each cell on. n
		// doubles in each round. The rounds of the binary digits of k add their n cells to done.
		all, one := l.Starts[d], bitboard.Set64{}
		full, lack, done := s, s.Not(), uint(0)
		for n, k := uint(1), l.K; ; {
			if k&1 != 0 {
				f := full.Shr(done * step & mask64)
				one = one.And(f).Or(all.And(lack.Shr(done * step & mask64)))
				all = all.And(f)
				done += n
			}
			if k >>= 1; k == 0 {
				break
			}
			f := full.Shr(n * step & mask64)
			lack = lack.And(f).Or(full.And(lack.Shr(n * step & mask64)))
			full = full.And(f)
			n *= 2
		}
		if !one.IsEmpty() {
			cells = cells.Or(l.Spread(one, d))
		}
	}
	return cells.AndNot(s)
}
