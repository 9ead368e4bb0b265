package explore

import (
	"context"
	"fmt"
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
	Ended       error  // the context's error, if the context ended first
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

const (
	// tick is the time between two looks for a sign of life.
	tick = time.Second
	// patience is the number of ticks without a sign of life before a game is silent. It counts
	// ticks, not time: while a process is stopped, at most one tick passes.
	patience = 10
)

// hush is the context of a game that answers. It ends when the game is silent.
type hush struct {
	context.Context
	close context.CancelFunc
}

func newHush() *hush {
	h := new(hush)
	h.Context, h.close = context.WithCancel(context.Background())
	return h
}

func (t *table) silence(position string) error {
	return &Silence{Game: t.name[0], Rules: t.name[1], Position: position}
}

// guarded calls f, and turns a panic of the game into an error.
func guarded(g game.Game, s game.State, f func() error) (err error) {
	defer game.Guard(&err, g, s)
	return f()
}

// apart is guarded on a goroutine of its own. The channel receives the error.
func apart(g game.Game, s game.State, f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- guarded(g, s, f) }()
	return done
}

// prompted returns f's answer to a question that the game answers at once. The error is f's, a
// [game.Fault] or a [Silence].
func prompted[T any](t *table, position string, s game.State, f func() (T, error)) (answer T, err error) {
	if t.hush.Err() != nil {
		return answer, t.silence(position)
	}
	var made T
	done := apart(t.game, s, func() (err error) {
		made, err = f()
		return err
	})
	watch := time.NewTicker(tick)
	defer watch.Stop()
	for ticks, last := 0, int64(0); ticks < patience; {
		select {
		case err := <-done:
			return made, err
		case <-t.hush.Done():
			ticks = patience
		case <-watch.C:
			if ticks++; t.beats.Load() != last {
				ticks, last = 0, t.beats.Load()
			}
		}
	}
	t.hush.close()
	return answer, t.silence(position)
}

// prompt is [prompted] for a question whose answer f keeps.
func (t *table) prompt(position string, s game.State, f func() error) error {
	_, err := prompted(t, position, s, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// beat records a sign of life. It reports whether the game is still asked.
func (t *table) beat() bool {
	t.beats.Add(1)
	return t.hush.Err() == nil
}

// opening opens a source, unless the game falls silent meanwhile.
func (t *table) opening(position string, open func() (wing.Oracle, error)) (wing.Oracle, error) {
	var o wing.Oracle
	done := apart(t.game, nil, func() (err error) {
		o, err = open()
		return err
	})
	select {
	case err := <-done:
		return o, err
	case <-t.hush.Done():
		return nil, t.silence(position)
	}
}

// Await calls f, which asks a game from a position and ends soon after the context. The error
// is f's, a [game.Fault], or a [Silence] if f runs on long after the end of the context; then f
// may still run, and its data are lost.
func Await(ctx context.Context, g game.Game, s game.State, f func() error) error {
	position := s.String()
	done := apart(g, s, f)
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
