package thesis2025

import "math"

// direct searches by the rules base without tables and ordering, and counts the nodes of the
// published tree. In the last two plies it counts children instead of visiting them:
//
//   - A child at limit 0 is worth 0 on any board. So a node at limit 1 that is not won is worth 0.
//     In max^n it visits all its children. With alpha-beta it visits one child and cuts if 0 closes
//     the window (see [closes]); else it visits all children without a cut.
//   - Let a node at limit 2 have m children, none of them won because the mover has two pieces or
//     more outside its goal. All children are worth 0. If 0 does not close the window at the node but
//     closes it at each child, then each child visits one node and cuts: 2m nodes, m cuts. Every
//     child must have a move; [position.canMove] ensures that.
type direct struct {
	*grid
	*watch
	position
	counter
	Counts
	home   [7]uint8         // pieces of a seat in its goal
	inGoal [7][places]uint8 // 1 for the places of a seat's goal
	buf    []place          // destinations of the pieces being tried, from the root down
	top    int              // length of buf in use
	merge  *merger          // merges equal subtrees; nil if equal subtrees are all visited
}

// open is the result of a search for a visited board that was not won, and for a node whose
// children all have this result. It is no score.
const open = math.MinInt32

const maxDestinations = 128

func newDirect(g *grid, w *watch) *direct {
	e := &direct{grid: g, watch: w, position: g.start, buf: make([]place, (g.turns()+2)*maxDestinations)}
	for _, seat := range g.seats {
		for h := range g.board.Camp(opposite[seat]).Cells() {
			e.inGoal[seat][g.at[h]] = 1
		}
	}
	return e
}

// move is [position.move] for rules that count only pieces in the own goal.
func (e *direct) move(seat, piece int, to place) {
	p := &e.piece[seat][piece]
	from := *p
	*p = to
	e.cell[from&placeMask] = empty
	e.cell[to&placeMask] = e.stones[seat&7]
	goal := &e.inGoal[seat]
	e.home[seat] += goal[to&placeMask] - goal[from&placeMask]
}

// won is [position.won] for the seat that moved last.
func (e *direct) won(seat int) bool { return int(e.home[seat]) == e.Pieces }

// far reports whether a seat cannot win with its next move.
func (e *direct) far(seat int) bool { return int(e.home[seat]) < e.Pieces-1 }

// destinations appends the destinations of a piece to e.buf; the caller resets e.top.
func (e *direct) destinations(seat, piece int) []place {
	list := e.position.generate(e.grid, seat, seat, piece, e.buf[e.top:e.top:e.top+maxDestinations])
	e.top += len(list)
	return list
}

// closes reports whether a child worth 0 ends the search of a node.
func closes(maximise bool, alpha, beta int) bool {
	if maximise {
		return beta <= max(alpha, 0)
	}
	return min(beta, 0) <= alpha
}

// fold enters the value of a child, which is not open, into its parent's best value and window.
func fold(paranoid, maximise bool, v, best, alpha, beta int) (newBest, newAlpha, newBeta int) {
	if paranoid && (v > 10 || v == 10 && maximise) {
		v = -v
	}
	if maximise {
		best = max(best, v) // open is less than any value, so max ignores it
		return best, max(alpha, best), beta
	}
	if best == open || v < best {
		best = v
	}
	return best, alpha, min(beta, best)
}

// score returns the value of a win by seat winner in a bounded search, 0 if winner is 0.
func (g *grid) score(winner int) int {
	if g.paranoid {
		return 10 * winner
	}
	return [4]int{0, 1, -1}[winner&3]
}

// report returns the value that a node passes to its parent.
func (g *grid) report(best int) int {
	if g.paranoid && best != open {
		return max(best, -best)
	}
	return best
}

// bounded returns the value of a node by minimax or paranoid search; last is the seat that moved
// last.
func (e *direct) bounded(seat, last, limit, alpha, beta int) int {
	e.Nodes++
	if limit == 0 {
		return 0
	}
	if e.won(last) {
		e.Terminals++
		return e.score(last)
	}
	maximise := seat == 1
	switch {
	case limit == 1:
		if !closes(maximise, alpha, beta) {
			e.Nodes += uint64(e.count(&e.position, e.grid, seat))
		} else if e.canMove(e.grid, seat, 0) || e.count(&e.position, e.grid, seat) > 0 {
			e.Nodes++
			e.Cutoffs++
		}
		return 0
	case limit == 2:
		reply := e.next[seat]
		if e.far(seat) &&
			!closes(maximise, alpha, beta) &&
			closes(reply == 1, alpha, beta) &&
			(maximise && alpha >= 0 || !maximise && beta <= 0) && // a value of 0 does not close the window at this node
			e.canMove(e.grid, reply, e.stuckBound) {
			if m := uint64(e.count(&e.position, e.grid, seat)); m > 0 {
				e.Nodes += 2 * m
				e.Cutoffs += m
				return 0
			}
		}
	default:
		e.check(&e.Counts)
	}
	best := open
	for {
		base, moved := e.top, false
		reply := e.next[seat]
		for piece := range e.Pieces {
			from := e.piece[seat][piece]
			list := e.destinations(seat, piece)
			for _, to := range list {
				moved = true
				e.move(seat, piece, to)
				v := e.bounded(reply, seat, limit-1, alpha, beta)
				e.move(seat, piece, from)
				best, alpha, beta = fold(e.paranoid, maximise, v, best, alpha, beta)
				if beta <= alpha {
					e.Cutoffs++
					e.top = base
					return e.report(best)
				}
			}
			e.top = base
		}
		if moved {
			return e.report(best)
		}
		// No piece has a move: the seat passes, as in reference.turn.
		seat = e.next[seat]
		if limit--; limit == 0 {
			return 0
		}
	}
}

// maxn returns the winner below a node, 0 for a draw.
func (e *direct) maxn(seat, last, limit int) int {
	e.Nodes++
	switch {
	case limit == 0:
		return 0
	case e.won(last):
		e.Terminals++
		return last
	case limit == 1:
		e.Nodes += uint64(e.count(&e.position, e.grid, seat))
		return 0
	case limit > 2 && e.merge != nil:
		return e.maxnMerged(seat, limit)
	}
	return e.maxnChildren(seat, limit)
}

func (e *direct) maxnChildren(seat, limit int) int {
	if limit > 2 {
		e.check(&e.Counts)
	}
	best := 0
	for {
		base, moved := e.top, false
		reply := e.next[seat]
		quiet := limit == 2 && e.far(seat)
		for piece := range e.Pieces {
			from := e.piece[seat][piece]
			list := e.destinations(seat, piece)
			moved = moved || len(list) > 0
			if quiet { // no child is won, and each is worth a draw: count them
				n := len(list)
				for _, to := range list {
					e.move(seat, piece, to)
					n += e.count(&e.position, e.grid, reply)
					e.move(seat, piece, from)
				}
				e.Nodes += uint64(n)
				e.top = base
				continue
			}
			for _, to := range list {
				e.move(seat, piece, to)
				w := e.maxn(reply, seat, limit-1)
				e.move(seat, piece, from)
				if w > 0 && best == 0 || w == seat {
					best = w
				}
				if best == seat {
					e.Cutoffs++
					e.top = base
					return best
				}
			}
			e.top = base
		}
		if moved {
			return best
		}
		seat = e.next[seat]
		if limit--; limit == 0 {
			return 0
		}
	}
}

func (e *direct) run(m opening) int {
	from := e.piece[1][m.piece]
	e.move(1, m.piece, m.to)
	defer e.move(1, m.piece, from)
	if e.Algorithm == MaxN {
		return e.maxn(e.next[1], 1, e.turns())
	}
	return winnerOf(e.Algorithm, e.bounded(e.next[1], 1, e.turns(), math.MinInt32, math.MaxInt32))
}

// winnerOf returns the winner by a root's value, 0 for a draw.
func winnerOf(a Algorithm, v int) int {
	switch {
	case v == open:
		return 0
	case a == Paranoid:
		return v / 10
	}
	return [3]int{2, 0, 1}[v+1]
}
