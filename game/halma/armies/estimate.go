package armies

import (
	"time"

	"perfectplay/game/halma"
)

// Processor time for one position and for one row at one node, fitted to solves with three, four
// and six armies of one to three pieces. If most positions are drawn, a solve takes half of these
// times.
const (
	positionTime = 30 * time.Nanosecond
	rowTime      = 250 * time.Nanosecond
)

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
	node := float64(b.placements(b.n))*float64(positionTime) + float64(b.placements(b.n-1))*float64(rowTime)
	return time.Duration(float64(nodes) * node), nil
}
