package solve_test

import (
	"context"
	"fmt"
	"testing"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/solve"
)

// orderings are the fixed orderings beside the one that learns.
var orderings = []struct {
	name string
	solve.Ordering
}{
	{"learn", solve.AllOrdering()},
	{"all", solve.Ordering{Table: true, Wins: true, Killers: true, Gain: true, History: true}},
	{"gain", solve.Ordering{Table: true, Wins: true, Gain: true}},
	{"gain+history", solve.Ordering{Table: true, Wins: true, Gain: true, History: true}},
	{"killers+gain", solve.Ordering{Table: true, Wins: true, Killers: true, Gain: true}},
	{"killers+history", solve.Ordering{Table: true, Wins: true, Killers: true, History: true}},
}

// ordered is a search whose nodes are counted by ordering.
type ordered struct {
	game  game.Game
	algo  solve.Algo
	limit int
}

func (c ordered) run(t testing.TB, o solve.Ordering) *solve.Report {
	r, err := solve.Run(context.Background(), c.game, c.game.Start(), solve.Options{
		Algo: c.algo, Limit: c.limit, Scope: solve.WholeOnly, Threads: 1, Memory: 256 << 20, NoLine: true, Ordering: &o})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t testing.TB, g game.Game, err error) game.Game {
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestLearnedOrdering holds the nodes of searches in games that are no race near those of
// the best fixed ordering. Nodes of one thread are the same on every machine.
func TestLearnedOrdering(t *testing.T) {
	t.Parallel()
	for _, c := range []ordered{{konane{4, 7}, "", 24}, {konane{6, 6}, "", 14}, {onLine(t, "mnk-4x4k4"), "", 16}, {onLine(t, "mnk-6x6k4"), "", 9}} {
		var learned, best *solve.Report
		for _, o := range orderings {
			r := c.run(t, o.Ordering)
			if learned == nil {
				learned, best = r, r
			} else if best == learned || r.Total.Nodes < best.Total.Nodes {
				best = r
			}
			if r.Whole.Value != learned.Whole.Value || r.Whole.Distance != learned.Whole.Distance {
				t.Errorf("%s: %v in %d by %s, %v in %d by %s", c.game.ID(), r.Whole.Value, r.Whole.Distance, o.name,
					learned.Whole.Value, learned.Whole.Distance, orderings[0].name)
			}
		}
		if n, least := learned.Total.Nodes, best.Total.Nodes; float64(n) > 1.1*float64(least) {
			t.Errorf("%s: %d nodes, %d by the best fixed ordering", c.game.ID(), n, least)
		}
	}
}

func onLine(t testing.TB, id string) game.Game {
	g, err := mnk.ByID(id)
	return open(t, g, err)
}

func onStar(t testing.TB, id, rules string) game.Game {
	g, err := halma.ByID(id, rules)
	return open(t, g, err)
}

// BenchmarkOrderings counts the nodes of thirteen searches in eight games by ordering.
func BenchmarkOrderings(b *testing.B) {
	for _, c := range []ordered{
		{onLine(b, "mnk-4x4k4"), "", 16}, {onLine(b, "mnk-5x4k4"), "", 14}, {onLine(b, "mnk-6x6k4"), "", 11},
		{konane{4, 7}, "", 24}, {konane{5, 6}, "", 24}, {konane{6, 6}, "", 14},
		{onStar(b, "halma-star37-2p", "house"), "", 24}, {onStar(b, "halma-star73-2p", "house"), "", 18},
		{onStar(b, "halma-7x7p3", "sturtevant"), "", 20}, {onStar(b, "halma-star37-2p", "house"), solve.Proof, 20},
		{onStar(b, "halma-star37-3p", "house"), solve.Paranoid, 18}, {onStar(b, "halma-star37-3p", "house"), solve.MaxN, 18},
		{domino.Default(), "", 14},
	} {
		for _, o := range orderings {
			b.Run(fmt.Sprintf("game=%s/algo=%s/limit=%d/ordering=%s", c.game.ID(), c.algo, c.limit, o.name), func(b *testing.B) {
				nodes := uint64(0)
				for b.Loop() {
					nodes += c.run(b, o.Ordering).Total.Nodes
				}
				b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
			})
		}
	}
}
