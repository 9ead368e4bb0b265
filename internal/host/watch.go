package host

import (
	"context"
	"time"
)

// Watch measures a duration. With Processor it counts the time in which the process has a
// processor, so that other programs do not lengthen it: the smaller of the elapsed time and the
// processor time used. Its zero value runs since the beginning of time.
type Watch struct {
	Processor bool
	begin     time.Time
	used      time.Duration // processor time of the process at the beginning
}

// NewWatch returns a watch that begins to run.
func NewWatch(processor bool) Watch {
	w := Watch{Processor: processor, begin: time.Now()}
	if processor {
		w.used = ProcessTime()
	}
	return w
}

// Elapsed is the time on the watch.
func (w Watch) Elapsed() time.Duration {
	d := time.Since(w.begin)
	if w.Processor {
		d = min(d, ProcessTime()-w.used)
	}
	return d
}

const shortest = 200 * time.Microsecond // least time between two looks at the watch

// Within returns a context that ends with ctx, or when the watch shows d. A watch of processor
// time never runs faster than the clock, so Within looks at it again after the time left.
func (w Watch) Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if !w.Processor {
		return context.WithDeadline(ctx, w.begin.Add(d))
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		for left := d - w.Elapsed(); left > 0; left = d - w.Elapsed() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(max(left, shortest)):
			}
		}
	}()
	return ctx, cancel
}

// Reserve is the part of a budget that is kept for delays: a tenth, or 50 ms if that is more and at
// most half of the budget; and twice the longest recent delay. The sum is at most three quarters of
// the budget.
func Reserve(budget, delay time.Duration) time.Duration {
	return min(max(budget/10, min(50*time.Millisecond, budget/2))+2*delay, budget*3/4)
}
