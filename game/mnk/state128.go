package mnk

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// lines128 knows where windows begin on a board of at most 128 cells.
type lines128 struct {
	k      uint
	cells  bitboard.Set128
	step   [4]uint
	starts [4]bitboard.Set128
}

func newLines128(g *Game) *lines128 {
	l := &lines128{k: uint(g.k), cells: bitboard.First128(g.cells)}
	for d := range directions {
		l.step[d] = uint(g.Step(d))
	}
	for d, first := range g.Windows() {
		l.starts[d] = l.starts[d].With(first)
	}
	return l
}

// won reports whether s holds a whole window, by doubling as in Lines64.
func (l *lines128) won(s bitboard.Set128) bool {
	for d, step := range l.step {
		w, have := s, uint(1)
		for ; 2*have <= l.k; have *= 2 {
			w = w.And(w.Shr(have * step))
		}
		if have < l.k {
			w = w.And(w.Shr((l.k - have) * step))
		}
		if !w.And(l.starts[d]).IsEmpty() {
			return true
		}
	}
	return false
}

// state128 is a position of a board of 65 to 128 cells, in two sets of two words.
type state128 struct {
	base
	stone [2]bitboard.Set128
	made  [128]uint8
	depth int
}

func (s *state128) place(cells []uint8) {
	for c, p := range cells {
		if p != empty {
			s.stone[p-first] = s.stone[p-first].With(c)
			s.n++
		}
	}
	s.won = s.g.wide.won(s.stone[0]) || s.g.wide.won(s.stone[1])
}

func (s *state128) Moves(buf []game.Move) []game.Move {
	if s.won {
		return buf
	}
	free := s.g.wide.cells.AndNot(s.stone[0].Or(s.stone[1]))
	for x := free.Lo; x != 0; x &= x - 1 {
		buf = append(buf, game.Move(bits.TrailingZeros64(x)))
	}
	for x := free.Hi; x != 0; x &= x - 1 {
		buf = append(buf, game.Move(64+bits.TrailingZeros64(x)))
	}
	return buf
}

func (s *state128) CountMoves() int {
	if s.won {
		return 0
	}
	return s.g.cells - s.n
}

func (s *state128) Make(m game.Move) {
	seat := s.n & 1
	s.stone[seat] = s.stone[seat].With(int(m & 127))
	s.made[s.depth&127] = uint8(m)
	s.depth++
	s.n++
	s.won = s.g.wide.won(s.stone[seat])
}

func (s *state128) Unmake() {
	s.depth--
	s.n--
	s.stone[s.n&1] = s.stone[s.n&1].Without(int(s.made[s.depth&127]))
	s.won = false
}

func (s *state128) Clone() game.State { c := *s; return &c }

// At returns what stands on a cell: 0 nothing, 1 and 2 the players' stones.
func (s *state128) At(c int) uint8 {
	switch {
	case s.stone[0].Has(c):
		return first
	case s.stone[1].Has(c):
		return second
	}
	return empty
}

func (s *state128) String() string  { return s.g.write(s.At) }
func (s *state128) Picture() string { return s.g.picture(s.At) }
func (s *state128) ParseMove(t string) (game.Move, error) {
	return s.g.parseMove(t, s.Result(), func(c int) bool { return s.At(c) == empty })
}

// KeyWords is 4, as for State64 with sets of two words.
func (s *state128) KeyWords() int { return 4 }

func (s *state128) Key(dst []uint64) (sym uint8) {
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
