package halma

import (
	"slices"
	"strings"
	"testing"

	"perfectplay/internal/cli"
	"perfectplay/lab/thesis2025"
)

// FuzzRows: any --only selects published rows in their order, or is a usage error.
func FuzzRows(f *testing.F) {
	for _, list := range []string{"", "3.1", "3.1-3.4", "3.14/6", "3.1,3.3/1, 3.70", "3.1,3.1/2", "3", "3.1/", "-", "9223372036854775807.1"} {
		f.Add(list)
	}
	all := thesis2025.Published()
	f.Fuzz(func(t *testing.T, list string) {
		var items []string
		if list != "" {
			items = strings.Split(list, ",")
		}
		rows, err := selectRows(all, items)
		if err != nil {
			if cli.Code(err) != cli.ExitUsage {
				t.Fatalf("%q: %v", list, err)
			}
			return
		}
		from := 0
		for _, r := range rows {
			i := slices.IndexFunc(all[from:], func(p thesis2025.PublishedRow) bool { return p.Table == r.Table && p.Opening == r.Opening })
			if i < 0 {
				t.Fatalf("%q: row %s/%d is not in its place", list, r.Table, r.Opening)
			}
			from += i + 1
		}
		if len(rows) == 0 {
			t.Fatalf("%q chooses nothing and is no fault", list)
		}
	})
}
