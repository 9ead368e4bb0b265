package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/thesis2025"
	"perfectplay/game/perft"
	"perfectplay/solve"
)

// Kind says what a workload measures.
type Kind string

// The kinds.
const (
	Search Kind = "search" // a sound search; counts towards the signature
	Perft  Kind = "perft"  // move generation alone
	Model  Kind = "model"  // a run of the 2025 program
	Strong Kind = "strong" // a complete solution
)

// Workload is one job. It may run any number of times.
type Workload struct {
	// Name tells the jobs apart, as key=value parts joined by slashes.
	Name string
	Kind Kind
	// Want is the right answer.
	Want string
	run  func(ctx context.Context) (Outcome, error)
}

// Outcome is what one run of a job found.
type Outcome struct {
	Answer    string
	Positions uint64 // visited, for perft leaves, for complete solutions all
	Elapsed   time.Duration
}

// Run does the job. It fails where the answer is not the right one.
func (w Workload) Run(ctx context.Context) (Outcome, error) {
	start := time.Now()
	out, err := w.run(ctx)
	if err != nil {
		return out, fmt.Errorf("bench: %s: %w", w.Name, err)
	}
	out.Elapsed = time.Since(start)
	if out.Answer != w.Want {
		return out, fmt.Errorf("bench: %s: answer %q, want %q", w.Name, out.Answer, w.Want)
	}
	return out, nil
}

// searchMemory is the size of the table of all searches: part of what the
// signature stands for.
const searchMemory = 64 << 20

// Workloads returns all jobs, in the order in which they are printed. Each
// takes around a second on one core of an ordinary machine.
func Workloads() []Workload {
	var list []Workload
	for _, s := range []struct {
		id, rules, position string
		algo                solve.Algo
		limit               int
		want                string
	}{
		{"halma-star13-2p", "base", "start", solve.AlphaBeta, 40, "win 9"},
		{"halma-star37-2p", "house", "start", solve.AlphaBeta, 22, "draw 0"},
		{"halma-star37-2p", "base", "start", solve.AlphaBeta, 20, "draw 0"},
		{"halma-star37-2p", "house-code", "start", solve.Proof, 22, "no-win 0"},
		{"halma-star37-3p", "house", "start", solve.Paranoid, 18, "draw 0"},
		{"halma-star37-3p", "house", "start", solve.MaxN, 20, "draw 0"},
		{"halma-star37-4p", "base", "start", solve.MaxN, 24, "draw 0"},
		{"halma-star37-6p", "house", "start", solve.Paranoid, 12, "loss 6"},
		{"halma-star73-2p", "base", "start", solve.AlphaBeta, 23, "draw 0"},
		{"halma-star73-2p", "house", "start", solve.AlphaBeta, 18, "draw 0"},
		{"halma-star121-2p", "base", "start", solve.AlphaBeta, 30, "draw 0"},
		{"halma-7x7p3", "sturtevant", "start", solve.AlphaBeta, 19, "draw 0"},
		{"halma-7x7p6", "sturtevant", "start", solve.AlphaBeta, 13, "draw 0"},
	} {
		list = append(list, search(s.id, s.rules, s.position, s.algo, s.limit, s.want))
	}
	for _, p := range []struct {
		id, rules string
		depth     int
		want      string
	}{
		{"halma-star37-2p", "house", 8, "31660106"},
		{"halma-star73-2p", "base", 7, "273191288"},
		{"halma-star121-2p", "base", 6, "87946884"},
		{"halma-star121-6p", "base", 7, "198781520"},
		{"halma-7x7p6", "sturtevant", 7, "174736764"},
	} {
		list = append(list, count(p.id, p.rules, p.depth, p.want))
	}
	for _, m := range []struct {
		config thesis2025.Config
		want   string
	}{
		{thesis2025.Config{Model: thesis2025.Base, Players: 2, Pieces: 3, Algorithm: thesis2025.Minimax, Limit: 13, Opening: 1}, "DRAW 31596672 4736076"},
		{thesis2025.Config{Model: thesis2025.Tables, Players: 2, Pieces: 3, Algorithm: thesis2025.Minimax, Limit: 20, Opening: 1}, "DRAW 126436 8905"},
	} {
		list = append(list, model(m.config, m.want))
	}
	return slices.Concat(list, strongWorkloads(), gameWorkloads())
}

// open returns a state of a game.
func open(id, rules, position string) (game.Game, game.State, error) {
	g, err := halma.ByID(id, rules)
	if err != nil {
		return nil, nil, err
	}
	if position == "start" {
		return g, g.Start(), nil
	}
	s, err := g.Parse(position)
	return g, s, err
}

// search is a search of a position as a whole; the answer is result and
// distance.
func search(id, rules, position string, algo solve.Algo, limit int, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/algo=%s/limit=%d", id, rules, algo, limit), Kind: Search, Want: want,
		run: func(ctx context.Context) (Outcome, error) {
			g, s, err := open(id, rules, position)
			if err != nil {
				return Outcome{}, err
			}
			r, err := solve.Run(ctx, g, s, solve.Options{Algo: algo, Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: searchMemory, NoLine: true})
			if err != nil {
				return Outcome{}, err
			}
			if r.Interrupted {
				return Outcome{}, context.Cause(ctx)
			}
			return Outcome{Answer: fmt.Sprintf("%s %d", r.Result(&r.Whole), r.Whole.Distance), Positions: r.Total.Nodes}, nil
		},
	}
}

// count is a perft from the start; the answer is the count.
func count(id, rules string, depth int, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/rules=%s/depth=%d", id, rules, depth), Kind: Perft, Want: want,
		run: func(context.Context) (Outcome, error) {
			_, s, err := open(id, rules, "start")
			if err != nil {
				return Outcome{}, err
			}
			n := perft.Count(s, depth)
			return Outcome{Answer: fmt.Sprint(n), Positions: n}, nil
		},
	}
}

// model is a run of the 2025 program; the answer is its result, nodes and
// cut-offs.
func model(c thesis2025.Config, want string) Workload {
	return Workload{
		Name: fmt.Sprintf("game=%s/model=%v/algo=%v/limit=%d/opening=%d", c.Game(), c.Model, c.Algorithm, c.Limit, c.Opening), Kind: Model, Want: want,
		run: func(ctx context.Context) (Outcome, error) {
			r, err := thesis2025.Run(ctx, c, nil)
			if err != nil {
				return Outcome{}, err
			}
			return Outcome{Answer: fmt.Sprintf("%s %d %d", r.Result(), r.Nodes, r.Cutoffs), Positions: r.Nodes}, nil
		},
	}
}
