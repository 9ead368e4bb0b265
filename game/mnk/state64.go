package mnk

import (
	"perfectplay/bitboard"
	"perfectplay/game"
)

// State64 is a position of a board of at most 64 cells, in two sets of one word.
type State64 struct {
	base
	stone [2]bitboard.Set64 // stones of the first and the second player
	made  [cells64]uint8    // stack of the cells played since the state was made
	depth int
	gains [cells64]int32 // gain of each empty cell, see Gain
	rated bool           // gains belongs to the current position
}

// Stones returns the stones of the two players.
func (s *State64) Stones() (x, o bitboard.Set128) { return wide64(s.stone[0]), wide64(s.stone[1]) }

// At returns the contents of a cell: 0 empty, 1 and 2 the players' stones.
func (s *State64) At(c int) uint8 {
	switch {
	case s.stone[0].Has(c):
		return first
	case s.stone[1].Has(c):
		return second
	}
	return empty
}

// KeyWords is the number of words of two sets: a key is the two players' stones in the
// smallest of all symmetric pictures. The number of stones determines the mover.
func (s *State64) KeyWords() int { return keyWords64 }

// Key writes the identity of the position, see game.Keyer.
func (s *State64) Key(dst []uint64) (sym uint8) {
	a, b := s.stone[0], s.stone[1]
	images := [8]bitboard.Set64{a}
	for i, p := range s.g.perm64[1:] {
		if i++; i&2 == 0 {
			images[i&7] = p.Apply(s.stone[0])
		} else { // symmetry 3 is a half turn, which needs no table
			images[i&7] = s.g.perm64[3].Apply(images[i&7^3])
		}
		x := images[i&7]
		if x.Compare(a) > 0 {
			continue
		}
		if y := p.Apply(s.stone[1]); x != a || y.Compare(b) < 0 {
			a, b, sym = x, y, uint8(i)
		}
	}
	putKey64(dst, a, b)
	return sym
}

func (s *State64) place(cells []uint8) {
	for c, p := range cells {
		if p != empty {
			s.stone[p-first] = s.stone[p-first].Or(bitboard.Cell64(c))
			s.n++
		}
	}
	s.won = s.g.lines64.Won(s.stone[0]) || s.g.lines64.Won(s.stone[1])
}

func (s *State64) free() bitboard.Set64 {
	return s.g.lines64.Cells.AndNot(s.stone[0].Or(s.stone[1]))
}

// Moves appends the empty cells in ascending order.
func (s *State64) Moves(buf []game.Move) []game.Move {
	if s.won {
		return buf
	}
	for x := s.free(); !x.IsEmpty(); x = x.DropMin() {
		buf = append(buf, game.Move(x.Min()))
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
	s.stone[seat] = s.stone[seat].Or(bitboard.Cell64(int(m & mask64)))
	s.made[s.depth&mask64] = uint8(m)
	s.depth++
	s.n++
	s.rated = false
	s.won = s.g.lines64.Won(s.stone[seat])
}

// Unmake takes the last stone back.
func (s *State64) Unmake() {
	s.depth--
	s.n--
	s.stone[s.n&1] = s.stone[s.n&1].AndNot(bitboard.Cell64(int(s.made[s.depth&mask64] & mask64)))
	s.won, s.rated = false, false
}

// Clone returns an independent copy.
func (s *State64) Clone() game.State { c := *s; return &c }

// String is the position as text, see the package documentation.
func (s *State64) String() string { return s.g.Print(s.At) }

// ParseMove reads the name of an empty cell.
func (s *State64) ParseMove(text string) (game.Move, error) {
	return s.g.parseMove(text, s.Result(), func(c int) bool { return s.At(c) == empty })
}

// TurnsToWin is the number of stones missing in the window that seat could complete
// soonest, NeverWins if the board is full before.
func (s *State64) TurnsToWin(seat int) int {
	if s.won {
		if s.n&1 != seat {
			return 0
		}
		return game.NeverWins
	}
	turns := game.NeverWins
	for _, w := range s.g.lines64.All {
		if !w.Meets(s.stone[1-seat]) {
			turns = min(turns, s.g.k-w.And(s.stone[seat]).Count())
		}
	}
	return s.inTime(seat, turns)
}

// Gain counts the windows through an empty cell that are still open to either player,
// weighted by the stones in them. The first call at a position rates all cells.
func (s *State64) Gain(m game.Move) int32 {
	if !s.rated {
		s.rate()
	}
	return s.gains[m&mask64]
}

func (s *State64) rate() {
	s.gains, s.rated = [cells64]int32{}, true
	for _, w := range s.g.lines64.All {
		x, o := w.And(s.stone[0]), w.And(s.stone[1])
		if !x.IsEmpty() && !o.IsEmpty() {
			continue
		}
		stones := x.Or(o)
		weight := int32(1) << min(24, 3*stones.Count())
		for free := w.AndNot(stones); !free.IsEmpty(); free = free.DropMin() {
			s.gains[free.Min()&mask64] += weight
		}
	}
}

// Wins reports whether a stone completes a window of the player to move.
func (s *State64) Wins(m game.Move) bool {
	return s.g.lines64.Won(s.stone[s.n&1].Or(bitboard.Cell64(int(m & mask64))))
}

// WinningMove is the first cell that completes a window of the player to move, see
// game.SafeLister.
func (s *State64) WinningMove() game.Move {
	if x := s.completing(s.n & 1); !x.IsEmpty() && !s.won {
		return game.Move(x.Min())
	}
	return game.NoMove
}

// SafeMoves appends the cells after which the other player cannot complete a window at once.
func (s *State64) SafeMoves(buf []game.Move) []game.Move {
	x := s.completing(1 - s.n&1)
	switch {
	case x.IsEmpty():
		x = s.free()
	case !x.DropMin().IsEmpty():
		return buf // no move is safe: one stone does not stop two threats
	}
	for ; !x.IsEmpty(); x = x.DropMin() {
		buf = append(buf, game.Move(x.Min()))
	}
	return buf
}

// completing returns the empty cells that complete a window of a player.
func (s *State64) completing(player int) bitboard.Set64 {
	return s.g.lines64.Completing(s.stone[player]).AndNot(s.stone[1-player])
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
	for _, w := range s.g.lines64.All {
		x, o := w.And(s.stone[0]), w.And(s.stone[1])
		switch {
		case x.IsEmpty() && !o.IsEmpty():
			sum -= 1 << min(12, 2*o.Count())
		case o.IsEmpty() && !x.IsEmpty():
			sum += 1 << min(12, 2*x.Count())
		}
	}
	if seat == 1 {
		sum = -sum
	}
	return max(-29000, min(29000, sum))
}
