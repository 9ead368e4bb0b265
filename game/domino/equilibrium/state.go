package equilibrium

import (
	"perfectplay/game/domino"
	"perfectplay/rank"
)

// State is the public part of a deal in play. Later play depends on the past by nothing else.
type State struct {
	Allowed     [2]domino.Set // tiles not played, without tiles that fitted when the seat passed
	Size        [2]int8       // tiles left
	Left, Right int8          // numbers at the ends, or domino.None
	Mover       uint8
	Passed      bool // the other seat has just passed
}

// possible reports whether the seats can hold two disjoint hands.
func (s *State) possible() bool {
	a, b := int(s.Size[0]), int(s.Size[1])
	return s.Allowed[0].Len() >= a && s.Allowed[1].Len() >= b && (s.Allowed[0]|s.Allowed[1]).Len() >= a+b
}

// deals is the number of pairs of disjoint hands.
func (s *State) deals() (n uint64) {
	both := (s.Allowed[0] & s.Allowed[1]).Len()
	own, other := s.Allowed[0].Len()-both, s.Allowed[1].Len()
	for shared := range int(s.Size[0]) + 1 { // number of seat 0's tiles that seat 1 might hold
		n += rank.Choose(both, shared) * rank.Choose(own, int(s.Size[0])-shared) * rank.Choose(other-shared, int(s.Size[1]))
	}
	return n
}

// fits returns the tiles that fit an end.
func (s *State) fits() domino.Set {
	if s.Left == domino.None {
		return domino.AllTiles
	}
	return domino.WithNumber(int(s.Left)) | domino.WithNumber(int(s.Right))
}

// moves returns the tiles that the mover may be able to play: after each of them two disjoint hands
// are left.
func (s *State) moves() domino.Set {
	me, you := s.Mover&1, s.Mover&1^1
	set := s.Allowed[me] & s.fits()
	if s.Allowed[you].Len() > int(s.Size[you]) && (s.Allowed[0]|s.Allowed[1]).Len() > int(s.Size[0]+s.Size[1]) {
		return set
	}
	for rest := set; rest != 0; rest = rest.DropMin() {
		next := *s
		next.take(rest.Min())
		if !next.possible() {
			set = set.Without(rest.Min())
		}
	}
	return set
}

// take removes a tile that the mover plays, and passes the turn to the other seat.
func (s *State) take(t domino.Tile) {
	s.Allowed[0], s.Allowed[1] = s.Allowed[0].Without(t), s.Allowed[1].Without(t)
	s.Size[s.Mover&1]--
	s.Mover ^= 1
	s.Passed = false
}

// mostPlays is the most moves that plays lists: one tile may fit two different ends.
const mostPlays = domino.Tiles + 1

// plays appends the moves that the mover may be able to make, as [domino.Position.Moves] lists
// them.
func (s *State) plays(buf []domino.Move) []domino.Move {
	for rest := s.moves(); rest != 0; rest = rest.DropMin() {
		t := rest.Min()
		if s.Left != s.Right && domino.WithNumber(int(s.Left)).Has(t) {
			buf = append(buf, domino.NewMove(t, domino.LeftEnd))
		}
		if s.Left == domino.None || domino.WithNumber(int(s.Right)).Has(t) {
			buf = append(buf, domino.NewMove(t, domino.RightEnd))
		}
	}
	return buf
}

// pass returns the state after a pass. ok is false if every hand can play.
func (s *State) pass() (next State, ok bool) {
	next = *s
	next.Allowed[s.Mover&1] &^= s.fits()
	next.Mover ^= 1
	next.Passed = true
	return next, next.possible()
}

// Play returns the state after a move or pass of the mover.
func (s State) Play(m domino.Move) State {
	if m == domino.Passed {
		next, _ := s.pass()
		return next
	}
	t := m.Tile()
	s.take(t)
	switch {
	case s.Left == domino.None:
		s.Left, s.Right = int8(t.Low()), int8(t.High())
	case m.End() == domino.LeftEnd:
		s.Left = int8(t.Other(int(s.Left)))
	default:
		s.Right = int8(t.Other(int(s.Right)))
	}
	return s
}
