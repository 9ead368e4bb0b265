package strong

import (
	"fmt"
	"math"
	"time"

	"perfectplay/game/halma"
)

// solveTime is the processor time of a solve in memory for one position, one piece of an army and
// one word of cells. It is 0.9 to 1.4 times the time measured on boards of 4×4 to 11×11 where races
// are decided. If a single piece that stays at home keeps the other army from winning, most
// positions are draws, and the time is drawnShare times as long.
const (
	solveTime  = 13 * time.Nanosecond
	drawnShare = 0.09
)

// Work is the size of a solve of values in tiles, and its cost.
type Work struct {
	Cells, Pieces     int           // cells where pieces may stand, and pieces of an army
	Positions, Places uint64        // positions from the mover's side, and places in the table
	Tables            uint64        // bytes of memory that a task needs beside its tile
	Time              time.Duration // processor time of a solve in memory
}

// NewWork returns the work on a game. The error says why the game cannot be solved.
func NewWork(t *halma.TwoArmy) (Work, error) {
	p, err := newPlan(t, Options{Threads: 1, Work: "."})
	return p.work(t), err
}

func (p plan) work(t *halma.TwoArmy) Work {
	took := float64(p.Positions) * float64(t.Pieces*p.words) * float64(solveTime)
	if !t.Filled && t.Pieces > 1 {
		took *= drawnShare
	}
	return Work{t.Cells - len(t.Closed), t.Pieces, p.Positions, p.Places, p.tables, time.Duration(took)}
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
	Memory  uint64        // memory of a task of one thread, in bytes
	Read    uint64        // bytes read in all passes
	Written uint64        // bytes written in all passes
	Peak    uint64        // most bytes of files at any time
	Time    time.Duration // processor time
}

// Plan forecasts the work in the given number of tiles, at least one.
func (w Work) Plan(tiles int) TilesPlan {
	k, n := float64(w.Pieces), float64(w.Cells)
	// A race takes three passes more for each piece and row of the board.
	passes := max(1, 3*k*(math.Sqrt(n)-3)+12)
	positions := float64(w.Positions)
	// Messages between tiles are written once, planes in every pass.
	sent := sentBytes * (1 - 1/float64(tiles))
	planes := planeBytes * k / n * passes
	return TilesPlan{
		Tiles: tiles, Passes: int(passes + 0.5),
		Memory:  w.Tables + tileBytes(w.Places, false)/uint64(tiles),
		Written: uint64(positions * (sent + planes)),
		// A task reads its tile, the messages in the tile's file, and the messages to the tile.
		Read: uint64(positions * (2*sent + planes)),
		Peak: uint64(positions * (0.2*sent + 3*planeBytes*k/n)),
		Time: time.Duration(float64(w.Time)*inTiles + passes*float64(w.Places)*placeTime),
	}
}

// These constants are fitted to solves of boards of 4×4 to 7×7 in 8 tiles.
const (
	sentBytes  = 1.7 // bytes of messages for each position
	planeBytes = 0.2 // bytes of planes for each position and pass, on a full board
	inTiles    = 1.4 // processor time over that of a solve in memory, without file access
)
