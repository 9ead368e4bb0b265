package solitaire

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"perfectplay/game/halma"
	"perfectplay/rank"
)

// Counts are how far all placements of an army are from its home.
type Counts struct {
	// Levels[d] is the number of placements that need exactly d moves from home.
	Levels []uint64
	// Placements is the number of all placements off closed cells; if the levels
	// add up to less, the rest cannot be reached.
	Placements uint64
	// Shortest is the least number of moves from home to goal, −1 if there is no
	// way.
	Shortest int
}

// CountMemory returns what [Count] takes: three bits for each set of cells.
func CountMemory(t *halma.TwoArmy) (uint64, error) {
	sets, err := rank.NewSubsets(t.Cells, t.Pieces)
	if err != nil {
		return 0, err
	}
	return 3*8*((sets.Size()+63)/64) + 1<<20, nil
}

// Count moves the first army of a game alone to all placements that can be
// reached from home. Where the game has a mirror, one of two images is moved and
// both are counted.
func Count(ctx context.Context, t *halma.TwoArmy, o Options) (*Counts, error) {
	need, err := CountMemory(t)
	if err != nil {
		return nil, err
	}
	if o.Memory > 0 && need > o.Memory {
		return nil, fmt.Errorf("solitaire: %s: %d bytes of memory: counting placements takes %d", t.ID, o.Memory, need)
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	b, err := newBoard(t)
	if err != nil {
		return nil, err
	}
	c := &Counts{Shortest: -1}
	if c.Placements, err = rank.Binomial(t.Cells-len(t.Closed), t.Pieces); err != nil {
		return nil, err
	}
	words := (b.sets.Size() + 63) / 64
	seen, level, next := make([]uint64, words), make([]uint64, words), make([]uint64, words)
	home, goal := b.key(b.home), b.key(b.goal)
	seen[home/64] |= 1 << (home % 64)
	level[home/64] |= 1 << (home % 64)
	for d := 0; ; d++ {
		if level[goal/64]>>(goal%64)&1 != 0 {
			c.Shortest = d
		}
		n := b.flood(ctx, seen, level, next, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if n == 0 {
			return c, nil
		}
		c.Levels = append(c.Levels, n)
		if o.Progress != nil {
			o.Progress(Progress{Depth: d, Placements: int(n)})
		}
		level, next = next, level
		clear(next)
	}
}

// flood moves the placements of a level to new ones, which it adds to seen and
// next, and counts the level with its mirror images.
func (b *board) flood(ctx context.Context, seen, level, next []uint64, o Options) uint64 {
	var at, total atomic.Int64
	var wait sync.WaitGroup
	for range o.Threads {
		wait.Go(func() {
			w := b.newGenerator()
			count := 0
			for ctx.Err() == nil {
				lo := int(at.Add(chunk)) - chunk
				if lo >= len(level) {
					break
				}
				if o.Yield != nil {
					o.Yield()
				}
				for i := lo; i < min(lo+chunk, len(level)); i++ {
					for word := level[i]; word != 0; word &= word - 1 {
						x := b.sets.Unrank(uint64(64*i + bits.TrailingZeros64(word)))
						count++
						if b.mirrored && permute(&b.mirror, x) != x {
							count++
						}
						w.place(x)
						for _, from := range w.army {
							ends := w.ends(from)
							if len(ends) > 0 {
								w.lifts(x, from)
							}
							for _, to := range ends {
								key := w.key(to)
								bit := uint64(1) << (key % 64)
								if atomic.LoadUint64(&seen[key/64])&bit == 0 && atomic.OrUint64(&seen[key/64], bit)&bit == 0 {
									atomic.OrUint64(&next[key/64], bit)
								}
							}
						}
					}
				}
			}
			total.Add(int64(count))
		})
	}
	wait.Wait()
	return uint64(total.Load())
}
