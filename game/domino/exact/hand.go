package exact

import (
	"context"

	"perfectplay/game/domino"
	"perfectplay/internal/host"
)

// HandStudy is a row of the study's tables: a hand against all hands of the other player.
type HandStudy struct {
	Games          int     `json:"games"`   // number of opponents whose tiles make a game with the hand
	NoGame         int     `json:"no_game"` // number of opponents without a game: neither hand has a double
	Starts         int     `json:"starts"`  // games that the owner of the hand starts
	MeanLines      float64 `json:"mean_lines"`
	MostLines      int     `json:"most_lines"`
	WinPercent     float64 `json:"win_percent"` // games with a value above 0 for the owner
	Draws          int     `json:"draws"`
	MeanScore      float64 `json:"mean_score"`      // mean score for the owner
	BlockedPercent float64 `json:"blocked_percent"` // percentage of the lines of all games
	Lines          []int64 `json:"-"`               // games by their number of lines, up to the largest number
}

// Opponents is the number of hands of the other player: sets of 7 of 21 tiles.
const Opponents = 116280

// Study solves a hand of seven tiles against all opponents, on several threads. progress and the
// error are as in [Each].
func Study(ctx context.Context, hand domino.Set, threads int, progress func(more int64)) (*HandStudy, error) {
	h := new(HandStudy)
	games := make([]domino.Deal, 0, Opponents)
	var swaps []bool
	for opponent := range (domino.AllTiles &^ hand).Subsets(domino.HandSize) {
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
	var wins, score int
	var lines, blocked uint64
	for i, st := range stats {
		value := st.Value
		if swaps[i] {
			value = -value
		} else {
			h.Starts++
		}
		score += value
		switch {
		case value > 0:
			wins++
		case value == 0:
			h.Draws++
		}
		lines += st.Leaves
		blocked += st.Blocked
		for int(st.Leaves) >= len(h.Lines) {
			h.Lines = append(h.Lines, 0)
		}
		h.Lines[st.Leaves]++
	}
	h.Games, h.MostLines = len(games), len(h.Lines)-1
	n := float64(h.Games)
	h.MeanLines, h.MeanScore = float64(lines)/n, float64(score)/n
	h.WinPercent, h.BlockedPercent = 100*float64(wins)/n, 100*float64(blocked)/float64(lines)
	return h, nil
}

// AllStats returns the statistics of deals, in order, on several threads. progress and the error
// are as in [Each].
func AllStats(ctx context.Context, deals []domino.Deal, threads int, progress func(more int64)) ([]domino.Stats, error) {
	stats := make([]domino.Stats, len(deals))
	err := Each(ctx, len(deals), threads, progress, func(s *Solver, i int) { stats[i] = s.Stats(deals[i]) })
	return stats, err
}

const batchSize = 256

// Each calls do for 0…n−1 on several threads, each with its own solver. progress, if not nil,
// is called on any thread with the number of further calls done. When the context ends, Each
// returns its error, and some calls have not been made.
func Each(ctx context.Context, n, threads int, progress func(more int64), do func(s *Solver, i int)) error {
	solvers := make([]*Solver, max(threads, 1))
	for i := range solvers {
		solvers[i] = NewSolver()
	}
	return host.Parallel(ctx, solvers, (n+batchSize-1)/batchSize, func(s *Solver, batch int) error {
		from := batch * batchSize
		to := min(from+batchSize, n)
		for i := from; i < to; i++ {
			do(s, i)
		}
		if progress != nil {
			progress(int64(to - from))
		}
		return nil
	})
}
