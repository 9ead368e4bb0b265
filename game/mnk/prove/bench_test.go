package prove

import (
	"context"
	"flag"
	"fmt"
	"sync/atomic"
	"testing"
)

var long = flag.Bool("long", false, "run the slow benchmarks")

// BenchmarkProve proves boards on one thread, with all cuts and with fewer, and reports
// nodes per proof and per second.
func BenchmarkProve(b *testing.B) {
	plain := Cuts{NoWeight: true, NoPairing: true, NoZone: true, NoForks: true, NoWalls: true}
	weights := plain
	weights.NoWeight = false
	forks := weights
	forks.NoForks = false
	noZone := Cuts{NoZone: true}
	noPairing := Cuts{NoPairing: true}
	for _, c := range []struct {
		board string
		win   bool
		name  string
		cuts  Cuts
		m     Method
		slow  bool
	}{
		{"5x5k4", false, "forced", plain, Zones, true},
		{"5x5k4", false, "weights", weights, Zones, false},
		{"5x5k4", false, "forks", forks, Zones, false},
		{"5x5k4", false, "no-zones", noZone, Zones, false},
		{"5x5k4", false, "no-pairing", noPairing, Zones, false},
		{"5x5k4", false, "no-weights", Cuts{NoWeight: true}, Zones, false},
		{"5x5k4", false, "no-forks", Cuts{NoForks: true}, Zones, false},
		{"5x5k4", false, "no-lambda", Cuts{NoLambda: true}, Zones, false},
		{"5x5k4", false, "no-symmetry", Cuts{NoSymmetry: true}, Zones, false},
		{"5x5k4", false, "no-walls", Cuts{NoWalls: true}, Zones, false},
		{"5x5k4", false, "all", Cuts{}, Zones, false},
		{"5x5k4", false, "numbers", Cuts{}, ProofNumbers, false},
		{"5x5k4", false, "mixed", Cuts{}, Mixed, false},
		{"6x6k4", true, "weights", weights, Zones, true},
		{"6x6k4", true, "all", Cuts{}, Zones, false},
		{"6x6k4", true, "numbers", Cuts{}, ProofNumbers, false},
		{"7x4k4", false, "weights", weights, Zones, true},
		{"7x4k4", false, "all", Cuts{}, Zones, true},
		{"8x8k4", true, "numbers", Cuts{}, ProofNumbers, false},
		{"7x6k5", false, "all", Cuts{}, Zones, true},
	} {
		b.Run(fmt.Sprintf("board=%s/cuts=%s", c.board, c.name), func(b *testing.B) {
			if c.slow && !*long {
				b.Skip("takes minutes: run with -long")
			}
			g := gameOf(b, "mnk-"+c.board)
			var nodes uint64
			n := 0
			for b.Loop() {
				b.StopTimer()
				p, err := New(g, Options{Threads: 1, Memory: 512 << 20, Cuts: c.cuts, Method: c.m})
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				r := p.CanWin(context.Background(), none, none, 0, 0)
				if !r.Known || r.Won != c.win {
					b.Fatalf("%+v, want %v", r, c.win)
				}
				nodes += r.Nodes
				n++
			}
			b.ReportMetric(float64(nodes)/float64(n), "nodes/op")
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

// BenchmarkAnalyse analyses one middle position for both sides.
func BenchmarkAnalyse(b *testing.B) {
	for _, id := range []string{"mnk-5x5k4", "mnk-7x7k5", "mnk-8x8k6"} {
		b.Run("board="+id, func(b *testing.B) {
			g := gameOf(b, id)
			l := g.Lines64()
			mid := g.Cols()*(g.Rows()/2) + g.Cols()/2
			a, d := one(1<<mid|1<<(mid+1)), one(1<<(mid-1)|1<<(mid+g.Cols()))
			var va, vd analysis64
			for b.Loop() {
				va.analyse(l, a, d)
				vd.analyse(l, d, a)
				if va.weight == 0 || !vd.threats.IsEmpty() {
					b.Fatal("wrong analysis")
				}
			}
		})
	}
}

// TestAnalysis compares an analysis with the list of windows, on random positions of
// every density and boards of every k.
func TestAnalysis(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-5x5k4", "mnk-7x7k5", "mnk-8x8k6", "mnk-7x9k7", "mnk-8x8k8", "mnk-4x9k2", "mnk-1x1k1", "mnk-2x30k9"} {
		g := gameOf(t, id)
		l := g.Lines64()
		rng := newRand(id)
		for range 3000 {
			a := rng.Uint64() & l.Cells.Lo
			for range rng.IntN(4) {
				a &= rng.Uint64()
			}
			d := rng.Uint64() & l.Cells.Lo &^ a
			for range rng.IntN(5) {
				d &= rng.Uint64()
			}
			checkAnalysis(t, id, l, a, d)
		}
	}
}

// TestSearchDoesNotAllocate runs small searches whose frames exist already.
func TestSearchDoesNotAllocate(t *testing.T) {
	g := gameOf(t, "mnk-5x4k4")
	for _, m := range []Method{Zones, ProofNumbers} {
		o := Options{Threads: 1, Memory: MinMemory, Method: m}
		p, err := newProver64(g, o)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := newProver128(g.Wide(), o)
		if err != nil {
			t.Fatal(err)
		}
		s, w := p.pool[0], wide.pool[0]
		s.stop, s.shared = new(atomic.Bool), new(atomic.Uint64)
		w.stop, w.shared = s.stop, s.shared
		for i, search := range []func() bool{
			func() bool { p.t.t.Clear(); win, _ := p.run(s, 0, one(0), one(0), true); return win },
			func() bool { wide.t.t.Clear(); win, _ := wide.run(w, 0, none, none, true); return win },
		} {
			search()
			if n := testing.AllocsPerRun(3, func() {
				if search() {
					t.Fatal("5,4,4 is won")
				}
			}); n != 0 {
				t.Errorf("method %d, form %d, allocates %v times", m, i, n)
			}
		}
	}
}
