package solve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/solve"
)

// States with one or two abilities more than racing.
type (
	safely struct {
		racing
		game.SafeLister
	}
	ending struct {
		racing
		game.Ender
	}
	safelyEnding struct {
		safely
		game.Ender
	}
)

func asSafely(s game.State) game.State { return safely{asRacing(s).(racing), s.(game.SafeLister)} }
func asEnding(s game.State) game.State { return ending{asRacing(s).(racing), s.(game.Ender)} }
func asSafelyEnding(s game.State) game.State {
	return safelyEnding{asSafely(s).(safely), s.(game.Ender)}
}

func (s safely) Clone() game.State       { return asSafely(s.State.Clone()) }
func (s ending) Clone() game.State       { return asEnding(s.State.Clone()) }
func (s safelyEnding) Clone() game.State { return asSafelyEnding(s.State.Clone()) }

// TestSeenAhead compares searches with and without SafeLister and Ender: values, distances,
// openings and lines are equal for both heroes, any engine, limit, ordering and table.
func TestSeenAhead(t *testing.T) {
	if testing.Short() {
		t.Skip("searches with all abilities and without for seconds; not with -short")
	}
	games := 50
	decided := 0
	for seed := range uint64(games) {
		rng := rand.New(rand.NewPCG(seed, 17))
		size := [][3]int{{3, 3, 3}, {4, 3, 3}, {3, 4, 4}, {4, 4, 3}, {4, 4, 4}, {5, 3, 3}, {5, 4, 4}, {5, 5, 3}, {2, 7, 3}, {5, 5, 4}}[rng.IntN(10)]
		g, err := mnk.New(size[0], size[1], size[2])
		if err != nil {
			t.Fatal(err)
		}
		s := g.Start()
		for s.Result() == game.Ongoing && s.(game.Ender).PliesLeft() > 12 || rng.IntN(3) > 0 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			s.Make(moves[rng.IntN(len(moves))])
		}
		if s.Result() != game.Ongoing {
			continue
		}
		algo := []solve.Algo{solve.AlphaBeta, solve.Paranoid}[rng.IntN(2)]
		for _, limit := range []int{0, 1, 2, 3, 4, 1 + rng.IntN(14), 1 + rng.IntN(14)} {
			for hero := range 2 {
				var first *solve.Report
				for i, wrap := range []func(game.State) game.State{asRacing, asSafely, asEnding, asSafelyEnding, func(s game.State) game.State { return s }} {
					for _, order := range []named{orderings[0], orderings[1+rng.IntN(len(orderings)-1)]} {
						r, err := solve.Run(context.Background(), g, wrap(s), solve.Options{Algo: algo, Limit: limit, Hero: &hero, Ordering: &order.Ordering,
							Threads: 1 + rng.IntN(2), Memory: []int64{solve.MinMemory, 1 << 18}[rng.IntN(2)], NoTable: rng.IntN(5) == 0, NoBound: rng.IntN(5) == 0})
						if err != nil {
							t.Fatal(err)
						}
						if first == nil {
							first = r
						}
						about := fmt.Sprintf("seed %d, %s at %s, %s within %d plies, hero %d, abilities %d, %s", seed, g.ID(), s, algo, limit, hero, i, order.name)
						for j, got := range append([]solve.Search{r.Whole}, r.Openings...) {
							want := append([]solve.Search{first.Whole}, first.Openings...)[j]
							// With Ender a bound says when all lines end, without it lines are
							// played to their ends.
							draws := got.Value|want.Value == game.Draw && limit > 0
							if got.Value != want.Value && !draws || got.Distance != want.Distance || got.Winner != want.Winner {
								t.Fatalf("%s, search %d: %v in %d, without abilities %v in %d", about, j, got.Value, got.Distance, want.Value, want.Distance)
							}
							if got.Value == game.Win || got.Value == game.Loss {
								decided++
							}
						}
						if !slices.Equal(r.Line, first.Line) {
							t.Fatalf("%s: line %v, without abilities %v", about, r.Line, first.Line)
						}
					}
				}
			}
		}
	}
	if decided < 3000 {
		t.Errorf("%d searches were decided", decided)
	}
}
