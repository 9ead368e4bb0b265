package tight

import (
	"context"
	"fmt"
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

// TilesPlan is what a solve of values in tiles takes, known beforehand, over all
// machines together. It is fitted to whole solves, see docs/cluster.md.
type TilesPlan struct {
	Tiles   int
	Passes  int
	Memory  uint64        // of a task of one thread, in bytes
	Read    uint64        // bytes, in all passes
	Written uint64        // bytes, in all passes
	Peak    uint64        // bytes of files at once
	Time    time.Duration // of processors
}

// NewTilesPlan says what a solve takes in so many tiles, if memory takes the time that
// [Estimate] says.
func NewTilesPlan(t *halma.TwoArmy, tiles int, memory time.Duration) (p TilesPlan, err error) {
	plan, err := NewPlan(t, 1)
	if err != nil {
		return p, err
	}
	if tiles < 1 {
		return p, fmt.Errorf("tight: %s: %d tiles", t.ID, tiles)
	}
	k, n := float64(t.Pieces), float64(t.Cells-len(t.Closed))
	// Races are longer by three passes a piece and row of the board.
	passes := max(1, 3*k*(math.Sqrt(n)-3)+12)
	positions := float64(plan.Positions)
	// What tiles send each other, once, and the planes of every pass, which compress the
	// better the emptier the board is.
	sent := sentBytes * (1 - 1/float64(tiles))
	planes := planeBytes * k / n * passes
	return TilesPlan{
		Tiles: tiles, Passes: int(passes + 0.5),
		Memory:  plan.Least - plan.Places/4 + tileBytes(plan.Places, false)/uint64(tiles),
		Written: uint64(positions * (sent + planes)),
		// A task reads its tile and what is sent to it; the end of the pass reads all.
		Read: uint64(positions * (2*(sent+planes) + sent)),
		Peak: uint64(positions * (0.2*sent + 3*planeBytes*k/n)),
		Time: time.Duration(float64(memory) * inTiles),
	}, nil
}

// Fitted to solves of 4×4 to 6×6 in 8 tiles, as are the lines above.
const (
	sentBytes  = 1.7 // of a position
	planeBytes = 0.2 // of a position and pass, on a full board
	inTiles    = 1.4 // times the processor time in memory
)
