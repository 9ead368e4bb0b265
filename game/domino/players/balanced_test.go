package players

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/equilibrium"
)

// exploitability is the largest loss of a player in a solved game, the mean of both seats.
func exploitability(t *testing.T, s *equilibrium.Solver, p Player) float64 {
	t.Helper()
	list, ok := s.List(func(root *equilibrium.Root, spot *equilibrium.Spot, weights []float64) bool {
		return Ask(p, s.Game, root, spot, weights)
	})
	if !ok {
		t.Fatal("chances are unknown")
	}
	return s.Judge(list, 1).Gap / 2
}

// TestResting computes the player's loss to best answers over all deals. If the rest is the whole
// deal, the loss is at most the solution's gap. Without a rest the player loses as much as sampling
// does. With a solved game the player follows the solution.
func TestResting(t *testing.T) {
	g := equilibrium.Game{Double: 3, Tiles: 3, Rules: equilibrium.Study}
	s, err := equilibrium.New(g)
	if err != nil {
		t.Fatal(err)
	}
	s.Iterate(restIterations)
	if got, want := exploitability(t, s, Equilibrium(s).New()), s.Bounds(1).Gap/2; math.Abs(got-want) > 1e-9 {
		t.Errorf("solved: exploitable by %v, want %v", got, want)
	}
	whole := exploitability(t, s, Resting("", 1<<20).New())
	if want := s.Bounds(1).Gap / 2; math.Abs(whole-want) > 1e-4 { // numbers are float32
		t.Errorf("a rest that is whole: exploitable by %v, want %v", whole, want)
	}
	none := exploitability(t, s, Resting("", 0).New())
	before := exploitability(t, s, newSampling(defaultSamples, beforeHands))
	if none != before || none < 4*whole {
		t.Errorf("without a rest: exploitable by %v, the player before by %v, with all of it %v", none, before, whole)
	}
	if some := exploitability(t, s, Resting("", 1000).New()); some >= none || some <= whole {
		t.Errorf("a rest of 1000 numbers: exploitable by %v, want %v to %v", some, whole, none)
	}
}

// TestPublic: the player's strategy for a hand depends on public facts only. Both seats, and a
// player who has played other deals before, find the same solution.
func TestPublic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	kept := Resting("", DefaultNumbers).New().(*Balanced)
	asked := 0
	walk(r, 60, func(table *Table, _ []domino.Move) {
		hand := table.pos.Hands[table.pos.Mover]
		if hand.Len() < 2 || hand.Len()+table.pos.Hands[table.pos.Mover^1].Len() > 6 {
			return
		}
		one, gap, ok := kept.Advise(table)
		two, _, again := Resting("", DefaultNumbers).New().(*Balanced).Advise(table)
		if ok != again || len(one) != len(two) {
			t.Fatalf("%v: %v %v and %v %v", table.pos, ok, one, again, two)
		}
		sum := 0.0
		for i, a := range one {
			if a != two[i] {
				t.Fatalf("%v: %+v and %+v", table.pos, a, two[i])
			}
			sum += a.Probability
		}
		if ok {
			asked++
			if math.Abs(sum-1) > 1e-9 || gap > 0.5 {
				t.Fatalf("%v: probabilities add up to %v, and the bounds are %v apart", table.pos, sum, gap)
			}
		}
	})
	if asked < 20 {
		t.Errorf("asked %d times", asked)
	}
}

// TestDeals: every deal of a set is equally likely; a given hand goes to the first player; the two
// games of a pair have one deal.
func TestDeals(t *testing.T) {
	const deals = 20_000
	g := equilibrium.Game{Double: 3, Tiles: 3, Rules: equilibrium.Study}
	terms := Terms{Game: g}
	r := rand.New(rand.NewPCG(6, 6))
	first, swaps, all := map[domino.Tile]float64{}, 0, 0.0
	for range deals {
		d, swapped := terms.deal(t.Context(), nil, r)
		if d.Starter&d.Second != 0 || d.Starter.Len() != 3 || d.Second.Len() != 3 || !d.Starter.Has(d.FirstTile()) {
			t.Fatalf("%v / %v", d.Starter, d.Second)
		}
		if first[d.FirstTile()]++; swapped {
			swaps++
		}
	}
	for _, root := range g.Roots() {
		all += float64(root.Deals)
	}
	for _, root := range g.Roots() {
		want := float64(root.Deals) / all
		if got := first[root.First.Min()] / deals; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/deals) {
			t.Errorf("%s opens %v of the deals, want %v", root.Name, got, want)
		}
	}
	if math.Abs(float64(swaps)-deals/2) > 2*math.Sqrt(deals) {
		t.Errorf("the second player starts %d of %d deals", swaps, deals)
	}
	sixes := domino.WithNumber(6)
	terms = Terms{Game: equilibrium.Game{Double: 6, Tiles: 7, Rules: equilibrium.Study}, Mode: Scores, Hand: domino.WithNumber(0)}
	for range 100 {
		if d, swapped := terms.deal(t.Context(), nil, r); swapped && d.Second != terms.Hand || !swapped && d.Starter != terms.Hand {
			t.Fatalf("%v / %v, want %v", d.Starter, d.Second, terms.Hand)
		}
	}
	terms.Hand = sixes
	terms.Games, terms.Threads = 50, 2
	open, _ := ByName("minimax")
	if m, err := terms.Play(context.Background(), open, open); err != nil || m.Wins < 48 || m.MeanScore < 10 {
		t.Errorf("all sixes: %+v: %v", m, err)
	}
	m, err := Terms{Mode: Both, Games: 300, Threads: 2}.Play(context.Background(), Kind{New: func() Player { return heaviest{} }}, Kind{New: func() Player { return heaviest{} }})
	if err != nil || m.MeanScore != 0 || m.StdErr != 0 || m.Wins != 0 || m.Deals != 300 || !m.Both {
		t.Errorf("one player in both seats: %+v: %v", m, err)
	}
}

// heaviest plays one move, without chance.
type heaviest struct{}

func (heaviest) Choose(_ *Table, moves []domino.Move, _ *rand.Rand) domino.Move {
	return moves[len(moves)-1]
}
