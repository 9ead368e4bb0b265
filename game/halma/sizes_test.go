package halma

import "testing"

func TestSizes(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sizes() {
		b, seats, err := ParseID(s.ID)
		if err != nil || b.Cells() != s.Cells || b.Pieces() != s.Pieces || seats != s.Seats || seen[s.ID] {
			t.Errorf("%+v: %v", s, err)
		}
		seen[s.ID] = true
	}
	// 84 stars, those of the 100 diamonds that have room for both camps, and each board for one
	// army
	if len(seen) != 269 {
		t.Errorf("%d sizes", len(seen))
	}
}
