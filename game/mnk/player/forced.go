package player

import (
	"context"
	"fmt"
	"math"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/internal/table"
)

// Forced proves results by threats, on a board of any size: the side to move wins by threats, or
// loses to them whatever it plays. The table holds no wins, so two positions with the same hash can
// hide a win but not make one. A Forced answers one question at a time.
type Forced struct {
	f  *field
	t  *table.Table
	th *threats
}

const (
	// ForcedBytes is the memory of a Forced.
	ForcedBytes = 8 << 20
	forcedTable = 2 << 20 // cleared for each question
	leastForced = 3       // stones in a row: on boards with fewer, a stone far from all others can disturb a chain
)

// Forces reports whether a board has threats that force.
func Forces(g *mnk.Game) bool { return g.K() >= leastForced }

// NewForced returns a Forced for a game that has threats, see [Forces]. yield, if not nil, is
// called every few milliseconds.
func NewForced(g *mnk.Game, yield func()) (*Forced, error) {
	t, err := table.New(forcedTable, table.Config{Keys: 2, Payloads: 1, Tag: kindMask, Merge: newer})
	if err != nil {
		return nil, fmt.Errorf("player: %w", err)
	}
	q := &Forced{f: newField(g, 2), t: t}
	q.th = newThreats(q.f, t)
	q.th.yield = yield
	return q, nil
}

// Close releases the memory.
func (q *Forced) Close() error { return q.t.Close() }

// Value returns the value of an undecided position to the seat to move by threats alone, with a
// cell that keeps a win, else −1. It visits no more than the given number of positions, 0 for no
// bound, and ends soon after the context. taken is the number of positions visited. all says that
// it has seen all threats, so that asking again finds no more.
func (q *Forced) Value(ctx context.Context, s game.State, positions uint64) (v game.Value, cell int, taken uint64, all bool) {
	q.t.Clear()
	q.f.follow(s.(board))
	th, me := q.th, s.Seat()
	if positions == 0 || positions > math.MaxInt64 {
		positions = math.MaxInt64
	}
	th.ctx, th.nodes, th.room = ctx, 0, int64(positions)
	for quiet := 0; quiet <= quiets && th.room > 0; quiet++ {
		if c, won := th.threaten(me, quiet, 0); won {
			return game.Win, int(c), th.nodes, true
		}
		if th.answered(1-me, quiet, 0) {
			return game.Loss, -1, th.nodes, true
		}
	}
	return game.Unknown, -1, th.nodes, th.room > 0
}
