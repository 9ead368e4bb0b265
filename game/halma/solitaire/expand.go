package solitaire

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
)

// expansion is the result of a search from home: placements by the least number of moves. It holds
// only placements from which the wanted progress can still be made in time.
type expansion struct {
	levels [][]uint64 // levels[d] are the sorted keys at distance d
	most   int        // largest progress made, −1 if less than wanted
}

// chunk is the number of placements that a worker takes at a time.
const chunk = 256

// run is the number of keys that a worker collects before it sorts them.
const run = 1 << 16

type search struct {
	b     *board
	lines *lines
}

// reachable finds the placements that have made the wanted progress at most depth moves after the
// placement from. It also finds the placements on the shortest ways to them, and perhaps others at
// the same distances. It returns errMemory if they need too much memory. doc.go proves that levels
// are by the true number of moves.
func (s *search) reachable(ctx context.Context, from bitboard.Set128, depth int, want *distances, o *budget) (*expansion, error) {
	f := &expansion{most: -1}
	if s.lines.bound(from, want) > depth {
		return f, nil
	}
	f.levels = [][]uint64{{s.b.key(from)}}
	if made := s.lines.sum(from) - s.lines.home; want.least <= made {
		f.most = made
	}
	for d := range depth {
		o.report(d, len(f.levels[d]))
		next, most, err := s.expand(ctx, f.levels, depth-d-1, want, o)
		if err != nil {
			f.release(o)
			return nil, err
		}
		f.most = max(f.most, most)
		f.levels = append(f.levels, next)
		o.used += len(next)
	}
	return f, nil
}

func (f *expansion) release(o *budget) {
	for d := 1; d < len(f.levels); d++ {
		o.used -= len(f.levels[d])
	}
}

// expand returns the placements one move after the last level from which the wanted progress may
// take at most left further moves, and the largest progress among them, −1 if less than wanted.
func (s *search) expand(ctx context.Context, levels [][]uint64, left int, want *distances, o *budget) (next []uint64, most int, err error) {
	level := levels[len(levels)-1]
	r := &runs{limit: o.limit - o.used - o.threads*2*run}
	var at atomic.Int64
	workers := make([]*worker, o.threads)
	var wait sync.WaitGroup
	for i := range workers {
		w := &worker{generator: s.b.newGenerator(), lines: s.lines, want: want, left: left, out: r, most: -1}
		workers[i] = w
		wait.Go(func() {
			for ctx.Err() == nil && !w.full {
				lo := int(at.Add(chunk)) - chunk
				if lo >= len(level) {
					break
				}
				for _, key := range level[lo:min(lo+chunk, len(level))] {
					w.expand(key)
				}
			}
			w.flush()
		})
	}
	wait.Wait()
	most = -1
	for _, w := range workers {
		most = max(most, w.most)
	}
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	if r.full {
		return nil, 0, errMemory
	}
	return r.all(levels), most, nil
}

type worker struct {
	*generator
	lines     *lines
	want      *distances
	left      int
	out       *runs
	keys, tmp []uint64
	most      int
	full      bool
}

// expand collects the placements one move after the placement of a key.
func (w *worker) expand(key uint64) {
	if w.keys == nil {
		w.keys, w.tmp = make([]uint64, 0, run), make([]uint64, run)
	}
	x := w.b.sets.Unrank(key)
	w.place(x)
	l := w.lines
	var n counts
	progress := -l.home
	for _, c := range w.army {
		v := l.of[c]
		n[v]++
		progress += int(v)
	}
	// tested and inBound are indexed by the line from which a move starts. tested holds the lines
	// for which the bound has been looked up, inBound the lines to which the bound allows the move.
	var tested, inBound [maxLines]uint64
	var in insertion
	for _, from := range w.army {
		v := int(l.of[from])
		prepared := false
		lifted := false
		for _, to := range w.ends(from) {
			v2 := int(l.of[to])
			bit := uint64(1) << v2
			if tested[v]&bit == 0 {
				if !prepared {
					n[v]--
					l.insert(&in, &n)
					n[v]++
					prepared = true
				}
				tested[v] |= bit
				if int(w.want.moves[l.number(&in, v2)]) <= w.left {
					inBound[v] |= bit
				}
			}
			if inBound[v]&bit == 0 {
				continue
			}
			if !lifted {
				w.lifts(x, from)
				lifted = true
			}
			if p := progress + v2 - v; p >= w.want.least {
				w.most = max(w.most, p)
			}
			if len(w.keys) == run {
				w.flush()
			}
			w.keys = append(w.keys, w.key(to))
		}
	}
}

// flush hands over the collected keys.
func (w *worker) flush() {
	if len(w.keys) == 0 || w.full {
		return
	}
	sorted := slices.Clone(sortUnique(w.keys, w.tmp, w.b.sets.Size()))
	w.keys = w.keys[:0]
	w.full = !w.out.add(sorted)
}
