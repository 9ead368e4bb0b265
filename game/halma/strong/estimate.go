package strong

import (
	"context"
	"math"
	"runtime"
	"time"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// Estimate says how much processor time a solve in memory takes, all threads
// together. It runs the inner loop of the solver for about a second on a sample of
// the rows of this board, filled as in a race, and scales the time up. It needs
// memory for the numbering of the armies, not for a table. README.md has its
// errors.
func Estimate(ctx context.Context, t *halma.TwoArmy) (time.Duration, error) {
	l, err := newLayout(t)
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := newSampler(newSolver(l, Options{Threads: 1}))
	var sum time.Duration
	rows := 0
	begin := host.ThreadTime()
	for i := range sampledRows {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if i >= 4 && host.ThreadTime()-begin > sampleTime {
			break
		}
		// Rows are in order of how far their armies have come; these are spread
		// over all of them in an order that is even wherever it stops.
		row := int(float64(l.reps) * math.Mod(float64(i+1)*golden, 1))
		sum += r.row(row)
		rows++
	}
	return time.Duration(float64(sum) / float64(rows) * float64(l.reps) * (1 + perPiece*float64(l.k))), nil
}

const (
	sampledRows = 256
	sampleTime  = 700 * time.Millisecond
	golden      = 0.6180339887498949
	// visitsPerRow is how often a row of the sample is propagated.
	visitsPerRow = 10
	// perPiece is the share by which a solve takes longer than its sample, for
	// each piece of an army: its rows follow each other, so that less of the tables
	// of armies is in the caches. Fitted to whole solves.
	perPiece = 0.13
)

// sampler propagates rows without a table.
type sampler struct {
	*worker
	way  []int32 // of a column's army: steps it still has to go
	most int32   // difference of two of them
}

func newSampler(s *solver) *sampler {
	r := &sampler{worker: newWorker(s), way: s.kernel.ways()}
	low, high := int32(1<<30), int32(0)
	for c := range s.cols {
		if !s.inGap(c) {
			low, high = min(low, r.way[c]), max(high, r.way[c])
		}
	}
	r.most = high - low
	return r
}

// row times the propagation of a row, visit by visit, in a race that whoever is
// ahead wins: those furthest behind lose first, and from visit to visit smaller
// leads win.
func (r *sampler) row(row int) (spent time.Duration) {
	win, frontier := r.rowWin[row&63*r.words:(row&63+1)*r.words], r.rowFrontier[row&63*r.words:(row&63+1)*r.words]
	bit := uint64(1) << (row & 63)
	columns := r.cols
	if row >= r.pairs {
		columns = r.reps
	}
	before := r.most
	for visit := range int32(visitsPerRow) {
		lead := r.most / 2 * (visitsPerRow - 1 - visit) / visitsPerRow
		clear(win)
		clear(frontier)
		clear(r.known)
		for c := range r.cols {
			ahead := r.way[c] - r.way[row]
			if max(ahead, -ahead) >= before || r.inGap(c) {
				r.known[c] = bit
			}
			switch {
			case c >= columns || r.kernel.overlap(row, c):
			case ahead >= lead:
				win[c>>6] |= 1 << (c & 63)
			case -ahead > lead && -ahead <= before:
				frontier[c>>6] |= 1 << (c & 63)
			}
		}
		begin := host.ThreadTime()
		r.propagateLosses(row, bit)
		r.propagateWins(row, bit)
		spent += host.ThreadTime() - begin
		clear(r.wins)
		clear(r.losses)
		before = lead
	}
	r.mustPass[row] = nil
	return spent
}
