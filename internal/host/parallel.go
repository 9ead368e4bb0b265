package host

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Parallel calls do for 0…n−1 in order, each worker in a goroutine of its own that takes the next
// number, until the context ends or a call fails. It returns when no call runs any more, with the
// first error of a call, else the context's error.
func Parallel[W any](ctx context.Context, workers []W, n int, do func(w W, i int) error) error {
	var next atomic.Int64
	group, running := errgroup.WithContext(ctx)
	for _, w := range workers[:min(len(workers), n)] {
		group.Go(func() error {
			for running.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					break
				}
				if err := do(w, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// Threads are n workers for [Parallel] that hold nothing.
func Threads(n int) []struct{} { return make([]struct{}, n) }
