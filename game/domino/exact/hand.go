package exact

import (
	"context"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game/domino"
)

// HandStudy is a row of the study's tables: a hand against every hand that the
// other player may hold.
type HandStudy struct {
	Hand    domino.Set
	Games   int     // with opponents with whom there is a game
	NoGame  int     // opponents with whom there is none, for want of a double
	Starts  int     // games that the owner of the hand starts
	Wins    int     // games with a value above 0 for the owner
	Draws   int     // games with the value 0
	Score   int     // sum of values for the owner
	Leaves  uint64  // lines of play over all games
	Blocked uint64  // those that end blocked
	Lines   []int64 // games by their number of lines, up to the most
}

// Opponents is how many hands the other player may hold: sets of 7 of 21 tiles.
const Opponents = 116280

// Study solves a hand of seven tiles against all opponents, on several threads.
// progress, if not nil, is called on any thread when some more games are solved,
// with how many. The error is that of the context.
func Study(ctx context.Context, hand domino.Set, threads int, progress func(more int64)) (*HandStudy, error) {
	h := &HandStudy{Hand: hand}
	games := make([]domino.Deal, 0, Opponents)
	var swaps []bool
	for other := domino.Set(1<<domino.HandSize - 1); other < 1<<(domino.Tiles-domino.HandSize); other = other.Next() {
		opponent := domino.Set(bitboard.Deposit64(uint64(other), uint64(domino.AllTiles&^hand)))
		d, swapped, err := domino.NewDeal(hand, opponent)
		if err != nil {
			h.NoGame++
			continue
		}
		games, swaps = append(games, d), append(swaps, swapped)
	}
	stats, err := AllStats(ctx, games, threads, progress)
	if err != nil {
		return nil, err
	}
	for i, st := range stats {
		value := st.Value
		if swaps[i] {
			value = -value
		} else {
			h.Starts++
		}
		h.Games++
		h.Score += value
		switch {
		case value > 0:
			h.Wins++
		case value == 0:
			h.Draws++
		}
		h.Leaves += st.Leaves
		h.Blocked += st.Blocked
		for int(st.Leaves) >= len(h.Lines) {
			h.Lines = append(h.Lines, 0)
		}
		h.Lines[st.Leaves]++
	}
	return h, nil
}

// MeanLeaves is the mean number of lines of play of a game.
func (h *HandStudy) MeanLeaves() float64 { return float64(h.Leaves) / float64(h.Games) }

// WinPercent is the share of games that the owner wins, starting or not.
func (h *HandStudy) WinPercent() float64 { return 100 * float64(h.Wins) / float64(h.Games) }

// BlockedPercent is the share of all lines of all games that end blocked.
func (h *HandStudy) BlockedPercent() float64 { return 100 * float64(h.Blocked) / float64(h.Leaves) }

// AllStats returns the statistics of deals, in order, on several threads. progress
// and the error are those of [Each].
func AllStats(ctx context.Context, deals []domino.Deal, threads int, progress func(more int64)) ([]domino.Stats, error) {
	stats := make([]domino.Stats, len(deals))
	err := Each(ctx, len(deals), threads, progress, func(s *Solver, i int) { stats[i] = s.Stats(deals[i]) })
	return stats, err
}

// batchSize is the number of deals that a thread takes at a time.
const batchSize = 256

// Each calls do for 0…n−1 on several threads, each with a solver of its own.
// progress, if not nil, is called on any thread when some more are done, with how
// many. The error is that of the context, after which some were not done.
func Each(ctx context.Context, n, threads int, progress func(more int64), do func(s *Solver, i int)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	for range max(threads, 1) {
		all.Go(func() {
			s := NewSolver()
			for ctx.Err() == nil {
				to := int(next.Add(batchSize))
				from := to - batchSize
				if from >= n {
					return
				}
				to = min(to, n)
				for i := from; i < to; i++ {
					do(s, i)
				}
				if progress != nil {
					progress(int64(to - from))
				}
			}
		})
	}
	all.Wait()
	return ctx.Err()
}
