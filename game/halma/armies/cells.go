package armies

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/game/halma/internal/turns"
	"perfectplay/rank"
)

type cells1 struct {
	*board
	// army[seat][rank] is an army on the board; a seat shares the ranks of its kind, seat mod
	// period. over is indexed by seat, too.
	army [][]sets.Set1
	over []turns.Over1
	sort []sort1 // sets of each kind
}

// sort1 has the sets of cells of a kind.
type sort1 struct {
	moves   turns.Moves1
	army    []sets.Set1 // armies by rank
	partial []sets.Set1 // armies without one piece
	// near[r] are the cells where steps of an army may end. If one of these cells is empty, the
	// army can move.
	near []sets.Set1
}

func newCells1(b *board, e *halma.Embedding) (kernel, error) {
	t := b.spec
	c := &cells1{board: b}
	for seat := range b.n {
		c.over = append(c.over, turns.NewOver1(t.Over(seat), b.bit))
	}
	for i := range b.kinds {
		if err := c.number(i, turns.NewMoves1(t.Turns(i), t.Next, b.bit, &e.Shift)); err != nil {
			return nil, err
		}
	}
	for seat := range b.n {
		armies := make([]sets.Set1, 0, b.kinds[seat%b.period].size)
		for _, s := range c.sort[seat%b.period].army {
			for range seat / b.period {
				s = c.turn(s)
			}
			armies = append(armies, s)
		}
		c.army = append(c.army, armies)
	}
	return c, nil
}

func (c *cells1) number(i int, m turns.Moves1) error {
	k, s := &c.kinds[i], sort1{moves: m}
	n := m.Open.Count()
	fewer, err := rank.NewSubsets(n, c.k-1)
	if err != nil {
		return err
	}
	k.partials = int(fewer.Size())
	for p := range fewer.Size() {
		s.partial = append(s.partial, m.Open.At(fewer.Unrank(p)))
	}
	k.column = make([]uint32, k.partials*c.span)
	for j := range k.column {
		k.column[j] = none
	}
	k.with = make([][]uint64, c.span)
	for bit := range k.with {
		k.with[bit] = make([]uint64, k.words)
	}
	k.tight, k.inside = make([]uint64, k.words), make([]uint64, k.words)
	for r := range k.size {
		army := m.Open.At(k.subsets.Unrank(uint64(r)))
		near := army.BesideRuled(&m.A, &m.Forth).And(m.Cells).AndNot(army)
		s.army, s.near = append(s.army, army), append(s.near, near)
		if near.Count() <= (c.n-1)*c.k {
			k.tight[r>>6] |= 1 << (r & 63)
		}
		if army.Within(c.over[i].Inside) {
			k.inside[r>>6] |= 1 << (r & 63)
		}
		for x := army; !x.IsEmpty(); x = x.DropMin() {
			bit := int(x.Min())
			without := int(army.AndNot(x.First()).RankIn(m.Open, fewer))
			k.lifts = append(k.lifts, uint32(without*64*sets.Words1+bit))
			k.column[without*c.span+bit] = uint32(r)
			k.with[bit][r>>6] |= 1 << (r & 63)
		}
	}
	c.sort = append(c.sort, s)
	return nil
}

// turn returns a set after the turn of the board by one period.
func (c *cells1) turn(s sets.Set1) (r sets.Set1) {
	for ; !s.IsEmpty(); s = s.DropMin() {
		r = r.Or(sets.Only1(c.turned[s.Min()]))
	}
	return r
}

// back returns a set after the turn of the board that takes a seat to the place of the first seat
// of its kind.
func (c *cells1) back(seat int, s sets.Set1) sets.Set1 {
	for range (c.n/c.period - seat/c.period) % (c.n / c.period) {
		s = c.turn(s)
	}
	return s
}

// mobile reports whether an army has a legal turn; blocked are the pieces of all others.
func (s *sort1) mobile(army, blocked sets.Set1) bool {
	for x := army; !x.IsEmpty(); x = x.DropMin() {
		if piece := x.First(); !s.moves.Ends(army.AndNot(piece).Or(blocked), piece).IsEmpty() {
			return true
		}
	}
	return false
}

func (c *cells1) rankOf(seat int, cells bitboard.Set128) (int, error) {
	s := c.back(seat, turns.Bits1(cells, c.bit))
	open := c.sort[seat%c.period].moves.Open
	if s.Count() != c.k || !s.Within(open) {
		return 0, fmt.Errorf("armies: %s: seat %d: not %d pieces on its open cells", c.spec.ID, seat, c.k)
	}
	return int(s.RankIn(open, c.kinds[seat%c.period].subsets)), nil
}

func (c *cells1) places(kind int) (list []int) {
	cellAt := map[uint8]int{}
	for cell, bit := range c.bit {
		cellAt[bit] = cell
	}
	for x := c.sort[kind].moves.Open; !x.IsEmpty(); x = x.DropMin() {
		list = append(list, cellAt[x.Min()])
	}
	return list
}
