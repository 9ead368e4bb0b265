package published

import "testing"

// TestDiamond2019 checks what holds within each row: a position is won by one
// of the two, drawn or illegal.
func TestDiamond2019(t *testing.T) {
	rows, err := Diamond2019()
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
