package player

import (
	"context"
	"errors"
	"fmt"
	"time"

	"perfectplay/game"
	"perfectplay/play/explore"
)

// Played is a level's move in the position of a query.
type Played struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Position is the position before the move, After the position after the move.
	Position string `json:"position"`
	Seat     string `json:"seat"`
	Level    string `json:"level"`
	Move     string `json:"move"`
	Note     string `json:"note"` // how the move was found, in a few words
	After    string `json:"after"`
}

// BadLevel is the fault of a request that names no level.
const BadLevel explore.Fault = "level"

const (
	defaultTime  = time.Second // time of a query without time and limit
	playedMemory = 32 << 20    // memory in bytes of a player for one move
)

// Play chooses the move of a level for a page or a program that holds no player. The query's
// seconds bound its time, its limit the plies. The player may use the given number of threads.
// Errors about the query are of type [*explore.Error].
func Play(ctx context.Context, e explore.Explorer, level string, q explore.Query, seed uint64, threads int) (*Played, error) {
	wrong := func(f explore.Fault, given string, err error) (*Played, error) {
		return nil, &explore.Error{Fault: f, Given: given, Index: -1, Err: err}
	}
	if err := Known(level); err != nil {
		return wrong(BadLevel, level, err)
	}
	course, err := e.Course(q)
	if err != nil {
		return nil, err
	}
	g, s := course.Game, course.State
	if course.Result() != game.Ongoing {
		return wrong(explore.BadPosition, s.String(), errors.New("the game is over: nobody is to move"))
	}
	w, err := e.Wing(g.ID())
	if err != nil {
		return nil, err
	}
	p, err := New(ctx, level, g, Options{Analyst: e, Wing: w, Seed: seed, Memory: playedMemory, Threads: threads})
	switch {
	case errors.Is(err, errUnsolved):
		return wrong(BadLevel, level, err)
	case err != nil:
		return nil, err
	}
	clock := Clock{Time: time.Duration(q.Seconds * float64(time.Second)), Depth: q.Limit}
	if clock.Time == 0 && clock.Depth == 0 {
		clock.Time = defaultTime
	}
	c, err := p.Move(ctx, s, clock)
	if err = errors.Join(err, p.Close()); err != nil {
		return nil, fmt.Errorf("%s in %s: %w", level, g.ID(), err)
	}
	r := &Played{Game: g.ID(), Rules: g.Rules(), Position: s.String(), Seat: g.SeatName(s.Seat()), Level: level, Move: s.MoveString(c.Move), Note: c.Note}
	s.Make(c.Move)
	r.After = s.String()
	return r, nil
}
