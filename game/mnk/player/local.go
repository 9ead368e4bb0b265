package player

// beam is the width of the local search at its first plies.
const beam = 14

// local is an alpha-beta search near the stones by open windows: iterative
// deepening, threats answered at once, a few cells per position.
type local struct {
	f     *field
	nodes uint64
	stop  func() bool
	over  bool
	veto  []bool // cells not to play at the root, if not nil
	bufs  [64][]scoredCell
}

type scoredCell struct {
	c int32
	v int64
}

// before is the order in which cells are tried; ties says whether equal ones are
// tried by number, or else as they come.
func (a scoredCell) before(b scoredCell, ties bool) bool {
	return a.v > b.v || ties && a.v == b.v && a.c < b.c
}

// winScore is beyond every sum of weights; a win in n plies is winScore−n.
const winScore = int64(1) << 40

// moves fills the buffer of a ply with the best cells for player p, in order.
// On boards of more than 64 cells these are cells near stones.
func (l *local) moves(p, ply, width int) []scoredCell {
	f := l.f
	buf := l.bufs[ply][:0]
	candidates := f.front
	if f.cells <= 64 || f.n == 0 {
		candidates = f.order
	}
	ties := f.n > 0 // on an empty board many cells are alike: those by the centre first
	for _, c := range candidates {
		if f.cell[c] != 0 || ply == 0 && l.veto != nil && l.veto[c] {
			continue
		}
		m := scoredCell{c, f.value[p][c]*5/4 + f.value[1-p][c]}
		if len(buf) < width {
			buf = append(buf, m)
		} else if !m.before(buf[width-1], ties) {
			continue
		}
		i := len(buf) - 1
		for ; i > 0 && m.before(buf[i-1], ties); i-- {
			buf[i] = buf[i-1]
		}
		buf[i] = m
	}
	l.bufs[ply] = buf
	return buf
}

// search returns the value for player p, who is to move.
func (l *local) search(p, depth, ply int, alpha, beta int64) int64 {
	f := l.f
	l.nodes++
	l.over = l.over || l.stop()
	if l.over {
		return 0
	}
	if f.won(1 - p) {
		return -(winScore - int64(ply))
	}
	if f.n == f.cells {
		return 0
	}
	if c, _ := f.completes(p); c >= 0 {
		return winScore - int64(ply) - 1
	}
	if c, more := f.completes(1 - p); c >= 0 {
		if more {
			return -(winScore - int64(ply) - 2)
		}
		if ply < 60 {
			f.put(c, p)
			v := -l.search(1-p, depth, ply+1, -beta, -alpha)
			f.take()
			return v
		}
	}
	if depth <= 0 || ply >= 62 {
		return f.total[p]*5/4 - f.total[1-p]
	}
	moves := l.moves(p, ply, max(6, beam-2*ply))
	if len(moves) == 0 {
		return 0
	}
	best := -winScore
	for _, m := range moves {
		f.put(m.c, p)
		v := -l.search(1-p, depth-1, ply+1, -beta, -alpha)
		f.take()
		if l.over {
			return 0
		}
		best = max(best, v)
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}
	return best
}

// choose searches deeper and deeper, to at most the given depth, until stop
// reports true. It tells the best cell whenever it has a better one, its score,
// and the depth that is complete. If no cell is near stones and not vetoed, the
// first one in the spiral is taken; if all are, tell is not called.
func (l *local) choose(p, deepest int, stop func() bool, tell func(cell int32, score int64, depth int)) {
	l.stop, l.over, l.nodes = stop, false, 0
	moves := l.moves(p, 0, beam)
	if len(moves) == 0 {
		for _, c := range l.f.order {
			if l.f.cell[c] == 0 && (l.veto == nil || !l.veto[c]) {
				tell(c, 0, 0)
				break
			}
		}
		return
	}
	tell(moves[0].c, 0, 0)
	for d := 1; d <= min(deepest, l.f.cells-l.f.n); d++ {
		alpha := -2 * winScore
		best := 0
		for i, m := range moves {
			l.f.put(m.c, p)
			v := -l.search(1-p, d-1, 1, -2*winScore, -alpha)
			l.f.take()
			if l.over {
				break
			}
			if v > alpha {
				alpha, best = v, i
				if i > 0 {
					tell(m.c, v, d-1)
				}
			}
		}
		if alpha > -2*winScore { // at least the first was searched
			m := moves[best]
			copy(moves[1:best+1], moves[:best])
			moves[0] = m
		}
		if l.over {
			return
		}
		tell(moves[0].c, alpha, d)
		if alpha > winScore/2 || alpha < -winScore/2 {
			return
		}
	}
}
