package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/internal/cli"
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
func (f *perftFlags) runRandom(a *app, cmd *cobra.Command, args []string) error {
	games, err := f.comparable(args)
	if err != nil {
		return err
	}
	records := make([]randomRecord, len(games))
	share := (f.random + int64(len(games)) - 1) / int64(len(games))
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	bar := a.progress.Start(cmd, "positions", share*int64(len(games)))
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
				start := time.Now()
				c := comparison{rng: rand.New(rand.NewPCG(f.seed, uint64(i)))}
				records[i] = c.run(ctx, games[i], share, bar)
				records[i].Seconds = time.Since(start).Seconds()
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
func (f *perftFlags) comparable(args []string) ([]game.Game, error) {
	var games []game.Game
	for _, fam := range families() {
		if fam.reference == nil {
			continue
		}
		for _, id := range fam.ids() {
			if len(args) > 0 && args[0] != id {
				continue
			}
			for _, r := range fam.rules {
				if f.rules != "" && f.rules != r.name {
					continue
				}
				if g, err := fam.open(id, r.name); err == nil { // not every rule set is for every board
					games = append(games, g)
				}
			}
		}
	}
	if len(games) == 0 && len(args) > 0 {
		g, err := f.open(args[0])
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	if len(games) == 0 {
		return nil, cli.Usagef("--rules %q: no game has both generators and these rules", f.rules)
	}
	return games, nil
}

// comparison plays one game at random in both generators side by side.
type comparison struct {
	rng          *rand.Rand
	fast, slow   game.State
	moves, other []game.Move
	greed        float64
	plies        int
}

// longestGame is when random play gives up and starts again.
const longestGame = 400

// run compares n positions, or fewer if the context ends.
func (c *comparison) run(ctx context.Context, g game.Game, n int64, bar *cli.Bar) randomRecord {
	r := randomRecord{Game: g.ID(), Rules: g.Rules(), Verdict: "equal"}
	ref, err := reference(g)
	if err != nil {
		r.Verdict = err.Error()
		return r
	}
	for r.Positions < n {
		if r.Positions%1024 == 0 {
			if ctx.Err() != nil {
				return r
			}
		}
		if c.fast == nil || c.plies == longestGame || len(c.moves) == 0 {
			c.fast, c.slow, c.plies, c.greed = g.Start(), ref.Start(), 0, c.rng.Float64()
			r.Games++
		}
		if diff := c.compare(); diff != "" {
			r.Verdict = diff
			return r
		}
		r.Positions++
		r.Moves += int64(len(c.moves))
		bar.Add(1)
		if len(c.moves) == 0 {
			r.Finished++
			continue
		}
		m := c.choose()
		c.fast.Make(m)
		c.slow.Make(m)
		c.plies++
	}
	return r
}

// compare says how the two states differ, or nothing.
func (c *comparison) compare() string {
	text := c.fast.String()
	c.moves = c.fast.Moves(c.moves[:0])
	c.other = append(c.other[:0], c.moves...)
	slices.Sort(c.other)
	listed := c.slow.Moves(nil)
	slices.Sort(listed)
	switch {
	case c.slow.String() != text:
		return fmt.Sprintf("at %s the reference is at %s", text, c.slow)
	case c.fast.Seat() != c.slow.Seat():
		return fmt.Sprintf("at %s seats %d and %d are to move", text, c.fast.Seat(), c.slow.Seat())
	case c.fast.Result() != c.slow.Result():
		return fmt.Sprintf("at %s the results are %d and %d", text, c.fast.Result(), c.slow.Result())
	case !slices.Equal(c.other, listed):
		return fmt.Sprintf("at %s %d moves, and %d by the reference", text, len(c.other), len(listed))
	}
	if k, ok := c.fast.(game.Counter); ok && k.CountMoves() != len(listed) {
		return fmt.Sprintf("at %s %d moves are counted, and %d listed", text, k.CountMoves(), len(listed))
	}
	return ""
}

// choose picks a move: at random, or the best of a few by its gain, so that
// games also come to their end.
func (c *comparison) choose() game.Move {
	m := c.moves[c.rng.IntN(len(c.moves))]
	if o, ok := c.fast.(game.Orderer); ok && c.rng.Float64() < c.greed {
		for range 6 {
			if n := c.moves[c.rng.IntN(len(c.moves))]; o.Gain(n) > o.Gain(m) {
				m = n
			}
		}
	}
	return m
}
