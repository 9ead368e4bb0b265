package mnk

import "perfectplay/game"

// Plain is a position as an array of cells: the reference for the other forms, and the state of
// boards of more than 128 cells. Exact keys of such boards do not fit six words, so a Plain has
// none.
type Plain struct {
	base
	cell []uint8
	made []int32
}

func newPlain(g *Game) *Plain {
	return &Plain{base: base{g: g}, cell: make([]uint8, g.cells), made: make([]int32, 0, g.cells)}
}

func (s *Plain) place(cells []uint8) {
	for c, p := range cells {
		if p == empty {
			continue
		}
		s.cell[c] = p
		s.n++
	}
	for c, p := range s.cell {
		if p != empty && s.g.linesThrough(s.cell, c) > 0 {
			s.won = true
		}
	}
}

// At returns the contents of a cell: 0 empty, 1 and 2 the players' stones.
func (s *Plain) At(cell int) uint8 { return s.cell[cell] }

// Moves appends the empty cells in ascending order.
func (s *Plain) Moves(buf []game.Move) []game.Move {
	if s.won {
		return buf
	}
	for c, p := range s.cell {
		if p == empty {
			buf = append(buf, game.Move(c))
		}
	}
	return buf
}

// completes reports whether a stone of a player on a cell, which is empty, completes a window.
func (s *Plain) completes(c, player int) bool {
	s.cell[c] = uint8(player + first)
	n := s.g.linesThrough(s.cell, c)
	s.cell[c] = empty
	return n > 0
}

// WinningMove is the first cell that completes a window of the player to move, see
// game.SafeLister.
func (s *Plain) WinningMove() game.Move {
	for c, p := range s.cell {
		if p == empty && !s.won && s.completes(c, s.n&1) {
			return game.Move(c)
		}
	}
	return game.NoMove
}

// SafeMoves appends the cells after which the other player cannot complete a window at once: all
// empty cells if it has no threat, the completing cell if it has one.
func (s *Plain) SafeMoves(buf []game.Move) []game.Move {
	start := len(buf)
	for c, p := range s.cell {
		if p == empty && s.completes(c, 1-s.n&1) {
			if buf = append(buf, game.Move(c)); len(buf) > start+1 {
				return buf[:start]
			}
		}
	}
	if len(buf) == start {
		return s.Moves(buf)
	}
	return buf
}

// Make puts a stone on an empty cell.
func (s *Plain) Make(m game.Move) {
	s.cell[m] = uint8(s.n&1 + first)
	s.made = append(s.made, int32(m))
	s.n++
	s.won = s.g.linesThrough(s.cell, int(m)) > 0
}

// Unmake takes the last stone back.
func (s *Plain) Unmake() {
	m := s.made[len(s.made)-1]
	s.made = s.made[:len(s.made)-1]
	s.n--
	s.cell[m] = empty
	s.won = false
}

// Clone returns an independent copy without history.
func (s *Plain) Clone() game.State {
	c := *s
	c.cell = append([]uint8(nil), s.cell...)
	c.made = make([]int32, 0, s.g.cells)
	return &c
}

// String is the position as text.
func (s *Plain) String() string { return s.g.Print(s.At) }

// ParseMove reads the name of an empty cell.
func (s *Plain) ParseMove(text string) (game.Move, error) {
	return s.g.parseMove(text, s.Result(), func(c int) bool { return s.cell[c] == empty })
}
