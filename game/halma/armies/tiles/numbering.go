package tiles

import (
	"fmt"
	"math/bits"
)

// numbering says which positions there are, by FORMAT.md.
type numbering struct {
	info   *Info
	shapes []shape
	armies [][]uint64  // of each seat by rank, as they stand on the board
	open   []uint64    // the cells where pieces of each seat may stand
	place  [][64]uint8 // of each seat: the place of a cell, or noPlace
	// ways[k][n] is the number of ways to choose k of n.
	ways [][]uint32
}

const noPlace = 64

// number numbers the positions of a description.
func (i *Info) number() (*numbering, error) {
	shapes, err := i.shapes()
	if err != nil {
		return nil, err
	}
	n := &numbering{info: i, shapes: shapes}
	for seat := range i.Seats {
		var place [64]uint8
		for c := range place {
			place[c] = noPlace
		}
		open := uint64(0)
		for p, c := range i.Places[seat%i.Period] {
			for range seat / i.Period {
				c = i.Turn[c]
			}
			open |= 1 << c
			place[c] = uint8(p)
		}
		n.open, n.place = append(n.open, open), append(n.place, place)
		var armies []uint64
		cells := make([]uint64, len(i.Places[seat%i.Period]))
		for c, p := range place {
			if p != noPlace {
				cells[p] = 1 << c
			}
		}
		each(len(cells), i.Pieces, func(places uint64) {
			army := uint64(0)
			for ; places != 0; places &= places - 1 {
				army |= cells[bits.TrailingZeros64(places)]
			}
			armies = append(armies, army)
		})
		n.armies = append(n.armies, armies)
	}
	for k := range i.Pieces + 1 {
		ways := make([]uint32, 65)
		for free := range ways {
			ways[free] = uint32(min(choose(free, k), maxRow))
		}
		n.ways = append(n.ways, ways)
	}
	return n, nil
}

// each calls do for the sets of k of n elements in the order of their ranks.
func each(n, k int, do func(set uint64)) {
	for s := uint64(1)<<k - 1; n == 64 || s>>n == 0; {
		do(s)
		low := s & -s
		up := s + low
		if up == 0 {
			return
		}
		s = up | (s^up)/low>>2
	}
}

// still returns the cells that the armies of a row take. It reports whether they
// leave each other alone.
func (n *numbering) still(kind, row int) (taken uint64, ok bool) {
	i := n.info
	dims := n.shapes[kind].dims
	for at := i.Seats - 2; at >= 0; at-- {
		army := n.armies[(kind+at)%i.Seats][row%dims[at]]
		if row /= dims[at]; army&taken != 0 {
			return 0, false
		}
		taken |= army
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
	return int(n.ways[n.info.Pieces][bits.OnesCount64(n.open[last]&^taken)])
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
func (n *numbering) places(seat int, army uint64) (set uint64, err error) {
	if got := bits.OnesCount64(army); got != n.info.Pieces {
		return 0, fmt.Errorf("seat %d has %d pieces, want %d", seat, got, n.info.Pieces)
	}
	place := &n.place[seat]
	for x := army; x != 0; x &= x - 1 {
		p := place[bits.TrailingZeros64(x)]
		if p == noPlace {
			return 0, fmt.Errorf("seat %d: a piece stands on cell %d, where none may", seat, bits.TrailingZeros64(x))
		}
		set |= 1 << p
	}
	return set, nil
}

// rank returns the rank of a set of places among those of as many of free.
func (n *numbering) rank(set, free uint64) (r int) {
	for k := 1; set != 0; k, set = k+1, set&(set-1) {
		r += int(n.ways[k][bits.OnesCount64(free&(set&-set-1))])
	}
	return r
}
