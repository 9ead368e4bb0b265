package explore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// A game is other people's code. If it panics, the question ends with a [game.Fault]. If it
// does not return, the question ends with a [Silence], and so does every later question about
// the game: its threads go to the others.

// Silence is the error of a question whose game does not return from a call.
type Silence struct {
	Game, Rules string
	Position    string // the position asked about; empty if none was read yet
	Ended       error  // the context's error, if it ended first
}

// Unwrap is the context's error.
func (s *Silence) Unwrap() error { return s.Ended }

func (s *Silence) Error() string {
	text := s.Game
	if s.Rules != "" {
		text += " under rules " + s.Rules
	}
	if s.Position != "" {
		text += " at " + s.Position
	}
	return fmt.Sprintf("%s: the game has not returned from a call for %d seconds, and is not asked any more", text, patience)
}

// patience is how many ticks pass without a sign of life before a game is silent. It counts
// ticks, not time: a process that was stopped meanwhile has seen one.
const patience = 10

// tick is the time between two looks for a sign of life.
const tick = time.Second

// hush records once that a game is silent.
type hush struct {
	once sync.Once
	says chan struct{} // closed when silent
}

func newHush() *hush { return &hush{says: make(chan struct{})} }

func (h *hush) close() { h.once.Do(func() { close(h.says) }) }

// silence is the error of a game that is silent.
func (t *table) silence(position string) error {
	return &Silence{Game: t.name[0], Rules: t.name[1], Position: position}
}

// prompt calls f, which asks the game a question with an immediate answer. The error is f's, a
// [game.Fault] or a [Silence].
func (t *table) prompt(position string, s game.State, f func() error) error {
	select {
	case <-t.hush.says:
		return t.silence(position)
	default:
	}
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer game.Guard(&err, t.game, s)
		err = f()
	}()
	watch := time.NewTicker(tick)
	defer watch.Stop()
	for ticks, last := 0, int64(0); ticks < patience; {
		select {
		case err := <-done:
			return err
		case <-t.hush.says:
			ticks = patience
		case <-watch.C:
			if ticks++; t.beats.Load() != last {
				ticks, last = 0, t.beats.Load()
			}
		}
	}
	t.hush.close()
	return t.silence(position)
}

// beat records a sign of life. It reports whether the game is still asked.
func (t *table) beat() bool {
	t.beats.Add(1)
	select {
	case <-t.hush.says:
		return false
	default:
		return true
	}
}

// opening opens a source, unless the game falls silent meanwhile.
func (t *table) opening(position string, open func() (wing.Oracle, error)) (wing.Oracle, error) {
	type result struct {
		o   wing.Oracle
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = t.guarded(nil, func() (err error) {
			r.o, err = open()
			return err
		})
		done <- r
	}()
	select {
	case r := <-done:
		return r.o, r.err
	case <-t.hush.says:
		return nil, t.silence(position)
	}
}

// guarded calls f on this goroutine, and turns a panic into an error.
func (t *table) guarded(s game.State, f func() error) (err error) {
	defer game.Guard(&err, t.game, s)
	return f()
}

// Await calls f, which asks a game from a position and ends soon after the context. The error
// is f's, a [game.Fault], or a [Silence] if f runs on long after the end of the context; then f
// may still run, and its data are lost.
func Await(ctx context.Context, g game.Game, s game.State, f func() error) error {
	position := s.String()
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer game.Guard(&err, g, s)
		err = f()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	watch := time.NewTicker(tick)
	defer watch.Stop()
	for range patience {
		select {
		case err := <-done:
			return err
		case <-watch.C:
		}
	}
	return &Silence{Game: g.ID(), Rules: g.Rules(), Position: position, Ended: ctx.Err()}
}
