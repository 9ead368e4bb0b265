package bench

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/game/halma"
	"perfectplay/game/halma/solitaire"
	"perfectplay/game/halma/strong"
	"perfectplay/solve/coalition"
)

// strongWorkloads are complete solutions: crowded and empty boards, values and
// distances, rules with and without restrictions, one game of four.
func strongWorkloads() []Workload {
	var list []Workload
	for _, s := range []struct {
		id, rules string
		distances bool
		want      string
	}{
		{"halma-6x6p3", "sturtevant", false, "win 0, 22474634 won 16343266 lost 34276 drawn 103664 illegal"},
		{"halma-5x5p3", "sturtevant", true, "win 29, 2105590 won 1394132 lost 13018 drawn 29260 illegal"},
		{"halma-4x4p6", "sturtevant", true, "win 33, 877249 won 558910 lost 42811 drawn 202710 illegal"},
		{"halma-star37-2p", "house-code", true, "win 29, 2134339 won 1393781 lost 13880 drawn 0 illegal"},
	} {
		list = append(list, complete(s.id, s.rules, s.distances, s.want))
	}
	return append(list,
		coalitions("halma-star13-4p", "base", "loss 4, loss 4, loss 4, loss 3, 54080 positions"),
		crossing("halma-7x7p6", "base", "17 moves, none shorter"))
}

// openTwoArmy opens a game of two and describes it.
func openTwoArmy(id, rules string) (*halma.Game, *halma.TwoArmy, error) {
	g, err := halma.ByID(id, rules)
	if err != nil {
		return nil, nil, err
	}
	spec, err := g.TwoArmy()
	return g, spec, err
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
		run: func(ctx context.Context) (Outcome, error) {
			g, spec, err := openTwoArmy(id, rules)
			if err != nil {
				return Outcome{}, err
			}
			s, err := strong.Solve(ctx, spec, strong.Options{Distances: distances, Threads: 1})
			if err != nil {
				return Outcome{}, err
			}
			v, d := s.Value(halma.Sides(g, g.Start()))
			c := s.Counts()
			return Outcome{
				Answer:    fmt.Sprintf("%s %d, %d won %d lost %d drawn %d illegal", v, d, c.Wins, c.Losses, c.Draws, c.Illegal),
				Positions: c.Positions(),
			}, nil
		},
	}
}

// coalitions solves a game of several; the answer is what each seat alone can
// force. Its positions are those that can be reached.
func coalitions(id, rules, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/kind=coalitions", id, rules), Kind: Strong, Want: want,
		run: func(ctx context.Context) (Outcome, error) {
			g, err := halma.ByID(id, rules)
			if err != nil {
				return Outcome{}, err
			}
			c, err := coalition.Solve(ctx, g, 1_000_000)
			if err != nil {
				return Outcome{}, err
			}
			answer := ""
			for seat := range g.Seats() {
				v, d := c.Start(1 << seat)
				answer += fmt.Sprintf("%s %d, ", v, d)
			}
			return Outcome{Answer: fmt.Sprintf("%s%d positions", answer, c.Positions()), Positions: uint64(c.Positions())}, nil
		},
	}
}

// crossing moves one army alone; the answer is the length of a shortest way and
// what is proved of it. Its positions are the placements kept at all lengths.
func crossing(id, rules, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/kind=crossing", id, rules), Kind: Strong, Want: want,
		run: func(ctx context.Context) (Outcome, error) {
			_, spec, err := openTwoArmy(id, rules)
			if err != nil {
				return Outcome{}, err
			}
			c, err := solitaire.Cross(ctx, spec, solitaire.Options{Threads: 1})
			if err != nil {
				return Outcome{}, err
			}
			o := Outcome{Answer: fmt.Sprintf("%d moves, at least %d", len(c.Moves), c.Bound)}
			if len(c.Moves) == c.Bound {
				o.Answer = fmt.Sprintf("%d moves, none shorter", c.Bound)
			}
			for _, r := range c.Rounds {
				for _, n := range slices.Concat(r.Home.Levels, r.Goal.Levels) {
					o.Positions += uint64(n)
				}
			}
			return o, nil
		},
	}
}
