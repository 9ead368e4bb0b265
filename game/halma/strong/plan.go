package strong

import (
	"fmt"

	"perfectplay/game/halma"
	"perfectplay/rank"
	"perfectplay/solve/frame"
)

// plan forecasts a solve. InFiles is for a solve in files, tile by tile.
type plan struct {
	frame.Plan
	plane  uint64 // bytes of a plane with one bit for each place
	tables uint64 // bytes beside the table
	words  int    // machine words that hold the cells of the board
}

// Program is the memory of the program itself in every plan. Several solves in one process take it
// once.
const Program = 24 << 20

// slack is memory for the program and for garbage.
const slack = Program + 12<<20

// NewPlan forecasts a solve of a game. The error is the one that [Solve] would return. Most
// positions share a place with their mirror images.
func NewPlan(t *halma.TwoArmy, o Options) (Plan, error) {
	p, err := newPlan(t, o)
	return p.Plan, err
}

func newPlan(t *halma.TwoArmy, o Options) (p plan, err error) {
	p.Steps = 1
	e, setWords, err := embed(t)
	if err != nil {
		return p, err
	}
	armies, rows, err := rowsOf(t)
	if err != nil {
		return p, err
	}
	p.words = setWords
	cells, k, set := t.Cells-len(t.Closed), uint64(t.Pieces), 8*uint64(setWords)
	if p.Positions, err = rank.Placements(cells, t.Pieces, t.Pieces); err != nil {
		return p, fmt.Errorf("strong: %s: %w", t.ID, err)
	}
	cols, among := p.Positions/armies, uint64(cells)-k
	square := isSquare(setWords, cells, t.Pieces, valuesAlone(o))
	if square {
		cols, among = squareColumns(rows, armies), uint64(cells)
	}
	p.Places = rows * cols
	left := among - k + 1 // number of cells that the other pieces leave to the piece in the hand
	partial := cols * k / left
	hand := left
	if square {
		hand = uint64(e.Span)
	}
	p.plane = rows * ((cols + 63) / 64) * 8
	has := among * (cols + partial) / 8
	p.tables = armies*8 + rows*(set+4+4+1) + cols*(set+4*k) + partial*(set+4*hand) + has
	worker := partial*(3*set+4+4) + cols*(4+4+1) + has
	planes := uint64(3)
	switch {
	case o.Distances:
		planes = 5 + 8 // a byte for a distance
	case o.Work != "":
		planes = 4
	case square: // no plane of known positions: see block
		planes = 2
		worker += 8 * cols
	}
	p.tables += uint64(o.Workers())*worker + slack
	if o.Reachable {
		planes += 2
	}
	p.Bytes = p.tables + planes*p.plane
	if o.Work != "" {
		p.Bytes += tileBytes(min(p.Places, savedPlaces), o.Distances)
	}
	p.Least = p.Bytes
	w := p.work(t)
	p.InFiles = w.Least()
	p.Disk = w.Plan(1).Peak
	if square && valuesAlone(o) { // files have the layout of a solve in a directory
		o.Work = "."
		q, err := NewPlan(t, o)
		p.InFiles, p.Disk = q.InFiles, q.Disk
		return p, err
	}
	if o.Distances {
		p.Disk += p.Places
	}
	return p, nil
}
