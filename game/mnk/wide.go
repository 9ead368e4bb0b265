package mnk

import (
	"math/bits"

	"perfectplay/game"
)

// spans says which windows hold a cell, for boards of any size. A window is
// named by direction and first cell: number direction·cells + cell.
type spans struct {
	step [4]int
	// through[c][d] are the positions, from…to−1, that cell c can have in a
	// window of direction d: the window begins that many steps before it.
	through [][4]span
}

type span struct{ from, to uint8 }

func newSpans(m, n, k int) *spans {
	s := &spans{through: make([][4]span, m*n)}
	inside := func(r, c int) bool { return r >= 0 && r < m && c >= 0 && c < n }
	for d, dir := range directions {
		s.step[d] = dir[0]*n + dir[1]
		if k == 1 && d > 0 {
			continue // the same windows again
		}
		for r := range m {
			for c := range n {
				t := span{}
				for i := range k {
					if inside(r-i*dir[0], c-i*dir[1]) && inside(r+(k-1-i)*dir[0], c+(k-1-i)*dir[1]) {
						if t.to == 0 {
							t.from = uint8(i)
						}
						t.to = uint8(i + 1)
					}
				}
				s.through[r*n+c][d] = t
			}
		}
	}
	return s
}

// Wide is a position of a board above 128 cells: a set of cells for each player,
// and for each window how many stones of each player it holds, which a stone
// changes in at most 4k windows. Who wins, how far a player is from winning and
// the evaluation follow from counters without looking at the board. Like
// [Plain], the reference, it has [Wide.Zobrist] instead of an exact key.
type Wide struct {
	g     *Game
	stone [2][]uint64
	n     int
	made  []int32
	hash  [8]uint64
	// count[w] are the stones in window w, of the first player in the low byte
	// and of the second in the high one. open[p][i] is the number of windows with
	// i > 0 stones of player p and none of the other; free of those with none.
	count []uint16
	open  [2][MaxSide + 1]int32
	free  int32
}

func newWide(g *Game) *Wide {
	words := (g.cells + 63) / 64
	s := &Wide{g: g, made: make([]int32, 0, g.cells), count: make([]uint16, 4*g.cells), free: g.windows}
	s.stone = [2][]uint64{make([]uint64, words), make([]uint64, words)}
	return s
}

func (s *Wide) place(cells []uint8) error {
	for c, p := range cells {
		if p != empty {
			s.put(c, int(p-first), 1)
			s.n++
		}
	}
	return nil
}

// put adds (sign 1) or takes away (−1) a stone and updates all counters.
func (s *Wide) put(c, player, sign int) {
	s.stone[player][c>>6] ^= 1 << (c & 63)
	for i, sym := range s.g.sym {
		s.hash[i] ^= s.g.zobrist[player][sym[c]]
	}
	one := uint16(1) << (8 * player)
	if sign < 0 {
		one = -one
	}
	for d, t := range s.g.spans.through[c] {
		step := s.g.spans.step[d]
		w := d*s.g.cells + c - int(t.from)*step
		for range t.to - t.from {
			old := s.count[w]
			s.count[w] = old + one
			s.note(old, -1)
			s.note(old+one, 1)
			w -= step
		}
	}
}

// note counts a window with these stones in (sign 1) or out.
func (s *Wide) note(count uint16, sign int32) {
	switch x, o := count&255, count>>8; {
	case count == 0:
		s.free += sign
	case o == 0:
		s.open[0][x] += sign
	case x == 0:
		s.open[1][o] += sign
	}
}

// Zobrist is the hash that Plain has.
func (s *Wide) Zobrist() uint64 { return smallest(s.hash[:len(s.g.sym)]) }

// At returns what stands on a cell: 0 nothing, 1 and 2 the players' stones.
func (s *Wide) At(cell int) uint8 {
	w, b := cell>>6, cell&63
	return uint8(s.stone[0][w]>>b&1) + 2*uint8(s.stone[1][w]>>b&1)
}

// Seat is the seat to move.
func (s *Wide) Seat() int { return s.n & 1 }

func (s *Wide) won() bool { return s.open[0][s.g.k] > 0 || s.open[1][s.g.k] > 0 }

// Result is decided by the rules, see State64.
func (s *Wide) Result() game.Result {
	switch {
	case s.won():
		return game.Result(1 - s.n&1)
	case s.n == s.g.cells:
		return game.Drawn
	}
	return game.Ongoing
}

// Moves appends the empty cells in ascending order.
func (s *Wide) Moves(buf []game.Move) []game.Move {
	if s.won() {
		return buf
	}
	for w := range s.stone[0] {
		free := ^(s.stone[0][w] | s.stone[1][w])
		if left := s.g.cells - 64*w; left < 64 {
			free &= 1<<left - 1
		}
		for ; free != 0; free &= free - 1 {
			buf = append(buf, game.Move(64*w+bits.TrailingZeros64(free)))
		}
	}
	return buf
}

// CountMoves is the number of empty cells of an undecided game.
func (s *Wide) CountMoves() int {
	if s.won() {
		return 0
	}
	return s.g.cells - s.n
}

// Make puts a stone on an empty cell.
func (s *Wide) Make(m game.Move) {
	s.put(int(m), s.n&1, 1)
	s.made = append(s.made, int32(m))
	s.n++
}

// Unmake takes the last stone back.
func (s *Wide) Unmake() {
	m := s.made[len(s.made)-1]
	s.made = s.made[:len(s.made)-1]
	s.n--
	s.put(int(m), s.n&1, -1)
}

// Clone returns an independent copy without history.
func (s *Wide) Clone() game.State {
	c := *s
	for p := range c.stone {
		c.stone[p] = append([]uint64(nil), s.stone[p]...)
	}
	c.count = append([]uint16(nil), s.count...)
	c.made = make([]int32, 0, s.g.cells)
	return &c
}

// String is the position as text.
func (s *Wide) String() string { return s.g.write(s.At) }

// Picture draws the board.
func (s *Wide) Picture() string { return s.g.picture(s.At) }

// MoveString names the cell.
func (s *Wide) MoveString(m game.Move) string { return s.g.CellName(int(m)) }

// ParseMove reads the name of an empty cell.
func (s *Wide) ParseMove(text string) (game.Move, error) {
	return s.g.parseMove(text, s.Result(), func(c int) bool { return s.At(c) == empty })
}

// TurnsToWin is the number of stones missing in the window that seat could
// complete soonest.
func (s *Wide) TurnsToWin(seat int) int {
	if s.won() {
		if s.n&1 != seat {
			return 0
		}
		return game.NeverWins
	}
	for n := s.g.k; n > 0; n-- {
		if s.open[seat][n] > 0 {
			return s.g.k - n
		}
	}
	if s.free > 0 {
		return s.g.k
	}
	return game.NeverWins
}

// Gain counts the windows through a cell that are open to either player,
// weighted by the stones in them.
func (s *Wide) Gain(m game.Move) (gain int32) {
	for d, t := range s.g.spans.through[m] {
		w := d*s.g.cells + int(m) - int(t.from)*s.g.spans.step[d]
		for range t.to - t.from {
			if x, o := s.count[w]&255, s.count[w]>>8; x == 0 || o == 0 {
				gain += 1 << min(20, 3*(x+o))
			}
			w -= s.g.spans.step[d]
		}
	}
	return gain
}

// Evaluate compares the windows open to the players, weighted by their stones.
func (s *Wide) Evaluate(seat int) int32 {
	if w, ok := s.Result().Winner(); ok {
		if w == seat {
			return 30000
		}
		return -30000
	}
	var sum int32
	for n := 1; n <= s.g.k; n++ {
		sum += (s.open[seat][n] - s.open[1-seat][n]) << min(12, 2*n)
	}
	return max(-29000, min(29000, sum))
}
