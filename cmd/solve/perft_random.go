package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/perft"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// randomRecord says how both generators of one game compared.
type randomRecord struct {
	Game      string  `json:"game"`
	Rules     string  `json:"rules"`
	Positions int64   `json:"positions"`
	Moves     int64   `json:"moves"`
	Games     int64   `json:"games"`
	Finished  int64   `json:"finished"`
	Verdict   string  `json:"verdict"` // equal, or the first difference
	Seconds   float64 `json:"seconds"`
}

// runRandom plays at random and compares both generators wherever it comes.
func (f *perftFlags) runRandom(a *family.App, cmd *cobra.Command, args []string) error {
	games, err := f.comparable(a, args)
	if err != nil {
		return err
	}
	records := make([]randomRecord, len(games))
	share := (f.random + int64(len(games)) - 1) / int64(len(games))
	bar := a.Progress.Start(cmd, "positions", share*int64(len(games)))
	defer bar.Stop()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range f.res.Threads {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(games) {
					return
				}
				records[i] = f.compareOne(cmd.Context(), a, games[i], share, uint64(i), func() { bar.Add(1) })
			}
		})
	}
	workers.Wait()
	bar.Stop()
	var sum randomRecord
	differ := 0
	for _, r := range records {
		sum.Positions += r.Positions
		sum.Moves += r.Moves
		sum.Games += r.Games
		sum.Finished += r.Finished
		if r.Verdict != "equal" {
			differ++
		}
	}
	err = cli.Records(&f.out, cmd, records, func(w io.Writer) error {
		t := cli.NewTable("game", "rules", ">positions", ">moves", ">games", ">finished", "verdict")
		for _, r := range records {
			t.Row(r.Game, r.Rules, cli.Count(r.Positions), cli.Count(r.Moves), cli.Count(r.Games), cli.Count(r.Finished), r.Verdict)
		}
		t.Row(fmt.Sprintf("%d games", len(games)), "", cli.Count(sum.Positions), cli.Count(sum.Moves), cli.Count(sum.Games), cli.Count(sum.Finished),
			map[bool]string{true: "all equal", false: fmt.Sprintf("%d differ", differ)}[differ == 0])
		return t.Write(w)
	})
	switch {
	case err != nil:
		return err
	case differ > 0:
		return fmt.Errorf("perft: the generators differ in %d of %d games", differ, len(games))
	case cmd.Context().Err() != nil:
		return cli.ErrInterrupted
	}
	return nil
}

// comparable returns the games that have a reference generator: one game or
// all, under one rule set or all.
func (f *perftFlags) comparable(a *family.App, args []string) ([]game.Game, error) {
	var games []game.Game
	for _, fam := range a.Families {
		if fam.Reference == nil {
			continue
		}
		for _, id := range fam.IDs() {
			if len(args) > 0 && args[0] != id {
				continue
			}
			for _, r := range fam.Rules {
				if f.Rules != "" && f.Rules != r.Name {
					continue
				}
				if g, err := fam.Open(id, r.Name); err == nil { // not every rule set is for every board
					games = append(games, g)
				}
			}
		}
	}
	if len(games) == 0 && len(args) > 0 {
		g, err := f.Open(args[0])
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	if len(games) == 0 {
		return nil, cli.Usagef("--rules %q: no game has both generators and these rules", f.Rules)
	}
	return games, nil
}

// compareOne compares the generators of one game, the stream-th of the run, in n
// positions.
func (f *perftFlags) compareOne(ctx context.Context, a *family.App, g game.Game, n int64, stream uint64, step func()) randomRecord {
	r := randomRecord{Game: g.ID(), Rules: g.Rules(), Verdict: "equal"}
	ref, err := a.Reference(g)
	if err != nil {
		r.Verdict = err.Error()
		return r
	}
	start := time.Now()
	c := perft.Compare(ctx, g, ref, n, rand.New(rand.NewPCG(f.seed, stream)), step)
	r.Positions, r.Moves, r.Games, r.Finished = c.Positions, c.Moves, c.Games, c.Finished
	if c.Difference != "" {
		r.Verdict = c.Difference
	}
	r.Seconds = time.Since(start).Seconds()
	return r
}
