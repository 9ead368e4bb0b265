package app

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"perfectplay/app/family"
	"perfectplay/game/gametest/stranger"
)

// TestStrangerContradicts: probe and analyse search a game that the solver of all positions
// refuses, and name its contradiction on standard error.
func TestStrangerContradicts(t *testing.T) {
	alike := stranger.Heap{Name: "alike", Stones: 21, Most: 3, Keys: true, KeyOf: func(left int) uint64 { return uint64(left / 2) }}
	list, err := withDefaults([]family.Family{{Wing: stranger.Wing(alike)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"probe heap-alike start", "analyse heap-alike --limit 3"} {
		root := newRoot(newApp(list...))
		var complaints bytes.Buffer
		root.SetArgs(strings.Fields(command))
		root.SetOut(io.Discard)
		root.SetErr(&complaints)
		if err := root.ExecuteContext(t.Context()); err != nil || !strings.Contains(complaints.String(), "so a search answers: retro: heap-alike: positions ") {
			t.Errorf("%s: %v, %q", command, err, complaints.String())
		}
	}
}
