package gametest

import (
	"slices"

	"perfectplay/game"
)

const (
	sampled     = 512     // numbers that are checked
	mostNumbers = 1 << 40 // bound on the numbers of a [game.Numberer]
)

// numbers checks the positions of some numbers over the whole range: the game must read each of
// them back.
func (s *suite) numbers() {
	by := game.NumbererOf(s.g)
	if by == nil {
		return
	}
	at := s.g.Start()
	if n := by.Numbers(); n > mostNumbers || n != by.Numbers() {
		s.errorf(at, "Numbers says %d, then %d: want the same each time, at most 1<<40", n, by.Numbers())
		return
	}
	s.at = at
	step := by.Numbers()/sampled + 1
	for n := uint64(0); n < by.Numbers(); n += step {
		if !by.At(at, n) {
			continue
		}
		if back, err := s.g.Parse(at.String()); err != nil || back.String() != at.String() {
			s.errorf(at, "At says that number %d is this position, which does not read back: %v", n, err)
			return
		}
		if by.Number(at) != n {
			s.errorf(at, "At says that number %d is this position, Number says %d", n, by.Number(at))
			return
		}
	}
	start := by.Number(s.g.Start())
	if n := leastAllocs(func() { by.At(at, start) }); n != 0 {
		s.t.Errorf("%s: At allocates %v times", s.g.ID(), n)
	}
}

// number checks the number of a position and the numbers of the positions after its moves.
func (s *suite) number(st game.State, moves []game.Move) {
	by := game.NumbererOf(s.g)
	if by == nil {
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
	if _, ok := st.(game.Keyer); ok {
		same = slices.Equal(keyOf(st), keyOf(at))
	}
	end := game.Ending(st, s.g.Seats())
	if !same && (end < 0 || end != game.Ending(at, s.g.Seats()) || rank(st, s.g.Seats()) != rank(at, s.g.Seats())) {
		s.errorf(st, "its number %d is that of %s", n, at)
	}
	follower, follows := st.(game.Follower)
	unmover, unmoves := st.(game.Unmover)
	var after []uint64
	text := st.String()
	for _, m := range moves {
		s.make(st, text, m)
		after = append(after, by.Number(st))
		s.back(st)
	}
	if follows && !slices.Equal(follower.After(nil), after) {
		s.errorf(st, "its moves lead to numbers %v, After says %v", after, follower.After(nil))
	}
	if !unmoves || end >= 0 {
		return
	}
	for i, m := range moves {
		s.make(st, text, m)
		if game.Ending(st, s.g.Seats()) < 0 {
			if want, got := count(after, after[i]), count(unmover.Before(nil), n); want != got {
				s.errorf(st, "%d moves lead here from number %d, Before says %d", want, n, got)
			}
		}
		s.back(st)
	}
	before := unmover.Before(nil)
	for _, from := range before {
		if from >= by.Numbers() {
			s.errorf(st, "Before says number %d, there are %d", from, by.Numbers())
			return
		}
		if !by.At(at, from) || at.Result() != game.Ongoing || game.Ending(at, s.g.Seats()) >= 0 {
			continue
		}
		leads, text := 0, at.String()
		for _, m := range at.Moves(nil) {
			s.make(at, text, m)
			if by.Number(at) == n {
				leads++
			}
			s.back(at)
		}
		if got := count(before, from); got != leads {
			s.errorf(st, "%d moves lead here from number %d, Before says %d", leads, from, got)
		}
	}
}

// count is the number of times that a number is in a list.
func count(list []uint64, n uint64) (times int) {
	for _, m := range list {
		if m == n {
			times++
		}
	}
	return times
}
