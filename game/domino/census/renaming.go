package census

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/domino"
)

// renamings is 7!, the number of ways to rename the numbers 0…6.
const renamings = 5040

// maps are the tables of renamings, which are only read.
type maps struct {
	to [renamings][8]uint8 // to[p][x] is the image of x under p; p is in lexicographic order
	// after[s*renamings+p] is the renaming "first s, then p".
	after []uint16
	// image[p] renames sets of seven tiles each: see rename.
	image [][4][128]uint32
}

func eachRenaming(visit func(to [8]uint8)) {
	var place func(to [8]uint8, at int, used uint)
	place = func(to [8]uint8, at int, used uint) {
		if at == domino.Numbers {
			visit(to)
			return
		}
		for x := range domino.Numbers {
			if used>>x&1 == 0 {
				to[at] = uint8(x)
				place(to, at+1, used|1<<x)
			}
		}
	}
	place([8]uint8{}, 0, 0)
}

func newMaps() *maps {
	m := &maps{after: make([]uint16, renamings*renamings), image: make([][4][128]uint32, renamings)}
	n := 0
	eachRenaming(func(to [8]uint8) {
		m.to[n] = to
		n++
	})

	index := make([]uint16, 823543) // index of a renaming, by its images read as digits in base 7
	code := func(p *[8]uint8) (c int) {
		for x := range domino.Numbers {
			c = 7*c + int(p[x])
		}
		return c
	}
	for p := range m.to {
		index[code(&m.to[p])] = uint16(p)
	}
	for s := range m.to {
		row := m.after[s*renamings:][:renamings]
		first := &m.to[s]
		for p := range m.to {
			then := &m.to[p]
			c := 0
			for x := range domino.Numbers {
				c = 7*c + int(then[first[x]&7])
			}
			row[p] = index[c]
		}
	}
	for p := range m.to {
		for part := range 4 {
			for sub := 1; sub < 128; sub++ {
				t := domino.Tile(7*part + bits.TrailingZeros(uint(sub)))
				renamed := domino.NewTile(int(m.to[p][t.Low()]), int(m.to[p][t.High()]))
				m.image[p][part][sub] = m.image[p][part][sub&(sub-1)] | 1<<renamed
			}
		}
	}
	return m
}

func (m *maps) rename(p int, s domino.Set) domino.Set {
	t := &m.image[p]
	return domino.Set(t[0][s&127] | t[1][s>>7&127] | t[2][s>>14&127] | t[3][s>>21&127])
}

// fixing0 is 6!, the number of renamings that keep 0; they are the first.
const fixing0 = 720

// starterClass is a family of starter's hands: 0|0 and six more tiles, up to renaming the numbers
// 1…6.
type starterClass struct {
	tiles domino.Set // the six tiles: the least such set of the family
	group []uint16   // the renamings that keep 0 and the six tiles
}

// hand returns the tiles of a second hand, given as a subset of the 21 tiles outside the starter's
// hand.
func (c *starterClass) hand(second domino.Set) domino.Set {
	return domino.Set(bitboard.Deposit64(uint64(second), uint64(domino.AllTiles&^c.tiles&^1)))
}

// starterClasses lists the families in ascending order of tiles.
func (m *maps) starterClasses() []starterClass {
	var list []starterClass
	seen := make(map[domino.Set]bool)
	for s := domino.Set(1<<6-1) << 1; s != 0; s = s.Next() {
		if s&1 != 0 || seen[s] {
			continue
		}
		c := starterClass{tiles: s}
		for p := range fixing0 {
			image := m.rename(p, s)
			seen[image] = true
			if image == s {
				c.group = append(c.group, uint16(p))
			}
		}
		list = append(list, c)
	}
	return list
}

// frames describes every hand of seven as a renaming of the first of its kind.
type frames struct {
	kind  []uint16     // kind of a hand, by its rank
	from  []uint16     // renaming of a hand, by its rank: hand = rename(from, first[kind])
	first []domino.Set // the first hand of every kind
}

func (m *maps) newFrames() *frames {
	const unseen = 1<<16 - 1
	f := &frames{kind: make([]uint16, domino.HandCount), from: make([]uint16, domino.HandCount)}
	for i := range f.kind {
		f.kind[i] = unseen
	}
	r := 0
	for hand := domino.UnrankHand(0); hand != 0; hand, r = hand.Next(), r+1 {
		if f.kind[r] != unseen {
			continue
		}
		for p := range renamings {
			at := domino.RankHand(m.rename(p, hand))
			if f.kind[at] == unseen {
				f.kind[at], f.from[at] = uint16(len(f.first)), uint16(p)
			}
		}
		f.first = append(f.first, hand)
	}
	return f
}
