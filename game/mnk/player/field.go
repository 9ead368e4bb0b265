package player

import (
	"math"
	"unsafe"

	"perfectplay/game/mnk"
)

// field is a position with counters of stones per window, kept up to date by
// every stone. It serves boards of any size. It belongs to one goroutine.
type field struct {
	g     *mnk.Game
	k     int
	cells int
	cell  []int8 // 0 empty, 1 and 2 the players
	n     int    // number of stones

	win     []window
	through [][]int32 // the windows of each cell

	// A window is open to player p if it has no stone of the opponent. sum[p][c] is the worth to p
	// of the open windows through cell c, in three parts, see twoShift. total[p] is the weight of
	// all open windows, open[p][n] the number of open windows with n stones. complete[p] are the
	// empty cells that complete a window.
	sum      [2][]int64
	total    [2]int64
	open     [2][]int32
	complete [2]cellSet
	worth    []int64    // worth of a window with n stones
	step     [2][]int64 // change of worth by one more own stone, or by the opponent's first

	key     [2]uint64 // hash of the stones, without the side to move
	numbers [2][][2]uint64

	near  []int16   // number of stones within reach, see newField
	ring  [][]int32 // the cells within reach
	front cellSet   // cells with stones within reach, taken or not
	order []int32   // cells in a spiral from the centre
	stack []int32   // cells with stones, in the order of play
}

// window is k cells side by side.
type window struct {
	first int32
	step  int32 // cells from one cell to the next
	hole  int32 // exclusive or of all its empty cells
	n     [2]uint8
}

// A sum holds three numbers: the weights of windows in the low bits, above them the numbers
// of windows that lack two stones, and that lack three.
const (
	twoShift   = 40
	threeShift = 48
	weightMask = 1<<twoShift - 1
	countMask  = 1<<(threeShift-twoShift) - 1
)

// weight is the value of an open window of k cells with n stones. Each stone multiplies it by four,
// or by less for k above 13.
func weight(k, n int) int64 {
	if n == 0 {
		return 0
	}
	return int64(math.Round(math.Exp2(float64(n) * min(2, 26/float64(k)))))
}

// cellSet is a set of cells without order.
type cellSet struct {
	list []int32
	at   []int32 // index in list, by cell
}

func newCellSet(cells int) cellSet {
	return cellSet{apart[int32](cells)[:0], apart[int32](cells)}
}

func (s *cellSet) has(c int32) bool { return int(s.at[c]) < len(s.list) && s.list[s.at[c]] == c }

func (s *cellSet) add(c int32) {
	s.at[c] = int32(len(s.list))
	s.list = append(s.list, c)
}

func (s *cellSet) remove(c int32) {
	last := s.list[len(s.list)-1]
	s.list[s.at[c]], s.at[last] = last, s.at[c]
	s.list = s.list[:len(s.list)-1]
}

// newField returns the empty field. A cell is near a stone within reach steps in the
// directions of lines, or next to it.
func newField(g *mnk.Game, reach int) *field {
	rows, cols, k := g.Rows(), g.Cols(), g.K()
	f := &field{g: g, k: k, cells: g.Cells(), cell: apart[int8](g.Cells()), near: apart[int16](g.Cells())}
	f.through = make([][]int32, f.cells)
	f.ring = make([][]int32, f.cells)
	for n := range k + 1 {
		w := weight(k, n)
		switch k - n {
		case 2:
			w += 1 << twoShift
		case 3:
			w += 1 << threeShift
		}
		f.worth = append(f.worth, w)
	}
	for n := range k + 1 {
		f.step[0] = append(f.step[0], f.worth[min(n+1, k)]-f.worth[n])
		f.step[1] = append(f.step[1], -f.worth[n])
	}
	for p := range 2 {
		f.sum[p] = apart[int64](f.cells)
		f.open[p] = apart[int32](k + 1)
		f.complete[p] = newCellSet(f.cells)
		f.numbers[p] = make([][2]uint64, f.cells)
	}
	for r := range rows {
		for c := range cols {
			for dr := -reach; dr <= reach; dr++ {
				for dc := -reach; dc <= reach; dc++ {
					if rr, cc := r+dr, c+dc; (dr != 0 || dc != 0) && rr >= 0 && rr < rows && cc >= 0 && cc < cols {
						f.ring[r*cols+c] = append(f.ring[r*cols+c], int32(rr*cols+cc))
					}
				}
			}
		}
	}
	for d, first := range g.Windows() {
		step := g.Step(d)
		w := window{first: int32(first), step: int32(step)}
		for j := range k {
			c := first + j*step
			f.through[c] = append(f.through[c], int32(len(f.win)))
			w.hole ^= int32(c)
			for p := range 2 {
				f.sum[p][c] += f.worth[0]
			}
		}
		f.win = append(f.win, w)
	}
	for p := range 2 {
		f.open[p][0] = int32(len(f.win))
		for c := 0; k == 1 && c < f.cells; c++ {
			f.complete[p].add(int32(c))
		}
	}
	x := uint64(0x3c6ef372fe94f82b)
	for p := range 2 {
		for c := range f.cells {
			for i := range 2 {
				f.numbers[p][c][i] = splitmix(&x)
			}
		}
	}
	f.order = spiral(rows, cols)
	f.front = newCellSet(f.cells)
	f.stack = apart[int32](f.cells)[:0]
	return f
}

// splitmix returns the next number of the generator splitmix64.
func splitmix(x *uint64) uint64 {
	*x += 0x9e3779b97f4a7c15
	z := (*x ^ *x>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
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

// spread adds to the sums of a window's cells.
func (f *field) spread(p int, w *window, v int64) {
	f.total[p] += v << (64 - twoShift) >> (64 - twoShift)
	if v == 0 {
		return
	}
	sum, c, step := f.sum[p], int(w.first), int(w.step)
	for range f.k {
		sum[c] += v
		c += step
	}
}

// gap updates complete for cell c when a window of p begins (add) or ceases to lack only c.
// Another window may lack only c, too.
func (f *field) gap(p int, c int32, add bool) {
	s := &f.complete[p]
	switch in := s.has(c); {
	case add && !in:
		s.add(c)
	case !add && in && !f.completes(p, c):
		s.remove(c)
	}
}

// completes reports whether a window through c holds k−1 stones of p and none of the
// opponent.
func (f *field) completes(p int, c int32) bool {
	for _, i := range f.through[c] {
		if w := &f.win[i]; int(w.n[p]) == f.k-1 && w.n[1-p] == 0 {
			return true
		}
	}
	return false
}

// put places a stone of player p (0 or 1).
func (f *field) put(c int32, p int) {
	q := 1 - p
	f.cell[c] = int8(p + 1)
	f.n++
	f.stack = append(f.stack, c)
	f.key[0] ^= f.numbers[p][c][0]
	f.key[1] ^= f.numbers[p][c][1]
	for _, i := range f.through[c] {
		w := &f.win[i]
		own, other := int(w.n[p]), int(w.n[q])
		w.n[p]++
		w.hole ^= c
		if other == 0 {
			f.open[p][own]--
			f.open[p][own+1]++
			f.spread(p, w, f.step[0][own])
			if own+1 == f.k-1 {
				f.gap(p, w.hole, true)
			}
		}
		if own == 0 {
			f.open[q][other]--
			f.spread(q, w, f.step[1][other])
		}
	}
	for side := range 2 {
		if s := &f.complete[side]; s.has(c) {
			s.remove(c)
		}
	}
	for _, d := range f.ring[c] {
		if f.near[d]++; f.near[d] == 1 {
			f.front.add(d)
		}
	}
}

// take takes the last stone back.
func (f *field) take() {
	c := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	p := int(f.cell[c] - 1)
	q := 1 - p
	f.cell[c] = 0
	f.n--
	f.key[0] ^= f.numbers[p][c][0]
	f.key[1] ^= f.numbers[p][c][1]
	for _, i := range f.through[c] {
		w := &f.win[i]
		w.n[p]--
		own, other := int(w.n[p]), int(w.n[q])
		hole := w.hole
		w.hole ^= c
		if other == 0 {
			f.open[p][own+1]--
			f.open[p][own]++
			f.spread(p, w, -f.step[0][own])
			switch own {
			case f.k - 1:
				f.gap(p, c, true)
			case f.k - 2:
				f.gap(p, hole, false)
			}
		}
		if own == 0 {
			f.open[q][other]++
			f.spread(q, w, -f.step[1][other])
			if other == f.k-1 {
				f.gap(q, c, true)
			}
		}
	}
	for _, d := range f.ring[c] {
		if f.near[d]--; f.near[d] == 0 {
			f.front.remove(d)
		}
	}
}

// won reports whether player p has a window.
func (f *field) won(p int) bool { return f.open[p][f.k] > 0 }

// lacks returns the numbers of windows through a cell that lack two stones of p, and that
// lack three.
func (f *field) lacks(p int, c int32) (two, three int) {
	v := f.sum[p][c]
	return int(v >> twoShift & countMask), int(v >> threeShift & countMask)
}

// weigh estimates the worth of a stone of p on a cell.
func (f *field) weigh(p int, c int32) int64 {
	return f.sum[p][c]&weightMask*5/4 + f.sum[1-p][c]&weightMask
}

// run counts player p's stones next to a cell in a direction, side by side, and the empty cells
// beyond them.
func (f *field) run(r, c, dr, dc, p int) (stones, room int) {
	rows, cols := f.g.Rows(), f.g.Cols()
	for i := 1; i <= f.k; i++ {
		rr, cc := r+i*dr, c+i*dc
		if rr < 0 || rr >= rows || cc < 0 || cc >= cols {
			return stones, room
		}
		switch f.cell[rr*cols+cc] {
		case int8(p + 1):
			if room == 0 {
				stones++
			}
			room += btoi(room > 0)
		case 0:
			room++
		default:
			return stones, room
		}
	}
	return stones, room
}

// board gives the stones of a position: 0 empty, 1 and 2 the players'.
type board interface{ At(cell int) uint8 }

// At implements board.
func (f *field) At(cell int) uint8 { return uint8(f.cell[cell]) }

// apart returns a slice that shares no cache line with another slice. Threads that share a cache
// line would wait for each other at each stone.
func apart[T any](n int) []T {
	line := 64 / int(unsafe.Sizeof(*new(T)))
	return make([]T, n, (n+line-1)/line*line)
}

// follow sets the field to a position. The stones that both share from the bottom of the
// stack stay.
func (f *field) follow(s board) {
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
