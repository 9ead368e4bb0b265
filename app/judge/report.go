package judge

import (
	"context"
	"errors"
	"time"

	"perfectplay/app/explore"
	"perfectplay/app/transcript"
)

// Report is a game held against perfect play.
type Report struct {
	Moves []Move `json:"moves"`
	// Players sums up by seat.
	Players []*Tally `json:"players"`
	// Complete says that the time was enough for all moves.
	Complete bool `json:"complete"`
}

// ReportTime is for the whole report of a query without a time.
const ReportTime = 10 * time.Second

// NewReport judges the moves of a query, which are a game from its position. The query's
// seconds are for all of them together: a quarter to have a source of values ready, the rest
// in equal parts. Errors about the query are of type [*explore.Error].
func NewReport(ctx context.Context, e explore.Explorer, q explore.Query) (*Report, error) {
	g, _, err := e.State(q)
	if err != nil {
		return nil, err
	}
	_, from, err := e.State(explore.Query{Game: q.Game, Rules: q.Rules, Position: q.Position})
	if err != nil {
		return nil, err
	}
	if q.Seconds == 0 {
		q.Seconds = ReportTime.Seconds()
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(q.Seconds*float64(time.Second)))
	defer cancel()
	ready := q
	ready.Moves, ready.Seconds = nil, q.Seconds/4
	if _, err := e.Ask(limited, ready); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	rec := &transcript.Game{ID: g.ID(), Rules: g.Rules(), Position: from.String(), Moves: q.Moves}
	moves, err := Judge(limited, e, g, rec, q.Seconds*3/4/float64(max(len(q.Moves), 1)), nil)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	r := &Report{Moves: moves, Players: Tallies(moves), Complete: err == nil}
	if r.Moves == nil {
		r.Moves, r.Players = []Move{}, []*Tally{}
	}
	return r, nil
}
