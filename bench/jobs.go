package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/game/halma"
	"perfectplay/game/halma/solitaire"
	"perfectplay/game/halma/strong"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/game/perft"
	"perfectplay/solve"
	"perfectplay/solve/retro"
)

// on returns a job that opens a game with open and calls run on it.
func on[G game.Game](kind Kind, open func() (G, error), name, want string, run func(context.Context, G) (string, uint64, error)) Workload {
	return New(kind, name, want, func(ctx context.Context) (string, uint64, error) {
		g, err := open()
		if err != nil {
			return "", 0, err
		}
		return run(ctx, g)
	})
}

// onHalma is a job on a game of Chinese Checkers. Its name is game, rules and parts.
func onHalma(kind Kind, id, rules, parts, want string, run func(context.Context, *halma.Game) (string, uint64, error)) Workload {
	return on(kind, func() (*halma.Game, error) { return halma.ByID(id, rules) }, fmt.Sprintf("game=%s/rules=%s/%s", id, rules, parts), want, run)
}

// search is a search of the start of a game of Chinese Checkers, or of an m,n,k-game, which has no
// rules. The answer is value and distance.
func search(id, rules string, algo solve.Algo, limit int, want string) Workload {
	name, open := "game="+id, func() (game.Game, error) { return mnk.ByID(id) }
	if rules != "" {
		name, open = name+"/rules="+rules, func() (game.Game, error) { return halma.ByID(id, rules) }
	}
	return on(Search, open, fmt.Sprintf("%s/algo=%s/limit=%d", name, algo, limit), want, func(ctx context.Context, g game.Game) (string, uint64, error) {
		r, err := solve.Run(ctx, g, g.Start(), solve.Options{Algo: algo, Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: searchMemory, NoLine: true})
		if err != nil {
			return "", 0, err
		}
		return fmt.Sprintf("%s %d", r.Word(&r.Whole), r.Whole.Distance), r.Total.Nodes, ctx.Err()
	})
}

func count(id, rules string, depth int, want string) Workload {
	return onHalma(Perft, id, rules, fmt.Sprintf("depth=%d", depth), want, func(_ context.Context, g *halma.Game) (string, uint64, error) {
		n := perft.Count(g.Start(), depth)
		return fmt.Sprint(n), n, nil
	})
}

// complete solves a game of two; the answer is the start and the counts. It counts positions from
// the mover's side, mirror images included.
func complete(id, rules, kind, want string) Workload {
	return onHalma(Strong, id, rules, "kind="+kind, want, func(ctx context.Context, g *halma.Game) (string, uint64, error) {
		spec, err := g.TwoArmy()
		if err != nil {
			return "", 0, err
		}
		s, err := strong.Solve(ctx, spec, strong.Options{Distances: kind == "distances", Threads: 1})
		if err != nil {
			return "", 0, err
		}
		v, d := s.Value(halma.Sides(g, g.Start()))
		c := s.Counts()
		return fmt.Sprintf("%s %d, %d won %d lost %d drawn %d illegal", v, d, c.Wins, c.Losses, c.Draws, c.Illegal), c.Positions(), nil
	})
}

// coalitions solves a game of several; the answer is the value of each seat alone. It counts the
// positions that play can reach.
func coalitions(id, rules, want string) Workload {
	return onHalma(Strong, id, rules, "kind=coalitions", want, func(ctx context.Context, g *halma.Game) (string, uint64, error) {
		c, err := retro.Solve(ctx, g, retro.Options{Threads: 1})
		if err != nil {
			return "", 0, err
		}
		answer := ""
		start := g.Start()
		for seat := range g.Seats() {
			v, d, _ := c.Forced(start, 1<<seat)
			answer += fmt.Sprintf("%s %d, ", v, d)
		}
		return fmt.Sprintf("%s%d positions", answer, c.Positions()), c.Positions(), nil
	})
}

// crossing moves one army alone; the answer is the length of a shortest way and its proved bound.
// It counts the placements kept at all lengths.
func crossing(id, rules, want string) Workload {
	return onHalma(Strong, id, rules, "kind=crossing", want, func(ctx context.Context, g *halma.Game) (string, uint64, error) {
		spec, err := g.TwoArmy()
		if err != nil {
			return "", 0, err
		}
		c, err := solitaire.Cross(ctx, spec, solitaire.Options{Threads: 1})
		if err != nil {
			return "", 0, err
		}
		positions := uint64(0)
		for _, r := range c.Rounds {
			for _, n := range slices.Concat(r.Home.Levels, r.Goal.Levels) {
				positions += uint64(n)
			}
		}
		proved := fmt.Sprintf("at least %d", c.Bound)
		if len(c.Moves) == c.Bound {
			proved = "none shorter"
		}
		return fmt.Sprintf("%d moves, %s", len(c.Moves), proved), positions, nil
	})
}

// dealStride is a prime, for deals far from one another.
const dealStride = 6_700_417

// deals solves deals of block dominoes. It counts the positions that alpha-beta enters.
func deals(n int, want string) Workload {
	return New(Strong, fmt.Sprintf("game=domino/kind=values/deals=%d", n), want, func(ctx context.Context) (string, uint64, error) {
		s := exact.NewSolver()
		var count [3]int // lost, drawn, won
		pips := 0
		for i := range n {
			d, _, err := domino.NewDeal(domino.Unrank(int64(i) * dealStride))
			if err != nil {
				return "", 0, err
			}
			v := s.Value(d)
			pips += v
			count[1+cmp.Compare(v, 0)]++
		}
		return fmt.Sprintf("%d won %d lost %d drawn, %d pips", count[2], count[0], count[1], pips), s.Nodes, ctx.Err()
	})
}

func proof(id, want string) Workload {
	open := func() (*mnk.Game, error) { return mnk.ByID(id) }
	return on(Strong, open, "game="+id+"/kind=proof", want, func(ctx context.Context, g *mnk.Game) (string, uint64, error) {
		p, err := prove.New(g, prove.Options{Threads: 1, Memory: 256 << 20})
		if err != nil {
			return "", 0, err
		}
		defer p.Close()
		v, r := p.Value(ctx)
		return v.String(), r.Nodes, ctx.Err()
	})
}
