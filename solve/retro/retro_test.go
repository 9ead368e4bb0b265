package retro_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/solve/retro"
)

// TestToys compares all sets of seats at all positions of random games with the plain
// statement of what is forced, by every method and number of threads.
func TestToys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 27))
	decided := 0
	for round := range 300 {
		seats := 1 + rng.IntN(4)
		g := newToy(rng, seats, 1+rng.IntN(400), 1+rng.IntN(6))
		if round%50 == 0 { // more moves than a byte holds
			g = newToy(rng, seats, 700, 500)
		}
		for name, c := range map[string]struct {
			g game.Game
			o retro.Options
		}{
			"keys":    {g, retro.Options{}},
			"unmoves": {backwards{numbered{g}}, retro.Options{Threads: 3}},
			"graph":   {numbered{g}, retro.Options{Method: retro.Graph, Threads: 2}},
			"passes":  {backwards{numbered{g}}, retro.Options{Method: retro.Passes, Threads: 3}},
		} {
			s, err := retro.Solve(context.Background(), c.g, c.o)
			if err != nil {
				t.Fatalf("round %d, %s: %v", round, name, err)
			}
			for set := uint8(1); set < 1<<seats; set++ {
				if seats == 2 && set == 3 {
					continue
				}
				ours, theirs := g.plain(set), g.plain(uint8(1<<seats-1)&^set)
				for n := range g.to {
					if g.hole[n] {
						continue
					}
					at, _ := g.Parse(g.at(n))
					v, d, ok := s.Value(at, set)
					if !ok && name == "keys" {
						continue
					}
					want, in := game.Draw, 0
					if ours[n] >= 0 {
						want, in = game.Win, ours[n]
					} else if theirs[n] >= 0 {
						want, in = game.Loss, theirs[n]
					}
					if !ok || v != want || d != in {
						t.Fatalf("round %d, %s, %d seats, set %b at %d: %v in %d, want %v in %d", round, name, seats, set, n, v, d, want, in)
					}
					if in > 0 {
						decided++
					}
				}
			}
		}
	}
	if decided < 100_000 {
		t.Errorf("%d values were decided in more than no plies", decided)
	}
}

func (t *toy) at(n int) string { return (&place{toy: t, at: n}).String() }

// TestBadGames: what breaks the contract is named.
func TestBadGames(t *testing.T) {
	for flaw, want := range map[string]string{
		"number": "has the numbers",
		"before": "Before knows",
		"result": "depends on the way",
		"key":    "key",
	} {
		named := 0
		for seed := range uint64(20) {
			g := newToy(rand.New(rand.NewPCG(seed, 1)), 2, 300, 5)
			g.flaw = flaw
			for _, g := range []game.Game{g, numbered{g}, backwards{numbered{g}}} {
				_, err := retro.Solve(context.Background(), g, retro.Options{})
				_, isNumbered := g.(game.Numberer)
				_, unmoves := g.Start().(game.Unmover)
				if flaw == "number" && !isNumbered || flaw == "before" && !unmoves {
					continue
				}
				_, key := g.(*toy)
				if err == nil && !(key && flaw == "result") { // few positions may be reached
					t.Errorf("%s, seed %d, %T: no error", flaw, seed, g)
				} else if err != nil && strings.Contains(err.Error(), want) {
					named++
				}
			}
		}
		if named < 10 {
			t.Errorf("%s: only %d errors speak of %q", flaw, named, want)
		}
	}
}

// line is a game of one long way: a forced win in so many plies.
func line(n int) *toy {
	g := &toy{seats: 2, result: make([]game.Result, n), to: make([][]int, n), from: make([][]int, n), hole: make([]bool, n)}
	for i := range n - 1 {
		g.result[i] = game.Ongoing
		g.to[i], g.from[i+1] = []int{i + 1}, []int{i}
	}
	g.result[n-1] = game.Result((n - 2) % 2)
	return g
}

// TestLongWins: the longest is known exactly, one ply more is refused.
func TestLongWins(t *testing.T) {
	for _, m := range []retro.Method{retro.Unmoves, retro.Graph, retro.Passes} {
		s, err := retro.Solve(context.Background(), backwards{numbered{line(retro.MaxDistance + 1)}}, retro.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		if _, d := s.Start(1); d != retro.MaxDistance {
			t.Errorf("%s: %d plies, want %d", m, d, retro.MaxDistance)
		}
		if _, err := retro.Solve(context.Background(), backwards{numbered{line(retro.MaxDistance + 2)}}, retro.Options{Method: m}); err == nil || !strings.Contains(err.Error(), "more than 252 plies") {
			t.Errorf("%s: error %v", m, err)
		}
	}
}
