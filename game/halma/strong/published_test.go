package strong

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"perfectplay/game/halma"
)

var long = flag.Bool("long", false, "run tests that take minutes")

// blockaded adds the second kind of illegal position of Sturtevant (ACG 2019):
// the tip of a camp is empty, and the two cells beside it and the two ends of
// the row behind are held by the army at home there. It is for camps of six.
func blockaded(t *halma.TwoArmy) *halma.TwoArmy {
	row := []int{0, 1, 2, 3, 5} // tip first; the diamond is numbered from the tip
	mine := halma.Blockade{Empty: row[0], Held: row[1:], ByMover: true}
	theirs := halma.Blockade{Empty: int(t.Turn[0])}
	for _, c := range row[1:] {
		theirs.Held = append(theirs.Held, int(t.Turn[c]))
	}
	t.Blockades = []halma.Blockade{mine, theirs}
	return t
}

// TestPublished reproduces counts of Sturtevant, "On Strongly Solving Chinese
// Checkers", ACG 2019, Table 1, and for 4×4 with 6 pieces those that the
// smallgames project found by the rules as the paper's text states them.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		n, pieces                       int
		positions, wins, draws, illegal uint64
		long                            bool
	}{
		{7, 1, 4704, 2304, 0, 96, false},
		{7, 2, 2542512, 1265851, 0, 10810, false},
		{4, 6, 3363360, 1436159, 85622, 405420, false},
		{7, 3, 559352640, 279297470, 180860, 576840, true},
	} {
		spec := ruled(diamond(c.n, c.pieces), "fi")
		if c.pieces == 6 {
			blockaded(spec)
		}
		for _, distances := range []bool{false, true} {
			t.Run(fmt.Sprintf("game=%s,distances=%v", spec.ID, distances), func(t *testing.T) {
				if c.long && !*long {
					t.Skip("takes from seconds to minutes: run with -long")
				}
				begin := time.Now()
				s, err := Solve(context.Background(), spec, Options{Distances: distances})
				if err != nil {
					t.Fatal(err)
				}
				positions, wins, draws, illegal := s.Counts().Published()
				if positions != c.positions || wins != c.wins || draws != c.draws || illegal != c.illegal {
					t.Errorf("positions %d wins %d draws %d illegal %d, want %d %d %d %d",
						positions, wins, draws, illegal, c.positions, c.wins, c.draws, c.illegal)
				}
				t.Logf("%d passes, %.2f s", s.Passes, time.Since(begin).Seconds())
			})
		}
	}
}
