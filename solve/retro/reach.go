package retro

import (
	"context"
	"math/bits"
	"sync/atomic"
)

// Reachable counts the positions reached from the start by their value to the seat to move alone.
// Without numbers these are all solved positions. With numbers it lists the moves of each position
// once, and takes two bits a number, see [Options.Reachable].
func (s *Solution) Reachable(ctx context.Context) (Count, error) {
	if l, ok := s.results.(*layered); ok {
		return l.reachable(ctx)
	}
	return s.Mover(ctx)
}

func (s *layered) reachable(ctx context.Context) (Count, error) {
	words := (s.numbers.n + 63) / 64
	if err := s.space.take("positions met", 16*words); err != nil {
		return Count{}, err
	}
	defer s.space.give(16 * words)
	// Changed by atomic operations: a position met is fresh until its moves are listed.
	met, fresh := make([]uint64, words), make([]uint64, words)
	var more atomic.Bool
	meet := func(n uint64) {
		if word, bit := n/64, uint64(1)<<(n%64); atomic.LoadUint64(&met[word])&bit == 0 && atomic.OrUint64(&met[word], bit)&bit == 0 {
			atomic.OrUint64(&fresh[word], bit)
			more.Store(true)
		}
	}
	workers := s.numbers.workers(s.threads)
	for meet(s.numbers.by.Number(s.numbers.game.Start())); more.Swap(false); {
		err := parallel(ctx, workers, s.blocks.count, func(w *numbered) asker { return w }, func(w *numbered, b int) error {
			from, to := s.blocks.bounds(b)
			for i := from / 64; i < (to+63)/64; i++ {
				for set := atomic.SwapUint64(&fresh[i], 0); set != 0; set &= set - 1 {
					after, err := w.movesOf(i*64 + uint64(bits.TrailingZeros64(set)))
					if err != nil {
						return err
					}
					for _, n := range after {
						meet(n)
					}
				}
			}
			return nil
		})
		if err != nil {
			return Count{}, err
		}
	}
	return s.some(ctx, alone, met)
}
