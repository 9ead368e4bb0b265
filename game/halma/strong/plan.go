package strong

import (
	"fmt"
	"runtime"
	"slices"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
	"perfectplay/rank"
)

// Plan is what a solve will take, known beforehand.
type Plan struct {
	Positions uint64 // from the mover's side, mirror images included
	Places    uint64 // positions that are worked on: without mirror images
	Bytes     uint64 // of memory at most
	// Least is the memory needed at least, the table being in files of Disk bytes.
	// Where that is not possible Least is Bytes.
	Least, Disk uint64
}

// NewPlan says what solving a game takes, without doing it. The error is the
// one that [Solve] would give.
func NewPlan(t *halma.TwoArmy, o Options) (Plan, error) {
	e, setWords, err := embed(t)
	if err != nil {
		return Plan{}, err
	}
	n, k, set := t.Cells-len(t.Closed), uint64(t.Pieces), 8*uint64(setWords)
	armies, err := rank.Binomial(n, t.Pieces)
	if err != nil {
		return Plan{}, fmt.Errorf("strong: %s: %w", t.ID, err)
	}
	if armies > maxArmies {
		return Plan{}, tooMany(t, armies)
	}
	placements, err := rank.Placements(n, t.Pieces, t.Pieces)
	if err != nil {
		return Plan{}, fmt.Errorf("strong: %s: %w", t.ID, err)
	}
	p := Plan{Positions: placements, Places: placements}
	partial := armies * k / (uint64(n) - k + 1)
	reps := armies
	if t.Mirror != nil {
		// Positions that are their own mirror images are few.
		p.Places = p.Places/2 + 1
		reps = (armies + symmetricArmies(t)) / 2
	}
	threads := uint64(o.Threads)
	if o.Threads <= 0 {
		threads = uint64(runtime.GOMAXPROCS(0))
	}
	gap := (reps + 63) &^ 63
	words := (gap + armies - reps + 63) / 64
	plane := gap * words * 8
	tables := armies*(2*set+4+4*k) + partial*(set+4*uint64(e.Span)) + words*8*uint64(e.Span)
	worker := partial*(3*set+uint64(setWords)+4) + armies*3*8 + 132*words*8
	p.Disk = 2 * plane
	if o.Distances {
		p.Disk += (3 + 8) * plane // distances are below 256
	}
	if o.Reachable {
		p.Disk += 2 * plane
	}
	p.Least = tables + threads*worker + 16<<20 + leastTouched
	p.Bytes = p.Disk + tables + threads*worker + 16<<20
	if !host.HasScratch || p.Least > p.Bytes {
		p.Least = p.Bytes
	}
	return p, nil
}

// symmetricArmies counts the armies that are their own mirror image.
func symmetricArmies(t *halma.TwoArmy) uint64 {
	pairs, singles := 0, 0
	for c, image := range t.Mirror {
		switch {
		case slices.Contains(t.Closed, c):
		case int(image) == c:
			singles++
		case int(image) > c:
			pairs++
		}
	}
	var sum uint64
	for two := 0; 2*two <= t.Pieces; two++ {
		x, errX := rank.Binomial(pairs, two)
		y, errY := rank.Binomial(singles, t.Pieces-2*two)
		if errX == nil && errY == nil {
			sum += x * y
		}
	}
	return sum
}

// leastTouched is the least part of a table that must be allowed in memory.
const leastTouched = 8 << 20

// maxArmies bounds the placements of one army.
const maxArmies = 1 << 22

func tooMany(t *halma.TwoArmy, armies uint64) error {
	return fmt.Errorf("strong: %s: %d placements of %d pieces: at most %d can be solved", t.ID, armies, t.Pieces, maxArmies)
}
