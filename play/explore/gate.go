package explore

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// gate hands out a number of places, such as threads or room for tables, in the order of the
// requests, and counts the waiting requests.
type gate struct {
	*semaphore.Weighted
	waiting atomic.Int32
}

func newGate(places int) *gate { return &gate{Weighted: semaphore.NewWeighted(int64(places))} }

// enter takes n places, at most the number of all places, after all earlier requests. If the
// context ends, enter takes none and returns the context's error.
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

// turn is n threads at work on one question. While others wait it lasts a slice; then all of
// its threads go to the end of the queue.
type turn struct {
	g     *gate
	n     int64
	mu    sync.Mutex
	since atomic.Int64 // begin of the slice, in nanoseconds since started
	hush  *hush        // the hush of the turn's game
	beats atomic.Int64 // signs of life
	ended atomic.Bool
}

// Turns measure time from started on.
var started = time.Now()

// begin waits for a turn of n threads. If the turn later shows no sign of life, the game counts
// as silent, and the threads go to others.
func (g *gate) begin(ctx context.Context, n int, h *hush) (*turn, error) {
	t := &turn{g: g, n: int64(n), hush: h}
	if err := g.enter(ctx, t.n); err != nil {
		return nil, err
	}
	t.since.Store(int64(time.Since(started)))
	t.beats.Store(1)
	t.look(0, 0)
	return t, nil
}

// look checks for a beat at every tick, and gives the turn up after too many ticks without a beat.
func (t *turn) look(last int64, silent int) {
	time.AfterFunc(tick, func() {
		if t.beats.Load() == last && silent+1 >= patience {
			t.mu.Lock() // waiting for threads is no silence
			defer t.mu.Unlock()
		}
		now := t.beats.Load()
		switch {
		case t.ended.Load():
		case now != last:
			t.look(now, 0)
		case silent+1 >= patience:
			t.hush.close()
			t.end()
		default:
			t.look(now, silent+1)
		}
	})
}

func (t *turn) within() bool { return int64(time.Since(started))-t.since.Load() < int64(slice) }

func (t *turn) end() {
	if !t.ended.Swap(true) {
		t.g.Release(t.n)
	}
}

// yield hands all threads, at the end of the slice, to the next turn in the queue, and returns
// with the next slice. Each of the threads calls it every few milliseconds.
func (t *turn) yield() {
	t.beats.Add(1)
	if t.within() {
		return
	}
	t.mu.Lock() // the turn's other threads wait here
	defer t.mu.Unlock()
	if t.within() {
		return
	}
	if runtime.GOOS == "js" {
		time.Sleep(time.Millisecond) // in a browser, lets the page's messages in
	}
	if t.g.waiting.Load() > 0 && !t.ended.Load() {
		t.g.Release(t.n)
		_ = t.g.enter(context.Background(), t.n) // the context never ends, so there is no error
		t.beats.Add(1)
	}
	t.since.Store(int64(time.Since(started)))
}
