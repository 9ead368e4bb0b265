package prove

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// TestReports: every thread reports progress, for all threads, and one at a time.
func TestReports(t *testing.T) {
	var told []uint64
	p := openProver(t, gameOf(t, "mnk-8x8k5"), Options{Threads: 3, Memory: 1 << 20, Progress: func(nodes uint64, _ float64) { told = append(told, nodes) }})
	var nodes atomic.Uint64
	var stop atomic.Bool
	for i, s := range p.searches.(*prover64).pool {
		s.shared, s.stop = &nodes, &stop
		for range tellNodes {
			s.count()
		}
		if want := uint64(i+1) * tellNodes; len(told) != i+1 || told[i] != want {
			t.Errorf("after thread %d the reports are %d, want %d as the last", i, told, want)
		}
		s.nodes, s.told = 0, 0
	}
	r := newReporter(func(uint64, float64) { t.Error("two report at once") })
	r.busy.Store(true)
	r.tell(&nodes, 0)
}

// TestThreads compares the answers of one thread and of several, on boards that are won and
// boards that are not, large enough to share work, with tables that grow and tables that
// lose most entries. A search of several threads ends when told to.
func TestThreads(t *testing.T) {
	for _, c := range []struct {
		id  string
		win bool
	}{{"mnk-5x5k4", false}, {"mnk-6x5k4", true}, {"mnk-7x4k4", false}, {"mnk-7x6k5", false}, {"mnk-9x5k4", true}, {"mnk-9x8k4", true}, {"mnk-10x8k6", false}} {
		if testing.Short() && c.id == "mnk-7x4k4" {
			continue // it takes half of the time, and other boards share work, too
		}
		g := gameOf(t, c.id)
		for _, o := range []Options{
			{Threads: 2, Memory: 16 << 20, Method: Zones},
			{Threads: 5, Memory: 1 << 20, Method: Zones},
			{Threads: 3, Memory: 16 << 20, Method: Mixed},
			{Threads: 3, Memory: 1 << 20, Method: Deepening},
			{Threads: 3, Memory: 16 << 20, Method: Zones, Cuts: Cuts{NoPairing: true}},
		} {
			if o.Cuts.NoPairing && g.Cells() > 25 {
				continue
			}
			p := openProver(t, g, o)
			if r := p.CanWin(context.Background(), none, none, 0, 0); !r.Known || r.Won != c.win {
				t.Errorf("%s, %+v: %+v, want %v", c.id, o, r, c.win)
			}
			if r := p.CanWin(context.Background(), none, none, 0, 1); !r.Known || r.Won {
				t.Errorf("%s, %+v, second player: %+v", c.id, o, r)
			}
		}
	}
	g := gameOf(t, "mnk-8x8k5")
	for _, m := range []Method{Zones, Mixed, Deepening} {
		p := openProver(t, g, Options{Threads: 3, Memory: 1 << 20, Method: m})
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		if r := p.CanWin(ctx, none, none, 0, 0); r.Known {
			t.Errorf("8,8,5 in an instant: %+v", r)
		}
		cancel()
	}
}
