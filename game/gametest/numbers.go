package gametest

import (
	"slices"

	"perfectplay/game"
)

// number checks the number of a position, and of those that its moves lead to.
func (s *suite) number(st game.State, moves []game.Move) {
	by, ok := s.g.(game.Numberer)
	if !ok {
		return
	}
	n := by.Number(st)
	at := s.g.Start()
	switch {
	case n >= by.Numbers():
		s.errorf(st, "its number is %d, there are %d", n, by.Numbers())
		return
	case !by.At(at, n):
		s.errorf(st, "its number is %d, which At says is no position's", n)
		return
	case by.Number(at) != n:
		s.errorf(st, "its number is %d, the position of that number has %d", n, by.Number(at))
		return
	case s.g.Seats() > 2 && at.Seat() != st.Seat():
		s.errorf(st, "seat %d is to move, at its number %d seat %d", st.Seat(), n, at.Seat())
	}
	same := at.String() == st.String()
	if k, ok := st.(game.Keyer); ok {
		a, b := make([]uint64, k.KeyWords()), make([]uint64, k.KeyWords())
		k.Key(a)
		at.(game.Keyer).Key(b)
		same = slices.Equal(a, b)
	}
	if !same {
		s.errorf(st, "its number %d is that of %s", n, at)
	}
	follower, follows := st.(game.Follower)
	var after []uint64
	for _, m := range moves {
		st.Make(m)
		to := by.Number(st)
		if u, ok := st.(game.Unmover); ok && !slices.Contains(u.Before(nil), n) {
			s.errorf(st, "Before does not know number %d, from which a move leads here", n)
		}
		st.Unmake()
		after = append(after, to)
	}
	if follows && !slices.Equal(follower.After(nil), after) {
		s.errorf(st, "its moves lead to numbers %v, After says %v", after, follower.After(nil))
	}
}
