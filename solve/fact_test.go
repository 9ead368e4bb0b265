package solve

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
)

// TestCheck checks random true and false facts about random games. A fact may stay undecided
// only if it says that a side never wins and the other side does not win either.
func TestCheck(t *testing.T) {
	var shown, refuted, undecided [2]int // [1]: the fact says that a side never wins
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		seats := 1 + rng.IntN(6)
		g := newToy(rng, seats, rng.IntN(2) == 0)
		node, seat := rng.IntN(len(g.edges)), 0
		if g.outcome(node, seat) != game.Ongoing {
			continue
		}
		hero := rng.IntN(seats)
		b := brute{t: g, hero: hero}
		v := b.at(node, seat, forever)
		if hero != seat {
			v.value = v.value.Negate()
		}
		f, never := randomFact(rng, v), 0
		if !f.Valid() {
			continue
		}
		if f.WinOver == Never && f.LossBy == Never || f.LossOver == Never && f.WinBy == Never {
			never = 1
		}
		o := Options{Threads: 1 + rng.IntN(2), Memory: 1 << 18, eager: rng.IntN(2) == 0, hasty: true}
		wrong, err := Check(context.Background(), g, g.state(node, seat), hero, f, o)
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case errors.Is(wrong, ErrUndecided):
			if undecided[never]++; never == 0 || v.value != game.Draw && v.distance < 8 {
				t.Errorf("seed %d: %v in %d: %v", seed, v.value, v.distance, wrong)
			}
		case (wrong == nil) != f.Holds(v.value, v.distance):
			t.Errorf("seed %d: %v in %d plies, and of %+v: %v", seed, v.value, v.distance, f, wrong)
		case wrong == nil:
			shown[never]++
		default:
			refuted[never]++
		}
	}
	t.Logf("shown %d, refuted %d, undecided %d; the second of each say that a side never wins", shown, refuted, undecided)
	if min(shown[0], shown[1], refuted[0], refuted[1], undecided[1]) < 20 {
		t.Error("too few of a kind")
	}
}

// randomFact is a fact that mostly holds for a position with a value.
func randomFact(rng *rand.Rand, v truth) Fact {
	side := func(value game.Value) (over, by int) {
		over, by = rng.IntN(6), Never
		switch {
		case v.value == value:
			if over = rng.IntN(v.distance); rng.IntN(2) == 0 {
				by = v.distance + rng.IntN(3)
			}
		case rng.IntN(2) == 0:
			over = Never
		}
		switch rng.IntN(12) {
		case 0:
			over = min(over+1, Never)
		case 1:
			by = min(by-1, over+1+rng.IntN(4))
		case 2:
			over, by = Never, Never
		}
		return over, by
	}
	f := Fact{Best: game.NoMove, Nodes: 1}
	f.WinOver, f.WinBy = side(game.Win)
	f.LossOver, f.LossBy = side(game.Loss)
	if f.WinBy < Never {
		f.LossOver = Never
	} else if f.LossBy < Never {
		f.WinOver = Never
	}
	return f
}
