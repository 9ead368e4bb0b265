package thesis2025

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Openings returns the number of opening moves of a configuration.
func Openings(c Config) (int, error) {
	if err := c.Validate(); err != nil {
		return 0, err
	}
	return len(newGrid(c).openings()), nil
}

// Run searches one opening as the published program does. progress, if not nil, is called from the
// searching goroutine a few times a second. On an error, such as the context's, the row holds the
// counts so far.
func Run(ctx context.Context, c Config, progress func(Counts)) (row Row, err error) {
	if err := c.Validate(); err != nil {
		return Row{}, err
	}
	start := time.Now()
	g := newGrid(c)
	list := g.openings()
	if c.Opening < 1 || c.Opening > len(list) {
		return Row{}, fmt.Errorf("thesis2025: opening %d: want 1 to %d", c.Opening, len(list))
	}
	m := list[c.Opening-1]
	e, err := newWalk(g, &watch{ctx: ctx, progress: progress, told: start})
	if err != nil {
		return Row{}, err
	}
	from := g.start.piece[1][m.piece]
	row = Row{Config: c, Move: g.board.CellName(int(g.hole[from])) + "-" + g.board.CellName(int(g.hole[m.to]))}
	defer func() {
		row.Counts = e.Counts
		row.Seconds = time.Since(start).Seconds()
		switch stop := recover().(type) {
		case nil:
		case stopped:
			err = stop.error
		default:
			panic(stop)
		}
		err = errors.Join(err, e.free())
	}()
	row.Winner = e.run(m)
	return row, nil
}

// stopped is the panic of a search when its context is done or its memory full. run returns its
// error.
type stopped struct{ error }

// watch lets a search be cancelled and report its progress.
type watch struct {
	ctx      context.Context
	progress func(Counts)
	left     int // calls of check until the next look at the context
	told     time.Time
}

// check is called at inner nodes. It looks at the context at one node in 4,096, which is often
// enough for a cancelled search to end within milliseconds.
func (w *watch) check(c *Counts) {
	if w.left--; w.left < 0 {
		w.ask(c)
	}
}

func (w *watch) ask(c *Counts) {
	w.left = 4096
	if err := w.ctx.Err(); err != nil {
		panic(stopped{err})
	}
	if now := time.Now(); w.progress != nil && now.Sub(w.told) > 200*time.Millisecond {
		w.told = now
		w.progress(*c)
	}
}
