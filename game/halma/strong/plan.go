package strong

import (
	"fmt"
	"math/bits"
	"runtime"

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
	b, err := newBoard(t)
	if err != nil {
		return Plan{}, err
	}
	n, k := bits.OnesCount64(b.open), uint64(t.Pieces)
	placements, err := rank.NewArmies(n, t.Pieces, t.Pieces)
	if err != nil {
		return Plan{}, fmt.Errorf("strong: %s: %w", t.ID, err)
	}
	p := Plan{Positions: placements.Size(), Places: placements.Size()}
	armies, err := rank.Binomial(n, t.Pieces)
	if err != nil {
		return Plan{}, fmt.Errorf("strong: %s: %w", t.ID, err)
	}
	partial := armies * k / (uint64(n) - k + 1)
	if armies > maxArmies {
		return Plan{}, tooMany(t, armies)
	}
	reps := armies
	if t.Mirror != nil {
		// Positions that are their own mirror images are few.
		p.Places = p.Places/2 + 1
		reps = (armies + b.symmetricArmies()) / 2
	}
	threads := uint64(o.Threads)
	if o.Threads <= 0 {
		threads = uint64(runtime.GOMAXPROCS(0))
	}
	gap := (reps + 63) &^ 63
	words := (gap + armies - reps + 63) / 64
	plane := gap * words * 8
	tables := armies*(8+8+4+4*k) + partial*(8+4*uint64(b.span))
	worker := partial*(3*8+2*4) + armies*(3*8+4) + 130*words*8
	p.Disk = 2 * plane
	if o.Distances {
		p.Disk += 3*plane + 64*gap*words
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
func (b *board) symmetricArmies() uint64 {
	pairs, singles := 0, 0
	for x := b.open; x != 0; x &= x - 1 {
		switch bit := bits.TrailingZeros64(x); {
		case int(b.mirror[bit]) == bit:
			singles++
		case int(b.mirror[bit]) > bit:
			pairs++
		}
	}
	var sum uint64
	for two := 0; 2*two <= b.spec.Pieces; two++ {
		x, errX := rank.Binomial(pairs, two)
		y, errY := rank.Binomial(singles, b.spec.Pieces-2*two)
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
