package search

import (
	"perfectplay/game"
)

// beam is how many moves, those of most gain, max^n looks at behind the root.
const beam = 8

// selfish is the value of a move for the hero if everybody plays for himself.
func (w *Search) selfish(m game.Move, d int) int32 {
	var out [maxSeats]int32
	w.play(m)
	if !w.stopped {
		w.maxn(d-1, out[:w.seats])
	}
	w.back()
	return out[w.hero]
}

// maxn writes what the current position is worth to each seat, d plies before the end
// of the search. Of equal moves the first is taken, in the order of gain.
func (w *Search) maxn(d int, out []int32) {
	if r := w.s.Result(); r != game.Ongoing {
		winner, ok := r.Winner()
		for seat := range out {
			switch {
			case !ok:
				out[seat] = 0
			case seat == winner:
				out[seat] = mate - int32(w.ply)
			default:
				out[seat] = int32(w.ply) - mate
			}
		}
		return
	}
	f := w.frame()
	if d <= 0 {
		costs := f.costs[:w.seats]
		w.e.costs(w.s, costs)
		for seat := range out {
			out[seat] = standing(costs, seat)
		}
		return
	}
	mover := w.s.Seat()
	f.moves = w.s.Moves(f.moves[:0])
	w.order(f, mover, game.NoMove)
	var best [maxSeats]int32
	most := len(f.moves)
	if w.e.exact() {
		most = min(most, beam)
	}
	for i := 0; i < most && !w.stopped; i++ {
		w.play(pick(f, i))
		var v [maxSeats]int32
		if !w.stopped {
			w.maxn(d-1, v[:w.seats])
		}
		w.back()
		if i == 0 || v[mover] > best[mover] {
			best = v
		}
		if best[mover] >= decided {
			break // it wins, and so do the others not
		}
	}
	copy(out, best[:])
}
