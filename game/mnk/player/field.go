package player

import "perfectplay/game/mnk"

// field is a position with counters of stones per window, kept up to date by
// every stone. It serves boards of any size. It belongs to one goroutine.
type field struct {
	g     *mnk.Game
	k     int
	cells int
	cell  []int8 // 0 empty, 1 and 2 the players
	n     int    // stones

	first   []int32 // first cell of each window
	step    []int32 // from one cell of the window to the next
	through [][]int32
	count   [2][]uint8 // stones of each player per window

	// Of windows without an opponent's stone: value[p][c] is the sum of their
	// weights over windows through cell c, total[p] over all of them, open[p][n]
	// the number of those with n stones, hot[p][c] of those through c that lack
	// one stone.
	value [2][]int64
	total [2]int64
	open  [2][]int32
	hot   [2][]int16

	near  []int16   // stones among the eight neighbours
	ring  [][]int32 // the neighbours
	front []int32   // cells with stones among their neighbours, taken or not
	place []int32   // where in front a cell is
	order []int32   // cells in a spiral from the centre
	stack []int32   // cells with stones, in the order of putting
}

// weight is the value of an open window with n stones.
func weight(n int) int64 { return 1 << (2 * min(n, 12)) }

func newField(g *mnk.Game) *field {
	rows, cols, k := g.Rows(), g.Cols(), g.K()
	f := &field{g: g, k: k, cells: g.Cells(), cell: make([]int8, g.Cells()), near: make([]int16, g.Cells()), place: make([]int32, g.Cells())}
	f.through = make([][]int32, f.cells)
	f.ring = make([][]int32, f.cells)
	for p := range 2 {
		f.value[p] = make([]int64, f.cells)
		f.open[p] = make([]int32, k+1)
		f.hot[p] = make([]int16, f.cells)
	}
	for r := range rows {
		for c := range cols {
			for dr := -1; dr <= 1; dr++ {
				for dc := -1; dc <= 1; dc++ {
					if rr, cc := r+dr, c+dc; (dr != 0 || dc != 0) && rr >= 0 && rr < rows && cc >= 0 && cc < cols {
						f.ring[r*cols+c] = append(f.ring[r*cols+c], int32(rr*cols+cc))
					}
				}
			}
		}
	}
	for d, first := range g.Windows() {
		step := g.Step(d)
		for j := range k {
			f.through[first+j*step] = append(f.through[first+j*step], int32(len(f.first)))
		}
		f.first = append(f.first, int32(first))
		f.step = append(f.step, int32(step))
	}
	for p := range 2 {
		f.count[p] = make([]uint8, len(f.first))
		for w := range f.first {
			f.change(p, int32(w), shut, 0)
		}
	}
	f.order = spiral(rows, cols)
	f.front = make([]int32, 0, f.cells)
	f.stack = make([]int32, 0, f.cells)
	return f
}

// spiral lists the cells from the centre outwards, ring by ring.
func spiral(rows, cols int) []int32 {
	var list []int32
	cr, cc := (rows-1)/2, (cols-1)/2
	for d := 0; len(list) < rows*cols; d++ {
		for r := cr - d; r <= cr+d; r++ {
			for c := cc - d; c <= cc+d; c++ {
				if (max(r-cr, cr-r) == d || max(c-cc, cc-c) == d) && r >= 0 && r < rows && c >= 0 && c < cols {
					list = append(list, int32(r*cols+c))
				}
			}
		}
	}
	return list
}

// shut is the number of stones that change takes for a window that is not open.
const shut = -1

// change turns a window that is open to p with some stones into one with others.
func (f *field) change(p int, w int32, from, to int) {
	var v int64
	if from != shut {
		v -= weight(from)
		f.open[p][from]--
	}
	if to != shut {
		v += weight(to)
		f.open[p][to]++
	}
	f.total[p] += v
	value := f.value[p]
	first, step := f.first[w], f.step[w]
	for c, i := first, f.k; i > 0; i-- {
		value[c] += v
		c += step
	}
	var h int16
	switch f.k - 1 {
	case from:
		h = -1
	case to:
		h = 1
	default:
		return
	}
	for c, i := first, f.k; i > 0; i-- {
		f.hot[p][c] += h
		c += step
	}
}

// put places a stone of player p (0 or 1).
func (f *field) put(c int32, p int) {
	f.cell[c] = int8(p + 1)
	f.n++
	f.stack = append(f.stack, c)
	for _, w := range f.through[c] {
		own, other := int(f.count[p][w]), int(f.count[1-p][w])
		f.count[p][w]++
		if other == 0 {
			f.change(p, w, own, own+1)
		}
		if own == 0 {
			f.change(1-p, w, other, shut)
		}
	}
	for _, d := range f.ring[c] {
		if f.near[d]++; f.near[d] == 1 {
			f.place[d] = int32(len(f.front))
			f.front = append(f.front, d)
		}
	}
}

// take takes the last stone back.
func (f *field) take() {
	c := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	p := int(f.cell[c] - 1)
	f.cell[c] = 0
	f.n--
	for _, w := range f.through[c] {
		f.count[p][w]--
		own, other := int(f.count[p][w]), int(f.count[1-p][w])
		if other == 0 {
			f.change(p, w, own+1, own)
		}
		if own == 0 {
			f.change(1-p, w, shut, other)
		}
	}
	for _, d := range f.ring[c] {
		if f.near[d]--; f.near[d] == 0 {
			last := f.front[len(f.front)-1]
			f.front[f.place[d]], f.place[last] = last, f.place[d]
			f.front = f.front[:len(f.front)-1]
		}
	}
}

// won reports whether player p has a window.
func (f *field) won(p int) bool { return f.open[p][f.k] > 0 }

// completes returns the first empty cell that completes a window of p, or −1,
// and whether there is a second one.
func (f *field) completes(p int) (cell int32, more bool) {
	if f.open[p][f.k-1] == 0 {
		return -1, false
	}
	// A window of two cells or more that lacks one stone has a stone beside the
	// gap.
	candidates := f.front
	if f.k == 1 {
		candidates = f.order
	}
	cell = -1
	for _, c := range candidates {
		if f.hot[p][c] == 0 || f.cell[c] != 0 {
			continue
		}
		more = cell >= 0 // stays true
		if !more || c < cell {
			cell = c
		}
	}
	return cell, more
}

// follow sets the field to a position. Stones that both share from the bottom of
// the stack stay.
func (f *field) follow(s *mnk.Plain) {
	keep := 0
	for keep < len(f.stack) && s.At(int(f.stack[keep])) == uint8(f.cell[f.stack[keep]]) {
		keep++
	}
	for len(f.stack) > keep {
		f.take()
	}
	for c := range f.cells {
		if p := s.At(c); p != 0 && f.cell[c] == 0 {
			f.put(int32(c), int(p)-1)
		}
	}
}
