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

// shuffled is a game whose states guess gains at random; each seed gives another order of moves.
type shuffled struct {
	game.State
	game.Keyer
	game.Racer
	game.Ender
	seed uint64
}

func (s shuffled) Clone() game.State {
	c := s.State.Clone()
	return shuffled{c, c.(game.Keyer), c.(game.Racer), c.(game.Ender), s.seed}
}
func (s shuffled) Gain(m game.Move) int32 {
	x := (uint64(m) + s.seed) * 0x9e3779b97f4a7c15
	return int32(x >> 52)
}

// TestDrawOrOpen: with a limit the order of moves, threads, table size and bounds do not change
// whether a position is decided or open. It is decided if every line ends within the limit, and
// every draw claimed is a draw.
func TestDrawOrOpen(t *testing.T) {
	games := 100
	if testing.Short() {
		games = 25
	}
	boards := []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x3k4", "mnk-4x4k4", "mnk-5x3k4", "mnk-5x3k3", "mnk-4x4k3", "konane", "domino"}
	early, drawn := 0, 0
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
		if e, ok := s.(game.Ender); ok {
			length = e.PliesLeft()
		}
		algo := []solve.Algo{solve.AlphaBeta, solve.Paranoid, solve.Proof, solve.MaxN}[rng.IntN(4)]
		var truth *solve.Report
		for limit := length + rng.IntN(3); limit > 0; limit-- {
			var first *solve.Report
			for i, order := range append(orderings, named{"random", solve.Ordering{Gain: true}}, named{"random, with a table", solve.Ordering{Gain: true, Table: true}}) {
				o, s := order.Ordering, s
				o.Table, o.Wins = o.Table && rng.IntN(4) > 0, o.Wins && rng.IntN(4) > 0
				if _, races := s.(game.Racer); races && i >= len(orderings) {
					s = shuffled{s, s.(game.Keyer), s.(game.Racer), s.(game.Ender), rng.Uint64()}
				}
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
						t.Fatalf("%s, search %d: %v, and %v in the first order", about, j, got.Value, other.Value)
					case got.Value == game.Draw && limit < length:
						early++
					case got.Value == game.Draw:
						drawn++
					}
				}
			}
		}
	}
	if early < 100 || drawn < 1000 {
		t.Errorf("%d draws were found, %d of them before the last line ends", early+drawn, early)
	}
}

// longest is the length of the longest line from a position, at most most.
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

// TestDrawInEveryOrder searches one position with limits below and above its number of free cells.
func TestDrawInEveryOrder(t *testing.T) {
	g := onLine(t, "mnk-4x4k4")
	s, err := g.Parse("3x.2oo.1x1x.xo2") // nine cells are free
	if err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit <= 12; limit++ {
		want := game.Unknown
		if limit >= 9 {
			want = game.Draw
		}
		for _, order := range orderings {
			r, err := solve.Run(context.Background(), g, s, solve.Options{Limit: limit, Ordering: &order.Ordering, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if r.Whole.Value != want {
				t.Errorf("within %d plies, %s: %v, want %v", limit, order.name, r.Whole.Value, want)
			}
		}
	}
}
