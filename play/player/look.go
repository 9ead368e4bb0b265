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

// Outlook is how an undecided position looks to the player that is called strongest:
// estimates, never a proof.
type Outlook struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Seat     string `json:"seat"` // to move
	// Seats is how the seats stand, in turn order, and Moves what legal moves lead to for
	// the seat to move, the best first; those that were not looked at are left out.
	Seats []Standing `json:"seats"`
	Moves []Guess    `json:"moves"`
	// Line is how play may go on.
	Line    []string `json:"line"`
	Threats []Threat `json:"threats"`
	// Depth is the number of plies looked ahead, 0 for playouts, and Nodes the number of
	// positions visited.
	Depth int   `json:"depth"`
	Nodes int64 `json:"nodes"`
}

// Estimate is how a seat stands: its part of what can be won, 0 to 1; and in races by how
// many turns it is ahead of the others, alone how many turns it still needs.
type Estimate struct {
	Share float64  `json:"share"`
	Turns *float64 `json:"turns"`
}

// Standing is how a seat stands.
type Standing struct {
	Seat string `json:"seat"`
	Estimate
}

// Guess is what a move leads to.
type Guess struct {
	Move string `json:"move"`
	Estimate
}

// Threat is what a seat would do with a turn of its own. Cells are those that complete it,
// or on which alone the others can meet it.
type Threat struct {
	Seat  string `json:"seat"`
	Cells []int  `json:"cells"`
	Text  string `json:"text"`
}

// LookTime is for a query without a time and a limit.
const LookTime = 2 * time.Second

// Look says by the given threads how the position of a query looks: at once, and again whenever it has looked
// deeper, on the goroutine of the caller, until the query's time is up, its limit of plies is
// reached, the context ends or report returns an error, which is returned. There is no report
// where the game is over or nothing judges its positions. Errors about the query are of type
// [*explore.Error].
func Look(ctx context.Context, e explore.Explorer, q explore.Query, threads int, report func(*Outlook) error) error {
	g, s, err := e.State(q)
	if err != nil {
		return err
	}
	w, err := e.Wing(g.ID())
	if err != nil {
		return err
	}
	if s.Result() != game.Ongoing {
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

// look asks the game's own player, or the search of any game.
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

// newOutlook puts an outlook into words.
func newOutlook(g game.Game, s game.State, o *wing.Outlook) *Outlook {
	r := &Outlook{
		Game: g.ID(), Rules: g.Rules(), Position: s.String(), Seat: g.SeatName(s.Seat()), Moves: []Guess{}, Line: []string{}, Threats: []Threat{},
		Depth: o.Depth, Nodes: o.Nodes,
	}
	estimate := func(e wing.Estimate) Estimate {
		if !e.Race {
			return Estimate{Share: e.Share}
		}
		return Estimate{e.Share, &e.Turns}
	}
	for seat, e := range o.Seats {
		r.Seats = append(r.Seats, Standing{g.SeatName(seat), estimate(e)})
	}
	for i, m := range o.Moves {
		r.Moves = append(r.Moves, Guess{s.MoveString(m), estimate(o.Estimates[i])})
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
