package solve

import (
	"math/rand/v2"
	"testing"

	"perfectplay/game"
)

// TestThreats searches two positions that random games do not reach, in random order of moves
// and numbers of nodes. Seat 1 moves in the node after the first, and loses by a turn of seat 2
// unless it goes to one of a few nodes.
func TestThreats(t *testing.T) {
	const ongoing = game.Ongoing
	graphs := map[string]struct {
		edges  [][]int
		result map[int]game.Result
	}{
		// Nodes 2 and 3 are equally bad for seat 1, but different seats win: the first counts.
		"two winners": {
			[][]int{{1}, {2, 3, 4}, {5}, {6}, {6}, {}, {}},
			map[int]game.Result{5: 0, 6: 2},
		},
		// Node 3 is a draw, nodes 4 and 5 are a late win for seat 1. So would node 2 be if seat 2
		// allowed the win.
		"late win": {
			[][]int{{1}, {2, 3, 4, 5, 2}, {6, 8}, {3}, {7}, {7}, {}, {8}, {9}, {}},
			map[int]game.Result{6: 2, 9: 1},
		},
	}
	threats := 0
	for name, graph := range graphs {
		for seed := range uint64(200) {
			rng := rand.New(rand.NewPCG(seed, 5))
			n := len(graph.edges)
			number := append([]int{0}, rng.Perm(n + 8)[:n-1]...)
			for i := range number[1:] {
				number[i+1]++
			}
			g := &toy{seats: 3, words: 1, edges: make([][]int, n+9), result: make([]game.Result, n+9), abilities: abilities{keys: true, race: true, gain: true}}
			for i := range g.result {
				g.result[i] = ongoing
			}
			for i, edges := range graph.edges {
				for _, to := range edges {
					g.edges[number[i]] = append(g.edges[number[i]], number[to])
				}
				rng.Shuffle(len(edges), func(a, b int) {
					e := g.edges[number[i]]
					e[a], e[b] = e[b], e[a]
				})
				if r, ok := graph.result[i]; ok {
					g.result[number[i]] = r
				}
			}
			for g.lists = false; !g.lists; {
				g.turns = nil
				g.makeTurns(rng)
			}
			if _, _, threat := g.state(number[1], 1).(game.ThreatLister).MovesAgainst(nil, -1); threat {
				threats++
			}
			for limit := 1; limit <= 8; limit++ {
				for _, direct := range []bool{false, true} {
					if err := checkToy(g, Options{Algo: MaxN, Limit: limit, Direct: direct, Threads: 1, Memory: MinMemory}); err != nil {
						t.Fatalf("%s, seed %d, %d plies: %v", name, seed, limit, err)
					}
				}
			}
		}
	}
	if threats < 100 {
		t.Errorf("%d threats seen", threats)
	}
}
