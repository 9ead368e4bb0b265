package tiles

import (
	"fmt"

	"perfectplay/bitboard"
)

// numbering says which positions there are, by FORMAT.md.
type numbering struct {
	info   *Info
	shapes []shape
	armies [][]bitboard.Set128 // of each seat by rank, as they stand on the board
	open   []bitboard.Set128   // the cells where pieces of each seat may stand
	place  [][maxCells]uint8   // of each seat: the place of a cell, or noPlace
	// ways[k][n] is the number of ways to choose k of n.
	ways [][]uint32
}

const noPlace = maxCells

// number numbers the positions of a description.
func (i *Info) number() (*numbering, error) {
	shapes, err := i.shapes()
	if err != nil {
		return nil, err
	}
	n := &numbering{info: i, shapes: shapes}
	for seat := range i.Seats {
		var place [maxCells]uint8
		for c := range place {
			place[c] = noPlace
		}
		var open bitboard.Set128
		for p, c := range i.Places[seat%i.Period] {
			for range seat / i.Period {
				c = i.Turn[c]
			}
			open = open.With(c)
			place[c] = uint8(p)
		}
		n.open, n.place = append(n.open, open), append(n.place, place)
		var armies []bitboard.Set128
		cells := make([]bitboard.Set128, len(i.Places[seat%i.Period]))
		for c, p := range place {
			if p != noPlace {
				cells[p] = bitboard.Cell128(c)
			}
		}
		each(len(cells), i.Pieces, func(places []int) {
			var army bitboard.Set128
			for _, p := range places {
				army = army.Or(cells[p])
			}
			armies = append(armies, army)
		})
		n.armies = append(n.armies, armies)
	}
	for k := range i.Pieces + 1 {
		ways := make([]uint32, maxCells+1)
		for free := range ways {
			ways[free] = uint32(min(choose(free, k), maxRow))
		}
		n.ways = append(n.ways, ways)
	}
	return n, nil
}

// each calls do for the sets of k of n elements in the order of their ranks.
func each(n, k int, do func(set []int)) {
	set := make([]int, k+1)
	for i := range k {
		set[i] = i
	}
	set[k] = n
	for {
		do(set[:k])
		i := 0
		for i < k && set[i]+1 == set[i+1] {
			set[i] = i
			i++
		}
		if i == k {
			return
		}
		set[i]++
	}
}

// still returns the cells that the armies of a row take. It reports whether they
// leave each other alone.
func (n *numbering) still(kind, row int) (taken bitboard.Set128, ok bool) {
	i := n.info
	dims := n.shapes[kind].dims
	for at := i.Seats - 2; at >= 0; at-- {
		army := n.armies[(kind+at)%i.Seats][row%dims[at]]
		if row /= dims[at]; !army.And(taken).IsEmpty() {
			return taken, false
		}
		taken = taken.Or(army)
	}
	return taken, true
}

// size returns how many positions a row has.
func (n *numbering) size(kind, row int) int {
	taken, ok := n.still(kind, row)
	if !ok {
		return 0
	}
	last := (kind + n.info.Seats - 1) % n.info.Seats
	return int(n.ways[n.info.Pieces][n.open[last].AndNot(taken).Count()])
}

// offsets appends where rows begin in their block, and its size.
func (n *numbering) offsets(dst []uint32, kind, first, rows int) []uint32 {
	at := uint32(0)
	for row := range rows {
		dst = append(dst, at)
		at += uint32(n.size(kind, first+row))
	}
	return append(dst, at)
}

// places returns the places of a seat's army.
func (n *numbering) places(seat int, army bitboard.Set128) (set bitboard.Set128, err error) {
	if got := army.Count(); got != n.info.Pieces {
		return set, fmt.Errorf("seat %d has %d pieces, want %d", seat, got, n.info.Pieces)
	}
	place := &n.place[seat]
	for x := army; !x.IsEmpty(); x = x.DropMin() {
		p := place[x.Min()]
		if p == noPlace {
			return set, fmt.Errorf("seat %d: a piece stands on cell %d, where none may", seat, x.Min())
		}
		set = set.With(int(p))
	}
	return set, nil
}

// rank returns the rank of a set of places among those of as many of free.
func (n *numbering) rank(set, free bitboard.Set128) (r int) {
	for k := 1; !set.IsEmpty(); k, set = k+1, set.DropMin() {
		r += int(n.ways[k][free.And(bitboard.First128(set.Min())).Count()])
	}
	return r
}
