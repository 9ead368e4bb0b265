package strong

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
)

// Estimate returns the processor time of a solve, all threads together. For few positions, or too
// many armies to sample, it multiplies the positions by a mean time. Otherwise it works on a sample
// of rows, filled as in a race won by the player with fewer steps to go. If a single piece that
// stays at home keeps the other army from winning, most positions are draws and take drawnShare.
func Estimate(ctx context.Context, t *halma.TwoArmy) (time.Duration, error) {
	p, err := NewPlan(t, Options{Threads: 1})
	if err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	share := 1.0
	if !t.Filled && t.Pieces > 1 {
		share = drawnShare
	}
	if armies, _, err := rowsOf(t); err != nil || p.Positions <= fewPositions || armies > mostSampledArmies {
		return time.Duration(share * positionTime * float64(p.Positions)), err
	}
	l, err := newLayout(t, false)
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h := l.kernel.newHand()
	r := h.scratch()
	r.known = r.spare
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
		h.lead(at, lead)
		most := max(1, slices.Max(lead), -slices.Min(lead))
		clear(r.win)
		clear(r.known)
		h.overBefore(at, r.known)
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
			h.propagate(at)
			spent += host.ThreadTime() - start
		}
		rows++
	}
	return time.Duration(share * float64(spent) / float64(rows) * float64(l.rows) * (1 + entering)), nil
}

const (
	// Solves of fewPositions take a moment, and numbering mostSampledArmies takes seconds.
	// positionTime, in nanoseconds, is a mean over boards of 4×4 to 6×6 and the star of 37.
	fewPositions      = 1 << 22
	mostSampledArmies = 1 << 20
	positionTime      = 70

	sampledRows  = 256
	sampleTime   = 200 * time.Millisecond
	golden       = 0.6180339887498949
	visitsPerRow = 14
	// entering is the time for entering results, as a share of the sample's time.
	entering = 0.4
	// drawnShare is the time of a game of draws as a share of its sample's: 0.05 to 0.13 under
	// base and gamesman, on boards of 25 to 121 cells with two to six pieces.
	drawnShare = 0.09
)

// Work is the size of a solve of values in tiles. Games that this package does not solve have one,
// too.
type Work struct {
	Cells, Pieces     int    // cells where pieces may stand, and pieces of an army
	Questions         int    // answered one after the other: 1 for two seats
	Seats             int    // more than two are solved ply by ply
	Positions, Places uint64 // positions from the mover's side, and places in the table
	Tables            uint64 // bytes of memory that a task needs beside its tile
	Time              time.Duration
}

// NewWork returns the work on a game whose solve in memory takes the given processor time.
func NewWork(t *halma.TwoArmy, whole time.Duration) (Work, error) {
	p, err := newPlan(t, Options{Threads: 1, Work: "."})
	w := p.work(t)
	w.Time = whole
	return w, err
}

func (p plan) work(t *halma.TwoArmy) Work {
	return Work{Cells: t.Cells - len(t.Closed), Pieces: t.Pieces, Questions: 1, Seats: 2, Positions: p.Positions, Places: p.Places, Tables: p.tables}
}

// Least is the least memory of a task, in bytes.
func (w Work) Least() uint64 { return w.Tables + max(w.Tables-min(w.Tables, slack), leastTile)/4 }

const leastTile = 4 << 20

// Tiles returns the number of tiles for the given threads and memory, or an error if the memory is
// too little.
func (w Work) Tiles(threads int, memory uint64, distances bool) (tiles int, err error) {
	least := w.Least()
	if memory < least {
		return 0, fmt.Errorf("%d bytes of memory: at least %d are needed, by --mem", memory, least)
	}
	room := (memory - w.Tables) / uint64(threads) * 3 / 4
	return int(tileBytes(w.Places, distances)/room) + 1, nil
}

// tileBytes is the memory of places in tiles: four bits each, and a byte for a distance.
func tileBytes(places uint64, distances bool) uint64 {
	if distances {
		return places * 3 / 2
	}
	return places / 2
}

// TilesPlan forecasts a solve of values in tiles, over all machines together.
type TilesPlan struct {
	Tiles   int
	Passes  int
	Memory  uint64        // of a task of one thread, in bytes
	Read    uint64        // bytes, in all passes
	Written uint64        // bytes, in all passes
	Peak    uint64        // bytes of files at once
	Time    time.Duration // processor time
}

// Plan forecasts the work in the given number of tiles, at least one.
func (w Work) Plan(tiles int) TilesPlan {
	k, n := float64(w.Pieces), float64(w.Cells)
	// A race takes three passes more for each piece and row of the board.
	passes := max(1, 3*k*(math.Sqrt(n)-3)+12)
	if w.Seats > 2 {
		passes *= plyByPly
	}
	positions, questions := float64(w.Positions), float64(w.Questions)
	// Messages between tiles are written once, planes in every pass.
	sent := sentBytes * (1 - 1/float64(tiles))
	planes := planeBytes * k / n * passes
	return TilesPlan{
		Tiles: tiles, Passes: int(questions*passes + 0.5),
		Memory:  w.Tables + tileBytes(w.Places, false)/uint64(tiles),
		Written: uint64(questions * positions * (sent + planes)),
		// A task reads its tile, the messages in the tile's file, and the messages to it.
		Read: uint64(questions * positions * (2*sent + planes)),
		Peak: uint64(positions * (0.2*sent + 3*planeBytes*k/n)),
		Time: time.Duration(float64(w.Time)*inTiles + questions*passes*float64(w.Places)*placeTime),
	}
}

// These are fitted to solves of 4×4 to 7×7 in 8 tiles.
const (
	sentBytes  = 1.7 // for each position
	planeBytes = 0.2 // for each position and pass, on a full board
	inTiles    = 1.4 // processor time as a multiple of that in memory, without reading and writing
	// plyByPly is the factor by which a question of three seats takes more passes, measured on
	// the star of 37 holes.
	plyByPly = 1.2
)
