package halma

import (
	"fmt"
	"slices"
	"strings"
)

// Size describes a game without making its board.
type Size struct {
	ID                   string // id of the game, see [ParseID]
	Cells, Seats, Pieces int    // pieces of each seat
}

// Sizes lists all boards with all camps and numbers of seats. Stars come first, each with full tips
// before fewer pieces, then diamonds, then all boards for one army alone.
func Sizes() (list []Size) {
	for side := 1; side <= 4; side++ {
		cells := 6*side*(side+1) + 1
		add := func(name string, pieces int) {
			for _, seats := range []int{2, 3, 4, 6} {
				list = append(list, Size{fmt.Sprintf("halma-star%d%s-%dp", cells, name, seats), cells, seats, pieces})
			}
		}
		full := side * (side + 1) / 2
		add("", full)
		for _, c := range camps {
			if c.rows() <= side && len(c.cells) < full {
				add("p"+c.name, len(c.cells))
			}
		}
	}
	for n := 2; n <= 11; n++ {
		for _, c := range camps {
			if _, err := diamondCamp(n, c.name); err == nil {
				list = append(list, Size{fmt.Sprintf("halma-%dx%dp%s", n, n, c.name), n * n, 2, len(c.cells)})
			}
		}
	}
	for _, s := range slices.Clone(list) {
		if s.Seats == 2 {
			s.ID, s.Seats = strings.TrimSuffix(s.ID, "-2p")+"-1p", 1
			list = append(list, s)
		}
	}
	return list
}
