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
		Paranoid: {14691, 358, 1212, 1887, 1679, 583, 5, 14},
		Proof:    {2934, 171, 1097, 1122, 900, 474, 2, 14},
		MaxN:     {19703, 1736, 4361, 2281, 2250, 712, 6, 14},
	}
	got := map[Algo]Counts{}
	for seed := range uint64(600) {
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
