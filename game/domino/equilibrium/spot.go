package equilibrium

import (
	"perfectplay/game/domino"
)

// Spot is an information set of a mover who has two tiles or more and can play.
type Spot struct {
	State
	Past  string        // tiles and passes after the first tile, a blank before each
	Path  []domino.Move // Past as moves
	Hand  domino.Set
	Moves []domino.Move // as domino.Position.Moves lists them

	at   []int // by move: the number of the move in the tree
	rank int   // rank of the hand among the mover's possible hands
}

// MoveText is [domino.Position.MoveText] at a state.
func (s *State) MoveText(m domino.Move) string {
	return domino.Position{Left: s.Left, Right: s.Right}.MoveText(m)
}

// spots visits all information sets in the order of the tree. A spot is valid until visit returns.
func (t *tree) spots(visit func(*Spot) error) error {
	number := 0
	return t.spotsFrom(t.root, "", nil, &number, visit)
}

func (t *tree) spotsFrom(s State, past string, path []domino.Move, number *int, visit func(*Spot) error) error {
	me := s.Mover & 1
	if s.Size[me] > 1 {
		if err := t.spotsAt(&s, past, path, number, visit); err != nil {
			return err
		}
		if t.closed(&s) {
			return nil
		}
		for _, m := range s.plays(nil) {
			if err := t.spotsFrom(s.Play(m), past+" "+s.MoveText(m), append(path, m), number, visit); err != nil {
				return err
			}
		}
	}
	if next, ok := s.pass(); ok && !s.Passed {
		return t.spotsFrom(next, past+" pass", append(path, domino.Passed), number, visit)
	}
	return nil
}

// spotsAt visits the mover's hands at a state.
func (t *tree) spotsAt(s *State, past string, path []domino.Move, number *int, visit func(*Spot) error) error {
	me := s.Mover & 1
	set, you := s.Allowed[me], s.Allowed[me^1]
	places := t.hands[s.Size[me]][set.Len()]
	list := make([]Spot, binomial[s.Size[me]][set.Len()])
	for _, m := range s.plays(nil) {
		for _, h := range places.with[at(set, m.Tile())] {
			list[h].Moves = append(list[h].Moves, m)
			list[h].at = append(list[h].at, *number)
			*number++
		}
	}
	h := 0
	for hand := range set.Subsets(int(s.Size[me])) {
		p := &list[h]
		p.State, p.Past, p.Path, p.Hand, p.rank = *s, past, path, hand, h
		h++
		if len(p.Moves) > 0 && (you&^p.Hand).Len() >= int(s.Size[me^1]) { // some deal has this hand
			if err := visit(p); err != nil {
				return err
			}
		}
	}
	return nil
}
