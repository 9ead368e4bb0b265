package gametest

import (
	"slices"

	"perfectplay/game"
)

// pliesLeft is the game's bound on the plies left, 0 if it has none.
func (s *suite) pliesLeft(st game.State) int {
	e, ok := st.(game.Ender)
	if !ok {
		return 0
	}
	left := e.PliesLeft()
	if left < 0 || left == 0 && st.Result() == game.Ongoing {
		s.errorf(st, "PliesLeft is %d, and the result is %s", left, s.result(st.Result()))
	}
	return left
}

// shortens checks that a move has lowered the bound.
func (s *suite) shortens(st game.State, before int) {
	if _, ok := st.(game.Ender); ok {
		if left := s.pliesLeft(st); left >= before {
			s.errorf(st, "PliesLeft is %d, before the last move it was %d", left, before)
		}
	}
}

// setKey checks that a key sets a position of that key, with the same result, bound and moves.
func (s *suite) setKey(st game.State) {
	if _, ok := st.(game.KeySetter); !ok {
		return
	}
	key := make([]uint64, st.(game.Keyer).KeyWords())
	st.(game.Keyer).Key(key)
	there := s.g.Start()
	if list := there.Moves(nil); len(list) > 0 {
		there.Make(list[0]) // a history that SetKey must drop
	}
	there.(game.KeySetter).SetKey(key)
	again := make([]uint64, len(key))
	there.(game.Keyer).Key(again)
	switch seats := s.g.Seats(); {
	case !slices.Equal(key, again):
		s.errorf(st, "has the key %x, SetKey goes to %s of the key %x", key, there, again)
	case seats > 2 && there.String() != st.String():
		s.errorf(st, "SetKey goes to %s", there)
	case rank(there, seats) != rank(st, seats):
		s.errorf(st, "the result is %s, at %s of SetKey it is %s", s.result(st.Result()), there, s.result(there.Result()))
	case s.pliesLeft(there) != s.pliesLeft(st):
		s.errorf(st, "PliesLeft is %d, at %s of SetKey it is %d", s.pliesLeft(st), there, s.pliesLeft(there))
	case !slices.EqualFunc(nextKeys(st.Clone()), nextKeys(there), slices.Equal):
		s.errorf(st, "moves lead to other keys than those of %s of SetKey", there)
	}
}

// nextKeys lists the keys after all moves, in ascending order.
func nextKeys(st game.State) (list [][]uint64) {
	k := st.(game.Keyer)
	for _, m := range st.Moves(nil) {
		st.Make(m)
		key := make([]uint64, k.KeyWords())
		k.Key(key)
		st.Unmake()
		list = append(list, key)
	}
	slices.SortFunc(list, slices.Compare)
	return list
}

// rank is the result for the mover: −1 undecided, −2 drawn, else the winner's distance from
// the mover in seats.
func rank(st game.State, seats int) int {
	switch r := st.Result(); r {
	case game.Ongoing:
		return -1
	case game.Drawn:
		return -2
	default:
		return (int(r) - st.Seat() + seats) % seats
	}
}
