package gametest

import (
	"fmt"

	"perfectplay/game"
)

// guard runs a check. A panic of the game fails the test with the position and the move.
func (s *suite) guard(check func()) {
	s.t.Helper()
	s.at, s.from = nil, ""
	err := func() (err error) {
		defer game.Guard(&err, s.g, nil, func() game.State { return s.at })
		check()
		return nil
	}()
	if err != nil {
		s.t.Errorf("%v%s", err, s.after())
	}
}

// make makes a move at a position whose text is known for messages.
func (s *suite) make(st game.State, text string, m game.Move) {
	s.at, s.from, s.move = st, text, m
	st.Make(m)
}

// back takes the last move back.
func (s *suite) back(st game.State) {
	s.t.Helper()
	st.Unmake()
	if st.String() == s.from {
		s.from = ""
		return
	}
	name, from := s.moveName(), s.from
	s.from = ""
	s.errorf(st, "after %s and back, want %s", name, from)
}

// after describes the last move, unless it was taken back.
func (s *suite) after() string {
	if s.from == "" {
		return ""
	}
	return fmt.Sprintf(" (move %s of %s made)", s.moveName(), s.from)
}

// moveName is the text of the last move, from a new state.
func (s *suite) moveName() (name string) {
	defer func() {
		if recover() != nil {
			name = fmt.Sprintf("number %d", s.move)
		}
	}()
	at, err := s.g.Parse(s.from)
	if err != nil {
		at = s.g.Start()
	}
	return at.MoveString(s.move)
}
