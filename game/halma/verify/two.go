package verify

import (
	"encoding/json"
	"fmt"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve/table"
)

// board is the part of the description of a table of two armies.
type board struct {
	Pieces int
	Places []int
	Mirror []int
}

// two returns listers of the positions of a table of two armies, within memory bytes.
func two(g *halma.Game, play game.Game, info table.Info, memory uint64) (func() table.Walker, error) {
	var b board
	if err := json.Unmarshal(info.Board, &b); err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	armies := uint64(1)
	for i := range b.Pieces {
		armies = armies * uint64(len(b.Places)-i) / uint64(i+1)
	}
	if need := 16*armies + 1<<16; need > memory {
		return nil, fmt.Errorf("verify: to number the positions again takes %d bytes of memory, %d are allowed", need, memory)
	}
	p := newRanks(b)
	if p.size() != info.Numbers {
		return nil, fmt.Errorf("verify: the table has %d positions, the game %d", info.Numbers, p.size())
	}
	per := uint64(1 << 19 / info.Bits) // positions of a block
	return func() table.Walker { return &walker{p, g, play, per} }, nil
}

type walker struct {
	*ranks
	g    *halma.Game
	play game.Game
	per  uint64
}

// unit is the number of positions in a unit of work.
const unit = 1 << 6

func (w *walker) Units() uint64 { return (w.size() + unit - 1) / unit }
func (w *walker) Bundle() int   { return 1 }

func (w *walker) place(n uint64) table.Place {
	return table.Place{Block: int(n / w.per), At: int(n % w.per)}
}

func (w *walker) Place(s game.State) (table.Place, error) {
	return w.place(w.index(halma.Sides(w.g, s))), nil
}

func (w *walker) Unit(i uint64, do func(s game.State, p table.Place, weight uint64) error) error {
	for n := i * unit; n < min((i+1)*unit, w.size()); n++ {
		mover, other := w.position(n)
		var s game.State
		if !forbidden(w.g, mover, other) {
			var err error
			if s, err = w.play.Parse(w.g.Text(0, mover, other)); err != nil {
				return fmt.Errorf("verify: %w", err)
			}
		}
		if err := do(s, w.place(n), w.weight(mover)); err != nil {
			return err
		}
	}
	return nil
}

// ranks numbers positions by FORMAT.md of package table, by sums of binomials over lists of places.
type ranks struct {
	board
	choose [129][33]uint64
	reps   []bitboard.Set128 // places of representatives, ascending
	mirror map[int]int       // mirror image of each place
	others uint64
}

func newRanks(b board) *ranks {
	p := &ranks{board: b, mirror: map[int]int{}}
	for n := range p.choose {
		p.choose[n][0] = 1
		for k := 1; n > 0 && k < len(p.choose[n]); k++ {
			p.choose[n][k] = p.choose[n-1][k-1] + p.choose[n-1][k]
		}
	}
	for i, c := range b.Places {
		p.mirror[i] = i
		if len(b.Mirror) > 0 {
			p.mirror[i] = slices.Index(b.Places, b.Mirror[c])
		}
	}
	n, k := len(b.Places), b.Pieces
	p.others = p.choose[n-k][k]
	p.reps = make([]bitboard.Set128, 0, p.choose[n][k])
	// Colexicographic order compares the highest pieces, then the next. It is the order of sets as
	// words.
	var each func(k, below int, rest []int)
	each = func(k, below int, rest []int) {
		if k == 0 {
			army := slices.Clone(rest)
			slices.Sort(army)
			if p.rank(p.flip(army)) >= p.rank(army) {
				p.reps = append(p.reps, halma.SetOf(army))
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

func (p *ranks) size() uint64 { return uint64(len(p.reps)) * p.others }

// rank returns the rank of ascending places.
func (p *ranks) rank(places []int) (r uint64) {
	for i, c := range places {
		r += p.choose[c][i+1]
	}
	return r
}

func (p *ranks) flip(places []int) []int {
	image := make([]int, len(places))
	for i, c := range places {
		image[i] = p.mirror[c]
	}
	slices.Sort(image)
	return image
}

// places turns a set of cells into ascending places.
func (p *ranks) places(cells bitboard.Set128) (list []int) {
	for i, c := range p.Places {
		if cells.Has(c) {
			list = append(list, i)
		}
	}
	return list
}

func (p *ranks) index(mover, other bitboard.Set128) uint64 {
	m, o := p.places(mover), p.places(other)
	row, ok := slices.BinarySearchFunc(p.reps, halma.SetOf(m), bitboard.Set128.Compare)
	if !ok {
		m, o = p.flip(m), p.flip(o)
		row, _ = slices.BinarySearchFunc(p.reps, halma.SetOf(m), bitboard.Set128.Compare)
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

func (p *ranks) position(index uint64) (mover, other bitboard.Set128) {
	m := p.reps[index/p.others]
	var free []int
	for i, c := range p.Places {
		if m.Has(i) {
			mover = mover.With(c)
		} else {
			free = append(free, c)
		}
	}
	rest := index % p.others
	for k := p.Pieces; k > 0; k-- {
		c := k - 1
		for p.choose[c+1][k] <= rest {
			c++
		}
		rest -= p.choose[c][k]
		other = other.With(free[c])
	}
	return mover, other
}

// weight is the number of positions that a number stands for.
func (p *ranks) weight(mover bitboard.Set128) uint64 {
	m := p.places(mover)
	if slices.Equal(m, p.flip(m)) {
		return 1
	}
	return 2
}

// forbidden says whether no turn may lead to a position, with the first seat to move.
func forbidden(g *halma.Game, mover, other bitboard.Set128) bool {
	r, b := g.RuleSet(), g.Board()
	if r.Illegal == halma.NoIllegal {
		return false
	}
	// The goal of the first seat is the top: the first cells.
	full, own, near := true, false, false
	for c := range b.Cells() {
		goal, home := g.Goal(0).Has(c), g.Home(0).Has(c)
		mine := mover.Has(c)
		full = full && (!goal || mine || other.Has(c))
		own = own || goal && mine
		near = near || (goal || home) && mine
	}
	if full && own {
		return true
	}
	if b.Pieces() != 6 || r.Illegal == halma.Sturtevant2019Run && !near {
		return false
	}
	last := b.Cells() - 1
	blocked := func(tip int, holder bitboard.Set128) bool {
		held := func(i int) bool { return holder.Has(max(tip-i, i-tip)) }
		return !mover.Has(tip) && !other.Has(tip) && held(1) && held(2) && held(3) && held(5)
	}
	return blocked(0, other) || blocked(last, mover)
}
