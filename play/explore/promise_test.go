package explore_test

import (
	"testing"

	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// TestSolvedIsAnswered: a board called solved by proof has a value at the start within the default
// bound of a question, and a board with a longer proof is not called solved.
func TestSolvedIsAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("solves boards for a second each; not with -short")
	}
	t.Parallel()
	service, err := explore.New(explore.Options{Wings: []wing.Wing{mnk.Wing()}})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	for id, solved := range map[string]bool{
		"mnk-7x4k4": true, "mnk-7x7k5": true, "mnk-6x5k4": true, "mnk-8x8k4": true,
		"mnk-9x6k5": false, "mnk-8x4k4": false, "mnk-4x8k4": false, "mnk-9x4k4": false, "mnk-8x8k5": false, "mnk-9x9k5": false, "mnk-15x15k5": false,
	} {
		g, err := service.Game(id, "")
		if err != nil {
			t.Fatal(err)
		}
		if g.Solved != solved {
			t.Errorf("%s: solved is %v", id, g.Solved)
		}
		if !solved && id != "mnk-8x4k4" && id != "mnk-8x8k5" {
			continue // the board is not called solved, and its start stays open
		}
		a, err := service.Ask(t.Context(), explore.Query{Game: id, Position: "start"})
		if err != nil {
			t.Fatal(err)
		}
		if known := a.Value != explore.Open; known != solved {
			t.Errorf("%s: solved is %v, and the start is %v", id, solved, a.Value)
		}
	}
}
