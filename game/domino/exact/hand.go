package exact

import (
	"context"
	"sync"

	"perfectplay/game/domino"
)

// HandStudy is a row of the study's tables: a hand against every hand that the
// other player may hold.
type HandStudy struct {
	Hand    domino.Set
	Deals   int            // opponents with whom there is a deal
	NoDeal  int            // opponents with whom there is none, for want of a double
	Starts  int            // deals that the owner of the hand starts
	Wins    int            // deals with a value above 0 for the owner
	Draws   int            // deals with the value 0
	Score   int            // sum of values for the owner
	Leaves  uint64         // lines of play over all deals
	Blocked uint64         // those that end blocked
	Most    uint64         // lines of the deal that has most
	Lines   map[uint64]int // deals by their number of lines
}

// Study solves a hand of seven tiles against all opponents, on several threads;
// the result does not depend on how many. progress, if not nil, is called, never
// twice at a time, after each pair of the opponent's first tiles with the number
// of opponents done of 116,280. The error is that of the context.
func Study(ctx context.Context, hand domino.Set, threads int, progress func(done int)) (*HandStudy, error) {
	var tiles []domino.Tile
	for s := domino.AllTiles &^ hand; s != 0; s = s.DropMin() {
		tiles = append(tiles, s.Min())
	}
	total := &HandStudy{Hand: hand, Lines: map[uint64]int{}}
	var mu sync.Mutex
	// A task is the opponent's first two tiles.
	type task struct{ i, j int }
	tasks := make(chan task)
	var all sync.WaitGroup
	for range max(threads, 1) {
		all.Go(func() {
			s := NewSolver()
			for t := range tasks {
				part := HandStudy{Lines: map[uint64]int{}}
				start := domino.SetOf(tiles[t.i], tiles[t.j])
				part.against(s, hand, start, tiles[t.j+1:], domino.HandSize-2)
				mu.Lock()
				total.add(&part)
				if progress != nil {
					progress(total.Deals + total.NoDeal)
				}
				mu.Unlock()
			}
		})
	}
feed:
	for i := range tiles {
		for j := i + 1; j+domino.HandSize-1 <= len(tiles); j++ {
			select {
			case tasks <- task{i, j}:
			case <-ctx.Done():
				break feed
			}
		}
	}
	close(tasks)
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return total, nil
}

// against adds the opponents that hold some tiles and left more of the others.
func (h *HandStudy) against(s *Solver, hand, held domino.Set, others []domino.Tile, left int) {
	if left > 0 {
		for i := 0; i+left <= len(others); i++ {
			h.against(s, hand, held.With(others[i]), others[i+1:], left-1)
		}
		return
	}
	d, swapped, err := domino.NewDeal(hand, held)
	if err != nil {
		h.NoDeal++
		return
	}
	st := s.Stats(d)
	value := st.Value
	if swapped {
		value = -value
	} else {
		h.Starts++
	}
	h.Deals++
	h.Score += value
	switch {
	case value > 0:
		h.Wins++
	case value == 0:
		h.Draws++
	}
	h.Leaves += st.Leaves
	h.Blocked += st.Blocked
	h.Most = max(h.Most, st.Leaves)
	h.Lines[st.Leaves]++
}

// add adds the counts of o.
func (h *HandStudy) add(o *HandStudy) {
	h.Deals += o.Deals
	h.NoDeal += o.NoDeal
	h.Starts += o.Starts
	h.Wins += o.Wins
	h.Draws += o.Draws
	h.Score += o.Score
	h.Leaves += o.Leaves
	h.Blocked += o.Blocked
	h.Most = max(h.Most, o.Most)
	for k, n := range o.Lines {
		h.Lines[k] += n
	}
}

// MeanLeaves is the mean number of lines of play of a deal.
func (h *HandStudy) MeanLeaves() float64 { return float64(h.Leaves) / float64(h.Deals) }

// WinPercent is the share of deals that the owner wins, starting or not.
func (h *HandStudy) WinPercent() float64 { return 100 * float64(h.Wins) / float64(h.Deals) }

// BlockedPercent is the share of all lines of all deals that end blocked.
func (h *HandStudy) BlockedPercent() float64 { return 100 * float64(h.Blocked) / float64(h.Leaves) }

// AllStats returns the statistics of deals, in order, on several threads.
func AllStats(ctx context.Context, deals []domino.Deal, threads int) ([]domino.Stats, error) {
	stats := make([]domino.Stats, len(deals))
	err := Each(ctx, len(deals), threads, func(s *Solver, i int) { stats[i] = s.Stats(deals[i]) })
	return stats, err
}

// batchSize is the number of deals that a thread takes at a time.
const batchSize = 256

// Each calls do for 0…n−1 on several threads, each with a solver of its own. The
// error is that of the context, after which some were not done.
func Each(ctx context.Context, n, threads int, do func(s *Solver, i int)) error {
	starts := make(chan int)
	var all sync.WaitGroup
	for range max(threads, 1) {
		all.Go(func() {
			s := NewSolver()
			for from := range starts {
				for i := from; i < min(from+batchSize, n); i++ {
					do(s, i)
				}
			}
		})
	}
	for from := 0; from < n && ctx.Err() == nil; from += batchSize {
		starts <- from
	}
	close(starts)
	all.Wait()
	return ctx.Err()
}
