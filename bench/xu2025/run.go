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
	return len(newReference(c).openings()), nil
}

// Run searches one opening as the published program does and returns its row.
// progress, if not nil, is called from the searching goroutine a few times a
// second. A cancelled context ends the run with the context's error, and the
// row then holds the counts so far.
func Run(ctx context.Context, c Config, progress func(Progress)) (row Row, err error) {
	if err := c.Validate(); err != nil {
		return Row{}, err
	}
	openings := newReference(c).openings()
	if c.Opening < 1 || c.Opening > len(openings) {
		return Row{}, fmt.Errorf("xu2025: opening %d: want 1 to %d", c.Opening, len(openings))
	}
	m := openings[c.Opening-1]
	row.Config = c
	start := time.Now()
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
	if c.Model == Base {
		e := newDirect(c, w)
		row.Move = e.moveName(m.from, m.to)
		counts = &e.Counts
		row.Winner = e.run(c, m.piece, e.at[m.to])
		return row, nil
	}
	e, err := newTabled(c, w)
	if err != nil {
		return row, err
	}
	row.Move = e.moveName(m.from, m.to)
	counts = &e.Counts
	row.Winner = e.run(c, m.piece, e.at[m.to])
	return row, nil
}
