package armies

import (
	"context"
	"math/bits"
	"sync"

	"perfectplay/internal/host"
)

// Census counts positions by the result that each seat can force alone against all others:
// Vectors[kind][v], where digit i of v to base 3, the lowest first, is 0, 1 or 2 if the seat i
// turns after the one to move loses, draws or wins. Reached counts the positions that the start
// leads to.
//
// Deciders[kind][i] counts the positions where the seat i turns after the one to move cannot win
// alone, but can force the win of either of two others or more, with that seat's help. It is nil
// without [Options.Named].
type Census struct {
	Vectors, Reached, Deciders [][]uint64

	solution *Solution
	reach    *Reach // positions that the start leads to; nil if not wanted
	mu       sync.Mutex
}

// Census returns empty counts, for [Census.Count] or [Solution.Describe]. reach may be nil.
func (s *Solution) Census(reach *Reach) *Census {
	c := &Census{solution: s, reach: reach}
	size := 1
	for range s.b.n {
		size *= 3
	}
	for range s.b.period {
		c.Vectors, c.Reached = append(c.Vectors, make([]uint64, size)), append(c.Reached, make([]uint64, size))
		if _, _, named := s.find(Question{3, 1}, 0); named {
			c.Deciders = append(c.Deciders, make([]uint64, s.b.n))
		}
	}
	return c
}

// Count counts all positions. threads 0 means all processors; progress is called with the share
// done, never concurrently.
func (c *Census) Count(ctx context.Context, threads int, progress func(done float64)) error {
	s := c.solution
	o := Options{Threads: threads}
	var sheets []*sheet
	for range o.Workers() {
		sheets = append(sheets, s.newSheet())
	}
	all, done := 0, 0
	for kind := range s.b.period {
		l := s.b.layout(kind)
		all += l.groups
	}
	for kind := range s.b.period {
		l := s.b.layout(kind)
		err := host.Parallel(ctx, sheets, l.groups, func(w *sheet, group int) error {
			w.open(kind, group)
			if err := c.count(w); err != nil {
				return err
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			done++
			progress(float64(done) / float64(all))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// count counts the positions of a group.
func (c *Census) count(w *sheet) (err error) {
	n := c.solution.b.n
	whole := uint8(1<<n - 1)
	won, lost := make([][]uint64, n), make([][]uint64, n)
	for seat := range n {
		if won[seat], err = w.read(Coalition(1<<seat), 0); err != nil {
			return err
		}
		if lost[seat], err = w.read(Coalition(whole&^(1<<seat)), 0); err != nil {
			return err
		}
	}
	vectors, reached := make([]uint64, len(c.Vectors[w.kind])), make([]uint64, len(c.Vectors[w.kind]))
	var seen []uint64
	if c.reach != nil {
		first, _ := w.l.span(w.group)
		seen = c.reach.seen[w.kind][first*w.l.slabWords():]
	}
	// split counts the positions x of word i, seat by seat.
	var split func(i, seat, v, digit int, x uint64)
	split = func(i, seat, v, digit int, x uint64) {
		if x == 0 {
			return
		}
		if seat == n {
			vectors[v] += uint64(bits.OnesCount64(x))
			if seen != nil {
				reached[v] += uint64(bits.OnesCount64(x & seen[i]))
			}
			return
		}
		wins, losses := won[seat][i], lost[seat][i]
		split(i, seat+1, v, 3*digit, x&losses)
		split(i, seat+1, v+2*digit, 3*digit, x&wins)
		split(i, seat+1, v+digit, 3*digit, x&^(wins|losses))
	}
	for i, x := range w.free {
		split(i, 0, 0, 1, x)
	}
	deciders := make([]uint64, n)
	if c.Deciders != nil {
		for seat := range n {
			if deciders[seat], err = w.decided(seat, won[seat]); err != nil {
				return err
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Deciders != nil {
		for seat := range n {
			c.Deciders[w.kind][seat] += deciders[seat]
		}
	}
	for v := range vectors {
		c.Vectors[w.kind][v] += vectors[v]
		c.Reached[w.kind][v] += reached[v]
	}
	return nil
}

// decided counts the positions that a seat, counted from the one to move, decides: see Census.
func (w *sheet) decided(seat int, won []uint64) (count uint64, err error) {
	n := w.s.b.n
	var partners [][]uint64
	for other := range n {
		if other != seat {
			plane, err := w.read(Question{1<<seat | 1<<other, 1 << other}, 0)
			if err != nil {
				return 0, err
			}
			partners = append(partners, plane)
		}
	}
	for i, x := range w.free {
		one, two := uint64(0), uint64(0)
		for _, plane := range partners {
			two |= one & plane[i]
			one |= plane[i]
		}
		count += uint64(bits.OnesCount64(two & x &^ won[i]))
	}
	return count, nil
}

// Reach is the set of positions that play from the start can reach, seen from the seat to move.
type Reach struct {
	seen [][]uint64 // bits of the positions reached, by kind
}
