package judge

import (
	"context"
	"errors"
	"time"

	"perfectplay/play/explore"
	"perfectplay/play/transcript"
)

// Report compares a game with perfect play.
type Report struct {
	Moves    []Move   `json:"moves"`
	Players  []*Tally `json:"players"`
	Complete bool     `json:"complete"` // the time was enough for all moves
}

// reportNodes bounds the whole report of a query without a time, see [explore.Query.Nodes].
const reportNodes = 8 * explore.DefaultNodes

// NewReport judges the moves of a query, a game from its position. The query's seconds are for
// all of them together: a quarter for opening a source, the rest in equal parts. Without
// seconds nodes bound the work, in equal parts, and the report is complete. Errors about the
// query are of type [*explore.Error].
func NewReport(ctx context.Context, e explore.Explorer, q explore.Query) (*Report, error) {
	c, err := e.Course(q)
	if err != nil {
		return nil, err
	}
	g := c.Game
	moves := max(len(q.Moves), 1)
	bounds := explore.Query{Seconds: q.Seconds * 3 / 4 / float64(moves), Nodes: uint64(max(reportNodes/moves, 1))}
	limited := ctx
	if q.Seconds > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, time.Duration(q.Seconds*float64(time.Second)))
		defer cancel()
		ready := q
		ready.Moves, ready.Seconds = nil, q.Seconds/4
		if _, err := e.Ask(limited, ready); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
	}
	rec := &transcript.Game{ID: g.ID(), Rules: g.Rules(), Position: c.From.String(), Moves: q.Moves}
	judged, err := Judge(limited, e, g, rec, bounds, nil)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	r := &Report{Moves: judged, Players: Tallies(judged), Complete: err == nil}
	if r.Moves == nil {
		r.Moves, r.Players = []Move{}, []*Tally{}
	}
	return r, nil
}
