package solitaire

import (
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// Boards for tests are built here from coordinates, without the rules packages.

type point struct{ x, y int }

// lattice makes a description from cells in slanted coordinates, with the first
// cells as home. The board must map to itself when cells change the ends of
// their list, and when x and y change places.
func lattice(id string, cells []point, pieces int) *game.TwoArmy {
	number := map[point]int{}
	for i, p := range cells {
		number[p] = i
	}
	t := &game.TwoArmy{ID: id, Rules: "test", Cells: len(cells), Pieces: pieces}
	for i, p := range cells {
		var next [6]int16
		for d, o := range []point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}} {
			next[d] = -1
			if n, ok := number[point{p.x + o.x, p.y + o.y}]; ok {
				next[d] = int16(n)
			}
		}
		t.Next = append(t.Next, next)
		t.Turn = append(t.Turn, uint8(len(cells)-1-i))
		t.Mirror = append(t.Mirror, uint8(number[point{p.y, p.x}]))
	}
	for c := range pieces {
		t.Home = append(t.Home, c)
		t.Goal = append(t.Goal, len(cells)-1-c)
	}
	for _, c := range t.Home {
		if !slices.Contains(t.Home, int(t.Mirror[c])) {
			t.Mirror = nil
			break
		}
	}
	return t
}

// diamond is the rhombus of n×n cells by diagonal rows.
func diamond(n, pieces int) *game.TwoArmy {
	var cells []point
	for k := range 2*n - 1 {
		for x := range n {
			if y := k - x; y >= 0 && y < n {
				cells = append(cells, point{x, y})
			}
		}
	}
	return lattice(fmt.Sprintf("%dx%dp%d", n, n, pieces), cells, pieces)
}

// star is the six-pointed star of side n, with its four other tips closed if
// closed.
func star(n int, closed bool) *game.TwoArmy {
	var cells []point
	var shut []int
	for k := -2 * n; k <= 2*n; k++ { // x+y: the rows
		for x := -2 * n; x <= 2*n; x++ {
			y := k - x
			up := x >= -n && y >= -n && -k >= -n
			down := x <= n && y <= n && -k <= n
			if !up && !down {
				continue
			}
			if closed && k >= -n && k <= n && !(up && down) {
				shut = append(shut, len(cells))
			}
			cells = append(cells, point{x, y})
		}
	}
	t := lattice(fmt.Sprintf("star%d", len(cells)), cells, n*(n+1)/2)
	t.Closed = shut
	return t
}

// plainMoves lists the placements one turn leads to, by the words of
// game.TwoArmy and nothing else.
func plainMoves(t *game.TwoArmy, x bitboard.Set128) (list []bitboard.Set128) {
	ruled := func(from, to int) bool {
		return t.StayInGoal && slices.Contains(t.Goal, from) && !slices.Contains(t.Goal, to) ||
			t.StayOut && !slices.Contains(t.Home, from) && slices.Contains(t.Home, to) || slices.Contains(t.Closed, to)
	}
	for from := range x.Cells() {
		rest := x.Without(from)
		ends := map[int]bool{}
		for d := range 6 {
			if to := int(t.Next[from][d]); to >= 0 && !rest.Has(to) {
				ends[to] = true
			}
		}
		been := map[int]bool{from: true}
		var hop func(at int)
		hop = func(at int) {
			for d := range 6 {
				over := int(t.Next[at][d])
				if over < 0 || !rest.Has(over) {
					continue
				}
				to := int(t.Next[over][d])
				if to < 0 || rest.Has(to) || been[to] || t.NoTransit && ruled(at, to) {
					continue
				}
				been[to], ends[to] = true, true
				hop(to)
			}
		}
		hop(from)
		for to := range ends {
			if !ruled(from, to) {
				list = append(list, rest.With(to))
			}
		}
	}
	return list
}

// plainLevels are the placements by moves from home.
func plainLevels(t *game.TwoArmy) (levels [][]bitboard.Set128, depth map[bitboard.Set128]int) {
	depth = map[bitboard.Set128]int{set(t.Home): 0}
	for level := []bitboard.Set128{set(t.Home)}; len(level) > 0; {
		levels = append(levels, level)
		var next []bitboard.Set128
		for _, x := range level {
			for _, y := range plainMoves(t, x) {
				if _, ok := depth[y]; !ok {
					depth[y] = len(levels)
					next = append(next, y)
				}
			}
		}
		level = next
	}
	return levels, depth
}

// boards are small games: all choices of rules, with and without a mirror,
// games that are their own dual and games that are not.
func boards() (list []*game.TwoArmy) {
	for _, t := range []*game.TwoArmy{diamond(3, 1), diamond(3, 2), diamond(3, 3), diamond(4, 3), diamond(5, 2), diamond(5, 3), star(1, false), star(1, true), star(2, true), diamond(4, 6)} {
		for rules := range 8 {
			c := *t
			c.StayInGoal, c.StayOut, c.NoTransit = rules&1 != 0, rules&2 != 0, rules&4 != 0
			if c.NoTransit && rules == 4 && len(c.Closed) == 0 {
				continue // nothing is ruled out
			}
			c.Rules = fmt.Sprint(rules)
			list = append(list, &c)
		}
	}
	return append(list, star(2, false))
}
