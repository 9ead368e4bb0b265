package player

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/internal/host"
)

// chooser chooses moves in one game, on one goroutine at a time. It keeps no time: it asks
// t.over at each position that it visits, which takes a fraction of a millisecond. It
// reports each better answer as it finds it, and returns after the last one or once t is
// over.
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
	ctx     context.Context // context that ends with the thinking time
	watch   host.Watch
	use     time.Duration // thinking time
	best    atomic.Pointer[answer]
	stop    atomic.Bool
	polls   uint64 // positions counted
	next    uint64 // value of polls at the next look at the time
	limit   uint64 // most positions, instead of time; 0 for none
	depth   int    // plies to look ahead; 0 for no bound
	proving uint64 // positions that provers have visited
	// last is the watch at the last call of over. lag is the longest time between two
	// looks, or the longest delay of an end that was due.
	last time.Duration
	lag  time.Duration
	// stall, if not nil, is called before each question to a prover, for tests that let
	// time pass there.
	stall func()
}

// timePolls is the number of positions between two looks at the time. A look costs about as
// much as a small position.
const timePolls = 16

// over counts a position and reports whether thinking should end.
func (t *turn) over() bool { return t.passed(1) }

// passed counts the given number of positions and reports whether thinking should end. It looks
// at the time itself now and then: a timer's goroutine may have to wait for a processor.
// Thinking ends earlier by the longest time between two looks so far, for the next may take as
// long.
func (t *turn) passed(positions uint64) bool {
	t.polls += positions
	switch {
	case t.limit > 0:
		if t.polls > t.limit {
			t.stop.Store(true)
		}
	case t.polls >= t.next:
		t.next = t.polls + timePolls
		now := t.watch.Elapsed()
		if t.last > 0 {
			t.lag = max(t.lag, now-t.last)
		}
		if t.last = now; now+t.lag >= t.use {
			t.stop.Store(true)
		}
	}
	return t.stop.Load()
}

// late records the delay since an end that was due at a share of the thinking time.
func (t *turn) late(share float64) {
	if t.limit == 0 {
		t.lag = max(t.lag, t.watch.Elapsed()-time.Duration(share*float64(t.use)))
		t.last = 0
	}
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
	return t.watch.Within(t.ctx, time.Duration(share*float64(t.use)))
}

// clocked is a [wing.Player] that has an answer in time whatever its chooser does. The chooser
// works on a goroutine of its own. Thinking should end when the reserve begins. In the
// middle of the reserve the best answer so far is played, even if the chooser has not
// ended, because it waits for a processor, or a table is growing.
type clocked struct {
	g     *mnk.Game
	th    chooser
	order []int32       // all cells, ordered by their worth without a search
	idle  chan struct{} // holds one token while no search runs
	lag   time.Duration // the longest delay of recent moves; it halves with each move
}

func newClocked(g *mnk.Game, th chooser) *clocked {
	c := &clocked{g: g, th: th, order: spiral(g.Rows(), g.Cols()), idle: make(chan struct{}, 1)}
	c.idle <- struct{}{}
	return c
}

// Rest waits until all work that Move began has ended. Without Rest, the wait takes time from the
// next move's budget.
func (c *clocked) Rest() {
	<-c.idle
	c.idle <- struct{}{}
}

// Close rests and releases the memory of tables.
func (c *clocked) Close() error {
	c.Rest()
	if th, ok := c.th.(io.Closer); ok {
		return th.Close()
	}
	return nil
}

// Move implements [wing.Player].
func (c *clocked) Move(ctx context.Context, at game.State, l wing.Limits) (wing.Choice, error) {
	s, err := plain(c.g, at)
	if err != nil {
		return wing.Choice{}, err
	}
	t := &turn{watch: host.NewWatch(l.Processor), use: endless, depth: l.Depth, lag: c.lag}
	var hard <-chan struct{}
	end := l.Time
	if l.Time > 0 {
		spare := host.Reserve(l.Time, c.lag)
		t.use, end = l.Time-spare, l.Time-spare/2
		late, stop := t.watch.Within(context.Background(), end)
		defer stop()
		hard = late.Done()
	}
	for _, cell := range c.order {
		if s.At(int(cell)) == 0 {
			t.propose(int(cell), "no time to think")
			break
		}
	}
	c.think(ctx, t, s, hard)
	if c.lag /= 2; l.Time > 0 {
		c.lag = max(c.lag, t.watch.Elapsed()-end)
	}
	best := t.best.Load()
	return wing.Choice{Move: game.Move(best.cell), Note: best.note}, nil
}

// plain returns a position in the form that choosers take.
func plain(g *mnk.Game, s game.State) (*mnk.Plain, error) {
	at, err := g.Plain().Parse(s.String())
	if err != nil {
		return nil, err
	}
	return at.(*mnk.Plain), nil
}

// endless is longer than any context lasts.
const endless = 10000 * time.Hour

// think lets the chooser work until it ends, the timer fires, or the context
// ends. A chooser still busy with the move before uses up the time of this one.
func (c *clocked) think(ctx context.Context, t *turn, s *mnk.Plain, hard <-chan struct{}) {
	var cancel context.CancelFunc
	t.ctx, cancel = t.watch.Within(ctx, t.use)
	defer cancel()
	select {
	case <-c.idle:
	case <-hard:
		return
	case <-ctx.Done():
		return
	}
	context.AfterFunc(t.ctx, func() { t.stop.Store(true) })
	done := make(chan struct{})
	go func() {
		t.lag = 0
		c.th.choose(t, s)
		close(done)
		c.idle <- struct{}{}
	}()
	select {
	case <-done:
		c.lag = max(c.lag, t.lag)
	case <-hard:
	case <-ctx.Done():
	}
}
