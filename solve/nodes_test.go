package solve

import (
	"context"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
)

// TestNodes compares the counts of searches of random games on one thread with recorded ones. It
// shows unintended changes of the search; an intended change updates the numbers.
func TestNodes(t *testing.T) {
	want := map[Algo]Counts{
		Paranoid: {4780, 756, 1015, 1727, 1396, 737, 7, 13},
		Proof:    {1550, 263, 576, 271, 208, 154, 0, 13},
		MaxN:     {7481, 1076, 2024, 1660, 1546, 680, 0, 14},
	}
	got := map[Algo]Counts{}
	for seed := range uint64(900) {
		rng := rand.New(rand.NewPCG(seed, 21))
		g := newToy(rng, 1+int(seed)%6, rng.IntN(2) == 0)
		if g.outcome(0, 0) != game.Ongoing {
			continue
		}
		o := randomOptions(rng, g.seats)
		o.Threads, o.Time = 1, 0
		if seed%3 == 0 { // switch on all abilities of allies
			g.ahead, g.allied, o.NoBound, o.eager = true, true, false, true
		}
		if hero := rng.IntN(g.seats); o.Algo == AlphaBeta || seed%3 == 0 && o.Algo != MaxN {
			// With two seats, Paranoid is the same engine as AlphaBeta.
			o.Algo, o.Hero = Paranoid, &hero
		}
		rep, err := Run(context.Background(), g, g.Start(), o)
		if err != nil {
			t.Fatal(err)
		}
		sum := got[o.Algo]
		sum.Add(&rep.Total)
		got[o.Algo] = sum
	}
	for algo, sum := range got {
		if sum != want[algo] {
			t.Errorf("%s: {%d, %d, %d, %d, %d, %d, %d, %d}, want %+v", algo, sum.Nodes, sum.Terminals, sum.Cutoffs, sum.Stored, sum.Hits,
				sum.Filled, sum.Replaced, sum.MaxDepth, want[algo])
		}
	}
}
