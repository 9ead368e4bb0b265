package thesis2025

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Progress is told to the caller of [Run] from time to time.
type Progress struct {
	Counts // so far
}

// Openings returns the number of opening moves of a configuration.
func Openings(c Config) (int, error) {
	if err := c.Validate(); err != nil {
		return 0, err
	}
	return len(newGrid(c).openings()), nil
}

// Run searches one opening as the published program does and returns its row.
// progress, if not nil, is called from the searching goroutine a few times a
// second. A cancelled context ends the run with the context's error, and the
// row then holds the counts so far.
func Run(ctx context.Context, c Config, progress func(Progress)) (row Row, err error) {
	if err := c.Validate(); err != nil {
		return Row{}, err
	}
	start := time.Now()
	g := newGrid(c)
	m, err := g.opening(c)
	if err != nil {
		return Row{}, err
	}
	e, err := newEngine(g, c, &watch{ctx: ctx, progress: progress, told: start})
	if err != nil {
		return Row{}, err
	}
	row, err = finish(g, c, m, e, start)
	if t, ok := e.(*tabled); ok {
		err = errors.Join(err, t.visited.free())
	}
	return row, err
}

// opening returns the opening move that a configuration names.
func (g *grid) opening(c Config) (opening, error) {
	list := g.openings()
	if c.Opening < 1 || c.Opening > len(list) {
		return opening{}, fmt.Errorf("thesis2025: opening %d: want 1 to %d", c.Opening, len(list))
	}
	return list[c.Opening-1], nil
}

// finish runs an engine and fills in the row.
func finish(g *grid, c Config, m opening, e engine, start time.Time) (row Row, err error) {
	from := g.start.piece[1][m.piece]
	row = Row{Config: c, Move: g.board.CellName(int(g.hole[from])) + "-" + g.board.CellName(int(g.hole[m.to]))}
	defer func() {
		row.Counts = *e.counts()
		row.Seconds = time.Since(start).Seconds()
		switch stop := recover().(type) {
		case nil:
		case cancelled:
			err = stop.error
		case outOfMemory:
			err = stop.error
		default:
			panic(stop)
		}
	}()
	row.Winner = e.run(m)
	return row, nil
}

// engine searches after openings. Its counts start at zero and add up.
type engine interface {
	run(opening) (winner int)
	counts() *Counts
}

// newEngine returns the fast engine for a configuration.
func newEngine(g *grid, c Config, w *watch) (engine, error) {
	switch {
	case fitsTiny(c):
		return newTiny(g, c, w), nil
	case c.Model == Base:
		return newDirect(g, c, w), nil
	}
	return newTabled(g, c, w)
}

func (c *Counts) counts() *Counts { return c }
