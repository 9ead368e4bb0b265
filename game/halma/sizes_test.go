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
	if len(seen) != 269 { // 84 stars; of 100 diamonds those with room for both camps; all for one army
		t.Errorf("%d sizes", len(seen))
	}
}
