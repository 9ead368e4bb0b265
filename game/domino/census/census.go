package census

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"perfectplay/game/domino"
	"perfectplay/internal/parts"
)

// Census is one part of the count of all deals. A unit is a family of starter's hands; part i of n
// takes every n-th second hand of each unit, so each part is a fair sample. Parts 1…n hold every
// deal once.
type Census struct {
	Part, Parts int    // 1 ≤ Part ≤ Parts
	Done        int    // units completed
	Tally       *Tally // counts of the units completed
}

// MaxParts bounds the number of parts.
const MaxParts = parts.Most

// New returns a part with nothing done.
func New(part, of int) (*Census, error) {
	if err := (parts.Part{I: part, N: of}).Check(); err != nil {
		return nil, fmt.Errorf("census: %w", err)
	}
	return &Census{Part: part, Parts: of, Tally: newTally()}, nil
}

// Units is the number of units of every part.
const Units = 874

// Complete reports whether the part is done.
func (c *Census) Complete() bool { return c.Done == Units }

// Options say how to run a part.
type Options struct {
	Threads  int             // at least 1
	Every    time.Duration   // time between calls of Save; saving takes at most half of the time
	Save     func() error    // if not nil, called between units, when the tally is up to date
	Progress func(units int) // if not nil, called after every unit
}

// Run continues the part to its end, or until the context ends; then it returns the context's
// error. The Census is up to date either way, and Run may be called again. The result depends
// neither on interruptions nor on the number of threads.
func (c *Census) Run(ctx context.Context, o Options) error { return c.run(ctx, newShared(), o) }

func (c *Census) run(ctx context.Context, s *shared, o Options) error {
	if len(s.starters) != Units {
		panic("census: Run: wrong number of units")
	}
	hands := &sharedHands{hands: c.Tally.Hands}
	workers := make([]*worker, max(o.Threads, 1))
	for i := range workers {
		workers[i] = newWorker(s, hands)
	}
	flush := func() {
		for _, w := range workers {
			w.drain()
			c.Tally.add(&w.tally)
			w.tally = Tally{}
		}
	}
	saved, took := time.Now(), time.Duration(0)
	for c.Done < Units && ctx.Err() == nil {
		var all sync.WaitGroup
		for i, w := range workers {
			all.Go(func() { w.unit(c.Done, c.Part-1, c.Parts, i, len(workers)) })
		}
		all.Wait()
		c.Done++
		if o.Progress != nil {
			o.Progress(c.Done)
		}
		if o.Save != nil && c.Done < Units && time.Since(saved) >= max(o.Every, took) {
			begin := time.Now()
			flush()
			if err := o.Save(); err != nil {
				return err
			}
			saved = time.Now()
			took = saved.Sub(begin)
		}
	}
	flush()
	if !c.Complete() {
		return ctx.Err()
	}
	return nil
}

// unit solves one worker's share of a unit in a part, in the order of the kinds of second hands:
// the games of one kind are added to one row, which then stays in the nearest caches.
func (w *worker) unit(unit, part, parts, worker, workers int) {
	w.inUnit = unit
	c := &w.starters[unit]
	w.tasks = w.tasks[:0]
	// Hand i belongs to the part if (i + unit) mod parts = part.
	for i := (part - unit%parts + parts) % parts; i < secondHands; i += parts {
		second := domino.UnrankHand(i)
		hand := c.hand(second)
		if len(c.group) > 1 {
			var ok bool
			if ok, w.fix = w.canonical(unit, hand, w.fix); !ok {
				continue
			}
		}
		w.tasks = append(w.tasks, uint64(w.frames.kind[domino.RankHand(hand)])<<32|uint64(hand))
	}
	slices.Sort(w.tasks)
	n := len(w.tasks)
	for _, t := range w.tasks[n*worker/workers : n*(worker+1)/workers] {
		second := domino.Set(t)
		_, w.fix = w.canonical(unit, second, w.fix)
		w.add(second, w.fix)
	}
	w.drainStarter()
}

// secondHands is the number of sets of seven of the 21 tiles that the starter does not hold.
const secondHands = 116_280
