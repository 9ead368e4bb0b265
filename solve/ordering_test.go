package solve_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/solve"
)

// orderings lists the ordering that learns, then all fixed orderings.
var orderings = func() []named {
	list := []named{{"learn", solve.AllOrdering()}}
	for means := range 8 {
		o, name := solve.Ordering{Table: true, Wins: true, Killers: means&1 != 0, Gain: means&2 != 0, History: means&4 != 0}, ""
		for i, n := range []string{"killers", "gain", "history"} {
			if means>>i&1 != 0 {
				name += "+" + n
			}
		}
		list = append(list, named{cmp.Or(strings.TrimPrefix(name, "+"), "none"), o})
	}
	return list
}()

type named struct {
	name string
	solve.Ordering
}

// ordered is a search of the start of one or several games.
type ordered struct {
	game  game.Game
	algo  solve.Algo
	limit int
	more  []game.Game
}

// run searches on one thread. It stops each search after about most nodes, unless most is 0. It
// returns the report on the first game, and the nodes of all games.
func (c ordered) run(t testing.TB, o solve.Ordering, most uint64) (first *solve.Report, nodes uint64) {
	for _, g := range append([]game.Game{c.game}, c.more...) {
		r, err := solve.Run(context.Background(), g, g.Start(), solve.Options{
			Algo: c.algo, Limit: c.limit, Scope: solve.WholeOnly, Threads: 1, Memory: 256 << 20, NoLine: true, Ordering: &o, Nodes: most})
		if err != nil {
			t.Fatal(err)
		}
		if nodes += r.Total.Nodes; first == nil {
			first = r
		}
	}
	return first, nodes
}

func open(t testing.TB, g game.Game, err error) game.Game {
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// searches returns twelve searches of Chinese Checkers, m,n,k-games, Konane and dominoes. A larger
// less (0 or 1) lowers the limits of most of them.
func searches(t testing.TB, less int) []ordered {
	var deals []game.Game
	for i := range int64(20) {
		d, _, err := domino.NewDeal(domino.Unrank(i * 6_700_417))
		if err != nil {
			t.Fatal(err)
		}
		deals = append(deals, domino.New(d))
	}
	return []ordered{
		{onStar(t, "halma-star37-2p", "house"), "", 24 - 4*less, nil}, {onStar(t, "halma-star73-2p", "house"), "", 18 - 2*less, nil},
		{onStar(t, "halma-7x7p3", "sturtevant"), "", 20 - 2*less, nil}, {onStar(t, "halma-star37-2p", "house"), solve.Proof, 20 - 2*less, nil},
		{onStar(t, "halma-star37-3p", "house"), solve.Paranoid, 18 - 2*less, nil}, {onStar(t, "halma-star37-3p", "house"), solve.MaxN, 18, nil},
		{onLine(t, "mnk-4x4k4"), "", 16, nil}, {onLine(t, "mnk-5x4k4"), "", 14 - 2*less, nil}, {onLine(t, "mnk-6x6k4"), "", 11 - 2*less, nil},
		{konane{5, 6}, "", 24 - 6*less, nil}, {konane{6, 6}, "", 14 - less, nil}, {deals[0], "", 14, deals[1:]},
	}
}

// TestLearnedOrdering allows the learning ordering a tenth more nodes than the best fixed one.
func TestLearnedOrdering(t *testing.T) {
	if testing.Short() {
		t.Skip("searches for some four seconds; not with -short")
	}
	t.Parallel()
	for _, c := range searches(t, 1) {
		name := fmt.Sprint(c.game.ID(), " ", c.algo, " ", c.limit)
		learned, n := c.run(t, orderings[0].Ordering, 0)
		for _, o := range orderings[1:] {
			r, least := c.run(t, o.Ordering, n)
			if !r.Interrupted && (r.Whole.Value != learned.Whole.Value || r.Whole.Distance != learned.Whole.Distance) {
				t.Errorf("%s: %v in %d by %s, %v in %d by %s", name, r.Whole.Value, r.Whole.Distance, o.name,
					learned.Whole.Value, learned.Whole.Distance, orderings[0].name)
			}
			if !r.Interrupted && float64(n) > 1.1*float64(least) {
				t.Errorf("%s: %d nodes, %d by %s", name, n, least, o.name)
			}
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

// onBoard returns a game of Chinese Checkers, or an m,n,k-game if rules is empty.
func onBoard(t testing.TB, id, rules string) game.Game {
	if rules == "" {
		return onLine(t, id)
	}
	return onStar(t, id, rules)
}

// BenchmarkOrderings counts the nodes of searches by ordering, up to mostNodes.
func BenchmarkOrderings(b *testing.B) {
	const mostNodes = 1 << 22
	for _, c := range searches(b, 0) {
		for _, o := range orderings {
			b.Run(fmt.Sprintf("game=%s/algo=%s/limit=%d/ordering=%s", c.game.ID(), c.algo, c.limit, o.name), func(b *testing.B) {
				nodes := uint64(0)
				for b.Loop() {
					_, n := c.run(b, o.Ordering, mostNodes)
					nodes += n
				}
				b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
			})
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for _, c := range searches(b, 1) {
		b.Run(fmt.Sprintf("game=%s/algo=%s/limit=%d/seats=%d.", c.game.ID(), c.algo, c.limit, c.game.Seats()), func(b *testing.B) {
			want, each := c.run(b, orderings[0].Ordering, 0)
			nodes := uint64(0)
			for b.Loop() {
				r, n := c.run(b, orderings[0].Ordering, 0)
				if r.Whole.Value != want.Whole.Value || n != each {
					b.Fatalf("%v with %d nodes, then %v with %d", want.Whole.Value, each, r.Whole.Value, n)
				}
				nodes += n
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
