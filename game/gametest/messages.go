package gametest

import (
	"context"
	"fmt"
	"os"
	"time"

	"perfectplay/game"
	"perfectplay/internal/stacks"
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

// patience is the time, in quarters of a second, after which the suite looks for a call that does
// not return.
var patience = 40

// watch watches the game until stop is called. If a call does not return, or lists moves without
// end, watch ends the process with a line on standard error.
func (s *suite) watch() (stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		tick := time.NewTicker(time.Second / 4)
		defer tick.Stop()
		for ticks, last := 0, int64(0); ; ticks++ { // ticks, not time: the process may have been stopped
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if now := s.beats.Load(); now != last {
				ticks, last = 0, now
			}
			if call, ok := stacks.Floods(); ok {
				s.end("", call+" lists moves without end")
			}
			if ticks == patience {
				go func() {
					if where, ok := game.Stays(ctx, s.g); ok {
						for _, call := range stacks.Calls(make([]byte, 1<<18)) {
							s.end(where, call+" does not return")
						}
					}
				}()
			}
		}
	}()
	return stop
}

// end prints a failure and ends the process.
func (s *suite) end(position, promise string) {
	fmt.Fprintln(os.Stderr, &game.Fault{Game: s.g.ID(), Rules: s.g.Rules(), Position: position, Value: promise})
	os.Exit(1)
}

// make makes a move at the position of text.
func (s *suite) make(st game.State, text string, m game.Move) {
	s.at, s.from, s.move = st, text, m
	s.beats.Add(1)
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
