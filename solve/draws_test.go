package solve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/mnk"
	"perfectplay/solve"
)

// TestDrawOrOpen: where every line of play ends within the limit, a position is decided
// in whatever order moves are searched, with how many threads and however small a table.
// With fewer plies a draw may stay open, but nothing else differs, and every draw is one.
func TestDrawOrOpen(t *testing.T) {
	const few = 25
	games := 100
	if testing.Short() {
		games = few
	}
	boards := []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x3k4", "mnk-4x4k4", "mnk-5x3k4", "mnk-5x3k3", "mnk-4x4k3", "konane", "domino"}
	early, differ, held := 0, 0, 0
	for seed := range uint64(games) {
		rng := rand.New(rand.NewPCG(seed, 11))
		name := boards[rng.IntN(len(boards))]
		var g game.Game
		most := 9 // plies left at most
		switch name {
		case "konane":
			g, most = konane{4, 4}, 7
		case "domino":
			d, _, err := domino.NewDeal(domino.Unrank(rng.Int64N(40_000_000)))
			if err != nil {
				t.Fatal(err)
			}
			g = domino.New(d)
		default:
			b, err := mnk.ByID(name)
			g = open(t, b, err)
		}
		s := g.Start()
		for s.Result() == game.Ongoing && longest(s, most+1) > most {
			moves := s.Moves(nil)
			s.Make(moves[rng.IntN(len(moves))])
		}
		if s.Result() != game.Ongoing {
			continue
		}
		length := longest(s, most)
		algo := []solve.Algo{solve.AlphaBeta, solve.Paranoid, solve.Proof, solve.MaxN}[rng.IntN(4)]
		var truth *solve.Report
		for limit := length + rng.IntN(3); limit > 0; limit-- {
			var first *solve.Report
			for i, order := range orderings {
				o := order.Ordering
				o.Table, o.Wins = rng.IntN(4) > 0, rng.IntN(4) > 0
				r, err := solve.Run(context.Background(), g, s, solve.Options{Algo: algo, Limit: limit, Ordering: &o, Threads: 1 + rng.IntN(2), NoLine: true,
					Memory: []int64{solve.MinMemory, 1 << 16, 1 << 20}[rng.IntN(3)], NoTable: rng.IntN(6) == 0, NoBound: rng.IntN(6) == 0, Direct: rng.IntN(4) == 0})
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = r
				}
				if truth == nil {
					truth = r
				}
				about := fmt.Sprintf("seed %d, %s at %s, %s within %d of %d plies, %s", seed, g.ID(), s, algo, limit, length, order.name)
				for j, got := range append([]solve.Search{r.Whole}, r.Openings...) {
					want, other := truth.Whole, first.Whole
					if j > 0 {
						want, other = truth.Openings[j-1], first.Openings[j-1]
					}
					open := got.Value == game.Unknown
					switch {
					case limit >= length && open:
						t.Fatalf("%s, search %d: open, and every line has ended", about, j)
					case !open && (got.Value != want.Value || got.Distance != want.Distance || got.Winner != want.Winner):
						t.Fatalf("%s, search %d: %v in %d, in truth %v in %d", about, j, got.Value, got.Distance, want.Value, want.Distance)
					case open && want.Value != game.Draw && want.Distance <= limit:
						t.Fatalf("%s, search %d: open, in truth %v in %d", about, j, want.Value, want.Distance)
					case got.Value != other.Value:
						differ++
					}
					if got.Value == game.Draw && limit < length {
						if early++; seed < few && r.Threads == 1 {
							held++
						}
					}
				}
			}
		}
	}
	if early == 0 || differ == 0 {
		t.Errorf("%d draws were found before the last line ends, %d times in some orders only", early, differ)
	}
	// One thread finds as many on every machine. Fewer are no fault of soundness, but a search
	// that notes a horizon where there is none.
	if want := 416; held != want {
		t.Errorf("one thread found %d draws before the last line ends, not %d: has the search changed?", held, want)
	}
	t.Logf("%d draws before the last line ends, %d searches unlike the first", early, differ)
}

// longest is the number of plies of the longest line from a position, or most if there is
// one as long.
func longest(s game.State, most int) (plies int) {
	if most == 0 || s.Result() != game.Ongoing {
		return 0
	}
	for _, m := range s.Moves(nil) {
		s.Make(m)
		plies = max(plies, 1+longest(s, most-1))
		s.Unmake()
		if plies == most {
			break
		}
	}
	return plies
}
