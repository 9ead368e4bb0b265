package halma_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
)

// TestPath: the path of every legal move leads from its first cell to its last, by one step, or
// by hops, each over a piece into the empty hole straight behind it.
func TestPath(t *testing.T) {
	for _, c := range [][2]string{
		{"halma-star37-2p", "house"}, {"halma-star37-3p", "house-loose"}, {"halma-star121-6p", "liou"}, {"halma-5x5p6", "sturtevant"}, {"halma-star73-4p", "base"},
	} {
		g, err := halma.ByID(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		b, r, s := g.Board(), rand.New(rand.NewPCG(5, 6)), g.Start()
		hops := 0
		for range 200 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				s = g.Start()
				continue
			}
			for _, m := range moves {
				path := g.Path(s, m)
				if m == game.Pass {
					if path != nil {
						t.Fatalf("%s %s: a pass touches %v", c[0], s, path)
					}
					continue
				}
				from, to := halma.Cells(m)
				if len(path) < 2 || path[0] != from || path[len(path)-1] != to {
					t.Fatalf("%s %s: %s by %v", c[0], s, s.MoveString(m), path)
				}
				if len(path) == 2 && slices.Contains(b.Lattice().Next[from][:], int16(to)) {
					continue
				}
				hops = max(hops, len(path)-1)
				taken := func(cell int) bool {
					for seat := range g.Seats() {
						if s.(interface{ Pieces(int) bitboard.Set128 }).Pieces(seat).Has(cell) && cell != from {
							return true
						}
					}
					return false
				}
				for i := 1; i < len(path); i++ {
					jump := false
					for d := range halma.Dir(halma.Dirs) {
						over := b.Next(path[i-1], d)
						jump = jump || over >= 0 && taken(over) && b.Next(over, d) == path[i]
					}
					if !jump || taken(path[i]) {
						t.Fatalf("%s %s: %s: %v is no hop", c[0], s, s.MoveString(m), path[i-1:i+1])
					}
				}
			}
			s.Make(moves[r.IntN(len(moves))])
		}
		if hops < 2 {
			t.Errorf("%s: no chain of hops came up", c[0])
		}
	}
}
