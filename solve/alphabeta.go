package solve

import (
	"perfectplay/game"
	"perfectplay/internal/table"
)

// search is negamax alpha-beta with principal variation search. It returns the score (facts.go)
// of the current position for the side to move, w.side or its opponents, with d plies left:
// exact between alpha and beta, else a bound. A window asks about the wins of one side only, so
// zero never lies between alpha and beta. The result is void if w.stopped.
func (w *worker) search(d, alpha, beta int) int {
	if alpha < 0 && beta > 0 {
		panic("solve: a window asks about both sides")
	}
	return w.visit(d, alpha, beta, nil)
}

// seen is the table's entry for a position that a worker is about to enter.
type seen struct {
	address *address
	payload table.Payload
	known   bool
}

// visit is search; s, if not nil, is the table's entry for the position.
func (w *worker) visit(d, alpha, beta int, s *seen) int {
	if !w.enter() {
		return 0
	}
	mover := w.state.Seat()
	ours := onSide(w.side, mover)
	if r := w.state.Result(); r != game.Ongoing {
		w.counts.Terminals++
		switch {
		case r < 0:
			return 0
		case onSide(w.side, int(r)) == ours:
			return d + 1
		}
		return -d - 1
	}
	if d <= 0 {
		w.horizon = true
		return 0
	}
	if w.safe != nil && !w.sawSafe() && w.safe.WinningMove() != game.NoMove {
		return d
	}
	left, known, mark := w.pliesLeft(), w.race(mover, alpha, beta), -1
	if w.safe != nil {
		wait := &w.waits[mover]
		known = known.and(wait.noWin)
		if wait.noWin.lossOver == 1 {
			// noWin decides the position if one ply is left.
			if v, ok := w.decided(known.within(left), d, alpha, beta); ok {
				return v
			}
			if s == nil && w.tab != nil && d > w.shallow {
				w.locate(w.at()) // the entry loads while the game lists its moves
			}
			mark = len(w.moves)
			if w.moves = w.safe.SafeMoves(w.moves); len(w.moves) == mark {
				return 1 - d
			}
			known = known.and(wait.noThreat)
		}
	}
	known = known.within(left)
	if ours && beta <= 0 && known.lossOver < d && w.hopeless(mover, d) {
		known.lossOver = d
	}
	v, ok := w.decided(known, d, alpha, beta)
	if !ok {
		v = w.expand(mover, d, alpha, beta, known, left, mark, s)
	}
	if mark >= 0 {
		w.drop(mark)
	}
	return v
}

// expand searches a position that bounds leave open; the game ends within left plies. If mark is
// not negative, only the moves on the worker's stack from mark on are searched.
func (w *worker) expand(mover, d, alpha, beta int, known bounds, left, mark int, s *seen) int {
	f := w.at()
	best, m, v := game.NoMove, game.NoMove, 0
	met, start := w.horizon, w.counts.Nodes
	for asked := false; ; asked = true {
		w.horizon = met
		if w.tab != nil && d > w.shallow {
			if p, ok := w.look(f, s, asked || mark >= 0); ok {
				var b bounds
				b, best = unpack(p)
				best = w.actual(best, f.sym)
				known = known.and(b)
				if v, ok := w.decided(known, d, alpha, beta); ok {
					return v
				}
			}
			s = nil
		}
		lower, upper := known.scoreRange(d)
		alpha, beta = max(alpha, lower-1), min(beta, upper+1)
		w.horizon = false
		f.question, f.safe = question{d: d, seat: mover, alpha: alpha, beta: beta}, mark >= 0
		if v, m = w.searchMoves(f, mover, d, alpha, beta, known, best, mark); !w.stopped {
			break
		}
		if !w.resumes() {
			return 0
		}
	}
	w.horizon = w.horizon && v == 0 && d < left // only the score of a draw may rise with more plies
	if w.tab != nil && d > w.shallow {
		known = learned(v, d, v > alpha, v < beta, !w.horizon).and(known)
		w.store(f, pack(known, w.canonical(m, f.sym)), w.counts.Nodes-start+1)
	}
	w.horizon = w.horizon || met
	return v
}

// searchMoves searches all moves, or those on the stack from mark on if mark is not negative:
// then every other move loses at the second ply. It stops when the score reaches the known upper
// bound.
func (w *worker) searchMoves(f *frame, mover, d, alpha, beta int, known bounds, first game.Move, mark int) (int, game.Move) {
	_, upper := known.scoreRange(d)
	bestMove := first
	ours := onSide(w.side, mover)
	best, low, n := -d-2, alpha, 0
	turns := -1
	if alpha >= 0 {
		turns = w.turnsLeft(w.sideOf(mover), mover, d-alpha)
	}
	// A side that avoids a loss seldom needs a win, and looking for one in a long list costs
	// more than it saves. In games without races a win at once ends the search.
	it := w.iterate(f, d, first, upper == d && (beta > 0 || w.lister == nil), turns)
	defer it.end(w)
	if mark >= 0 {
		it.safe, best = mark, 1-d
	}
	if alpha >= 0 && turns < 0 && !ours && w.chances(&w.chance, mover, d-alpha) {
		it.listHelping(w, (d-alpha-1)/w.seats)
	}
	after := mover + 1
	if after == w.seats {
		after = 0
	}
	same := onSide(w.side, after) == ours
	if (ours && w.allies != nil || mark >= 0) && it.fetch && (d >= askDepth || w.sh.plan.eager) && beta-alpha == 1 && w.ply > 0 && w.asking.worth() {
		if v, ok := it.known(w, same, d, alpha, beta); ok {
			w.asking.found++
			return v, it.move
		}
	}
	for it.next(w) {
		var v int
		var s *seen
		answered := false
		if it.address != nil {
			s = &w.seen
			s.address = it.address
			v, answered = w.foresee(s, same, d, low, beta)
		}
		if !answered {
			if it.putOff(w) {
				continue
			}
			w.play(it.move)
			if n > 0 && beta-low > 1 {
				if v = w.child(same, d, low, low+1, s); v > low && v < beta && !w.stopped {
					v = w.child(same, d, low, beta, nil)
				}
			} else {
				v = w.child(same, d, low, beta, s)
			}
			w.back()
		}
		it.done()
		if w.stopped {
			return 0, bestMove
		}
		n++
		if v > best {
			best = v
			if v > low {
				low, bestMove = v, it.move
			}
		}
		if best >= beta {
			w.counts.Cutoffs++
			w.reward(f, mover, it.move, d)
			break
		}
		if best >= upper {
			break
		}
	}
	if !it.all && best <= alpha {
		// The moves left out are too slow for a score above alpha.
		best, w.horizon = alpha, w.horizon || alpha == 0
	}
	return best, bestMove
}

// child searches the position after a move in the window of the position before; same means that
// the same side is to move.
func (w *worker) child(same bool, d, alpha, beta int, s *seen) int {
	if same {
		return w.visit(d-1, alpha, beta, s)
	}
	return -w.visit(d-1, -beta, -alpha, s)
}

// foresee looks up the position after a move without making it. It reports whether the table's
// entry decides it.
func (w *worker) foresee(s *seen, same bool, d, alpha, beta int) (score int, ok bool) {
	if s.payload, s.known = w.recall(s.address); !s.known {
		return 0, false
	}
	b, _ := unpack(s.payload)
	if same {
		return w.decided(b, d-1, alpha, beta)
	}
	score, ok = w.decided(b, d-1, -beta, -alpha)
	return -score, ok
}

// wait holds bounds on positions whose seat to move has no win at once, for games in which a turn
// can win only for its maker. noWin holds at all these positions. noThreat holds if, besides, the
// next seat is an opponent and some move leaves it no win at once.
type wait struct{ noWin, noThreat bounds }

// waitOf counts the plies before each side's first turn that may win.
func (w *worker) waitOf(mover int) wait {
	own, seat := w.sideOf(mover), func(ply int) int { return (mover + ply - 1) % w.seats }
	before := func(ply int, ours bool) int { // a side's first turn at or after a ply
		for ; onSide(own, seat(ply)) != ours; ply++ {
		}
		return ply - 1
	}
	a := bounds{before(2, true), infinite, before(2, false), infinite}
	b := a
	b.lossOver = before(3, false)
	return wait{a, b}
}

// sawSafe reports whether the last move was listed by SafeMoves, so that the mover has no win at
// once.
func (w *worker) sawSafe() bool { return w.ply > 0 && w.frames[w.ply-1].safe }

func (w *worker) sideOf(seat int) uint {
	if onSide(w.side, seat) {
		return w.side
	}
	return ^w.side & (1<<uint(w.seats) - 1)
}

// race turns the bounds on turns into bounds on the position, as far as the window can use them.
func (w *worker) race(mover, alpha, beta int) bounds {
	b := unbounded
	if w.racer == nil {
		return b
	}
	own := w.sideOf(mover)
	if beta > 0 {
		b.winOver = w.sideOver(own, mover)
	}
	if alpha < 0 {
		b.lossOver = w.sideOver(own^(1<<uint(w.seats)-1), mover)
	}
	return b
}

// decided reports whether bounds decide the window, and the score. It sets w.horizon if the
// score is a draw that more plies may change.
func (w *worker) decided(b bounds, d, alpha, beta int) (int, bool) {
	lower, upper := b.scoreRange(d)
	v := lower
	switch {
	case lower >= beta, lower == upper:
	case upper <= alpha:
		v = upper
	default:
		return 0, false
	}
	if v == 0 && (v > alpha && b.lossOver < infinite || v < beta && b.winOver < infinite) {
		w.horizon = true
	}
	return v, true
}
