package explore

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// gate hands out a number of places, such as threads or room for tables, in the
// order in which they are asked for, and counts those who wait.
type gate struct {
	*semaphore.Weighted
	waiting atomic.Int32
}

func newGate(places int) *gate { return &gate{Weighted: semaphore.NewWeighted(int64(places))} }

// enter takes n places, no more than there are in all, as soon as all who asked
// before have theirs. The error is the context's; then nothing is taken.
func (g *gate) enter(ctx context.Context, n int64) error {
	if g.TryAcquire(n) {
		return nil
	}
	g.waiting.Add(1)
	defer g.waiting.Add(-1)
	return g.Acquire(ctx, n)
}

// slice is how long a turn lasts while others wait.
const slice = 20 * time.Millisecond

// turn is n threads that work on one question. While others wait it lasts a
// slice, and then all of its threads go to the end of the queue.
type turn struct {
	g     *gate
	n     int64
	mu    sync.Mutex
	since atomic.Int64 // of the slice, in nanoseconds since started
}

// started is what turns count time from.
var started = time.Now()

// begin waits for a turn of n threads.
func (g *gate) begin(ctx context.Context, n int) (*turn, error) {
	t := &turn{g: g, n: int64(n)}
	if err := g.enter(ctx, t.n); err != nil {
		return nil, err
	}
	t.since.Store(int64(time.Since(started)))
	return t, nil
}

// end gives the threads back.
func (t *turn) end() { t.g.Release(t.n) }

// yield is called by each of the threads every few milliseconds. Where the slice
// is over it hands all of them to those who wait, and comes back with the next.
func (t *turn) yield() {
	if time.Duration(int64(time.Since(started))-t.since.Load()) < slice {
		return
	}
	t.mu.Lock() // the others meet it here and wait
	defer t.mu.Unlock()
	if time.Duration(int64(time.Since(started))-t.since.Load()) < slice {
		return
	}
	if runtime.GOOS == "js" {
		time.Sleep(time.Millisecond) // lets the page's messages in
	}
	if t.g.waiting.Load() > 0 {
		t.g.Release(t.n)
		_ = t.g.enter(context.Background(), t.n) // no error without a context's
	}
	t.since.Store(int64(time.Since(started)))
}
