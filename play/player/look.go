package player

import (
	"context"
	"errors"
	"fmt"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/player/search"
)

// Outlook is the strongest player's view of an undecided position: estimates, never a proof.
type Outlook struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Seat     string `json:"seat"` // the seat to move
	// Seats are the standings of the seats, in turn order. Moves are estimates of legal moves for
	// the seat to move, best first, without moves that were not looked at.
	Seats   []Standing `json:"seats"`
	Moves   []Guess    `json:"moves"`
	Line    []string   `json:"line"` // a likely continuation
	Threats []Threat   `json:"threats"`
	Depth   int        `json:"depth"` // plies searched, 0 for playouts
	Nodes   int64      `json:"nodes"` // positions visited
}

// Standing is the estimate of a seat.
type Standing struct {
	Seat string `json:"seat"`
	wing.Estimate
}

// Guess is the estimate of a move.
type Guess struct {
	Move string `json:"move"`
	wing.Estimate
}

// Threat is a move that a seat would make with a turn of its own. Cells complete the threat, or are
// the only cells where the others can meet it.
type Threat struct {
	Seat  string `json:"seat"`
	Cells []int  `json:"cells"`
	Text  string `json:"text"`
}

// LookTime is the time for a query without time and limit.
const LookTime = 2 * time.Second

// Look reports the outlook of a query's position on the caller's goroutine: at once, and again
// whenever it has looked deeper. It ends at the query's time or limit of plies, with the context,
// or with an error of report, which it returns. It reports nothing if the game is over or has no
// evaluation. Errors about the query are of type [*explore.Error].
func Look(ctx context.Context, e explore.Explorer, q explore.Query, threads int, report func(*Outlook) error) error {
	course, err := e.Course(q)
	if err != nil {
		return err
	}
	g, s := course.Game, course.State
	w, err := e.Wing(g.ID())
	if err != nil {
		return err
	}
	if course.Result() != game.Ongoing {
		return nil
	}
	l := wing.Limits{Time: time.Duration(q.Seconds * float64(time.Second)), Depth: q.Limit}
	if l.Time == 0 && l.Depth == 0 {
		l.Time = LookTime
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	tell := func(o *wing.Outlook) {
		if failed == nil {
			if failed = report(newOutlook(g, s, o)); failed != nil {
				cancel()
			}
		}
	}
	err = explore.Await(ctx, g, s, func() error {
		return look(ctx, g, s, w, wing.Resources{Memory: playedMemory, Threads: threads}, l, tell)
	})
	if err = errors.Join(failed, err); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	return nil
}

func look(ctx context.Context, g game.Game, s game.State, w wing.Wing, r wing.Resources, l wing.Limits, tell func(*wing.Outlook)) (err error) {
	if w.Look != nil {
		return w.Look(ctx, g, s, r, l, tell)
	}
	find, err := search.New(g, search.Options{Evaluation: w.Evaluation, Memory: r.Memory, Threads: r.Threads})
	if err != nil {
		return err
	}
	find.Look(ctx, s, search.Limits{Time: l.Time, Depth: l.Depth}, tell)
	return find.Close()
}

func newOutlook(g game.Game, s game.State, o *wing.Outlook) *Outlook {
	r := &Outlook{
		Game: g.ID(), Rules: g.Rules(), Position: s.String(), Seat: g.SeatName(s.Seat()), Moves: []Guess{}, Line: []string{}, Threats: []Threat{},
		Depth: o.Depth, Nodes: o.Nodes,
	}
	for seat, e := range o.Seats {
		r.Seats = append(r.Seats, Standing{g.SeatName(seat), e})
	}
	for i, m := range o.Moves {
		r.Moves = append(r.Moves, Guess{s.MoveString(m), o.Estimates[i]})
	}
	at := s.Clone()
	for _, m := range o.Line {
		r.Line = append(r.Line, at.MoveString(m))
		at.Make(m)
	}
	for _, t := range o.Threats {
		r.Threats = append(r.Threats, Threat{g.SeatName(t.Seat), t.Cells, t.Text})
	}
	return r
}
