package player

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"perfectplay/game/mnk"
)

// chooser chooses moves in one game, on one goroutine at a time. It keeps no
// time: think asks t.over before each position it visits, so that what lies
// between two questions is a fraction of a millisecond, reports each better
// answer as it finds it, and returns after the last one or once t is over.
type chooser interface {
	choose(t *turn, s *mnk.Plain)
}

// answer is a cell and how it was found.
type answer struct {
	cell int
	note string
}

// turn is the work on one move.
type turn struct {
	ctx   context.Context // ends when thinking should
	start time.Time
	use   time.Duration // after which thinking should end
	best  atomic.Pointer[answer]
	stop  atomic.Bool
	polls uint64
	limit uint64 // polls, instead of time; 0 for none
	// stall, if not nil, is called before each question to a prover, for tests
	// that let time pass there.
	stall func()
}

// timePolls is how many questions pass between two looks at the time. A look
// costs about as much as a small position.
const timePolls = 16

// over reports whether thinking should end. It looks at the time itself now and
// then: a timer's goroutine may have to wait for a processor.
func (t *turn) over() bool {
	t.polls++
	switch {
	case t.limit > 0 && t.polls > t.limit,
		t.polls%timePolls == 0 && t.limit == 0 && time.Since(t.start) >= t.use:
		t.stop.Store(true)
	}
	return t.stop.Load()
}

// propose makes a cell the answer unless a better one follows.
func (t *turn) propose(cell int, format string, args ...any) {
	t.best.Store(&answer{cell, fmt.Sprintf(format, args...)})
}

// until returns a context that ends with a share of the thinking time.
func (t *turn) until(share float64) (context.Context, context.CancelFunc) {
	if t.limit > 0 {
		return t.ctx, func() {}
	}
	return context.WithDeadline(t.ctx, t.start.Add(time.Duration(share*float64(t.use))))
}

// reserve is the part of a budget in which no one should think: a fifth, and
// at least 50 ms if that leaves half. In its middle the move is made.
func reserve(budget time.Duration) time.Duration {
	return max(budget/5, min(50*time.Millisecond, budget/2))
}

// clocked is a player that has an answer in time whatever its chooser does. The
// chooser works on a goroutine of its own. Thinking should end when the reserve
// begins; in the middle of the reserve the best answer so far is played, even
// if the chooser has not noticed yet, because it has to wait for a processor,
// or a table is growing.
type clocked struct {
	name  string
	th    chooser
	order []int32       // all cells, the best without a search first
	idle  chan struct{} // holds one token while no search runs
	last  answer
}

func newClocked(name string, g *mnk.Game, th chooser) *clocked {
	c := &clocked{name: name, th: th, order: spiral(g.Rows(), g.Cols()), idle: make(chan struct{}, 1)}
	c.idle <- struct{}{}
	return c
}

func (c *clocked) Name() string { return c.name }
func (c *clocked) Note() string { return c.last.note }

// Rest implements Player.
func (c *clocked) Rest() {
	<-c.idle
	c.idle <- struct{}{}
}

// Close implements Player.
func (c *clocked) Close() error {
	c.Rest()
	if th, ok := c.th.(io.Closer); ok {
		return th.Close()
	}
	return nil
}

// Move implements Player.
func (c *clocked) Move(ctx context.Context, s *mnk.Plain, budget time.Duration) int {
	spare := reserve(budget)
	t := &turn{start: time.Now(), use: budget - spare}
	hard := time.NewTimer(budget - spare/2)
	defer hard.Stop()
	for _, cell := range c.order {
		if s.At(int(cell)) == 0 {
			t.propose(int(cell), "no time to think")
			break
		}
	}
	c.think(ctx, t, s, hard.C)
	c.last = *t.best.Load()
	return c.last.cell
}

// think lets the chooser work until it ends, the timer fires, or the context
// ends. A chooser still busy with the move before uses up the time of this one.
func (c *clocked) think(ctx context.Context, t *turn, s *mnk.Plain, hard <-chan time.Time) {
	var cancel context.CancelFunc
	t.ctx, cancel = context.WithDeadline(ctx, t.start.Add(t.use))
	defer cancel()
	context.AfterFunc(t.ctx, func() { t.stop.Store(true) })
	select {
	case <-c.idle:
	case <-hard:
		return
	case <-ctx.Done():
		return
	}
	s = s.Clone().(*mnk.Plain)
	done := make(chan struct{})
	go func() {
		c.th.choose(t, s)
		close(done)
		c.idle <- struct{}{}
	}()
	select {
	case <-done:
	case <-hard:
	case <-ctx.Done():
	}
}
