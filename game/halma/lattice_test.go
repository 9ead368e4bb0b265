package halma

import "testing"

func TestLattice(t *testing.T) {
	for _, c := range []struct {
		name         string
		at           []Point
		turn, mirror bool
	}{
		{"one cell", []Point{{5, -7}}, true, true},
		{"row", []Point{{0, 2}, {1, 1}, {2, 0}}, true, true},
		{"triangle", []Point{{0, 0}, {0, 1}, {1, 0}}, false, true},
		{"slanted", []Point{{0, 0}, {1, 0}, {2, 0}}, true, false},
		{"bent", []Point{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {0, 3}}, false, false},
		{"apart", []Point{{0, 0}, {4, 4}}, true, true},
		{"ring", []Point{{0, 1}, {1, 0}, {-1, 1}, {1, -1}, {-1, 0}, {0, -1}}, true, true},
	} {
		l, err := NewLattice(c.at)
		if err != nil {
			t.Fatal(err)
		}
		if (l.Turn != nil) != c.turn || (l.Mirror != nil) != c.mirror {
			t.Errorf("%s: turn %v mirror %v", c.name, l.Turn, l.Mirror)
		}
		for i, p := range c.at {
			for d, n := range l.Next[i] {
				for j, q := range c.at {
					if near := q == (Point{p.X + stepTo[d].X, p.Y + stepTo[d].Y}); near != (int(n) == j) {
						t.Errorf("%s: cell %d in direction %d leads to %d", c.name, i, d, n)
					}
				}
				if l.Turn != nil && n >= 0 && l.Next[l.Turn[n]][d] != int16(l.Turn[i]) {
					t.Errorf("%s: turned, cells %d and %d are not opposite neighbours", c.name, i, n)
				}
			}
		}
	}
	for _, at := range [][]Point{nil, {{1, 2}, {3, 4}, {1, 2}}, make([]Point, 129)} {
		if _, err := NewLattice(at); err == nil {
			t.Errorf("%d cells make a board", len(at))
		}
	}
}

// TestEmbed shifts every cell of every board by one step in each direction.
func TestEmbed(t *testing.T) {
	oneWord := 0
	for _, g := range variants(t) {
		l := g.board.Lattice()
		e, ok := l.EmbedWord()
		if ok {
			oneWord++
		}
		for i, next := range l.Next {
			for d, n := range next {
				if n >= 0 && int(g.board.fit.Bit[i])+g.board.fit.Shift[d] != int(g.board.fit.Bit[n]) {
					t.Fatalf("%s: cell %d in direction %d", g.ID(), i, d)
				}
				if !ok {
					continue
				}
				for j, bit := range e.Bit {
					if (int(e.Bit[i])+e.Shift[d] == int(bit)) != (int(n) == j) {
						t.Fatalf("%s: in one word cell %d in direction %d leads to %d", g.ID(), i, d, j)
					}
				}
			}
		}
		if ok != (g.board.Cells() <= 49) {
			t.Errorf("%s: fits one word: %v", g.ID(), ok)
		}
	}
	if oneWord == 0 {
		t.Error("no board fits a word")
	}
}
