package armies

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve"
	"perfectplay/solve/table"
)

var (
	tableFile = flag.String("table", "", "compare this table with searches, too")
	compared  = flag.Int("positions", 60, "positions to compare")
	horizon   = flag.Int("horizon", 8, "longest search, in plies")
	long      = flag.Bool("long", false, "compare with the solver of two armies under all rule sets")
	beginning = flag.Int("beginning", 8, "longest search from the start, in plies")
)

// memory is the size of a search's table: making a large one takes longer than a short search.
func memory(plies int) int64 {
	if plies > 9 {
		return 256 << 20
	}
	return 1 << 20
}

// TestSearchAgrees compares tables with bounded search, each seat against all others, at the start,
// after each opening, and at positions of random play. Beyond its horizon a search decides nothing.
func TestSearchAgrees(t *testing.T) {
	try := func(name string, table *table.Table) {
		g := table.Game()
		random := rand.New(rand.NewPCG(7, uint64(g.Seats())))
		decided := 0
		judge := func(s game.State, limit int) {
			for seat := range g.Seats() {
				v, d, err := table.Value(s, 1<<seat)
				if err != nil {
					t.Fatal(err)
				}
				drawn := v == game.Draw
				if d > limit || drawn {
					v, d = game.Unknown, 0
				}
				report, err := solve.Run(context.Background(), g, s.Clone(), solve.Options{
					Algo: solve.Paranoid, Hero: &seat, Limit: limit, Scope: solve.WholeOnly, Threads: 1, Memory: memory(limit), NoLine: true})
				if err != nil {
					t.Fatal(err)
				}
				if got, in := report.Whole.Value, report.Whole.Distance; got != v && (got != game.Draw || !drawn) || in != d {
					t.Fatalf("%s: %s, seat %s within %d plies: search %v in %d, table %v in %d", name, s, g.SeatName(seat), limit, got, in, v, d)
				}
				if v != game.Unknown {
					decided++
				}
			}
		}
		start := g.Start()
		judge(start, *beginning)
		for _, m := range start.Moves(nil) {
			start.Make(m)
			judge(start, *horizon)
			start.Unmake()
		}
		for n := 0; n < *compared; {
			s := g.Start()
			for range random.IntN(25 * g.(*halma.Game).Board().Pieces() * g.Seats()) {
				if moves := s.Moves(nil); len(moves) > 0 {
					s.Make(moves[random.IntN(len(moves))])
				}
			}
			if s.Result() == game.Ongoing {
				judge(s, 1+random.IntN(*horizon))
				n++
			}
		}
		if decided == 0 {
			t.Errorf("%s: nothing is decided within %d plies", name, *horizon)
		}
	}
	for _, c := range []struct{ id, rules string }{{"halma-star13-3p", "liou"}, {"halma-star13-4p", "house"}} {
		_, table, _ := written(t, c.id, c.rules, 1)
		try(c.id, table)
	}
	if *tableFile == "" {
		return
	}
	try(*tableFile, opened(t, *tableFile))
}
