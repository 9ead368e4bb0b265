package bench

import (
	"context"
	"fmt"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
)

// gameWorkloads are the games beside Chinese Checkers, by engines of their own.
func gameWorkloads() []Workload {
	return []Workload{
		deals(20_000, "10342 won 8743 lost 915 drawn, 23070 pips"),
		proof("7x4k4", "draw"),
	}
}

// dealStride is a prime, for deals far from one another.
const dealStride = 6_700_417

// deals solves deals of block dominoes. Its positions are those that
// alpha-beta enters.
func deals(n int, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=domino/kind=values/deals=%d", n), Kind: Strong, Want: want,
		run: func(ctx context.Context) (Outcome, error) {
			s := exact.NewSolver()
			var won, lost, drawn, pips int
			for i := range n {
				if i%1000 == 0 && ctx.Err() != nil {
					return Outcome{}, ctx.Err()
				}
				d, _, err := domino.NewDeal(domino.Unrank(int64(i) * dealStride))
				if err != nil {
					return Outcome{}, err
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
			return Outcome{Answer: fmt.Sprintf("%d won %d lost %d drawn, %d pips", won, lost, drawn, pips), Positions: s.Nodes}, nil
		},
	}
}

// proof finds the value of an m,n,k-game. Its positions are nodes.
func proof(board, want string) Workload {
	id := "mnk-" + board
	return Workload{
		Name: fmt.Sprintf("game=%s/kind=proof", id), Kind: Strong, Want: want,
		run: func(ctx context.Context) (Outcome, error) {
			g, err := mnk.ByID(id)
			if err != nil {
				return Outcome{}, err
			}
			p, err := prove.New(g, prove.Options{Threads: 1, Memory: 256 << 20})
			if err != nil {
				return Outcome{}, err
			}
			defer p.Close()
			v, r := p.Value(ctx)
			if ctx.Err() != nil {
				return Outcome{}, ctx.Err()
			}
			return Outcome{Answer: v.String(), Positions: r.Nodes}, nil
		},
	}
}
