package verify

import (
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma/tablebase"
)

// numbering numbers positions as FORMAT.md of package tablebase says, by sums of
// binomials over lists of places. It is slow and shares nothing with the
// numbering that tables are written with.
type numbering struct {
	info   tablebase.Info
	choose [129][33]uint64
	reps   []bitboard.Set128 // places of representatives, ascending
	mirror map[int]int       // of places
	others uint64
}

func newNumbering(info tablebase.Info) *numbering {
	p := &numbering{info: info, mirror: map[int]int{}}
	for n := range p.choose {
		p.choose[n][0] = 1
		for k := 1; n > 0 && k < len(p.choose[n]); k++ {
			p.choose[n][k] = p.choose[n-1][k-1] + p.choose[n-1][k]
		}
	}
	for i, c := range info.Places {
		p.mirror[i] = i
		if len(info.Mirror) > 0 {
			p.mirror[i] = slices.Index(info.Places, info.Mirror[c])
		}
	}
	n, k := len(info.Places), info.Pieces
	p.others = p.choose[n-k][k]
	p.reps = make([]bitboard.Set128, 0, p.choose[n][k])
	// Colexicographic order: by the highest piece, then the next. It is the order of
	// sets as words.
	var each func(k, below int, rest []int)
	each = func(k, below int, rest []int) {
		if k == 0 {
			army := slices.Clone(rest)
			slices.Sort(army)
			if p.rank(p.flip(army)) >= p.rank(army) {
				p.reps = append(p.reps, word(army))
			}
			return
		}
		for c := k - 1; c < below; c++ {
			each(k-1, c, append(rest, c))
		}
	}
	each(k, n, nil)
	return p
}

// memory is what the numbering of a table takes in bytes.
func memory(info tablebase.Info) uint64 {
	armies := uint64(1)
	for i := range info.Pieces {
		armies = armies * uint64(len(info.Places)-i) / uint64(i+1)
	}
	return 16*armies + 1<<16
}

// word is a list of places as a set.
func word(places []int) (w bitboard.Set128) {
	for _, c := range places {
		w = w.With(c)
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

// places turns a set of cells into ascending places.
func (p *numbering) places(cells bitboard.Set128) (list []int) {
	for i, c := range p.info.Places {
		if cells.Has(c) {
			list = append(list, i)
		}
	}
	return list
}

// index is the number of a position.
func (p *numbering) index(mover, other bitboard.Set128) uint64 {
	m, o := p.places(mover), p.places(other)
	row, ok := slices.BinarySearchFunc(p.reps, word(m), bitboard.Set128.Compare)
	if !ok {
		m, o = p.flip(m), p.flip(o)
		row, _ = slices.BinarySearchFunc(p.reps, word(m), bitboard.Set128.Compare)
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

// position is the position of a number.
func (p *numbering) position(index uint64) (mover, other bitboard.Set128) {
	m := p.reps[index/p.others]
	var free []int
	for i, c := range p.info.Places {
		if m.Has(i) {
			mover = mover.With(c)
		} else {
			free = append(free, c)
		}
	}
	rest := index % p.others
	for k := p.info.Pieces; k > 0; k-- {
		c := k - 1
		for p.choose[c+1][k] <= rest {
			c++
		}
		rest -= p.choose[c][k]
		other = other.With(free[c])
	}
	return mover, other
}

// weight is how many positions a number stands for.
func (p *numbering) weight(mover bitboard.Set128) uint64 {
	m := p.places(mover)
	if slices.Equal(m, p.flip(m)) {
		return 1
	}
	return 2
}
