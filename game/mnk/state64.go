package mnk

import (
	"math/bits"

	"perfectplay/game"
)

// State64 is a position of a board of at most 64 cells, in two sets of one word.
type State64 struct {
	base
	stone [2]uint64 // of the first and the second player
	made  [64]uint8 // cells since the state was made, a stack
	depth int
}

// Sets returns the stones of the two players.
func (s *State64) Sets() (x, o uint64) { return s.stone[0], s.stone[1] }

func (s *State64) place(cells []uint8) {
	for c, p := range cells {
		if p != empty {
			s.stone[p-first] |= 1 << c
			s.n++
		}
	}
	s.won = s.g.lines.Won(s.stone[0]) || s.g.lines.Won(s.stone[1])
}

func (s *State64) free() uint64 { return s.g.lines.Cells &^ (s.stone[0] | s.stone[1]) }

// Moves appends the empty cells in ascending order.
func (s *State64) Moves(buf []game.Move) []game.Move {
	if s.won {
		return buf
	}
	for x := s.free(); x != 0; x &= x - 1 {
		buf = append(buf, game.Move(bits.TrailingZeros64(x)))
	}
	return buf
}

// CountMoves is the number of empty cells of an undecided game.
func (s *State64) CountMoves() int {
	if s.won {
		return 0
	}
	return s.g.cells - s.n
}

// Make puts a stone on an empty cell.
func (s *State64) Make(m game.Move) {
	seat := s.n & 1
	s.stone[seat] |= 1 << (m & 63)
	s.made[s.depth&63] = uint8(m)
	s.depth++
	s.n++
	s.won = s.g.lines.Won(s.stone[seat])
}

// Unmake takes the last stone back.
func (s *State64) Unmake() {
	s.depth--
	s.n--
	s.stone[s.n&1] &^= 1 << (s.made[s.depth&63] & 63)
	s.won = false
}

// Clone returns an independent copy.
func (s *State64) Clone() game.State { c := *s; return &c }

// String is the position as text, see the package documentation.
func (s *State64) String() string { return s.g.write(s.At) }

// Picture draws the board.
func (s *State64) Picture() string { return s.g.picture(s.At) }

// ParseMove reads the name of an empty cell.
func (s *State64) ParseMove(text string) (game.Move, error) {
	return s.g.parseMove(text, s.Result(), func(c int) bool { return s.At(c) == empty })
}

// TurnsToWin is the number of stones missing in the window that seat could
// complete soonest.
func (s *State64) TurnsToWin(seat int) int {
	if s.won {
		if s.n&1 != seat {
			return 0
		}
		return game.NeverWins
	}
	l := s.g.lines
	if l.K > 7 {
		return s.slowTurns(seat)
	}
	best := -1
	for d := range 4 {
		w := l.Clear(s.stone[1-seat], d)
		if w == 0 {
			continue
		}
		p0, p1, p2 := l.Planes(s.stone[seat], d)
		n := 0
		for i, p := range [3]uint64{p2, p1, p0} {
			if w&p != 0 {
				w &= p
				n |= 4 >> i
			}
		}
		best = max(best, n)
	}
	if best < 0 {
		return game.NeverWins
	}
	return l.K - best
}

// slowTurns is TurnsToWin window by window.
func (s *State64) slowTurns(seat int) int {
	best := game.NeverWins
	for _, w := range s.g.lines.All {
		if w&s.stone[1-seat] == 0 {
			best = min(best, s.g.k-bits.OnesCount64(w&s.stone[seat]))
		}
	}
	return best
}

// Gain counts the windows through a cell that are still open to either player,
// weighted by the stones in them.
func (s *State64) Gain(m game.Move) (gain int32) {
	l := s.g.lines
	for _, i := range l.Through[m&63] {
		w := l.All[i]
		x, o := w&s.stone[0], w&s.stone[1]
		if x == 0 || o == 0 {
			gain += 1 << min(24, 3*bits.OnesCount64(x|o))
		}
	}
	return gain
}

// Wins reports whether a stone completes a window of the player to move.
func (s *State64) Wins(m game.Move) bool {
	return s.g.lines.Won(s.stone[s.n&1] | 1<<(m&63))
}

// Evaluate compares the windows open to the players, weighted by their stones.
func (s *State64) Evaluate(seat int) int32 {
	if w, ok := s.Result().Winner(); ok {
		if w == seat {
			return 30000
		}
		return -30000
	}
	var sum int32
	for _, w := range s.g.lines.All {
		x, o := w&s.stone[0], w&s.stone[1]
		switch {
		case x == 0 && o != 0:
			sum -= 1 << min(12, 2*bits.OnesCount64(o))
		case o == 0 && x != 0:
			sum += 1 << min(12, 2*bits.OnesCount64(x))
		}
	}
	if seat == 1 {
		sum = -sum
	}
	return max(-29000, min(29000, sum))
}
