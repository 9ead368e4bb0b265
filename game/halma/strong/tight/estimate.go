package tight

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"time"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// Estimate says how much processor time a solve takes, all threads together. It does
// the work on a sample of the rows for about a second, filled as in a race that whoever
// has fewer steps to go wins, and scales the time up. It needs memory for the numbers
// of armies, not for a table.
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
	r := newRow(l)
	r.known = r.scratch
	way := make([]int, b.span)
	for c := range t.Cells {
		// Cells are numbered from the goal on.
		way[b.bit[c]] = c
	}
	steps := func(army uint64) (n int) {
		for ; army != 0; army &= army - 1 {
			n += way[bits.TrailingZeros64(army)]
		}
		return n
	}
	var spent time.Duration
	lead := make([]int, l.cols)
	rows := 0
	begin := host.ThreadTime()
	for i := range sampledRows {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if i >= 4 && host.ThreadTime()-begin > sampleTime {
			break
		}
		at := int(float64(l.rows) * math.Mod(float64(i+1)*golden, 1))
		mover := l.army[at]
		own, most := steps(mover), 1
		for c, set := range l.set {
			lead[c] = steps(b.turn(bitboard.Deposit64(set, b.open&^mover))) - own
			most = max(most, lead[c], -lead[c])
		}
		clear(r.win)
		clear(r.known)
		for visit := range visitsPerRow {
			least := most * (visitsPerRow - 1 - visit) / visitsPerRow
			before := most * (visitsPerRow - visit) / visitsPerRow
			clear(r.newWin)
			clear(r.newLoss)
			for c, n := range lead {
				word, bit := c>>6, uint64(1)<<(c&63)
				switch {
				case n > least && n <= before:
					r.newWin[word] |= bit
					r.win[word] |= bit
				case -n > least && -n <= before:
					r.newLoss[word] |= bit
				}
			}
			start := host.ThreadTime()
			r.propagate(at)
			spent += host.ThreadTime() - start
		}
		rows++
	}
	return time.Duration(float64(spent) / float64(rows) * float64(l.rows) * (1 + entering)), nil
}

const (
	sampledRows = 256
	sampleTime  = 700 * time.Millisecond
	golden      = 0.6180339887498949
	// visitsPerRow is how often a row of the sample is worked on.
	visitsPerRow = 20
	// entering is the share by which a solve takes longer than its sample: what is
	// found is entered into the table. Fitted to whole solves.
	entering = 0.4
)
