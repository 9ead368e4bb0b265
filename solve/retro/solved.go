package retro

import "perfectplay/game"

// Value returns the value of a position to its mover and, if the solve was for
// distances, the plies to the end, 0 for draws. The armies are lists of cells
// from the mover's side, of the right length, without overlap. An illegal
// position has value Unknown.
func (r *Solved) Value(mover, other []int) (game.Value, int) {
	b := r.l.b
	m, o := b.set(mover), b.set(other)
	row, col := r.l.place(m, o)
	at, bit := r.l.at64(row, col), uint(col&63)
	d := 0
	if r.dist != nil {
		d = int(r.dist[at*64+int(bit)])
	}
	switch {
	case r.win[at]>>bit&1 != 0:
		if b.illegal(m, o) {
			return game.Unknown, 0
		}
		return game.Win, d
	case r.loss[at]>>bit&1 != 0:
		return game.Loss, d
	}
	return game.Draw, 0
}
