package strong

import (
	"context"
	"testing"

	"perfectplay/game/halma/halmatest"
)

// TestShare: the reported share never decreases, begins near 0 and ends near 1. After a third of
// the work the rest is estimated within a factor of two, for decided races and for drawn games.
func TestShare(t *testing.T) {
	type report struct{ work, share float64 }
	for i, c := range []struct{ id, rules string }{
		{"halma-star37-2p", "house"}, {"halma-4x4p3", "sturtevant"}, {"halma-4x4p4", "sturtevant"}, {"halma-4x4p6", "sturtevant"}, {"halma-7x7p2", "sturtevant"},
		{"halma-star37-2p", "base"}, {"halma-5x5p3", "gamesman"}, {"halma-7x7p2", "base"}, {"halma-4x4p6", "base"},
	} {
		if i%3 > 0 && testing.Short() {
			continue // every third board only: stars and diamonds, with draws and without
		}
		for _, distances := range []bool{false, true} {
			_, spec := halmatest.Race(c.id, c.rules)
			l, err := newLayout(spec, false)
			if err != nil {
				t.Fatal(err)
			}
			var told []report
			var s *solver
			s = newSolver(l, Options{Distances: distances, Threads: 1, Progress: func(p Progress) { told = append(told, report{float64(s.work.Load()), p.Share}) }})
			s.makePlanes()
			if err := s.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			all, last, asked := float64(s.work.Load()), 0.0, false
			for _, r := range told {
				if r.share < last || r.share > 1 {
					t.Fatalf("%s under %s: %.4f after %.4f", c.id, c.rules, r.share, last)
				}
				last = r.share
				if r.work < all/3 || asked {
					continue
				}
				asked = true
				estimated, left := r.work*(1-r.share)/r.share, all-r.work
				t.Logf("%s under %s, distances %v: a third is told as %.2f", c.id, c.rules, distances, r.share)
				if estimated < left/2 || estimated > 2*left {
					t.Errorf("%s under %s, distances %v: after a third of the work the rest is taken for %.2f times what it is", c.id, c.rules, distances, estimated/left)
				}
			}
			if first := told[0].share; first > 0.1 || last != 1 {
				t.Errorf("%s under %s: from %.3f to %.3f", c.id, c.rules, first, last)
			}
		}
	}
}
