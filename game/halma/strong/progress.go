package strong

import "math"

// Progress is how far a solve has come.
type Progress struct {
	Pass    int     // from 1; with distances the number of plies under way
	Share   float64 // of the whole solve, 0…1, estimated: it never goes back
	Decided uint64  // positions decided, mirror images once
}

// Work is counted in visits of rows: one unit is a look at every partial army of a row.
// Where races are decided a solve takes about two units a row, and how much of it is done is
// told best by the share of the positions that are decided. Where nearly all are drawn it
// takes less, the less the more pieces there are, and how many will be decided is not known
// before the end. Which of the two a game is, its rules say: races are decided if pieces may
// not leave the goal, or if the goal counts when the opponent fills it, too.
const (
	unitsDecided = 1.9
	unitTerminal = 0.05 // to look for positions that are over in a row
	// tellingShare is the share of positions decided from which on it is believed.
	tellingShare = 0.3
)

// unitsDrawn is how many units a row takes where nearly all positions are drawn,
// fitted to solves with 2 to 6 pieces.
func unitsDrawn(pieces int) float64 {
	return unitTerminal + 5.2/float64(pieces*pieces*pieces)
}

// workByDecided says what share of the positions is decided when a tenth of the
// work, two tenths and so on are done, on boards of 4×4 to 7×7 and the star of 37
// holes.
var workByDecided = [...]float64{0, 0.06, 0.14, 0.25, 0.37, 0.53, 0.65, 0.77, 0.88, 0.96, 1}

// share estimates what part of the solve is done.
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

// unfinished is a share that may come out above 1, since what it is a share of is an
// estimate: it approaches 1 instead.
func unfinished(x float64) float64 {
	const trusted = 0.7
	if x <= trusted {
		return x
	}
	return 1 - (1-trusted)*math.Exp((trusted-x)/(1-trusted))
}
