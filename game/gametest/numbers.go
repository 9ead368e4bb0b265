package gametest

import (
	"perfectplay/game"
	"perfectplay/internal/contract"
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

// number checks the number of a position, see [contract.Numbers].
func (s *suite) number(st game.State) {
	if game.NumbererOf(s.g) == nil {
		return
	}
	move := func(st game.State, m game.Move) { s.make(st, st.String(), m) }
	if err := contract.NewNumbers(s.g, move, s.back).Check(st); err != nil {
		s.errorf(st, "%v", err)
	}
}
