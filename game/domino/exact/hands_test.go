package exact

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/lab/study2025"
)

var allHands = flag.Bool("hands", false, "compare all eleven published hands, not only two")

// TestPublishedHands compares printed figures to the last digit.
func TestPublishedHands(t *testing.T) {
	for i, r := range study2025.Hands() {
		// By default the test solves only the second hand, the cheapest.
		if !*allHands && i != 1 {
			continue
		}
		h, err := Study(context.Background(), r.Tiles(), 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if h.Games != Opponents || h.NoGame != 0 {
			t.Errorf("%v: %d deals", r.Hand, h.Games)
		}
		got := fmt.Sprintf("%.2f %.2f %.2f", h.MeanLines, h.WinPercent, h.BlockedPercent)
		if want := r.MeanLeaves + " " + r.Win + " " + r.Blocked; got != want {
			t.Errorf("table %s, %v: got %s, want %s", r.Table, r.Hand, got, want)
		}
	}
}

func TestStudyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Study(ctx, domino.UnrankHand(0), 1, nil); err == nil {
		t.Error("no error")
	}
}
