package solve

import "perfectplay/game"

// Best-reply search (Schadd and Winands, "Best reply search for multiplayer
// games", 2011) lets only one opponent answer each move of the hero, the one
// with the strongest reply. Here, as in its later variants, the others do not
// skip their turns, which would leave the rules, but play the move that ordering
// puts first. It assumes that opponents take turns in being good, which is why
// it looks far and proves nothing.

// mate is the value of a finished game, less the plies it takes.
const mate = 1 << 20

// bestReply returns the heuristic value of the current position for the hero
// with d plies left; free says that an opponent may still choose in this round.
func (w *worker) bestReply(d, alpha, beta int, free bool) int {
	if !w.enter() {
		return 0
	}
	if r := w.state.Result(); r != game.Ongoing {
		w.counts.Terminals++
		switch {
		case r < 0:
			return 0
		case int(r) == w.hero:
			return mate - w.ply
		}
		return w.ply - mate
	}
	if d <= 0 {
		return int(w.eval.Evaluate(w.hero))
	}
	mover := w.state.Seat()
	f := w.at()
	moves, keys, mark, _ := w.list(f, game.NoMove, &early{}, true, -1)
	defer w.drop(mark)
	if mover == w.hero {
		for i := range moves {
			m := moves[place(pick(keys, i))]
			w.play(m)
			v := w.bestReply(d-1, alpha, beta, true)
			w.back()
			if w.stopped {
				return 0
			}
			if alpha = max(alpha, v); alpha >= beta {
				w.counts.Cutoffs++
				w.reward(f, mover, m, d)
				break
			}
		}
		return alpha
	}
	// The expected move leaves the choice to the opponents after it; any move at
	// all uses the choice up.
	m := moves[place(pick(keys, 0))]
	if last := (mover+1)%w.seats == w.hero; !last || !free {
		w.play(m)
		beta = min(beta, w.bestReply(d-1, alpha, beta, free))
		w.back()
	}
	if !free {
		return beta
	}
	for i := range moves {
		if w.stopped || alpha >= beta {
			break
		}
		m := moves[place(pick(keys, i))]
		w.play(m)
		v := w.bestReply(d-1, alpha, beta, false)
		w.back()
		if beta = min(beta, v); alpha >= beta {
			w.counts.Cutoffs++
			w.reward(f, mover, m, d)
		}
	}
	return beta
}

// solveBestReply judges a position by one search at the limit: win or loss where
// the search sees one at the end of its lines, else nothing.
func (r *run) solveBestReply(at game.State, limit int, counts *Counts) verdict {
	v := verdict{winner: -1}
	ans, _, ok := r.pool.run(counts, 0, func(w *worker) answer {
		return answer{a: w.bestReply(limit, -2*mate, 2*mate, true)}
	})
	if !ok {
		v.cut = true
		return v
	}
	v.reached = limit
	switch {
	case ans.a > mate/2:
		v.value, v.distance = game.Win, mate-ans.a
	case ans.a < -mate/2:
		v.value, v.distance = game.Loss, mate+ans.a
	}
	return v
}
