package command

import (
	"context"
	"time"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/strong/tight"
	"perfectplay/internal/cli"
)

// solution is what a solver has found of a game for two.
type solution interface {
	Counts() strong.Counts
	HasDistances() bool
	Histogram() (wins, losses []uint64)
	Value(mover, other bitboard.Set128) (game.Value, int)
}

// crowdedPieces is the size of an army from which on package tight solves faster than
// package strong, and in less memory: 4×4 with 6 pieces in 0.16 instead of 1.0 s of
// processor time, 5×5 with 4 in 3.5 instead of 6.6 s; 7×7 with 3 takes a third longer.
const crowdedPieces = 4

// planOf says what a solve takes, and whether package tight does it: values of crowded
// boards that fit a word, in memory, without checkpoints. Package strong does all others.
func planOf(spec *halma.TwoArmy, o strong.Options) (p strong.Plan, crowded bool, err error) {
	_, word := spec.EmbedWord()
	if word && spec.Pieces >= crowdedPieces && !o.Distances && !o.Reachable && o.Checkpoint == "" && o.Scratch == "" {
		dense, err := tight.NewPlan(spec, o.Threads)
		return strong.Plan{Positions: dense.Positions, Places: dense.Places, Bytes: dense.Bytes, Least: dense.Least}, true, err
	}
	p, err = strong.NewPlan(spec, o)
	return p, false, err
}

// estimate says how much processor time a solve takes.
func estimate(ctx context.Context, spec *halma.TwoArmy, o strong.Options) (time.Duration, error) {
	_, crowded, err := planOf(spec, o)
	if err != nil {
		return 0, err
	}
	if crowded {
		return tight.Estimate(ctx, spec)
	}
	return strong.Estimate(ctx, spec)
}

// solveCrowded solves with package tight.
func (f *strongFlags) solveCrowded(ctx context.Context, bar *cli.Bar, program string, g game.Game, spec *halma.TwoArmy, o strong.Options) ([]strongRecord, error) {
	begin := time.Now()
	solved, err := tight.Solve(ctx, spec, tight.Options{Threads: o.Threads, Memory: o.Memory, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	r := newStrongRecord(g, solved, solved.Passes())
	r.Seconds, r.Threads = cli.Since(begin), o.Threads
	speed := float64(r.Positions) / time.Duration(r.Seconds).Seconds()
	r.PerSecond = &speed
	r.MemoryBytes = cli.MemoryInUse()
	if f.table == "" {
		return []strongRecord{*r}, nil
	}
	bar.Describe("writing the table")
	bar.Part(1, cli.Shares)
	info, err := tight.Save(ctx, f.table, spec, solved, program, o.Threads, bar.Share)
	r.File, r.Signature = f.table, info.Signature
	return []strongRecord{*r}, err
}
