package census

import (
	"perfectplay/bitboard"
	"perfectplay/game/domino"
)

// blockLanes is the number of labelings in a block of a kernel, one byte each.
const blockLanes = 128

// lanes lists, for a set of doubles dealt, the renamings that make 0|0 the highest, sorted by the
// image of 0, the starting number.
type lanes struct {
	renaming []uint16
	group    []laneGroup
	// pips[block] holds, by tile before renaming, its pips under each renaming of the block, the
	// first in the low byte. The last renaming fills the last block.
	pips [][domino.Tiles * words]uint64
}

// laneGroup is a run of lanes with the same starting number.
type laneGroup struct {
	double   int
	from, to int
}

// newLanes builds the lanes for every set of the doubles 1|1…6|6, x|x at bit x−1.
func (m *maps) newLanes() *[64]lanes {
	all := new([64]lanes)
	for set := range all {
		l := &all[set]
		for p := range m.to { // in lexicographic order, so sorted by to[p][0]
			highest := true
			for x := 1; x < domino.Numbers; x++ {
				if set>>(x-1)&1 != 0 && m.to[p][x] > m.to[p][0] {
					highest = false
				}
			}
			if !highest {
				continue
			}
			start := int(m.to[p][0])
			if n := len(l.group); n == 0 || l.group[n-1].double != start {
				l.group = append(l.group, laneGroup{double: start, from: len(l.renaming)})
			}
			l.renaming = append(l.renaming, uint16(p))
			l.group[len(l.group)-1].to = len(l.renaming)
		}
		l.pips = make([][domino.Tiles * words]uint64, (len(l.renaming)+blockLanes-1)/blockLanes)
		for b := range l.pips {
			for i := range blockLanes {
				p := l.renaming[min(b*blockLanes+i, len(l.renaming)-1)]
				for t := range domino.Tile(domino.Tiles) {
					sum := uint64(m.to[p][t.Low()] + m.to[p][t.High()])
					l.pips[b][int(t)*words+i/8] |= sum << (i % 8 * 8)
				}
			}
		}
	}
	return all
}

// otherDoubles returns the doubles 1|1…6|6 among tiles as the index of the lanes.
func otherDoubles(s domino.Set) int {
	return int(bitboard.Extract64(uint64(s), uint64(domino.Doubles)) >> 1)
}
