package strong

import (
	"context"
	"perfectplay/game/halma"
	"runtime"
	"time"
)

// Estimate says how much processor time a solve in memory takes, all threads
// together, from a rehearsal of a second or so: the inner loop of the solver on
// some rows of this very board, with contents as a race would have them. It
// needs memory for the numbering of the armies, not for a table. README.md has
// its errors.
func Estimate(ctx context.Context, t *halma.TwoArmy) (time.Duration, error) {
	b, err := newBoard(t)
	if err != nil {
		return 0, err
	}
	l, err := newLayout(b)
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := newRehearsal(newSolver(l, Options{Threads: 1}))
	var sum time.Duration
	rows := 0
	begin := processorTime()
	for i := range rehearsedRows {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if i >= 4 && processorTime()-begin > rehearsalTime {
			break
		}
		// Rows are in order of how far their armies have come; these are spread
		// over all of them in an order that is even wherever it stops.
		row := int(float64(l.reps) * fraction(float64(i+1)*golden))
		sum += r.row(row)
		rows++
	}
	return time.Duration(float64(sum) / float64(rows) * float64(l.reps) * (1 + rehearsalPiece*float64(l.k))), nil
}

// started is when the program began, for the clock.
var started = time.Now()

const (
	rehearsedRows = 256
	rehearsalTime = 700 * time.Millisecond
	golden        = 0.6180339887498949
	// rehearsedVisits is how often a row is looked at in a rehearsal.
	rehearsedVisits = 10
	// rehearsalPiece is what a solve takes longer than its rehearsal for each
	// piece of an army: rows come one after another there, so less of the tables
	// of armies is in the caches. Fitted to whole solves.
	rehearsalPiece = 0.13
)

func fraction(x float64) float64 { return x - float64(int(x)) }

// rehearsal plays through the visits to a row without a table.
type rehearsal struct {
	*worker
	way  []int32 // of a column's army: steps it still has to go
	most int32   // difference of two of them
}

func newRehearsal(s *solver) *rehearsal {
	r := &rehearsal{worker: newWorker(s), way: make([]int32, s.cols)}
	way := s.b.wayHome()
	low, high := int32(1<<30), int32(0)
	for c, army := range s.army {
		if army != 0 {
			r.way[c] = int32(way(army))
			low, high = min(low, r.way[c]), max(high, r.way[c])
		}
	}
	r.most = high - low
	return r
}

// row takes the time that the visits to a row need, if whoever is ahead in the
// race wins: those far behind lose first, and lower leads win from visit to
// visit.
func (r *rehearsal) row(row int) (spent time.Duration) {
	win, fresh := r.rowWin[row&63*r.words:(row&63+1)*r.words], r.rowFresh[row&63*r.words:(row&63+1)*r.words]
	bit := uint64(1) << (row & 63)
	mover, other := r.army[row], r.turned[row]
	columns := r.cols
	if row >= r.pairs {
		columns = r.reps
	}
	before := r.most
	for visit := range int32(rehearsedVisits) {
		lead := r.most / 2 * (rehearsedVisits - 1 - visit) / rehearsedVisits
		clear(win)
		clear(fresh)
		clear(r.known)
		for c, army := range r.army {
			ahead := r.way[c] - r.way[row]
			if max(ahead, -ahead) >= before || army == 0 {
				r.known[c] = bit
			}
			switch {
			case c >= columns || r.turned[c]&mover != 0:
			case ahead >= lead:
				win[c>>6] |= 1 << (c & 63)
			case -ahead > lead && -ahead <= before:
				fresh[c>>6] |= 1 << (c & 63)
			}
		}
		begin := processorTime()
		r.followLosses(row, other, bit)
		r.followWins(row, other, bit)
		spent += processorTime() - begin
		for _, c := range r.found {
			r.wins[c], r.losses[c] = 0, 0
		}
		r.found = r.found[:0]
		before = lead
	}
	r.stuck[row] = nil
	return spent
}
