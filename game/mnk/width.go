package mnk

import (
	"perfectplay/bitboard"
	"perfectplay/game"
)

// What differs between boards of at most 64 cells and of 65 to 128. All else about the
// wide ones is made from the source of the narrow ones, see internal/genwide.

// wordBits128 is how many cells a set of two words has room for.
const wordBits128 = 128

// Position is a position of a board of at most 128 cells, a [State64] or a [State128].
type Position interface {
	game.State
	game.Keyer
	// At returns what stands on a cell: 0 nothing, 1 and 2 the players' stones.
	At(cell int) uint8
	// Stones returns the stones of the two players.
	Stones() (x, o bitboard.Set128)
	// Gain says how much a stone on a cell is worth at a glance.
	Gain(m game.Move) int32
}

// Text is the position with these stones as text, as a state prints it. The
// board has at most 128 cells.
func (g *Game) Text(x, o bitboard.Set128) string {
	s := State128{base: base{g: g}, stone: [2]bitboard.Set128{x, o}}
	return s.String()
}

// Stones returns the stones of the two players.
func (s *State64) Stones() (x, o bitboard.Set128) {
	return bitboard.Set128{Lo: s.stone[0]}, bitboard.Set128{Lo: s.stone[1]}
}

// Stones returns the stones of the two players.
func (s *State128) Stones() (x, o bitboard.Set128) { return s.Sets() }

// At returns what stands on a cell: 0 nothing, 1 and 2 the players' stones.
func (s *State64) At(c int) uint8 {
	return uint8(s.stone[0]>>uint(c)&1) + 2*uint8(s.stone[1]>>uint(c)&1)
}

// At returns what stands on a cell: 0 nothing, 1 and 2 the players' stones.
func (s *State128) At(c int) uint8 {
	switch {
	case s.stone[0].Has(c):
		return first
	case s.stone[1].Has(c):
		return second
	}
	return empty
}

// KeyWords is 2: the two players' stones in the smallest of all symmetric
// pictures. Who is to move follows from the number of stones.
func (s *State64) KeyWords() int { return 2 }

// Key writes the identity of the position, see game.Keyer.
func (s *State64) Key(dst []uint64) (sym uint8) {
	a, b := s.stone[0], s.stone[1]
	for i, p := range s.g.perm[1:] {
		x := p.Apply(s.stone[0])
		if x > a {
			continue
		}
		if y := p.Apply(s.stone[1]); x < a || y < b {
			a, b, sym = x, y, uint8(i+1)
		}
	}
	dst[0], dst[1] = a, b
	return sym
}

// KeyWords is 4, as for State64 with sets of two words.
func (s *State128) KeyWords() int { return 4 }

// Key writes the identity of the position, see game.Keyer.
func (s *State128) Key(dst []uint64) (sym uint8) {
	a, b := s.stone[0], s.stone[1]
	for i, p := range s.g.perm128[1:] {
		x := p.Apply(s.stone[0])
		if x.Compare(a) > 0 {
			continue
		}
		if y := p.Apply(s.stone[1]); x != a || y.Compare(b) < 0 {
			a, b, sym = x, y, uint8(i+1)
		}
	}
	dst[0], dst[1], dst[2], dst[3] = a.Lo, a.Hi, b.Lo, b.Hi
	return sym
}
