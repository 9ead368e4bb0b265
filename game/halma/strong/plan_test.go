package strong

import (
	"strings"
	"testing"
	"time"

	"perfectplay/game/halma"
)

// TestPlan compares the plan with the layout that is made.
func TestPlan(t *testing.T) {
	for _, spec := range append(smallBoards()[:14], diamond(7, 3), diamond(5, 6), star(2, false), star(2, true), diamond(9, 2), diamond(11, 1), fewer(star(4, true), 1)) {
		p, err := newPlan(spec, Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLayout(spec, true)
		if err != nil {
			t.Fatal(err)
		}
		plane := uint64(l.rows * l.words * 8)
		if p.plane != plane || p.Places != uint64(l.rows*l.cols) || p.Positions != l.positions() || p.Bytes < p.Least || p.Bytes > 3*plane+plane/10+64<<20 {
			t.Errorf("%s: %+v planned, a plane takes %d", spec.ID, p, plane)
		}
		// Counting reachable positions takes two more planes.
		q, err := newPlan(spec, Options{Threads: 1, Reachable: true})
		if err != nil || q.Bytes != p.Bytes+2*plane || q.Least != p.Least+2*plane {
			t.Errorf("%s: with what can be reached %d bytes are planned, %d without", spec.ID, q.Bytes, p.Bytes)
		}
	}
	if _, err := NewPlan(diamond(8, 8), Options{}); err == nil || !strings.Contains(err.Error(), "placements that") {
		t.Errorf("error %v, want one about placements", err)
	}
}

// TestEstimate: an estimate grows with the board.
func TestEstimate(t *testing.T) {
	for _, pair := range [][2]*halma.TwoArmy{
		{ruled(diamond(3, 1), ""), ruled(diamond(6, 3), "fi")},
		{ruled(star(1, true), "fgo"), ruled(star(2, true), "fgo")},
		{ruled(diamond(3, 3), "i"), blockaded(ruled(diamond(4, 6), "fi"))},
	} {
		var last time.Duration
		for _, spec := range pair {
			w, err := NewWork(spec)
			if err != nil {
				t.Fatal(err)
			}
			if w.Time <= last {
				t.Errorf("%s: %v estimated, for a smaller board %v", name(spec), w.Time, last)
			}
			last = w.Time
		}
	}
	raced, err := NewWork(ruled(diamond(6, 3), "f"))
	drawn, err2 := NewWork(ruled(diamond(6, 3), ""))
	if err != nil || err2 != nil || 4*drawn.Time > raced.Time {
		t.Errorf("%v estimated for draws, %v for a race (%v, %v)", drawn.Time, raced.Time, err, err2)
	}
	if _, err := NewWork(diamond(8, 8)); err == nil {
		t.Error("a board that cannot be solved has an estimate")
	}
}
