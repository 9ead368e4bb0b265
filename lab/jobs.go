package lab

import (
	"context"
	"fmt"

	"perfectplay/bench"
	"perfectplay/lab/thesis2025"
)

// jobs returns the jobs of package bench and two runs of the thesis' program.
func jobs() []bench.Workload {
	minimax := func(limit int) thesis2025.Config {
		return thesis2025.Config{Players: 2, Pieces: 3, Algorithm: thesis2025.Minimax, Limit: limit, Opening: 1}
	}
	return append(bench.Workloads(),
		model(thesis2025.Base, minimax(13), "DRAW 31596672 4736076"),
		model(thesis2025.Tables, minimax(20), "DRAW 126436 8905"),
	)
}

// model is a run of the thesis' program; its answer is result, nodes and cutoffs.
func model(m thesis2025.Model, c thesis2025.Config, want string) bench.Workload {
	c.Program = m.Program()
	name := fmt.Sprintf("game=%s/model=%v/algo=%v/limit=%d/opening=%d", c.Game(), m, c.Algorithm, c.Limit, c.Opening)
	return bench.New("model", name, want, func(ctx context.Context) (string, uint64, error) {
		r, err := thesis2025.Run(ctx, c, nil)
		return fmt.Sprintf("%s %d %d", r.Result(), r.Nodes, r.Cutoffs), r.Nodes, err
	})
}
