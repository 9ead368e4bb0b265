package verify

import (
	"context"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
	"perfectplay/solve/retro"
)

// indexedGame is a game of two armies that numbers its positions as seen from the mover.
// Illegal positions have no number.
type indexedGame struct {
	*halma.Game
	p *ranks
}

func newIndexedGame(t *testing.T, g *halma.Game, spec *halma.TwoArmy) indexedGame {
	t.Helper()
	b := board{Pieces: spec.Pieces} // without a mirror every placement has a number of its own
	for c := range spec.Cells {
		if !slices.Contains(spec.Closed, c) {
			b.Places = append(b.Places, c)
		}
	}
	return indexedGame{g, newRanks(b)}
}

func (x indexedGame) Numbers() uint64 { return x.p.size() }

func (x indexedGame) At(s game.State, number uint64) bool {
	mover, other := x.p.position(number)
	if forbidden(x.Game, mover, other) {
		return false
	}
	halma.Place(x.Game, s, mover, other)
	return true
}

func (x indexedGame) Number(s game.State) uint64 { return x.p.index(halma.Sides(x.Game, s)) }

// TestIndexedArmies compares package strong with package retro, which plays by the move generator
// of the rules, at all positions of small boards.
func TestIndexedArmies(t *testing.T) {
	for _, c := range halmatest.Games() {
		g, spec := halmatest.Race(c.ID, c.Rules)
		index := newIndexedGame(t, g, spec)
		if index.Numbers() > 15_000 || testing.Short() && index.Numbers() > 2_000 {
			continue
		}
		t.Run("game="+c.ID+",rules="+c.Rules, func(t *testing.T) {
			t.Parallel()
			solved, err := strong.Solve(context.Background(), spec, strong.Options{Distances: true})
			if err != nil {
				t.Fatal(err)
			}
			all, err := retro.Solve(context.Background(), index, retro.Options{})
			if err != nil {
				t.Fatal(err)
			}
			legal, s := uint64(0), g.Start()
			for n := range index.Numbers() {
				v, d := solved.Value(index.p.position(n))
				if !index.At(s, n) {
					if v != game.Unknown {
						t.Fatalf("an illegal position is %v in %d", v, d)
					}
					continue
				}
				legal++
				for seat := range 2 {
					want, in, ok := all.Forced(s, 1<<seat)
					if seat != s.Seat() {
						want = want.Negate()
					}
					if !ok || v != want || d != in {
						t.Fatalf("%s, seat %d: two armies %v in %d, by the contract alone %v in %d", s, seat, v, d, want, in)
					}
				}
			}
			c := solved.Counts()
			if all.Positions() != uint64(legal) || legal != c.Positions()-c.Illegal {
				t.Errorf("%d positions compared, %d solved, %+v counted", legal, all.Positions(), c)
			}
			t.Logf("%d positions", legal)
		})
	}
}
