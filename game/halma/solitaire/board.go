package solitaire

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

// board is a game prepared for moving one army: moves as short lists of cells, placements as
// ranks.
type board struct {
	spec *halma.TwoArmy
	sets *rank.Subsets
	// near and hops lead off the board to the cells outside and beyond; outside is never empty,
	// and beyond never holds a piece.
	near [128][6]uint8
	hops [128][6]hop
	// Unless unrestricted, may[c] are the cells where a turn from c may end.
	unrestricted bool
	may          [128]bitboard.Set128
	// If strict, mayHop[c] are the cells where a hop from c may land.
	strict bool
	mayHop [128]bitboard.Set128
	// turned is the image of a cell after half a turn, mirror its mirror image.
	turned, mirror [128]uint8
	mirrored       bool // mirror images count as one
	home           bitboard.Set128
	goal           bitboard.Set128
}

type hop struct{ over, to uint8 }

const (
	beyond  = 254
	outside = 255
)

// The contents of a cell while a piece moves.
const (
	empty = iota
	piece
	marked // the moving piece was or can get here
)

func newBoard(t *halma.TwoArmy) (*board, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	sets, err := rank.NewSubsets(t.Cells, t.Pieces)
	if err != nil {
		return nil, err
	}
	b := &board{spec: t, sets: sets, mirrored: t.Mirror != nil}
	b.home, b.goal = halma.SetOf(t.Home), halma.SetOf(t.Goal)
	ways := t.Turns(t.Home, t.Goal)
	b.unrestricted, b.strict = ways.Unrestricted, !ways.Free
	copy(b.may[:], ways.End)
	copy(b.mayHop[:], ways.Hop)
	for c := range t.Cells {
		for d, n := range t.Next[c] {
			b.near[c][d], b.hops[c][d] = outside, hop{beyond, outside}
			if n < 0 {
				continue
			}
			b.near[c][d] = uint8(n)
			if to := t.Next[n][d]; to >= 0 {
				b.hops[c][d] = hop{uint8(n), uint8(to)}
			}
		}
		b.turned[c], b.mirror[c] = t.Turn[c], uint8(c)
		if b.mirrored {
			b.mirror[c] = t.Mirror[c]
		}
	}
	return b, nil
}

// permute returns a set moved by a permutation of cells.
func permute(p *[128]uint8, x bitboard.Set128) (y bitboard.Set128) {
	for lo := x.Lo; lo != 0; lo &= lo - 1 {
		y = y.With(int(p[bits.TrailingZeros64(lo)]))
	}
	for hi := x.Hi; hi != 0; hi &= hi - 1 {
		y = y.With(int(p[64+bits.TrailingZeros64(hi)]))
	}
	return y
}

// key is the rank of a placement, equal for mirror images.
func (b *board) key(x bitboard.Set128) uint64 {
	r := b.sets.Rank(x)
	if b.mirrored {
		r = min(r, b.sets.Rank(permute(&b.mirror, x)))
	}
	return r
}

// generator finds moves. It belongs to one goroutine.
type generator struct {
	b     *board
	army  []uint8 // cells of the pieces, from the lowest
	cells [256]uint8
	queue [128]uint8
	// For ranking the ends of one piece's moves, and their mirror images.
	lift, image rank.Lift
}

func (b *board) newGenerator() *generator {
	w := &generator{b: b}
	w.cells[outside] = piece
	return w
}

// place puts the pieces of an army on the cells instead of the last army's.
func (w *generator) place(x bitboard.Set128) {
	for _, c := range w.army {
		w.cells[c] = empty
	}
	w.army = w.army[:0]
	for lo := x.Lo; lo != 0; lo &= lo - 1 {
		w.army = append(w.army, uint8(bits.TrailingZeros64(lo)))
	}
	for hi := x.Hi; hi != 0; hi &= hi - 1 {
		w.army = append(w.army, uint8(64+bits.TrailingZeros64(hi)))
	}
	for _, c := range w.army {
		w.cells[c] = piece
	}
}

// ends lists the cells where a piece of the army may end a turn. The list is valid until the
// next call.
func (w *generator) ends(from uint8) []uint8 {
	b, q, n := w.b, &w.queue, 1
	q[0] = from
	w.cells[from] = marked
	for i := 0; i < n; i++ {
		at := q[i&127]
		for _, h := range &b.hops[at&127] {
			if w.cells[h.over] != piece || w.cells[h.to] != empty {
				continue
			}
			if b.strict && !b.mayHop[at].Has(int(h.to)) {
				continue
			}
			w.cells[h.to] = marked
			q[n&127] = h.to
			n++
		}
	}
	for _, c := range q[1:n] {
		w.cells[c] = empty
	}
	for _, to := range &b.near[from&127] {
		if w.cells[to] == empty {
			q[n&127] = to
			n++
		}
	}
	w.cells[from] = piece
	if b.unrestricted {
		return q[1:n]
	}
	kept := 1
	for _, to := range q[1:n] {
		if b.may[from].Has(int(to)) {
			q[kept] = to
			kept++
		}
	}
	return q[1:kept]
}

// lifts prepares key for the moves of one piece of the placement x.
func (w *generator) lifts(x bitboard.Set128, from uint8) {
	x = x.Without(int(from))
	w.b.sets.Lift(&w.lift, x)
	if w.b.mirrored {
		w.b.sets.Lift(&w.image, permute(&w.b.mirror, x))
	}
}

// key is board.key of the placement after the lifted piece's move.
func (w *generator) key(to uint8) uint64 {
	r := w.lift.Rank(int(to))
	if w.b.mirrored {
		r = min(r, w.image.Rank(int(w.b.mirror[to])))
	}
	return r
}
