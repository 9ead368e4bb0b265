package gametest

import (
	"slices"

	"perfectplay/game"
	"perfectplay/internal/contract"
)

// pliesLeft is the game's bound on the plies left, 0 without [game.Ender].
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

// shortens checks that the last move lowered the bound on the plies left.
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
	key := keyOf(st)
	there := s.g.Start()
	if list := there.Moves(nil); len(list) > 0 {
		there.Make(list[0]) // makes a history, which SetKey must drop
	}
	there.(game.KeySetter).SetKey(key)
	again := keyOf(there)
	switch seats := s.g.Seats(); {
	case !slices.Equal(key, again):
		s.errorf(st, "has the key %x, SetKey goes to %s of the key %x", key, there, again)
	case seats > 2 && there.String() != st.String():
		s.errorf(st, "SetKey goes to %s", there)
	case contract.Rank(there, seats) != contract.Rank(st, seats):
		s.errorf(st, "the result is %s, at %s of SetKey it is %s", s.result(st.Result()), there, s.result(there.Result()))
	case s.pliesLeft(there) != s.pliesLeft(st):
		s.errorf(st, "PliesLeft is %d, at %s of SetKey it is %d", s.pliesLeft(st), there, s.pliesLeft(there))
	case !slices.EqualFunc(nextKeys(st.Clone()), nextKeys(there), slices.Equal):
		s.errorf(st, "moves lead to other keys than those of %s of SetKey", there)
	}
}

// nextKeys lists the keys after all moves, in ascending order.
func nextKeys(st game.State) (list [][]uint64) {
	for _, m := range st.Moves(nil) {
		st.Make(m)
		list = append(list, keyOf(st))
		st.Unmake()
	}
	slices.SortFunc(list, slices.Compare)
	return list
}

// keyOf is the key of a position of a [game.Keyer].
func keyOf(st game.State) []uint64 {
	k := st.(game.Keyer)
	key := make([]uint64, k.KeyWords())
	k.Key(key)
	return key
}

// part is a list of moves that should appear in a longer list, in the same order.
type part []game.Move

// take removes m if it is the first move of the list. It reports whether it removed m.
func (p *part) take(m game.Move) bool {
	first := len(*p) > 0 && (*p)[0] == m
	if first {
		*p = (*p)[1:]
	}
	return first
}
