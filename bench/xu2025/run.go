package xu2025

import (
	"context"
	"fmt"
	"time"
)

// Progress is told to the caller of [Run] from time to time.
type Progress struct {
	Counts
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
// second. A cancelled context ends the run with the context's error.
func Run(ctx context.Context, c Config, progress func(Progress)) (Row, error) {
	if err := c.Validate(); err != nil {
		return Row{}, err
	}
	s := newReference(c)
	openings := s.openings()
	if c.Opening < 1 || c.Opening > len(openings) {
		return Row{}, fmt.Errorf("xu2025: opening %d: want 1 to %d", c.Opening, len(openings))
	}
	start := time.Now()
	s.ctx = ctx
	m := openings[c.Opening-1]
	winner := s.run(m)
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	return Row{Config: c, Counts: s.Counts, Winner: winner, Move: s.holeName(m.from) + "-" + s.holeName(m.to), Seconds: time.Since(start).Seconds()}, nil
}
