package strong

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"perfectplay/game/halma"
)

var long = flag.Bool("long", false, "run tests that take minutes")

// blockaded adds the second kind of illegal position of Sturtevant (ACG 2019), for camps of six:
// the tip of a camp is empty, and the army at home holds the two cells beside it and the two ends
// of the row behind.
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

// TestPublishedRows checks that the printed counts of each row add up.
func TestPublishedRows(t *testing.T) {
	rows, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 10 {
		t.Errorf("%d rows, want 10", len(rows))
	}
	for _, r := range rows {
		if got := 2*r.Wins + r.Draws + r.Illegal; got != r.Positions {
			t.Errorf("%s (%s): the counts add up to %d, not to %d", r.Game(), r.Source, got, r.Positions)
		}
	}
}

// TestPublished reproduces the printed counts of boards that are solved in seconds, except the
// counts of 2019 for 6 pieces: see TestRun2019.
func TestPublished(t *testing.T) {
	rows, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Positions > 1e9 || row.Pieces == 6 && strings.HasPrefix(row.Source, "Sturtevant") {
			continue
		}
		spec := ruled(diamond(int(row.Board[0]-'0'), row.Pieces), "fi")
		if row.Pieces == 6 {
			blockaded(spec)
		}
		for _, distances := range []bool{false, true} {
			t.Run(fmt.Sprintf("game=%s,distances=%v", spec.ID, distances), func(t *testing.T) {
				if row.Positions > 1e7 && !*long {
					t.Skip("takes from seconds to minutes: run with -long")
				}
				begin := time.Now()
				s, err := Solve(context.Background(), spec, Options{Distances: distances})
				if err != nil {
					t.Fatal(err)
				}
				positions, wins, draws, illegal := s.Counts().Published()
				if positions != row.Positions || wins != row.Wins || draws != row.Draws || illegal != row.Illegal {
					t.Errorf("positions %d wins %d draws %d illegal %d, want %d %d %d %d",
						positions, wins, draws, illegal, row.Positions, row.Wins, row.Draws, row.Illegal)
				}
				t.Logf("%d passes, %.2f s", s.Passes, time.Since(begin).Seconds())
			})
		}
	}
}
