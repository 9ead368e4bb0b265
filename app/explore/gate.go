package explore

import (
	"container/list"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// gate hands out a number of places, such as threads or room for tables, in the
// order in which they are asked for.
type gate struct {
	mu      sync.Mutex
	free    int
	queue   list.List // of *waiter
	waiting atomic.Int32
}

// waiter waits for n places.
type waiter struct {
	n     int
	ready chan struct{}
}

func newGate(places int) *gate { return &gate{free: places} }

// enter takes n places, no more than there are in all, as soon as all who asked
// before have theirs. The error is the context's; then nothing is taken.
func (g *gate) enter(ctx context.Context, n int) error {
	g.mu.Lock()
	if g.queue.Len() == 0 && g.free >= n {
		g.free -= n
		g.mu.Unlock()
		return nil
	}
	w := &waiter{n, make(chan struct{})}
	e := g.queue.PushBack(w)
	g.waiting.Add(1)
	g.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-w.ready: // in the meantime
		g.free += n
	default:
		g.queue.Remove(e)
		g.waiting.Add(-1)
	}
	g.admit() // those behind may have waited for this one only
	return ctx.Err()
}

// leave gives n places back.
func (g *gate) leave(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free += n
	g.admit()
}

// admit lets the first in the queue in, as many as there is room for.
func (g *gate) admit() {
	for e := g.queue.Front(); e != nil && e.Value.(*waiter).n <= g.free; e = g.queue.Front() {
		w := g.queue.Remove(e).(*waiter)
		g.waiting.Add(-1)
		g.free -= w.n
		close(w.ready)
	}
}

// slice is how long a turn lasts while others wait.
const slice = 20 * time.Millisecond

// turn is n threads that work on one question. While others wait it lasts a
// slice, and then all of its threads go to the end of the queue.
type turn struct {
	g     *gate
	n     int
	mu    sync.Mutex
	since atomic.Int64 // of the slice, in nanoseconds since started
}

// started is what turns count time from.
var started = time.Now()

// begin waits for a turn of n threads.
func (g *gate) begin(ctx context.Context, n int) (*turn, error) {
	if err := g.enter(ctx, n); err != nil {
		return nil, err
	}
	t := &turn{g: g, n: n}
	t.since.Store(int64(time.Since(started)))
	return t, nil
}

// end gives the threads back.
func (t *turn) end() { t.g.leave(t.n) }

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
		t.g.leave(t.n)
		_ = t.g.enter(context.Background(), t.n) // no error without a context's
	}
	t.since.Store(int64(time.Since(started)))
}
