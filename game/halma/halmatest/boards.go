// Package halmatest holds boards for tests of Chinese Checkers, described by coordinates,
// without the rules that they are compared with.
package halmatest

import (
	"fmt"
	"slices"

	"perfectplay/game/halma"
)

// Lattice describes a race of two armies on any set of cells that half a turn maps to itself. The
// race has a mirror if the mirror keeps the home camp.
func Lattice(id string, cells []halma.Point, home []int) *halma.TwoArmy {
	l, err := halma.NewLattice(cells)
	if err != nil {
		panic("halmatest: " + err.Error())
	}
	t := &halma.TwoArmy{ID: id, Rules: "test", Cells: len(cells), Pieces: len(home), Lattice: l, Home: home}
	for _, c := range home {
		t.Goal = append(t.Goal, int(l.Turn[c]))
		if t.Mirror != nil && !slices.Contains(home, int(l.Mirror[c])) {
			t.Mirror = nil
		}
	}
	return t
}

// Diamond is the rhombus of n×n cells, numbered by diagonals from the home corner, with the
// usual camps.
func Diamond(n, pieces int) *halma.TwoArmy {
	var cells []halma.Point
	for k := range 2*n - 1 {
		for x := range n {
			if y := k - x; y >= 0 && y < n {
				cells = append(cells, halma.Point{X: x, Y: y})
			}
		}
	}
	home := First(pieces)
	if pieces == 4 {
		home[3] = 4 // the fourth piece stands in the middle of the third row
	}
	return Lattice(fmt.Sprintf("%dx%dp%d", n, n, pieces), cells, home)
}

// Askew is the diamond of n×n cells with camps of five cells. The last diagonal of a camp lacks its
// first or last cell, so a hop along this diagonal leads out of the camp or into it.
func Askew(n int, last bool) *halma.TwoArmy {
	t := Diamond(n, 6)
	not := 3
	if last {
		not = 5
	}
	t.ID = fmt.Sprintf("%dx%dp5", n, n)
	t.Pieces, t.Mirror = 5, nil
	t.Home = slices.DeleteFunc(t.Home, func(c int) bool { return c == not })
	t.Goal = slices.DeleteFunc(t.Goal, func(c int) bool { return c == int(t.Turn[not]) })
	return t
}

// Star is the six-pointed star of side n, numbered by rows from the home tip. closed says
// whether the four tips without camps are closed.
func Star(n int, closed bool) *halma.TwoArmy {
	var cells []halma.Point
	var tips []int
	for k := -2 * n; k <= 2*n; k++ { // the rows, by X+Y
		for x := -2 * n; x <= 2*n; x++ {
			y := k - x
			up := x >= -n && y >= -n && k <= n
			down := x <= n && y <= n && k >= -n
			if !up && !down {
				continue
			}
			if k >= -n && k <= n && !(up && down) {
				tips = append(tips, len(cells))
			}
			cells = append(cells, halma.Point{X: x, Y: y})
		}
	}
	t := Lattice(fmt.Sprintf("star%d", len(cells)), cells, First(n*(n+1)/2))
	if closed {
		t.Closed = tips
	}
	return t
}

// First returns the first n cells.
func First(n int) []int {
	cells := make([]int, n)
	for i := range cells {
		cells[i] = i
	}
	return cells
}

// Games are small games for two, by id and rule set, that tests of the solvers solve completely.
func Games() []struct{ ID, Rules string } {
	return []struct{ ID, Rules string }{
		{"halma-star13-2p", "base"}, {"halma-star13-2p", "house"}, {"halma-star13-2p", "house-code"}, {"halma-star13-2p", "liou"},
		{"halma-star13-2p", "house-loose"}, {"halma-star13-2p", "house-readme"}, {"halma-star13-2p", "filled+stay-out+tips-closed+home-transit"},
		{"halma-3x3p1", "sturtevant"}, {"halma-3x3p2", "sturtevant"}, {"halma-3x3p3", "gamesman"}, {"halma-3x3p3", "sturtevant"},
		{"halma-4x4p2", "filled+stay-out"}, {"halma-4x4p3", "gamesman-2026"}, {"halma-4x4p3", "filled+stay-in-goal+goal-transit"}, {"halma-4x4p3", "sturtevant"}, {"halma-4x4p4", "sturtevant"}, {"halma-4x4p4", "stay-in-goal"},
		{"halma-4x4p6", "sturtevant"}, {"halma-4x4p6", "sturtevant-2019-run"}, {"halma-4x4p6", "gamesman"}, {"halma-5x5p3", "gamesman"},
		{"halma-star37-2p", "base"}, {"halma-star37-2p", "house"}, {"halma-star37-2p", "house-code"}, {"halma-star37-2p", "liou"},
		{"halma-star37-2p", "house-loose"},
	}
}

// Race is a game of two seats by id and rules, and its two armies.
func Race(id, rules string) (*halma.Game, *halma.TwoArmy) {
	g, err := halma.ByID(id, rules)
	if err != nil {
		panic("halmatest: " + err.Error())
	}
	armies, err := g.TwoArmy()
	if err != nil {
		panic("halmatest: " + err.Error())
	}
	return g, armies
}
