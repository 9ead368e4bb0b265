package mnk

import "testing"

// FuzzParse reads any text as a position of boards of each representation: an accepted text
// prints back as an equal position, and the plain form agrees.
func FuzzParse(f *testing.F) {
	boards := []*Game{mustGame(f, 3, 4, 3), mustGame(f, 8, 8, 5), mustGame(f, 9, 8, 5), mustGame(f, 12, 11, 4), mustGame(f, 1, 70, 3)}
	for _, text := range []string{"4.4.4", "4.1xo1.4", "xxx1.oo2.4", "8.8.8.3xo3.8.8.8.8", "8.8.8.8.8.8.8.8.8", "11.11.11.11.11.11.5x5.11.11.11.11.11", "70", "xo68", "xox67",
		"x12.4.4", "04.4.4", "4.4.y3", "xx2.4.4", "xxx1.ooo1.4", "", ".", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range boards {
			s, err := g.Parse(text)
			p, errPlain := g.Plain().Parse(text)
			if (err == nil) != (errPlain == nil) {
				t.Fatalf("%s %q: %v, plain %v", g.ID(), text, err, errPlain)
			}
			if err != nil {
				continue
			}
			again, err := g.Parse(s.String())
			if err != nil || again.String() != s.String() || again.Result() != s.Result() || again.Seat() != s.Seat() {
				t.Fatalf("%s %q prints %s, which reads as %v: %v", g.ID(), text, s, again, err)
			}
			if s.String() != p.String() || s.Result() != p.Result() || len(s.Moves(nil)) != len(p.Moves(nil)) {
				t.Fatalf("%s %q: %s result %d, plain %s result %d", g.ID(), text, s, s.Result(), p, p.Result())
			}
			for _, m := range s.Moves(nil) {
				if back, err := s.ParseMove(s.MoveString(m)); err != nil || back != m {
					t.Fatalf("%s %q: move %d is %s and back %d: %v", g.ID(), text, m, s.MoveString(m), back, err)
				}
			}
		}
	})
}

// FuzzByID reads any text as an id: an accepted id prints back the same.
func FuzzByID(f *testing.F) {
	for _, id := range []string{"mnk-3x3k3", "mnk-70x70k10", "mnk-1x1k1", "mnk-", "mnk-03x3k3", "mnk-3x3k3x", "mnk-71x3k3", "mnk-3x3k+3", "halma"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if g, err := ByID(id); err == nil && g.ID() != id {
			t.Fatalf("%q is %s", id, g.ID())
		}
	})
}
