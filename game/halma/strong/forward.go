package strong

import (
	"context"
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/solve/frame"
)

// Reachable counts the positions that can be reached from the start, by value. It takes as much
// memory again as the values: see Options.Reachable. Positions that differ only by half a turn and
// the exchange of the armies count once.
//
// A position has two places here. The first is its own. The second is in the row of the other army,
// into which its turns lead; the column there is that of the mover's army. hand.before turns each
// of these places into the other.
func (r *Solution) Reachable(ctx context.Context) (frame.Count, error) {
	l := r.l
	if r.tiles != nil {
		return frame.Count{}, fmt.Errorf("strong: %s: what can be reached is counted in memory: the solution is in files", l.spec.ID)
	}
	h := l.kernel.newHand()
	size := l.rows * l.words
	// reached has a bit for each position found so far, at the position's own place. from has a bit
	// for each position not yet worked on, in the row into which its turns lead.
	reached, from := make([]uint64, size), make([]uint64, size)
	due := make([]bool, l.rows)
	found, columns, places := make([]uint64, l.words), []uint32(nil), []place(nil)
	enter := func(p place) {
		at := int(p.row) * l.words
		from[at+int(p.col>>6)] |= 1 << (p.col & 63)
		from[at+int(p.image>>6)] |= 1 << (p.image & 63)
		due[p.row] = true
	}
	start := func(cells []int) (s bitboard.Set128) {
		for _, c := range cells {
			s = s.With(c)
		}
		return s
	}
	row, col := l.kernel.place(start(l.spec.Home), start(l.spec.Goal))
	reached[row*l.words+col>>6] |= 1 << (col & 63)
	enter(place{uint32(row), uint32(col), uint32(col)})
	for again := true; again; {
		again = false
		for i := range l.rows {
			if !due[i] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return frame.Count{}, err
			}
			due[i], again = false, true
			clear(found)
			at := from[i*l.words : (i+1)*l.words]
			h.expand(i, at, found)
			clear(at)
			columns = columns[:0]
			for j, x := range found {
				x &^= reached[i*l.words+j]
				reached[i*l.words+j] |= x
				for ; x != 0; x &= x - 1 {
					columns = append(columns, uint32(j<<6|bits.TrailingZeros64(x)))
				}
			}
			places = h.before(columns, places[:0])
			for _, p := range places {
				enter(p)
			}
		}
	}
	return r.countReached(reached), nil
}

func (r *Solution) countReached(reached []uint64) (n frame.Count) {
	l, rows := r.l, r.rowReader(r.l.kernel.newHand())
	for row := range l.rows {
		weight := l.weight(row)
		_ = rows.seek(row) // seek cannot fail on a solution in memory
		for j := range l.words {
			for x := reached[row*l.words+j]; x != 0; x &= x - 1 {
				if value, d := rows.at(j<<6 | bits.TrailingZeros64(x)); value == game.Draw {
					n.Draws += weight
				} else {
					n.Add(value == game.Win, d, weight)
				}
			}
		}
	}
	return n
}
