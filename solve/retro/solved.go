package retro

import (
	"math/bits"

	"perfectplay/game"
)

// Counts returns how many positions have each value.
func (r *Solved) Counts() Counts { return r.counts }

// HasDistances says whether the solve was for distances.
func (r *Solved) HasDistances() bool { return r.dist != nil }

// Value returns the value of a position to its mover and, if the solve was for
// distances, the plies to the end, 0 for draws. The armies are lists of cells
// from the mover's side, of the right length, without overlap. An illegal
// position has value Unknown.
func (r *Solved) Value(mover, other []int) (game.Value, int) {
	var m, o uint64
	for _, c := range mover {
		m |= 1 << c
	}
	for _, c := range other {
		o |= 1 << c
	}
	return r.Row(m).Value(o)
}

// Close gives up what a bounded solve keeps in files. The solution must not be
// used any more.
func (r *Solved) Close() { r.space.close() }

// Row is the positions of one mover's army.
type Row struct {
	r     *Solved
	mover uint64 // as bits
	row   int
	flip  bool
}

// Row returns the positions of a mover's army; bit c is cell c.
func (r *Solved) Row(mover uint64) Row {
	l := r.l
	r.space.touch(3 * l.words * pageSize)
	w := Row{r: r, mover: l.b.fromCells(mover)}
	if w.row = l.columnOf(w.mover); w.row >= l.reps {
		w.row, w.flip = w.row-l.gap, true
	}
	for j := 0; j < l.words && r.space.dir != ""; j++ {
		at := j*l.gap + w.row
		r.space.bring(&r.win[at])
		r.space.bring(&r.loss[at])
		if r.dist != nil {
			r.space.bringByte(r.dist[64*at:])
		}
	}
	return w
}

// Value returns the value and distance of the position with the other army;
// bit c is cell c. See [Solved.Value].
func (w Row) Value(other uint64) (game.Value, int) {
	l := w.r.l
	o := l.b.fromCells(other)
	col := l.columnOf(l.b.turn(o))
	if w.flip {
		col = l.mirrored(col)
	}
	if w.row >= l.pairs && col >= l.gap {
		col -= l.gap // the mover's army is symmetric: both columns are the same position
	}
	at, bit := l.at64(w.row, col), uint(col&63)
	switch {
	case w.r.win[at]>>bit&1 != 0:
		if l.b.illegal(w.mover, o) {
			return game.Unknown, 0
		}
		return game.Win, w.r.distance(at, bit)
	case w.r.loss[at]>>bit&1 != 0:
		return game.Loss, w.r.distance(at, bit)
	}
	return game.Draw, 0
}

// distance is 0 where distances are not known.
func (r *Solved) distance(at int, bit uint) int {
	if r.dist == nil {
		return 0
	}
	return int(r.dist[at*64+int(bit)])
}

// Histogram returns how many positions are won and lost at each distance,
// mirror images included; nil without distances.
func (r *Solved) Histogram() (wins, losses []uint64) {
	if r.dist == nil {
		return nil, nil
	}
	l := r.l
	var won, lost [256]uint64
	for j := range l.words {
		r.space.touch((2*8 + 64) * l.gap)
		for row := range l.reps {
			at := l.at64(row, j*64)
			for x := r.win[at] | r.loss[at]; x != 0; x &= x - 1 {
				bit := bits.TrailingZeros64(x)
				d, weight := r.dist[at*64+bit], l.weight(row, j*64+bit)
				if r.loss[at]>>bit&1 != 0 {
					lost[d] += weight
					continue
				}
				won[d] += weight
			}
		}
	}
	// Illegal positions are kept as wins at distance 0.
	won[0] -= r.counts.Illegal
	last := 0
	for d := range won {
		if won[d]|lost[d] != 0 {
			last = d
		}
	}
	return won[:last+1], lost[:last+1]
}

// fromCells returns a set of cells, bit c being cell c, as bits of the board.
func (b *board) fromCells(s uint64) (x uint64) {
	for ; s != 0; s &= s - 1 {
		x |= 1 << b.bit[bits.TrailingZeros64(s)&63]
	}
	return x
}
