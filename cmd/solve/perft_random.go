package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/perft"
	"perfectplay/internal/cli"
	"perfectplay/internal/family"
)

// randomRecord says how both generators of one game compared.
type randomRecord struct {
	Game      string      `json:"game"`
	Rules     string      `json:"rules"`
	Positions int64       `json:"positions"`
	Moves     int64       `json:"moves"`
	Games     int64       `json:"games"`
	Finished  int64       `json:"finished"`
	Verdict   string      `json:"verdict"` // equal, or the first difference
	Seconds   cli.Seconds `json:"seconds"`
}

// runRandom plays at random and compares both generators wherever it comes.
func (f *perftFlags) runRandom(a *family.App, cmd *cobra.Command, args []string) error {
	games, err := f.comparable(a, args)
	if err != nil {
		return err
	}
	share := (f.random + int64(len(games)) - 1) / int64(len(games))
	return cli.Run(&f.out, &a.Progress, cmd, "positions", share*int64(len(games)), func(ctx context.Context, bar *cli.Bar) ([]randomRecord, error) {
		records := make([]randomRecord, len(games))
		cli.Parallel(ctx, f.res.Threads, len(games), func(i int) {
			records[i] = f.compareOne(ctx, a, games[i], share, uint64(i), func() { bar.Add(1) })
		})
		if err := ctx.Err(); err != nil {
			return records, err
		}
		if n := differing(records); n > 0 {
			return records, cli.Incomplete(fmt.Errorf("perft: the generators differ in %d of %d games", n, len(games)))
		}
		return records, nil
	}, func(w io.Writer, records []randomRecord) error {
		var sum randomRecord
		t := cli.NewTable("game", "rules", ">positions", ">moves", ">games", ">finished", "verdict")
		for _, r := range records {
			t.Row(r.Game, r.Rules, r.Positions, r.Moves, r.Games, r.Finished, r.Verdict)
			sum.Positions += r.Positions
			sum.Moves += r.Moves
			sum.Games += r.Games
			sum.Finished += r.Finished
		}
		sum.Verdict = "all equal"
		if n := differing(records); n > 0 {
			sum.Verdict = fmt.Sprintf("%d differ", n)
		}
		t.Row(fmt.Sprintf("%d games", len(games)), "", sum.Positions, sum.Moves, sum.Games, sum.Finished, sum.Verdict)
		return t.Write(w)
	})
}

// differing counts the games whose generators differ.
func differing(records []randomRecord) (n int) {
	for _, r := range records {
		if r.Verdict != "equal" && r.Verdict != "" {
			n++
		}
	}
	return n
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
	r.Seconds = cli.Since(start)
	return r
}
