package gametest

import (
	"slices"

	"perfectplay/game"
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

// setKey checks that a key sets a position of that key, which must be like the position itself.
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
	if again := keyOf(there); !slices.Equal(key, again) {
		s.errorf(st, "has the key %x, SetKey goes to %s of the key %x", key, there, again)
		return
	}
	s.key(there, there.Moves(nil))
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
