package xu2025

import (
	"context"
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
	row.Config = c
	start := time.Now()
	g := newGrid(c)
	openings := g.openings()
	if c.Opening < 1 || c.Opening > len(openings) {
		return Row{}, fmt.Errorf("xu2025: opening %d: want 1 to %d", c.Opening, len(openings))
	}
	m := openings[c.Opening-1]
	from := g.start.piece[1][m.piece]
	row.Move = g.moveName(int(g.hole[from]), int(g.hole[m.to]))
	counts := &row.Counts
	defer func() {
		row.Counts = *counts
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
	w := &watch{ctx: ctx, progress: progress, told: start}
	e, err := newEngine(g, c, w)
	if err != nil {
		return row, err
	}
	counts = e.counts()
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
