package armies

import (
	"time"

	"perfectplay/game/halma"
)

// solveTime is the processor time of a position of one node, for each word of cells: 0.5 to 2 times
// that measured with three, four and six armies of one to three pieces.
const solveTime = 30 * time.Nanosecond

// Estimate returns the processor time of a solve, all threads together.
func Estimate(t *halma.Armies, o Options) (time.Duration, error) {
	b, err := newBoard(t)
	if err != nil {
		return 0, err
	}
	nodes := 0
	for _, q := range b.questions(o.Named) {
		nodes += len(b.orbit(q))
	}
	return time.Duration(float64(b.placements()) * float64(nodes*b.words) * float64(solveTime)), nil
}
