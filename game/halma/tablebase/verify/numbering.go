package verify

import (
	"slices"

	"perfectplay/game/halma/tablebase"
)

// numbering numbers positions as FORMAT.md of package tablebase says, by sums of
// binomials over lists of places. It is slow and shares nothing with the
// numbering that tables are written with.
type numbering struct {
	info   tablebase.Info
	place  map[int]int // number of a cell among the places
	choose [65][12]uint64
	reps   [][]int        // places of representatives in order
	row    map[uint64]int // of an army by its places, -1 if it is not a representative
	mirror map[int]int    // of places
	others uint64
}

func newNumbering(info tablebase.Info) *numbering {
	p := &numbering{info: info, place: map[int]int{}, row: map[uint64]int{}, mirror: map[int]int{}}
	for n := range p.choose {
		p.choose[n][0] = 1
		for k := 1; n > 0 && k < len(p.choose[n]); k++ {
			p.choose[n][k] = p.choose[n-1][k-1] + p.choose[n-1][k]
		}
	}
	for i, c := range info.Places {
		p.place[c] = i
	}
	for i, c := range info.Places {
		p.mirror[i] = i
		if len(info.Mirror) > 0 {
			p.mirror[i] = p.place[info.Mirror[c]]
		}
	}
	n, k := len(info.Places), info.Pieces
	p.others = p.choose[n-k][k]
	// Colexicographic order: by the highest piece, then the next.
	var each func(k, below int, rest []int)
	each = func(k, below int, rest []int) {
		if k == 0 {
			army := slices.Clone(rest)
			slices.Sort(army)
			if p.rank(p.flip(army)) < p.rank(army) {
				p.row[word(army)] = -1
				return
			}
			p.row[word(army)] = len(p.reps)
			p.reps = append(p.reps, army)
			return
		}
		for c := k - 1; c < below; c++ {
			each(k-1, c, append(rest, c))
		}
	}
	each(k, n, nil)
	return p
}

func word(places []int) (w uint64) {
	for _, c := range places {
		w |= 1 << c
	}
	return w
}

func (p *numbering) size() uint64 { return uint64(len(p.reps)) * p.others }

// rank is the rank of ascending places.
func (p *numbering) rank(places []int) (r uint64) {
	for i, c := range places {
		r += p.choose[c][i+1]
	}
	return r
}

func (p *numbering) flip(places []int) []int {
	image := make([]int, len(places))
	for i, c := range places {
		image[i] = p.mirror[c]
	}
	slices.Sort(image)
	return image
}

// places turns cells into ascending places.
func (p *numbering) places(cells []int) []int {
	list := make([]int, len(cells))
	for i, c := range cells {
		list[i] = p.place[c]
	}
	slices.Sort(list)
	return list
}

// index is the number of a position given by cells.
func (p *numbering) index(mover, other []int) uint64 {
	m, o := p.places(mover), p.places(other)
	row := p.row[word(m)]
	if row < 0 {
		m, o = p.flip(m), p.flip(o)
		row = p.row[word(m)]
	}
	for i, c := range o {
		for _, taken := range m {
			if taken < c {
				o[i]--
			}
		}
	}
	return uint64(row)*p.others + p.rank(o)
}

// position is the position of a number, as cells.
func (p *numbering) position(index uint64) (mover, other []int) {
	m := p.reps[index/p.others]
	var free []int
	for c := range p.info.Places {
		if !slices.Contains(m, c) {
			free = append(free, c)
		} else {
			mover = append(mover, p.info.Places[c])
		}
	}
	rest := index % p.others
	for k := p.info.Pieces; k > 0; k-- {
		c := k - 1
		for p.choose[c+1][k] <= rest {
			c++
		}
		rest -= p.choose[c][k]
		other = append(other, p.info.Places[free[c]])
	}
	slices.Sort(other)
	return mover, other
}

// weight is how many positions a number stands for.
func (p *numbering) weight(mover []int) uint64 {
	m := p.places(mover)
	if slices.Equal(m, p.flip(m)) {
		return 1
	}
	return 2
}
