package solve

import (
	"cmp"

	"perfectplay/game"
)

// line finds the line of best play of a decided root: at each position the first move in order of
// generation that keeps value and distance. Each question is a search with an exact answer, so the
// line depends on the game alone. Refuting losing moves may cost more than the value did; so line
// stops after as many nodes as the value took. The line then has at least the table's move for the
// root.
func (r *run) line() {
	whole, sh := &r.report.Whole, r.pool.sh
	if whole.Distance == 0 || whole.Value != game.Win && (whole.Value != game.Loss || r.algo == Proof) {
		return
	}
	r.report.Line, r.cutLine = nil, false
	s := r.root.Clone()
	winning := whole.Value == game.Win // the hero wins
	var counts Counts
	// slack: nodes that workers may visit beyond the budget before they poll.
	budget, slack := cmp.Or(whole.Nodes, r.pool.total.Nodes), uint64(pollNodes*len(r.pool.workers))
	budget = max(budget, leastLine+2*slack) - 2*slack
	limit := func(nodes uint64) {
		if sh.most = sh.nodes.Load() + nodes; r.Nodes > 0 {
			sh.most = min(sh.most, r.Nodes)
		}
	}
	limit(budget)
	defer func() {
		sh.most = r.Nodes
		r.report.LineNodes += counts.Nodes
	}()
	for left := whole.Distance; left > 0; left-- {
		m, ok := whole.Move, true
		if left < whole.Distance || m == game.NoMove {
			m, ok = r.bestMove(s, left, winning, &counts)
		}
		if !ok && counts.Nodes < budget {
			r.cutLine, r.report.Line = true, nil
			return
		}
		if !ok {
			if left == whole.Distance {
				limit(leastLine)
				whole.Move = r.knownMove(s, left, winning, &counts)
			}
			return
		}
		r.report.Line = append(r.report.Line, s.MoveString(m))
		s.Make(m)
	}
}

// knownMove is the table's move for a position, NoMove unless it keeps value and distance.
func (r *run) knownMove(s game.State, left int, winning bool, counts *Counts) game.Move {
	w := r.pool.workers[0]
	if w.tab == nil || r.algo == MaxN {
		return game.NoMove
	}
	r.pool.place(s)
	r.pool.follow(w)
	f := w.at()
	p, ok := w.look(f, nil, false)
	if !ok {
		return game.NoMove
	}
	_, m := unpack(p)
	if m = w.actual(m, f.sym); m == game.NoMove {
		return m
	}
	ours := onSide(w.side, s.Seat())
	s.Make(m)
	defer s.Unmake()
	if yes, ok := r.decidedIn(s, left-1, winning, ours == winning, counts); !ok || !yes {
		return game.NoMove
	}
	return m
}

// leastLine is the number of nodes that a line may always take: some hundredths of a second.
const leastLine = 1 << 15

// bestMove returns the first move from a position decided in left plies after which it is
// decided in left−1; false if the search was stopped.
func (r *run) bestMove(s game.State, left int, winning bool, counts *Counts) (game.Move, bool) {
	ours := onSide(r.pool.workers[0].side, s.Seat())
	for _, m := range s.Moves(nil) {
		if r.pool.sh.late() || r.pool.sh.spent() {
			return game.NoMove, false
		}
		s.Make(m)
		yes, ok := r.decidedIn(s, left-1, winning, ours == winning, counts)
		s.Unmake()
		if !ok {
			return game.NoMove, false
		}
		if yes {
			return m, true
		}
	}
	panic("solve: no move keeps a proved value")
}

// decidedIn reports whether the position after a move is decided in exactly left plies. good
// says that the winning side made the move: then it cannot be decided sooner, else not later.
func (r *run) decidedIn(s game.State, left int, winning, good bool, counts *Counts) (yes, ok bool) {
	if res := s.Result(); res != game.Ongoing {
		if r.algo == MaxN {
			return left == 0 && int(res) == r.report.Whole.Winner, true
		}
		seat, won := res.Winner()
		return left == 0 && won && (seat == r.hero) == winning, true
	}
	if left <= 0 {
		return false, true
	}
	r.pool.place(s)
	if r.algo == MaxN {
		for depth := 1; depth <= left; depth++ {
			ans, _, ok := r.pool.run(counts, asksMaxN(depth))
			if !ok {
				return false, false
			}
			if ans.a >= 0 {
				return ans.a == r.report.Whole.Winner && depth+1-ans.b == left, true
			}
		}
		return false, true
	}
	depth := left
	if !good {
		if depth--; depth == 0 {
			return true, true // the game is still open, so it is not decided sooner
		}
	}
	forced, ok := r.forced(s, depth, winning, counts)
	return forced == good, ok
}

func (r *run) forced(s game.State, depth int, winning bool, counts *Counts) (yes, ok bool) {
	side := 0
	if onSide(r.pool.workers[0].side, s.Seat()) != winning {
		side = 1
	}
	yes, _, ok = r.pool.wins(side, depth, counts)
	return yes, ok
}
