package thesis2025

// counting is the state of searches that count the nodes of the last plies: by the rules base,
// without tables and ordering.
type counting struct {
	counter
	merge  *merger // merges equal subtrees; nil if equal subtrees are all visited
	places []place // destinations of the pieces being tried, from the root down
}

// counts reports whether a search counts the nodes of the last plies instead of visiting them.
func (p Program) counts() bool { return p.free() && !p.Tables && !p.Ordering }

// closes reports whether a child worth 0 ends the search of a node.
func closes(maximise bool, alpha, beta int32) bool {
	if maximise {
		return beta <= max(alpha, 0)
	}
	return min(beta, 0) <= alpha
}

// count returns the value of a node after a move of the seat last, and counts the nodes of the
// last two plies where that is possible:
//
//   - A child at limit 0 is worth 0 on any board. So a node at limit 1 that is not won is worth 0.
//     In max^n it visits all its children. With alpha-beta it visits one child and cuts if 0 closes
//     the window (see [closes]); else it visits all children without a cut.
//   - Let a node at limit 2 have m children, none of them won because the mover has two pieces or
//     more outside its goal. All children are worth 0. If 0 does not close the window at the node but
//     closes it at each child, then each child visits one node and cuts: 2m nodes, m cuts. Every
//     child must have a move; [position.canMove] ensures that.
func (e *walk) count(seat, last, limit int, alpha, beta int32) int32 {
	e.Nodes++
	if limit == 0 {
		return 0
	}
	if e.won(e.grid, last) {
		e.Terminals++
		return e.score(last)
	}
	maximise, reply := seat == 1, e.next[seat]
	closed := !e.maxn && closes(maximise, alpha, beta)
	switch {
	case limit == 1 && !closed:
		e.Nodes += uint64(e.countMoves(&e.position, e.grid, seat))
		return 0
	case limit == 1:
		if e.canMove(e.grid, seat, 0) || e.countMoves(&e.position, e.grid, seat) > 0 {
			e.Nodes++
			e.Cutoffs++
		}
		return 0
	case limit > 2:
		e.check(&e.Counts)
		if e.merge != nil {
			return e.countMerged(seat, limit)
		}
	case !e.maxn && e.far(seat) && !closed && closes(reply == 1, alpha, beta) &&
		(maximise && alpha >= 0 || !maximise && beta <= 0) && e.canMove(e.grid, reply, e.stuckBound):
		if m := uint64(e.countMoves(&e.position, e.grid, seat)); m > 0 {
			e.Nodes += 2 * m
			e.Cutoffs += m
			return 0
		}
	}
	return e.countChildren(seat, limit, alpha, beta)
}

// far reports whether a seat cannot win with its next move.
func (e *walk) far(seat int) bool { return int(e.home[seat]) < e.Pieces-1 }

func (e *walk) countChildren(seat, limit int, alpha, beta int32) int32 {
	f := frame{alpha: alpha, beta: beta, best: e.least, maximise: seat == 1}
	for ; limit > 0; limit-- {
		moved, reply := false, e.next[seat]
		f.owner = uint8(seat)
		quiet := e.maxn && limit == 2 && e.far(seat) // no child is won, and each is worth a draw
		for piece := range e.Pieces {
			from, base := e.piece[seat][piece], len(e.places)
			e.places = e.position.generate(e.grid, seat, seat, piece, e.places)
			for _, to := range e.places[base:] {
				moved = true
				e.move(e.grid, seat, piece, to)
				v := int32(0)
				if quiet {
					e.Nodes += 1 + uint64(e.countMoves(&e.position, e.grid, reply))
				} else {
					v = e.count(reply, seat, limit-1, f.alpha, f.beta)
				}
				e.move(e.grid, seat, piece, from)
				if e.take(&f, v) {
					e.Cutoffs++
					e.places = e.places[:base]
					return e.report(f.best)
				}
			}
			e.places = e.places[:base]
		}
		if moved {
			return e.report(f.best)
		}
		seat = reply // no piece has a move: the seat passes, as in reference.turn
	}
	return 0
}
