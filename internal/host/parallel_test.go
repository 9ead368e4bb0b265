package host

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// TestParallel: every number is met once, and none after the context's end or an error;
// a worker does one at a time.
func TestParallel(t *testing.T) {
	for _, threads := range []int{1, 3, 100} {
		var met [50]atomic.Int32
		workers := make([]*atomic.Int32, threads)
		for i := range workers {
			workers[i] = new(atomic.Int32)
		}
		err := Parallel(t.Context(), workers, len(met), func(w *atomic.Int32, i int) error {
			if w.Add(1) != 1 {
				t.Error("a worker does two things at once")
			}
			met[i].Add(1)
			w.Add(-1)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		for i := range met {
			if n := met[i].Load(); n != 1 {
				t.Errorf("%d threads: number %d was met %d times", threads, i, n)
			}
		}
	}
	failed := errors.New("failed")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, want := range []error{failed, context.Canceled} {
		calls := 0
		err := Parallel(ctx, Threads(1), 50, func(_ struct{}, i int) error {
			if calls++; i < 7 {
				return nil
			}
			if want == failed {
				return failed
			}
			cancel()
			return nil
		})
		if calls != 8 || err != want {
			t.Errorf("%d calls and %v, want 8 and %v", calls, err, want)
		}
	}
	if err := Parallel(t.Context(), Threads(3), 0, func(struct{}, int) error { return failed }); err != nil {
		t.Error(err)
	}
}
