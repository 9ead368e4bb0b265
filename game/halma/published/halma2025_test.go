package published

import "testing"

// TestHalma2025 checks the shape of the data: every table from 3.1 to 3.76 is
// there, openings count up within a game, and every erratum quotes a figure
// that is really printed.
func TestHalma2025(t *testing.T) {
	rows, err := Halma2025()
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]bool{}
	for i, r := range rows {
		tables[r.Table] = true
		if r.Opening != 1 && (rows[i-1].Opening != r.Opening-1 || rows[i-1].Model != r.Model) {
			t.Errorf("table %s: opening %d does not follow %d", r.Table, r.Opening, rows[i-1].Opening)
		}
		if r.HasTable != (r.Model != "Base") {
			t.Errorf("table %s: HasTable = %v for model %s", r.Table, r.HasTable, r.Model)
		}
	}
	if len(tables) != 76 {
		t.Errorf("%d tables, want 76", len(tables))
	}
	errata, err := Halma2025Errata()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range errata {
		found := false
		for _, r := range rows {
			if r.Table != e.Table || e.Opening != 0 && r.Opening != e.Opening {
				continue
			}
			found = true
			var printed uint64
			switch e.Column {
			case "turn_limit":
				printed = uint64(r.Limit)
			case "nodes":
				printed = r.Nodes
			case "cutoffs":
				printed = r.Cutoffs
			default:
				t.Fatalf("erratum for unknown column %q", e.Column)
			}
			if printed != e.Printed {
				t.Errorf("table %s opening %d: %s is printed as %d, erratum quotes %d", r.Table, r.Opening, e.Column, printed, e.Printed)
			}
		}
		if !found {
			t.Errorf("erratum for table %s opening %d matches no row", e.Table, e.Opening)
		}
	}
}

func FuzzFields(f *testing.F) {
	f.Add("12")
	f.Add("-1")
	f.Fuzz(func(t *testing.T, s string) {
		var p fields
		if n := p.uint(s); p.err != nil && n != 0 && n != 1<<64-1 {
			t.Fatalf("uint(%q) = %d with error %v", s, n, p.err)
		}
	})
}
