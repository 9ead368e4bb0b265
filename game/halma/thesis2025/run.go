package thesis2025

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Run searches one opening as the published program does and returns its row. A
// cancelled context ends the run with the context's error, and the row then holds the
// counts so far.
func Run(ctx context.Context, c Config) (Row, error) {
	return run(ctx, c, newEngine)
}

// run is Run by the engine that make returns.
func run(ctx context.Context, c Config, make func(*grid, *watch) (engine, error)) (row Row, err error) {
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
	e, err := make(g, &watch{ctx: ctx})
	if err != nil {
		return Row{}, err
	}
	from := g.start.piece[1][m.piece]
	row = Row{Config: c, Move: g.board.CellName(int(g.hole[from])) + "-" + g.board.CellName(int(g.hole[m.to]))}
	defer func() {
		row.Counts = *e.counts()
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

// stopped is what a search panics with when its context is done or its memory
// full. run turns it into an error, so that the searches need no error path.
type stopped struct{ error }

// engine searches after openings. Its counts start at zero and add up.
type engine interface {
	run(opening) (winner int)
	counts() *Counts
	free() error // gives large memory back; nothing follows
}

// newEngine returns the fast engine for a configuration.
func newEngine(g *grid, w *watch) (engine, error) {
	if g.Model == Base {
		return newDirect(g, w), nil
	}
	return newTabled(g, w)
}

func (c *Counts) counts() *Counts { return c }

// watch lets a search be cancelled.
type watch struct {
	ctx  context.Context
	left int // calls of check until the context is asked again
}

// checkEvery is the number of inner nodes between two questions to the context:
// few enough for a cancelled search to end within milliseconds.
const checkEvery = 4096

// check is called at inner nodes.
func (w *watch) check() {
	if w.left--; w.left < 0 {
		w.ask()
	}
}

func (w *watch) ask() {
	w.left = checkEvery
	if err := w.ctx.Err(); err != nil {
		panic(stopped{err})
	}
}
