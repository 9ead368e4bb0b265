package solve

import (
	"context"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
)

// TestNodes holds what searches of random games count on one thread, engine by engine. That
// their answers are right others test; here a change shows that was not meant to change what
// is searched. One that was brings its own numbers.
func TestNodes(t *testing.T) {
	want := map[Algo]Counts{
		Paranoid: {8318, 1038, 1592, 2864, 2719, 1080, 7, 14},
		Proof:    {4411, 815, 1640, 883, 621, 412, 2, 13},
		MaxN:     {10786, 1576, 2757, 2095, 1789, 962, 1, 14},
	}
	got := map[Algo]Counts{}
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 21))
		g := newToy(rng, 1+int(seed)%6, rng.IntN(2) == 0)
		if g.outcome(0, 0) != game.Ongoing {
			continue
		}
		o := randomOptions(rng, g.seats)
		o.Threads, o.Time = 1, 0
		if o.Algo == AlphaBeta {
			o.Algo = Paranoid // the same engine
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
