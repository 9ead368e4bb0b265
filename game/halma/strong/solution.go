package strong

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/internal/host"
)

// Counts returns how many positions have each value.
func (r *Solution) Counts() Counts { return r.counts }

// HasDistances says whether the solve was for distances.
func (r *Solution) HasDistances() bool { return r.dist != nil }

// Value returns the value of a position to its mover and, if the solve was for
// distances, the plies to the end, 0 for draws. The armies are from the mover's
// side, as [halma.Sides] returns them: bit c is cell c; of the right size, without
// overlap. An illegal position has value Unknown. See [Rows] for many positions.
func (r *Solution) Value(mover, other bitboard.Set128) (game.Value, int) {
	w := Rows{r: r}
	w.place(mover)
	col := w.column(other)
	at := col>>6*r.l.gap + w.row
	r.space.Charge(3 * host.PageSize)
	r.space.FaultIn(&r.win[at])
	r.space.FaultIn(&r.loss[at])
	d := 0
	if r.dist != nil {
		r.dist.faultIn(r.space, at)
		d = r.dist.of(at, col&63)
	}
	return w.judge(col, r.win[at], r.loss[at], d)
}

// Close gives up what a bounded solve keeps in files. The solution must not be
// used any more.
func (r *Solution) Close() { r.space.Close() }

// Rows looks up the positions of one mover's army after another. It holds a copy
// of the row it is at, so that a table in files is read once a row however many
// goroutines read. It belongs to one goroutine.
type Rows struct {
	r         *Solution
	row       int
	flip      bool
	win, loss []uint64
	dist      []uint8 // empty without distances
}

// Rows returns a reader that is at no row yet: see [Rows.Seek].
func (r *Solution) Rows() *Rows {
	w := &Rows{r: r, win: make([]uint64, r.l.words), loss: make([]uint64, r.l.words)}
	if r.dist != nil {
		w.dist = make([]uint8, 64*r.l.words)
	}
	return w
}

// Seek goes to the positions of a mover's army; bit c is cell c.
func (w *Rows) Seek(mover bitboard.Set128) {
	r, l := w.r, w.r.l
	w.place(mover)
	planes := 2
	if r.dist != nil {
		planes += len(r.dist.planes)
	}
	r.space.Charge(planes * l.words * host.PageSize)
	for j := range l.words {
		at := j*l.gap + w.row
		r.space.FaultIn(&r.win[at])
		r.space.FaultIn(&r.loss[at])
		w.win[j], w.loss[j] = r.win[at], r.loss[at]
		if r.dist != nil {
			r.dist.faultIn(r.space, at)
			r.dist.spread(at, (*[64]uint8)(w.dist[64*j:]))
		}
	}
}

// place finds the row of a mover's army.
func (w *Rows) place(mover bitboard.Set128) {
	l := w.r.l
	w.flip = false
	if w.row = l.columnAt(&l.own, mover); w.row >= l.reps {
		w.row, w.flip = w.row-l.gap, true
	}
}

// column finds the column of the other army in the row.
func (w *Rows) column(other bitboard.Set128) int {
	l := w.r.l
	col := l.columnAt(&l.seen, other)
	if w.flip {
		col = l.mirrored(col)
	}
	if w.row >= l.pairs && col >= l.gap {
		col -= l.gap // the mover's army is symmetric: both columns are the same position
	}
	return col
}

// Value returns the value and distance of the row's position with the other
// army; bit c is cell c. See [Solution.Value].
func (w *Rows) Value(other bitboard.Set128) (game.Value, int) {
	col := w.column(other)
	d := 0
	if len(w.dist) > 0 {
		d = int(w.dist[col])
	}
	return w.judge(col, w.win[col>>6], w.loss[col>>6], d)
}

// judge reads the words of 64 columns that hold one, and its distance.
func (w *Rows) judge(col int, win, loss uint64, d int) (game.Value, int) {
	switch bit := col & 63; {
	case win>>bit&1 != 0:
		if w.r.l.kernel.illegal(w.row, col) {
			return game.Unknown, 0 // kept as a win
		}
		return game.Win, d
	case loss>>bit&1 != 0:
		return game.Loss, d
	}
	return game.Draw, 0
}

// Histogram returns how many positions are won and lost at each distance,
// mirror images included; nil without distances.
func (r *Solution) Histogram() (wins, losses []uint64) {
	if r.dist == nil {
		return nil, nil
	}
	l := r.l
	var won, lost [256]uint64
	var numbers [64]uint8
	for j := range l.words {
		r.space.Charge((2 + len(r.dist.planes)) * 8 * l.gap)
		for row := range l.reps {
			at := l.at64(row, j*64)
			r.dist.spread(at, &numbers)
			for x := r.win[at] | r.loss[at]; x != 0; x &= x - 1 {
				bit := bits.TrailingZeros64(x)
				d, weight := numbers[bit], l.weight(row, j*64+bit)
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
