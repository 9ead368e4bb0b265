package halma_test

import (
	"fmt"
	"testing"

	"perfectplay/game/halma"
)

// TestSeatsAreNotAlike: what one seat can force from the start of a star does not follow from
// what another can. No symmetry of a star that moves a home keeps the seat to move and the order
// of turns.
func TestSeatsAreNotAlike(t *testing.T) {
	for _, size := range []int{13, 37, 73, 121} {
		for _, seats := range []int{2, 3, 4, 6} {
			g, err := halma.ByID(fmt.Sprintf("halma-star%d-%dp", size, seats), "base")
			if err != nil {
				t.Fatal(err)
			}
			b, found := g.Board(), 0
			for _, image := range symmetries(b) {
				found++
				// to[seat] is the seat whose home is the image of seat's home.
				to := make([]int, seats)
				for seat := range to {
					to[seat] = -1
					for other := range to {
						all := true
						for c := range b.Cells() {
							all = all && g.Home(seat).Has(c) == g.Home(other).Has(image[c])
						}
						if all {
							to[seat] = other
						}
					}
				}
				keeps, moves := to[0] == 0, false
				for seat, other := range to {
					keeps = keeps && other >= 0 && to[(seat+1)%seats] == (other+1)%seats
					moves = moves || other != seat
				}
				if keeps && moves {
					t.Errorf("%s: seats go to %v, and the questions about them are the same", g.ID(), to)
				}
			}
			if found != 12 {
				t.Errorf("%s: %d symmetries of the board, want 12", g.ID(), found)
			}
		}
	}
}

// symmetries are the maps of a star to itself, found by trying all ways to exchange its
// directions.
func symmetries(b *halma.Board) (all [][]int) {
	centre := b.Cells() / 2
	var try func(dirs []halma.Dir)
	try = func(dirs []halma.Dir) {
		if len(dirs) < halma.Dirs {
		next:
			for d := range halma.Dir(halma.Dirs) {
				for _, used := range dirs {
					if used == d {
						continue next
					}
				}
				try(append(dirs[:len(dirs):len(dirs)], d))
			}
			return
		}
		image := make([]int, b.Cells())
		for c := range image {
			image[c] = -1
		}
		image[centre] = centre
		for queue := []int{centre}; len(queue) > 0; queue = queue[1:] {
			for d, to := range dirs {
				from, at := b.Next(queue[0], halma.Dir(d)), b.Next(image[queue[0]], to)
				if (from < 0) != (at < 0) || from >= 0 && image[from] >= 0 && image[from] != at {
					return
				}
				if from >= 0 && image[from] < 0 {
					image[from] = at
					queue = append(queue, from)
				}
			}
		}
		all = append(all, image)
	}
	try(nil)
	return all
}
