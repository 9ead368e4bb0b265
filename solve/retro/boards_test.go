package retro

import (
	"fmt"
	"slices"

	"perfectplay/game"
)

// Boards for tests are built here from coordinates, without the rules packages.

type point struct{ x, y int }

// lattice makes a description from cells in slanted coordinates.
func lattice(id string, cells []point, turn, mirror func(point) point, home []point) *game.TwoArmy {
	number := map[point]int{}
	for i, p := range cells {
		number[p] = i
	}
	t := &game.TwoArmy{ID: id, Rules: "test", Cells: len(cells), Pieces: len(home)}
	for _, p := range cells {
		var next [6]int16
		for d, o := range []point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}} {
			next[d] = -1
			if n, ok := number[point{p.x + o.x, p.y + o.y}]; ok {
				next[d] = int16(n)
			}
		}
		t.Next = append(t.Next, next)
		t.Turn = append(t.Turn, uint8(number[turn(p)]))
		t.Mirror = append(t.Mirror, uint8(number[mirror(p)]))
	}
	for _, p := range home {
		t.Home = append(t.Home, number[p])
		t.Goal = append(t.Goal, number[turn(p)])
	}
	for _, c := range t.Home {
		if !slices.Contains(t.Home, int(t.Mirror[c])) {
			t.Mirror = nil
			break
		}
	}
	return t
}

// diamond is the rhombus of n×n cells with the usual camps.
func diamond(n, pieces int) *game.TwoArmy {
	var cells []point
	for k := range 2*n - 1 {
		for x := range n {
			if y := k - x; y >= 0 && y < n {
				cells = append(cells, point{x, y})
			}
		}
	}
	camp := map[int][]int{1: {0}, 2: {0, 1}, 3: {0, 1, 2}, 4: {0, 1, 2, 4}, 6: {0, 1, 2, 3, 4, 5}}[pieces]
	var home []point
	for _, c := range camp {
		home = append(home, cells[c])
	}
	t := lattice(fmt.Sprintf("%dx%dp%d", n, n, pieces), cells,
		func(p point) point { return point{n - 1 - p.x, n - 1 - p.y} },
		func(p point) point { return point{p.y, p.x} }, home)
	return t
}

// star is the six-pointed star of side n. Two opposite tips are camps, the four
// others are closed if closed.
func star(n int, closed bool) *game.TwoArmy {
	var cells, home []point
	tip := map[point]bool{}
	for x := -2 * n; x <= 2*n; x++ {
		for y := -2 * n; y <= 2*n; y++ {
			z := -x - y
			up := x >= -n && y >= -n && z >= -n
			down := x <= n && y <= n && z <= n
			if !up && !down {
				continue
			}
			p := point{x, y}
			cells = append(cells, p)
			switch {
			case z > n:
				home = append(home, p)
			case z < -n:
			case !up || !down:
				tip[p] = true
			}
		}
	}
	t := lattice(fmt.Sprintf("star%d", len(cells)), cells,
		func(p point) point { return point{-p.x, -p.y} },
		func(p point) point { return point{p.y, p.x} }, home)
	for i, p := range cells {
		if closed && tip[p] {
			t.Closed = append(t.Closed, i)
		}
	}
	return t
}

// ruled returns t under the rules that the letters name: f filled, g stay in
// goal, o stay out, n no transit, i mover won is illegal.
func ruled(t *game.TwoArmy, letters string) *game.TwoArmy {
	for _, c := range letters {
		switch c {
		case 'f':
			t.Filled = true
		case 'g':
			t.StayInGoal = true
		case 'o':
			t.StayOut = true
		case 'n':
			t.NoTransit = true
		case 'i':
			t.MoverWonIllegal = true
		default:
			panic("retro: no such rule")
		}
	}
	t.Rules = letters
	return t
}
