package retro

import (
	"strings"
	"testing"
)

// TestPlan compares what is foretold with what is laid out.
func TestPlan(t *testing.T) {
	for _, spec := range append(smallBoards()[:14], diamond(7, 3), diamond(5, 6), star(2, false), star(2, true)) {
		p, err := NewPlan(spec, Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		b, err := newBoard(spec)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLayout(b)
		if err != nil {
			t.Fatal(err)
		}
		planes := uint64(2 * l.gap * l.words * 8)
		if p.Bytes < planes || p.Bytes > planes+planes/10+64<<20 {
			t.Errorf("%s: %d bytes planned, the planes take %d", spec.ID, p.Bytes, planes)
		}
	}
	for id, want := range map[string]string{"big": errTooWide, "many": "placements of"} {
		spec := diamond(8, 1)
		if id == "many" {
			spec = diamond(7, 6)
		}
		if _, err := NewPlan(spec, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", id, err, want)
		}
	}
}
