package evaluation

import (
	"cmp"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
)

// solo plans crossings of one army: it holds the last plan, and buffers.
type solo struct {
	seat   int
	armies []bitboard.Set128 // the army before each turn of plan, and after the last
	plan   []game.Move
	proved bool
	nodes  int // nodes left
	queue  [128]uint8
	moves  []game.Move
	// Number of turns within which a placement provably does not finish.
	seen map[bitboard.Set128]int8
}

// Finish implements wing.Evaluator.
func (e *Evaluation) Finish(s game.State, nodes int) (turns []game.Move, shortest bool) {
	a, seat := s.(halma.Position), s.Seat()
	own := a.Pieces(seat)
	if !e.alone(a, seat, own) {
		return nil, false
	}
	if e.solo == nil {
		e.solo = &solo{}
	}
	w := e.solo
	if w.seat == seat {
		if i := slices.Index(w.armies, own); i >= 0 && i < len(w.plan) {
			return w.plan[i:], w.proved
		}
	}
	*w = solo{seat: seat, nodes: nodes}
	if !e.beam(own) {
		w.armies, w.plan = nil, nil
		return nil, false
	}
	w.proved = e.prove(own)
	return w.plan, w.proved
}

// alone reports whether every piece of the other seats is at least three steps further from the far
// corner of the goal than the last piece of own.
func (e *Evaluation) alone(a halma.Position, seat int, own bitboard.Set128) bool {
	v := &e.side[seat]
	last := int32(0)
	for ; !own.IsEmpty(); own = own.DropMin() {
		last = max(last, v.far[own.Min()])
	}
	for other := range e.seats {
		if other == seat {
			continue
		}
		for p := a.Pieces(other); !p.IsEmpty(); p = p.DropMin() {
			if v.far[p.Min()] <= last+2 {
				return false
			}
		}
	}
	return true
}

// turns appends all turns of an army that is alone on the board.
func (e *Evaluation) turns(own bitboard.Set128, moves []game.Move) []game.Move {
	w, b := e.solo, e.g.Board()
	for left := own; !left.IsEmpty(); left = left.DropMin() {
		from := left.Min()
		rest := own.Without(from)
		n := 1
		w.queue[0] = uint8(from)
		reached := bitboard.Cell128(from)
		for i := 0; i < n; i++ {
			at := int(w.queue[i])
			ways := &e.ways[at]
			for _, h := range ways.hops[:ways.n] {
				to := int(h.to)
				if !rest.Has(int(h.over)) || rest.Has(to) || reached.Has(to) || !e.g.HopAllowed(w.seat, at, to) {
					continue
				}
				reached = reached.With(to)
				w.queue[n] = h.to
				n++
			}
		}
		for d := range halma.Dir(halma.Dirs) {
			if to := b.Next(from, d); to >= 0 && !rest.Has(to) {
				w.queue[n] = uint8(to)
				n++
			}
		}
		for _, to := range w.queue[1:n] {
			if e.g.EndAllowed(w.seat, from, int(to)) {
				moves = append(moves, halma.NewMove(from, int(to)))
			}
		}
	}
	return moves
}

func moved(own bitboard.Set128, m game.Move) bitboard.Set128 {
	from, to := halma.Cells(m)
	return own.Without(from).With(to)
}

// placed is a node of a beam search.
type placed struct {
	army bitboard.Set128
	from int32 // index in the level before
	move game.Move
	cost int32
}

// The bounds of a beam search.
const (
	longest   = 60  // most turns of a plan
	fan       = 40  // estimated number of turns that a placement allows
	narrowest = 8   // least placements of a level
	widest    = 400 // most placements of a level
)

// beam searches for a short way to the goal: for each number of turns it keeps the cheapest
// placements, as many as the nodes allow. A way found becomes the plan.
func (e *Evaluation) beam(own bitboard.Set128) bool {
	w := e.solo
	v := &e.side[w.seat]
	width := max(narrowest, min(widest, w.nodes/(2*fan*20)))
	levels := [][]placed{{{army: own, from: -1}}}
	known := map[bitboard.Set128]bool{own: true}
	for len(levels) <= longest {
		last := levels[len(levels)-1]
		var next []placed
		found := -1
		for i := 0; i < len(last) && found < 0; i++ {
			w.moves = e.turns(last[i].army, w.moves[:0])
			for _, m := range w.moves {
				w.nodes--
				army := moved(last[i].army, m)
				if known[army] {
					continue
				}
				known[army] = true
				next = append(next, placed{army, int32(i), m, v.army(army, army)})
				if army.AndNot(v.goal).IsEmpty() {
					found = len(next) - 1
					break
				}
			}
		}
		if found >= 0 {
			levels = append(levels, next)
			e.follow(levels, found)
			return true
		}
		slices.SortStableFunc(next, func(a, b placed) int { return cmp.Compare(a.cost, b.cost) })
		next = slices.Clone(next[:min(width, len(next))])
		if len(next) == 0 {
			return false
		}
		levels = append(levels, next)
	}
	return false
}

// follow makes the way to a placement of the last level the plan.
func (e *Evaluation) follow(levels [][]placed, i int) {
	w := e.solo
	w.armies, w.plan = nil, nil
	for d := len(levels) - 1; ; d-- {
		p := levels[d][i]
		w.armies = append(w.armies, p.army)
		if d == 0 {
			break
		}
		w.plan = append(w.plan, p.move)
		i = int(p.from)
	}
	slices.Reverse(w.armies)
	slices.Reverse(w.plan)
}

// prove looks for a shorter plan by iterative deepening, and reports whether the plan is now
// proved shortest.
func (e *Evaluation) prove(own bitboard.Set128) bool {
	w := e.solo
	for n := e.least(own); n < len(w.plan); n++ {
		w.seen = map[bitboard.Set128]int8{}
		if found, plan := e.deepen(own, n, nil); found {
			w.plan, w.armies = plan, []bitboard.Set128{own}
			for _, m := range plan {
				own = moved(own, m)
				w.armies = append(w.armies, own)
			}
			return true
		}
		if w.nodes < 0 {
			return false
		}
	}
	return true
}

// least is a lower bound on the turns of an army alone: each piece outside the goal needs one.
func (e *Evaluation) least(own bitboard.Set128) int {
	return own.AndNot(e.side[e.solo.seat].goal).Count()
}

// deepen looks for n further turns, after the turns in made, that bring the whole army into its
// goal.
func (e *Evaluation) deepen(own bitboard.Set128, n int, made []game.Move) (found bool, plan []game.Move) {
	w := e.solo
	if e.least(own) == 0 {
		return true, slices.Clone(made)
	}
	if known, ok := w.seen[own]; ok && int(known) >= n {
		return false, nil
	}
	w.seen[own] = int8(n)
	first := len(w.moves)
	w.moves = e.turns(own, w.moves)
	defer func() { w.moves = w.moves[:first] }()
	for i := first; i < len(w.moves); i++ {
		if w.nodes--; w.nodes < 0 {
			break
		}
		m := w.moves[i]
		if army := moved(own, m); e.least(army) <= n-1 {
			if found, plan := e.deepen(army, n-1, append(made, m)); found {
				return true, plan
			}
		}
	}
	return false, nil
}
