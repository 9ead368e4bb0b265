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
	r := &reach{blocks: s.blocks, space: s.space}
	var err error
	if r.met, err = plane[uint64](s.space, "positions met", (s.numbers.n+63)/64); err != nil {
		return Count{}, err
	}
	if r.fresh, err = plane[uint64](s.space, "positions met", (s.numbers.n+63)/64); err != nil {
		return Count{}, err
	}
	walkers := make([]*walker, s.threads)
	for i, m := range newMails(s.threads, s.blocks.count, s.room) {
		w := &walker{reach: r, w: s.numbers.worker(), mail: m}
		m.deliver = w.deliver
		walkers[i] = w
	}
	start := s.numbers.by.Number(s.numbers.game.Start())
	r.met[start/64], r.fresh[start/64] = 1<<(start%64), 1<<(start%64)
	for r.more.Store(true); r.more.Swap(false); {
		if err := parallel(ctx, walkers, s.blocks.count, func(w *walker) asker { return w.w }, (*walker).block); err != nil {
			return Count{}, err
		}
		for _, w := range walkers {
			w.mail.empty()
		}
	}
	return s.some(ctx, alone, r.met)
}

// reach holds two bits for each number: met, and fresh, which means met with moves not yet listed.
type reach struct {
	blocks     ranges
	space      *planes
	met, fresh []uint64 // changed by atomic operations
	more       atomic.Bool
}

// walker is the state of a goroutine that lists moves.
type walker struct {
	*reach
	w    *numbered
	mail *mail
}

// block lists the moves of a block's fresh positions.
func (w *walker) block(b int) error {
	from, to := w.blocks.bounds(b)
	w.space.Charge(int(to-from) / 8)
	for i := from / 64; i < (to+63)/64; i++ {
		if atomic.LoadUint64(&w.fresh[i]) == 0 {
			continue
		}
		for set := atomic.SwapUint64(&w.fresh[i], 0); set != 0; set &= set - 1 {
			if err := w.follow(i*64 + uint64(bits.TrailingZeros64(set))); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow sends messages to the positions that the moves of a position lead to.
func (w *walker) follow(n uint64) error {
	after, err := w.w.movesOf(n)
	for _, to := range after {
		if block := int(to >> w.blocks.bits); w.mail.put(block, uint32(to&(1<<w.blocks.bits-1))) {
			w.mail.hand(block)
		}
	}
	return err
}

// deliver records positions of a block as met.
func (w *walker) deliver(block int, to []uint32) {
	from, end := w.blocks.bounds(block)
	w.space.Charge(int(end-from) / 4)
	more := false
	for _, i := range to {
		n := from + uint64(i)
		word, bit := n/64, uint64(1)<<(n%64)
		if atomic.LoadUint64(&w.met[word])&bit == 0 && atomic.OrUint64(&w.met[word], bit)&bit == 0 {
			atomic.OrUint64(&w.fresh[word], bit)
			more = true
		}
	}
	if more {
		w.more.Store(true)
	}
}
