package retro

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// graph has the positions before each position, for a game that lists no moves backwards. It stays
// in memory.
type graph struct {
	// before[from[n]:from[n+1]] are the positions before position n.
	from, before []uint32
}

const mostEdges = 1<<32 - 1

// link lists the moves of all numbers twice: to count the moves to each position, then to enter
// them.
func (s *numbers) link(ctx context.Context, space *planes, threads int, o Options, report func(done float64)) (err error) {
	var g graph
	if g.from, err = plane[uint32](space, "positions", s.n+1); err != nil {
		return err
	}
	if err := s.listMoves(ctx, space, threads, o, func(done float64) { report(done / 2) }, func(_, to uint64) error {
		atomic.AddUint32(&g.from[to], 1)
		return nil
	}); err != nil {
		return err
	}
	sum := uint64(0)
	for n, count := range g.from { // counts become the ends of lists, and entering moves makes starts of ends
		sum += uint64(count)
		g.from[n] = uint32(sum)
	}
	if g.before, err = plane[uint32](space, fmt.Sprintf("%d moves", sum), sum); err != nil {
		return err
	}
	err = s.listMoves(ctx, space, threads, o, func(done float64) { report((1 + done) / 2) }, func(n, to uint64) error {
		i := atomic.AddUint32(&g.from[to], ^uint32(0))
		if uint64(i) >= sum {
			return fmt.Errorf("position %d has other moves than before", n)
		}
		g.before[i] = uint32(n)
		return nil
	})
	s.graph = g
	return err
}

// listMoves calls enter with the numbers before and after each move.
func (s *numbers) listMoves(ctx context.Context, space *planes, threads int, o Options, report func(done float64), enter func(n, to uint64) error) error {
	blocks := newRanges(s.n)
	var mu sync.Mutex
	done, moves := 0, uint64(0)
	return parallel(ctx, s.workers(threads), blocks.count, func(w *numbered) asker { return w }, func(w *numbered, b int) error {
		o.Pause()
		listed := uint64(0)
		from, to := blocks.bounds(b)
		for n := from; n < to; n++ {
			after, err := w.movesOf(n)
			if err != nil {
				return err
			}
			for _, to := range after {
				if err := enter(n, to); err != nil {
					return err
				}
			}
			listed += uint64(len(after))
		}
		mu.Lock()
		defer mu.Unlock()
		done, moves = done+1, moves+listed
		report(float64(done) / float64(blocks.count))
		if moves > mostEdges {
			return fmt.Errorf("more than %d moves and no moves backwards (game.Unmover)", uint64(mostEdges))
		}
		return space.room(4 * moves) // reports too many moves as early as possible
	})
}
