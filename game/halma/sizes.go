package halma

import "fmt"

// Size is what tells a board and its number of seats from others, without the
// board itself.
type Size struct {
	ID                   string // of the game, see [ParseID]
	Cells, Seats, Pieces int    // pieces of each seat
}

// Sizes lists all boards with all numbers of seats: stars first, then diamonds.
func Sizes() (list []Size) {
	for side := 1; side <= 4; side++ {
		pieces := side * (side + 1) / 2
		cells := 6*side*(side+1) + 1
		for _, seats := range []int{2, 3, 4, 6} {
			list = append(list, Size{fmt.Sprintf("halma-star%d-%dp", cells, seats), cells, seats, pieces})
		}
	}
	for n := 2; n <= 11; n++ {
		for _, pieces := range []int{1, 2, 3, 4, 6, 10} {
			if _, err := diamondCamp(n, pieces); err == nil {
				list = append(list, Size{fmt.Sprintf("halma-%dx%dp%d", n, n, pieces), n * n, 2, pieces})
			}
		}
	}
	return list
}
