package bench

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/game/halma"
	"perfectplay/game/halma/solitaire"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/thesis2025"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/game/perft"
	"perfectplay/solve"
	"perfectplay/solve/coalition"
)

// search is a search of the start as a whole; the answer is result and distance.
func search(id, rules string, algo solve.Algo, limit int, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/algo=%s/limit=%d", id, rules, algo, limit), Kind: Search, Want: want,
		run: func(ctx context.Context) (string, uint64, error) {
			g, err := halma.ByID(id, rules)
			if err != nil {
				return "", 0, err
			}
			r, err := solve.Run(ctx, g, g.Start(), solve.Options{Algo: algo, Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: searchMemory, NoLine: true})
			if err != nil {
				return "", 0, err
			}
			if r.Interrupted {
				return "", 0, context.Cause(ctx)
			}
			return fmt.Sprintf("%s %d", r.Result(&r.Whole), r.Whole.Distance), r.Total.Nodes, nil
		},
	}
}

// count is a perft from the start; the answer is the count.
func count(id, rules string, depth int, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/depth=%d", id, rules, depth), Kind: Perft, Want: want,
		run: func(context.Context) (string, uint64, error) {
			g, err := halma.ByID(id, rules)
			if err != nil {
				return "", 0, err
			}
			n := perft.Count(g.Start(), depth)
			return fmt.Sprint(n), n, nil
		},
	}
}

// model is a run of the 2025 program; the answer is its result, nodes and
// cut-offs.
func model(c thesis2025.Config, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/model=%v/algo=%v/limit=%d/opening=%d", c.Game(), c.Model, c.Algorithm, c.Limit, c.Opening), Kind: Model, Want: want,
		run: func(ctx context.Context) (string, uint64, error) {
			r, err := thesis2025.Run(ctx, c, nil)
			if err != nil {
				return "", 0, err
			}
			return fmt.Sprintf("%s %d %d", r.Result(), r.Nodes, r.Cutoffs), r.Nodes, nil
		},
	}
}

// complete solves a game of two; the answer is the start and the counts. Its
// positions are those of the game from the mover's side, mirror images included.
func complete(id, rules string, distances bool, want string) Workload {
	kind := "values"
	if distances {
		kind = "distances"
	}
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/kind=%s", id, rules, kind), Kind: Strong, Want: want,
		run: func(ctx context.Context) (string, uint64, error) {
			g, err := halma.ByID(id, rules)
			if err != nil {
				return "", 0, err
			}
			spec, err := g.TwoArmy()
			if err != nil {
				return "", 0, err
			}
			s, err := strong.Solve(ctx, spec, strong.Options{Distances: distances, Threads: 1})
			if err != nil {
				return "", 0, err
			}
			v, d := s.Value(halma.Sides(g, g.Start()))
			c := s.Counts()
			return fmt.Sprintf("%s %d, %d won %d lost %d drawn %d illegal", v, d, c.Wins, c.Losses, c.Draws, c.Illegal),
				c.Positions(), nil
		},
	}
}

// coalitions solves a game of several; the answer is what each seat alone can
// force. Its positions are those that can be reached.
func coalitions(id, rules, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/kind=coalitions", id, rules), Kind: Strong, Want: want,
		run: func(ctx context.Context) (string, uint64, error) {
			g, err := halma.ByID(id, rules)
			if err != nil {
				return "", 0, err
			}
			c, err := coalition.Solve(ctx, g, 1_000_000)
			if err != nil {
				return "", 0, err
			}
			answer := ""
			for seat := range g.Seats() {
				v, d := c.Start(1 << seat)
				answer += fmt.Sprintf("%s %d, ", v, d)
			}
			return fmt.Sprintf("%s%d positions", answer, c.Positions()), uint64(c.Positions()), nil
		},
	}
}

// crossing moves one army alone; the answer is the length of a shortest way and
// what is proved of it. Its positions are the placements kept at all lengths.
func crossing(id, rules, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/kind=crossing", id, rules), Kind: Strong, Want: want,
		run: func(ctx context.Context) (string, uint64, error) {
			g, err := halma.ByID(id, rules)
			if err != nil {
				return "", 0, err
			}
			spec, err := g.TwoArmy()
			if err != nil {
				return "", 0, err
			}
			c, err := solitaire.Cross(ctx, spec, solitaire.Options{Threads: 1})
			if err != nil {
				return "", 0, err
			}
			answer := fmt.Sprintf("%d moves, at least %d", len(c.Moves), c.Bound)
			if len(c.Moves) == c.Bound {
				answer = fmt.Sprintf("%d moves, none shorter", c.Bound)
			}
			positions := uint64(0)
			for _, r := range c.Rounds {
				for _, n := range slices.Concat(r.Home.Levels, r.Goal.Levels) {
					positions += uint64(n)
				}
			}
			return answer, positions, nil
		},
	}
}

// dealStride is a prime, for deals far from one another.
const dealStride = 6_700_417

// deals solves deals of block dominoes. Its positions are those that
// alpha-beta enters.
func deals(n int, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=domino/kind=values/deals=%d", n), Kind: Strong, Want: want,
		run: func(ctx context.Context) (string, uint64, error) {
			s := exact.NewSolver()
			var won, lost, drawn, pips int
			for i := range n {
				if i%1000 == 0 && ctx.Err() != nil {
					return "", 0, ctx.Err()
				}
				d, _, err := domino.NewDeal(domino.Unrank(int64(i) * dealStride))
				if err != nil {
					return "", 0, err
				}
				v := s.Value(d)
				pips += v
				switch {
				case v > 0:
					won++
				case v < 0:
					lost++
				default:
					drawn++
				}
			}
			return fmt.Sprintf("%d won %d lost %d drawn, %d pips", won, lost, drawn, pips), s.Nodes, nil
		},
	}
}

// proof finds the value of an m,n,k-game. Its positions are nodes.
func proof(board, want string) Workload {
	id := "mnk-" + board
	return Workload{
		Name: fmt.Sprintf("game=%s/kind=proof", id), Kind: Strong, Want: want,
		run: func(ctx context.Context) (string, uint64, error) {
			g, err := mnk.ByID(id)
			if err != nil {
				return "", 0, err
			}
			p, err := prove.New(g, prove.Options{Threads: 1, Memory: 256 << 20})
			if err != nil {
				return "", 0, err
			}
			defer p.Close()
			v, r := p.Value(ctx)
			if ctx.Err() != nil {
				return "", 0, ctx.Err()
			}
			return v.String(), r.Nodes, nil
		},
	}
}
