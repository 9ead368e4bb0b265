package halma

import (
	"fmt"
	"slices"
	"strings"
)

// camp is the shape of a camp: cells of the triangle at the end of a tip, numbered from its
// outermost hole, from left to right as seen on the tip at the top.
//
//	      0
//	    1   2
//	  3   4   5
//	6   7   8   9
type camp struct {
	name  string // name in ids: the number of pieces, perhaps with a letter
	cells []int  // cell numbers, ascending
}

// camps are all shapes. Those of 2, 4, 5, 7 and 8 pieces and 5b are Sturtevant's.
var camps = [...]camp{
	{"1", []int{0}},
	{"2", []int{0, 1}},
	{"3", []int{0, 1, 2}},
	{"4", []int{0, 1, 2, 4}},
	{"5", []int{0, 1, 2, 3, 5}},
	{"5b", []int{1, 2, 3, 4, 5}},
	{"6", []int{0, 1, 2, 3, 4, 5}},
	{"7", []int{0, 1, 2, 3, 5, 7, 8}},
	{"8", []int{0, 1, 2, 3, 4, 5, 7, 8}},
	{"10", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
}

func campNamed(name string) (*camp, error) {
	i := slices.IndexFunc(camps[:], func(c camp) bool { return c.name == name })
	if i < 0 {
		var names []string
		for _, c := range camps {
			names = append(names, c.name)
		}
		last := len(names) - 1
		return nil, fmt.Errorf("the number of pieces must be %s or %s", strings.Join(names[:last], ", "), names[last])
	}
	return &camps[i], nil
}

// rows is the number of rows of the triangle that have cells of the camp.
func (c *camp) rows() int {
	row, _ := rowOf(c.cells[len(c.cells)-1])
	return row + 1
}

// rowOf returns the row of a cell of the triangle, and its place in the row.
func rowOf(cell int) (row, place int) {
	for ; cell > row; row++ {
		cell -= row + 1
	}
	return row, cell
}

// tipAxes are, for each tip, the steps from its outermost hole along its two sides: to the next
// row's last hole, and to its first.
var tipAxes = [maxTips + 1][2]Dir{
	2: {DownRight, DownLeft}, 4: {DownLeft, Left}, 5: {Left, UpLeft},
	1: {UpLeft, UpRight}, 6: {UpRight, Right}, 3: {Right, DownRight},
}

// at returns the places of a camp's cells in a tip with its outermost hole at apex.
func (c *camp) at(apex Point, tip int) (list []Point) {
	last, first := stepTo[tipAxes[tip][0]], stepTo[tipAxes[tip][1]]
	for _, cell := range c.cells {
		row, place := rowOf(cell)
		list = append(list, Point{
			apex.X + place*last.X + (row-place)*first.X,
			apex.Y + place*last.Y + (row-place)*first.Y,
		})
	}
	return list
}
