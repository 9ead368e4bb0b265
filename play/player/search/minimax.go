package search

import (
	"context"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Values of positions for a side: the hero alone, or all others together.
const (
	infinite = 1 << 21
	mate     = 1 << 20 // a win now; a later win counts less by its plies
	decided  = mate - 1<<12
)

const (
	maxDepth    = 100 // plies
	historyBits = 14  // low bits of a move, the index in a table of history
)

type frame struct {
	moves   []game.Move
	keys    []int32
	killers [2]game.Move
	costs   [maxSeats]int32
	words   [table.MaxKeyWords]uint64
	sym     uint8 // the symmetry that Key applied
}

func (w *Search) frame() *frame {
	for len(w.frames) <= w.ply { // several at once, so that no two threads share a cache line
		block := make([]frame, 64)
		for i := range block {
			block[i].killers = [2]game.Move{game.NoMove, game.NoMove}
			w.frames = append(w.frames, &block[i])
		}
	}
	return w.frames[w.ply]
}

// The fields of a table's payload: value, depth, bound and move.
const (
	depthShift = 22
	boundShift = 29
	moveShift  = 31
	exactBound = 1
	lowerBound = 2
	upperBound = 3
)

// merge keeps the deeper entry, and wins and losses before all.
func merge(old, new table.Payload) table.Payload {
	rank := func(p table.Payload) int {
		v := int32(p.A&(1<<depthShift-1)) - infinite
		if v >= decided && p.A>>boundShift&3 != upperBound || v <= -decided && p.A>>boundShift&3 != lowerBound {
			return 1 << 10
		}
		return int(p.A >> depthShift & 127)
	}
	if rank(old) > rank(new) {
		return old
	}
	return new
}

// probe looks the position up: whether v decides a search of depth d in the window, and a move
// to try first.
func (w *Search) probe(f *frame, d int, alpha, beta int32) (v int32, m game.Move, enough bool) {
	f.sym = w.key.Key(f.words[:])
	p, ok := w.table.Probe(f.words[:], w.table.Hash(f.words[:]), 0)
	if !ok {
		return 0, game.NoMove, false
	}
	v = int32(p.A&(1<<depthShift-1)) - infinite
	bound := p.A >> boundShift & 3
	sure := false // the value holds at any depth
	switch {
	case v >= decided:
		v -= int32(w.ply)
		sure = bound != upperBound
	case v <= -decided:
		v += int32(w.ply)
		sure = bound != lowerBound
	}
	m = w.key.Actual(game.Move(p.A>>moveShift&(1<<24-1)), f.sym)
	if sure || int(p.A>>depthShift&127) >= d {
		enough = bound == exactBound || bound == lowerBound && v >= beta || bound == upperBound && v <= alpha
	}
	return v, m, enough
}

func (w *Search) store(f *frame, d int, v, alpha, beta int32, m game.Move) {
	bound := uint64(exactBound)
	switch {
	case v >= beta:
		bound = lowerBound
	case v <= alpha:
		bound = upperBound
	}
	switch {
	case v >= decided:
		v += int32(w.ply)
	case v <= -decided:
		v -= int32(w.ply)
	}
	a := uint64(v+infinite) | uint64(min(d, 127))<<depthShift | bound<<boundShift | uint64(w.key.Canonical(m, f.sym))<<moveShift
	if w.table.Store(f.words[:], w.table.Hash(f.words[:]), table.Payload{A: a}, min(d, table.MaxEffort)) == table.Filled {
		w.filled.Add(1)
	}
}

// grow gives the table more of its memory as it fills, while nobody else searches.
func (w *Search) grow() {
	for w.crowded() && w.table.GrowWith(1+len(w.helpers)) {
	}
}

// crowded reports whether the table fills and may grow; it may not in a search bounded by
// positions.
func (w *Search) crowded() bool {
	if w.table == nil || w.limit > 0 {
		return false
	}
	filled := w.filled.Load()
	for _, h := range w.helpers {
		filled += h.filled.Load()
	}
	return filled > w.table.Slots()/2 && w.table.CanGrow()
}

// The bounds of moves that are skipped at first or searched less deep.
const (
	backward  = -30 // a move with a smaller gain counts as leading back
	lateFrom  = 4   // number of moves before the first move that is searched one ply less deep
	laterFrom = 16  // number of moves before the first move that is searched two plies less deep
)

// value is the value of the current position with d plies left for the side to move, the hero
// or all others.
func (w *Search) value(d int, alpha, beta int32) int32 {
	mover := w.s.Seat()
	own := mover == w.hero
	if r := w.s.Result(); r != game.Ongoing {
		winner, ok := r.Winner()
		switch {
		case !ok:
			return 0
		case (winner == w.hero) == own:
			return mate - int32(w.ply)
		}
		return int32(w.ply) - mate
	}
	f := w.frame()
	if d <= 0 {
		return w.standing(f, own)
	}
	first := game.NoMove
	if w.table != nil {
		v, m, enough := w.probe(f, d, alpha, beta)
		if enough {
			return v
		}
		first = m
	}
	f.moves = w.s.Moves(f.moves[:0])
	if d == 1 && w.exact {
		return w.frontier(f, mover, own)
	}
	w.order(f, mover, first)
	window := alpha
	best, bestMove := int32(-infinite), game.NoMove
	searched := 0
	for skipped := false; ; {
		left := false
		for i := 0; i < len(f.moves) && alpha < beta && !w.stopped; i++ {
			m := pick(f, i)
			gain := w.e.Gain(w.s, m)
			if back := w.exact && gain < backward && m != first; skipped != back {
				left = left || back
				continue
			}
			less := 0
			if d >= 3 && searched >= lateFrom && !skipped {
				if less = 1; searched >= laterFrom && d >= 4 {
					less = 2
				}
			}
			v, whole := int32(0), searched == 0 || less == 0 && beta-alpha <= 1
			if !whole {
				v = w.reply(m, d-less, alpha, alpha+1, own)
				whole = v > alpha && !w.stopped
			}
			if whole {
				v = w.reply(m, d, alpha, beta, own)
			}
			searched++
			if v > best {
				best, bestMove = v, m
			}
			if alpha = max(alpha, v); alpha >= beta {
				w.reward(f, mover, m, d)
			}
		}
		// A side loses only when all its moves have been tried.
		if skipped || !left || searched > 0 && best > -decided || w.stopped {
			break
		}
		skipped = true
	}
	if w.stopped {
		return best
	}
	if w.table != nil {
		w.store(f, d, best, window, beta, bestMove)
	}
	return best
}

// reply is the value of a move for the side that makes it.
func (w *Search) reply(m game.Move, d int, alpha, beta int32, own bool) int32 {
	w.play(m)
	v := int32(-infinite + 1)
	switch next := w.s.Seat() == w.hero; {
	case w.stopped:
	case next == own:
		v = w.value(d-1, alpha, beta)
	default:
		v = -w.value(d-1, -beta, -alpha)
	}
	w.back()
	return v
}

// standing is the hero's standing, negated for the other side.
func (w *Search) standing(f *frame, own bool) int32 {
	w.e.Costs(w.s, f.costs[:w.seats])
	return signed(standing(f.costs[:w.seats], w.hero), own)
}

func signed(v int32, own bool) int32 {
	if own {
		return v
	}
	return -v
}

// frontier is the value with one ply left: no move is made.
func (w *Search) frontier(f *frame, mover int, own bool) int32 {
	costs := f.costs[:w.seats]
	w.e.Costs(w.s, costs)
	most := int32(-1 << 20)
	for _, m := range f.moves {
		if w.finisher != nil && w.finisher.Wins(m) {
			return mate - int32(w.ply) - 1
		}
		most = max(most, w.e.Gain(w.s, m))
	}
	costs[mover] -= most
	return signed(standing(costs, w.hero), own)
}

// order gives the moves of a frame keys, the largest first.
func (w *Search) order(f *frame, mover int, first game.Move) {
	f.keys = f.keys[:0]
	for _, m := range f.moves {
		k := w.e.Gain(w.s, m)<<6 + w.history[mover][m&(1<<historyBits-1)]
		switch m {
		case first:
			k = 1 << 30
		case f.killers[0], f.killers[1]:
			k += 1 << 13
		}
		f.keys = append(f.keys, k)
	}
}

func pick(f *frame, i int) game.Move {
	best := i
	for j := i + 1; j < len(f.keys); j++ {
		if f.keys[j] > f.keys[best] {
			best = j
		}
	}
	f.keys[i], f.keys[best] = f.keys[best], f.keys[i]
	f.moves[i], f.moves[best] = f.moves[best], f.moves[i]
	return f.moves[i]
}

func (w *Search) reward(f *frame, mover int, m game.Move, d int) {
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	h := &w.history[mover][m&(1<<historyBits-1)]
	*h += int32(d*d) * (1<<13 - *h) >> 13
}

// deepen searches ever deeper. Helpers search the same position at the same depth or a ply
// deeper, and share the table; the deepest search answers. A helper ends the search if deeper
// searches would change nothing.
func (w *Search) deepen(moves []game.Move, l Limits) Answer {
	a := Answer{Move: moves[0]}
	values := make([]int32, len(moves))
	most := l.depth()
	var enough context.CancelFunc
	w.ctx, enough = context.WithCancel(w.ctx)
	defer enough()
	whole, over := true, false
	for d := 1; d <= most && !over; {
		w.grow()
		known, worth, from := slices.Clone(moves), slices.Clone(values), d
		w.together(func() bool {
			for first := true; d <= most && !over && (first || !w.crowded()); d++ {
				first, whole = false, w.iterate(moves, values, d, &a)
				w.settled = whole && w.final(moves, values) || a.Score >= decided
				over = !whole || w.settled || l.Time > 0 && w.elapsed() > l.Time/2
			}
			return true
		}, func(h *Search, i int) {
			if h.ahead(slices.Clone(known), slices.Clone(worth), from+1-i%2, most); h.settled {
				enough()
			}
		})
	}
	for _, h := range w.team() {
		if !w.settled && (h.settled || h.deepest.Depth > a.Depth) {
			a, whole, w.settled = h.deepest, true, h.settled
		}
	}
	switch {
	case a.Score >= decided:
		a.Value, a.Distance = game.Win, int(mate-a.Score)
	case a.Score <= -decided && a.Depth > 0 && whole:
		a.Value, a.Distance = game.Loss, int(mate+a.Score)
	}
	return a
}

// ahead deepens on the goroutine of a helper.
func (w *Search) ahead(moves []game.Move, values []int32, d, most int) {
	for ; d <= most && !w.settled; d++ {
		a := w.deepest
		if !w.iterate(moves, values, d, &a) {
			return
		}
		w.deepest, w.settled = a, w.final(moves, values)
	}
}

// final reports whether deeper searches would choose the same of sorted moves.
func (w *Search) final(moves []game.Move, values []int32) bool {
	return values[0] >= decided || values[0] <= -decided || len(moves) > 1 && values[1] <= -decided
}

// iterate searches moves to a depth and sorts them. It improves the answer as it goes and
// reports whether all have been searched.
func (w *Search) iterate(moves []game.Move, values []int32, d int, a *Answer) bool {
	best := int32(-infinite)
	for i, m := range moves {
		v := int32(0)
		switch {
		case values[i] <= -decided:
			v = values[i]
		case i == 0:
			v = w.reply(m, d, -infinite, infinite, true)
		default:
			if v = w.reply(m, d, best, best+1, true); v > best && !w.stopped {
				v = w.reply(m, d, best, infinite, true)
			}
		}
		if w.stopped {
			return false
		}
		values[i] = v
		if v > best {
			best = v
			a.Move, a.Score = m, v
		}
	}
	a.Depth = d
	sortByValue(moves, values)
	return true
}

// sortByValue puts the best moves first and keeps the order of equal moves.
func sortByValue(moves []game.Move, values []int32) {
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && values[j] > values[j-1]; j-- {
			values[j], values[j-1] = values[j-1], values[j]
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}
