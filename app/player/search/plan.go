package search

import (
	"cmp"
	"math"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// The parameters of plans.
const (
	horizon  = 10   // own turns of a plan
	narrow   = 8    // positions that the first beam keeps of each number of turns
	widest   = 4096 // likewise the last
	overdue  = 150  // cost of a position that comes after another seat could have won
	suspects = 4    // moves of another seat that are compared, those of most gain
)

// planned is a position of a beam, with the hero to move unless it has won.
type planned struct {
	s     game.State
	first game.Move // of the turns that lead here
	late  bool      // another seat could have won on the way
	won   bool
}

// wish is a turn of the hero that a beam may go on with.
type wish struct {
	from int32 // of the beam's positions
	move game.Move
	cost int32
	won  bool
}

// found is the best that a beam has come to: its first move, the number of turns and
// what is left to do after them.
type found struct {
	move  game.Move
	turns int
	cost  int32
	won   bool
}

// plan looks for the hero's next turns with beams over its own moves, wider and wider,
// in which each of the others makes the move that its game's own evaluation likes best.
// Of a beam that is broken off only what goes as far as the one before counts.
func (w *Search) plan(moves []game.Move) Answer {
	a := Answer{Move: moves[0]}
	for width := narrow; width <= widest; width *= 2 {
		b := w.beam(moves, width)
		if b.turns < a.Depth && !b.won {
			break
		}
		a.Move, a.Score, a.Depth = b.move, -b.cost, b.turns
		if b.won && b.turns == 2 { // nothing is sooner: a win at once was looked for before
			break
		}
		if w.stopped || w.limit == 0 && w.deadline.IsZero() && w.ctx.Done() == nil {
			break
		}
	}
	return a
}

// beam plans with so many positions of each number of turns.
func (w *Search) beam(moves []game.Move, width int) found {
	defer func(s game.State) { w.s = s }(w.s)
	best := found{move: moves[0], cost: math.MaxInt32}
	level := []planned{{s: w.s}}
	list := slices.Clone(moves)
	var wishes []wish
	var costs [maxSeats]int32
	for turns := 1; turns <= horizon && !best.won; turns++ {
		wishes = wishes[:0]
		for i, p := range level {
			if w.s = p.s; turns > 1 {
				list = w.s.Moves(list[:0])
			}
			for _, m := range list {
				if w.stopped {
					return best
				}
				w.play(m)
				r := w.s.Result()
				winner, over := r.Winner()
				x := wish{from: int32(i), move: m, won: over && winner == w.hero}
				if x.won || r == game.Ongoing {
					w.e.costs(w.s, costs[:w.seats])
					if x.cost = costs[w.hero]; x.won {
						x.cost = -overdue
					}
					if p.late {
						x.cost += overdue
					}
					wishes = append(wishes, x)
				}
				w.back()
			}
		}
		slices.SortStableFunc(wishes, func(a, b wish) int { return cmp.Compare(a.cost, b.cost) })
		next := w.keep(level, wishes, width, turns == 1)
		if len(next) == 0 {
			break
		}
		level = next
		best = found{level[0].first, turns, wishes[0].cost, level[0].won}
	}
	return best
}

// keep makes the first wishes that lead to different positions, and what the others
// answer.
func (w *Search) keep(level []planned, wishes []wish, width int, first bool) (next []planned) {
	var key [table.MaxKeyWords]uint64
	known := make(map[[table.MaxKeyWords]uint64]bool, width)
	for _, x := range wishes {
		if len(next) == width {
			break
		}
		p := level[x.from]
		p.s.Make(x.move)
		k, keyed := p.s.(game.Keyer)
		if keyed {
			k.Key(key[:])
		}
		if keyed && known[key] {
			p.s.Unmake()
			continue
		}
		known[key] = true
		w.s = p.s.Clone()
		p.s.Unmake()
		if first {
			p.first = x.move
		}
		p.s, p.won = w.s, x.won
		for k := 1; k < w.seats && !p.won; k++ {
			m, wins := w.likely()
			p.late = p.late || wins
			w.s.Make(m)
			w.nodes++
			if w.s.Result() != game.Ongoing {
				break
			}
		}
		if p.won || w.s.Result() == game.Ongoing {
			next = append(next, p)
		}
	}
	return next
}

// likely is the move that the seat to move likes best by the game's own evaluation,
// among those of most gain, and whether it could win instead: a plan that somebody ends
// would say nothing, so that it makes its best other move then.
func (w *Search) likely() (m game.Move, wins bool) {
	f := w.frame()
	f.moves = w.s.Moves(f.moves[:0])
	o, _ := w.s.(game.Orderer)
	e, _ := w.s.(game.Evaluator)
	finisher, _ := w.s.(game.Finisher)
	var top [suspects]game.Move
	var gain [suspects]int32
	n := 0
	for _, m := range f.moves {
		g := int32(0)
		if o != nil && m != game.Pass {
			g = o.Gain(m)
		}
		if n == suspects && g <= gain[n-1] {
			continue
		}
		if finisher != nil && finisher.Wins(m) {
			wins = true
			continue
		}
		n = min(n+1, suspects)
		i := n - 1
		for ; i > 0 && gain[i-1] < g; i-- {
			top[i], gain[i] = top[i-1], gain[i-1]
		}
		top[i], gain[i] = m, g
	}
	if n == 0 {
		return f.moves[0], wins
	}
	best, seat := int32(math.MinInt32), w.s.Seat()
	for i, x := range top[:n] {
		v := gain[i]
		if e != nil {
			w.s.Make(x)
			v = e.Evaluate(seat)
			w.s.Unmake()
		}
		if v > best {
			best, m = v, x
		}
	}
	return m, wins
}
