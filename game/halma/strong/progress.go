package strong

import "math"

// The unit of work is a look at every partial army of a row. If races are decided, a solve takes
// about two units a row, and the share of decided positions measures its progress best. If nearly
// all positions are drawn, a solve takes fewer units, and nobody knows how many positions will be
// decided. Races are decided if pieces may not leave the goal, or if a goal filled by the opponent
// counts, too.
const (
	unitsDecided = 1.9
	unitTerminal = 0.05 // units to find the positions of a row that are over
	// If at least tellingShare of the positions is decided, that share alone measures the progress.
	tellingShare = 0.3
)

// unitsDrawn is the number of units for each row if nearly all positions are drawn.
func unitsDrawn(pieces int) float64 {
	return unitTerminal + 5.2/float64(pieces*pieces*pieces)
}

// workByDecided is the measured share of positions decided after each tenth of the work.
var workByDecided = [...]float64{0, 0.06, 0.14, 0.25, 0.37, 0.53, 0.65, 0.77, 0.88, 0.96, 1}

// share estimates the part of the solve that is done.
func (s *solver) share() float64 {
	units := float64(s.work.Load()) / float64(s.partials) / float64(s.rows)
	if !s.spec.Filled && !s.spec.StayInGoal {
		return unfinished(units / unitsDrawn(s.k))
	}
	decided := min(float64(s.decided.Load())/float64(s.rows*s.cols), 1)
	i := 0
	for i+2 < len(workByDecided) && decided >= workByDecided[i+1] {
		i++
	}
	low, high := workByDecided[i], workByDecided[i+1]
	told := (float64(i) + (decided-low)/(high-low)) / float64(len(workByDecided)-1)
	telling := min(decided/tellingShare, 1)
	return (1-telling)*unfinished(units/unitsDecided) + telling*told
}

// unfinished limits an estimated share: it approaches 1 instead of exceeding it.
func unfinished(x float64) float64 {
	const trusted = 0.7
	if x <= trusted {
		return x
	}
	return 1 - (1-trusted)*math.Exp((trusted-x)/(1-trusted))
}
