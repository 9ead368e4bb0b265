package solve

import "testing"

// TestMeter: after iterations that each take three times the nodes of the last, the meter expects
// this growth. The share follows the nodes and does not decrease.
func TestMeter(t *testing.T) {
	const limit, searches = 14, 3
	m := meter{limit: limit, growth: usualGrowth, weights: searches}
	all, done := 0.0, 0.0
	nodes := func(depth int) (n float64) {
		for n = 10; depth > 1; depth-- {
			n *= 3
		}
		return n
	}
	for d := 1; d <= limit; d++ {
		all += searches * nodes(d)
	}
	last, checked := 0.0, 0
	for range searches {
		m.search(1)
		before := uint64(0)
		for d := 1; d <= limit; d++ {
			m.iteration(d, before)
			for part := range 10 {
				share := m.done(float64(part) / 10)
				if share < last {
					t.Fatalf("%d plies: %.3f after %.3f", d, share, last)
				}
				last = share
				if truth := (done + nodes(d)*float64(part)/10) / all; truth > 0.05 {
					checked++
					if share < truth/2 || share > 2*truth {
						t.Errorf("%d plies, part %d: share %.3f, %.3f is done", d, part, share, truth)
					}
				}
			}
			done += nodes(d)
			before = uint64(nodes(d))
		}
		m.finish(true)
	}
	if end := m.done(0); end != 1 || checked < 30 {
		t.Errorf("it ends at %v; %d shares compared", end, checked)
	}
	open := meter{growth: usualGrowth, weights: 1}
	open.search(1)
	open.iteration(1, 0)
	if share := open.done(0.5); share != -1 {
		t.Errorf("without a limit: %v", share)
	}
}
