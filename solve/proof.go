package solve

import (
	"perfectplay/game"
)

// Proof mode: can the side force a win within d plies? Let D be the least number of plies within
// which it can, infinite if it cannot:
//
//	the side moves:    D = 1 + min over moves of D
//	another moves:     D = 1 + max over moves of D
//
// Every visit narrows an interval over < D ≤ by until d is outside. The interval is true even if
// moves were skipped, so the table stores it unchanged.

// prove returns an interval (over, by] of D for the current position, with by ≤ d (proved) or
// over ≥ d (refuted), unless the worker is stopped.
func (w *worker) prove(d int) (over, by int) {
	if !w.enter() {
		return 0, infinite
	}
	if r := w.state.Result(); r != game.Ongoing {
		w.counts.Terminals++
		if r >= 0 && onSide(w.side, int(r)) {
			return -1, 0
		}
		return infinite, infinite
	}
	if d <= 0 {
		return 0, infinite
	}
	mover := w.state.Seat()
	ours := onSide(w.side, mover)
	if over = w.sideOver(w.side, mover); over >= d {
		return over, infinite
	}
	by = infinite
	f := w.at()
	f.question = question{d: d, seat: mover, alpha: -1, beta: 0}
	if ours {
		f.alpha, f.beta = 0, 1
	}
	best := game.NoMove
	start := w.counts.Nodes
	for asked := false; ; asked = true {
		if w.tab != nil && d > w.shallow {
			p, ok := w.look(f, nil, asked)
			if best = game.NoMove; ok {
				b, m := unpack(p)
				best = w.actual(m, f.sym)
				if ours {
					over, by = max(over, b.winOver), min(by, b.winBy)
				} else {
					over, by = max(over, b.lossOver), min(by, b.lossBy)
				}
				if over >= d || by <= d {
					return over, by
				}
			}
		}
		if ours {
			over, by, best = w.proveOr(f, mover, d, over, by, best)
		} else {
			over, by, best = w.proveAnd(f, mover, d, over, by, best)
		}
		if !w.stopped {
			break
		}
		if !w.resumes() {
			return 0, infinite
		}
	}
	if w.tab != nil && d > w.shallow {
		b := unbounded
		if ours {
			b.winOver, b.winBy = over, by
			if by < infinite {
				b.lossOver = infinite
			}
		} else {
			b.lossOver, b.lossBy = over, by
			if by < infinite {
				b.winOver = infinite
			}
		}
		w.store(f, pack(b, w.canonical(best, f.sym)), w.counts.Nodes-start+1)
	}
	return over, by
}

// asksProof is an iteration of prove.
func asksProof(depth int) func(*worker) answer {
	return func(w *worker) answer {
		over, by := w.prove(depth)
		return answer{a: over, b: by}
	}
}

// proveOr searches a position where the side moves, proveAnd one where another seat moves.
func (w *worker) proveOr(f *frame, mover, d, over, by int, first game.Move) (int, int, game.Move) {
	best := first
	least := infinite // a lower bound on D over all moves
	it := w.iterate(f, d, first, over == 0, w.turnsLeft(w.side, mover, d))
	defer it.end(w)
	for it.next(w) {
		if it.putOff(w) {
			continue
		}
		w.play(it.move)
		o, b := w.prove(d - 1)
		w.back()
		it.done()
		if w.stopped {
			return over, by, best
		}
		least = min(least, next(o))
		if b < infinite && b+1 < by {
			by, best = b+1, it.move
		}
		if by <= d {
			w.counts.Cutoffs++
			w.reward(f, mover, it.move, d)
			return over, by, best
		}
	}
	if !it.all {
		least = min(least, d) // moves left out are too slow
	}
	return max(over, least), by, best
}

func (w *worker) proveAnd(f *frame, mover, d, over, by int, first game.Move) (int, int, game.Move) {
	most := 0
	it := w.iterate(f, d, first, false, -1)
	defer it.end(w)
	for it.next(w) {
		if it.putOff(w) {
			continue
		}
		w.play(it.move)
		o, b := w.prove(d - 1)
		w.back()
		it.done()
		if w.stopped {
			return over, by, first
		}
		over = max(over, next(o))
		most = max(most, next(b))
		if over >= d {
			w.counts.Cutoffs++
			w.reward(f, mover, it.move, d)
			return over, by, it.move
		}
	}
	return over, min(by, most), first
}
