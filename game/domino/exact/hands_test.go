package exact

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"testing"

	"perfectplay/game/domino"
)

var allHands = flag.Bool("hands", false, "compare all eleven published hands, not only two")

// TestPublishedHands compares printed figures to the last digit.
func TestPublishedHands(t *testing.T) {
	f, err := os.Open("../testdata/domino_hands_2025.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 12 {
		t.Fatalf("%d rows, want a header and eleven hands", len(rows))
	}
	for i, r := range rows[1:] {
		// By default the second, the cheapest by far: a mixed hand.
		if !*allHands && i != 1 {
			continue
		}
		hand, err := domino.ParseHand(r[1])
		if err != nil {
			t.Fatal(err)
		}
		h, err := Study(context.Background(), hand, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if h.Deals != 116280 || h.NoDeal != 0 {
			t.Errorf("%s: %d deals", r[1], h.Deals)
		}
		got := fmt.Sprintf("%.2f %.2f %.2f", h.MeanLeaves(), h.WinPercent(), h.BlockedPercent())
		if want := r[4] + " " + r[5] + " " + r[6]; got != want {
			t.Errorf("table %s, %s: got %s, want %s", r[0], r[1], got, want)
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
