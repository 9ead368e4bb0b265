package cli

import (
	"context"
	"sync"
	"sync/atomic"
)

// Parallel calls f for the numbers from 0 below n on several goroutines, in
// order, until the context ends.
func Parallel(ctx context.Context, threads, n int, f func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(threads, n) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	workers.Wait()
}
