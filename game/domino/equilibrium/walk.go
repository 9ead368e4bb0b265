package equilibrium

import (
	"slices"

	"perfectplay/game/domino"
)

// walker walks a tree for one seat. It passes the reaches of the other seat's hands down and the
// values of the own hands up. A value is the sum, over the other seat's hands without a common
// tile, of reach times score. Vectors have numbers of type V, stored strategies of type S.
//
// A learning walker plays in proportion to weights. It adds the regrets of the own moves to
// weights, and the other seat's moves, times their reach, to sums. An answering walker plays its
// best move against a strategy proportional to weights and changes nothing.
type walker[V, S real] struct {
	*tree
	me      uint8
	answers bool
	weights [2][]S // by seat to move
	sums    []S    // nil for a walker that does not learn
	gain    V      // weight of the present strategies in sums
	weight  V      // weight of the present regrets

	state, number int // indices of the next state and of its first number

	cut     uint32 // subtrees of at most this many numbers are tasks
	pass    int
	tasks   []task[V]
	vectors arena[V]
	ranks   arena[int32]
}

// The passes of a walk with tasks.
const (
	whole   = iota
	collect // lists the tasks; changes sums only
	combine // uses their results; changes regrets only
)

// task is a subtree walked by any walker.
type task[V real] struct {
	at            State
	state, number int
	reach, out    []V
}

// snap is the smallest regret. A smaller regret becomes 0, so that rounding decides no strategy.
const snap = 1e-6

// arena holds the vectors in use. Free ones are taken from its end.
type arena[N any] []N

// take returns a vector with undefined contents.
func (a *arena[N]) take(n int) []N {
	if len(*a)+n > cap(*a) {
		*a = make([]N, 0, max(2*cap(*a), n, 1<<14)) // older vectors keep their memory
	}
	from := len(*a)
	*a = (*a)[:from+n]
	return (*a)[from : from+n : from+n]
}

// release frees the vectors taken since the arena had the given value. A buffer made since then is
// all free.
func (a *arena[N]) release(before arena[N]) {
	if cap(before) != cap(*a) {
		before = (*a)[:0]
	}
	*a = before
}

// pick returns the numbers of some hands in a new vector.
func (w *walker[V, S]) pick(list []V, hands []int32) []V {
	some := w.vectors.take(len(hands))
	for c, h := range hands {
		some[c] = list[h]
	}
	return some
}

// visit fills out with the values of the own hands. If no hand of the other seat has reach, they
// are 0 and nothing is learnt.
func (w *walker[V, S]) visit(s *State, reach, out []V) {
	if !reached(reach) {
		clear(out)
		w.leap()
		return
	}
	if skip := w.skip[w.state]; w.pass != whole && skip.numbers <= w.cut {
		w.leave(s, skip, reach, out)
		return
	}
	vectors, ranks := w.vectors, w.ranks
	switch {
	case s.Size[s.Mover&1] == 1:
		w.single(s, reach, out)
	case s.Mover == w.me:
		w.own(s, reach, out)
	default:
		w.other(s, reach, out)
	}
	w.vectors.release(vectors)
	w.ranks.release(ranks)
}

func reached[V real](reach []V) bool {
	for _, v := range reach {
		if v != 0 {
			return true
		}
	}
	return false
}

// leave makes a subtree a task, or uses the result of the task.
func (w *walker[V, S]) leave(s *State, skip span, reach, out []V) {
	if w.pass == collect {
		w.tasks = append(w.tasks, task[V]{*s, w.state, w.number, slices.Clone(reach), make([]V, len(out))})
		clear(out)
	} else {
		copy(out, w.tasks[0].out)
		w.tasks = w.tasks[1:]
	}
	w.leap()
}

// leap skips a subtree.
func (w *walker[V, S]) leap() {
	skip := w.skip[w.state]
	w.state += int(skip.states)
	w.number += int(skip.numbers)
}

// passing describes the hands that must pass at a state.
type passing struct {
	next   State   // state after the pass
	places []int32 // places of the tiles of these hands
	hands  []int32 // ranks of the hands
	over   bool    // the other seat has just passed, too
}

// passes returns the mover's hands that must pass, if there are any.
func (w *walker[V, S]) passes(s *State) (p passing, ok bool) {
	me := s.Mover & 1
	if p.next, ok = s.pass(); !ok {
		return p, false
	}
	p.over = s.Passed
	left := p.next.Allowed[me]
	p.places = w.ranks.take(left.Len())[:0]
	for rest := left; rest != 0; rest = rest.DropMin() {
		p.places = append(p.places, int32(at(s.Allowed[me], rest.Min())))
	}
	p.hands = kept(w.ranks.take(peak(len(p.places), int(s.Size[me]))), p.places, int(s.Size[me]))
	return p, true
}

// after fills out with the values of the own hands after a pass.
func (w *walker[V, S]) after(p *passing, reach, out []V) {
	if p.over {
		w.blocked(&p.next, reach, out)
	} else {
		w.visit(&p.next, reach, out)
	}
}

// edge is a move that may be made at a state.
type edge struct {
	move domino.Move
	next State
	with []int32 // ranks of the hands with the tile
}

// edges lists the moves that the mover may make, and returns the count of numbers at the state.
func (w *walker[V, S]) edges(s *State, buf []edge) (list []edge, numbers int) {
	set := s.Allowed[s.Mover&1]
	hands := w.hands[s.Size[s.Mover&1]][set.Len()]
	var moves [mostPlays]domino.Move
	for _, m := range s.plays(moves[:0]) {
		e := edge{m, s.Play(m), hands.with[at(set, m.Tile())]}
		buf = append(buf, e)
		numbers += len(e.with)
	}
	return buf, numbers
}

// shares returns, in the order of numbers, the probabilities of the moves in proportion to weights,
// times the reach of the hands. A hand whose weights are all zero plays all its moves equally often.
func (w *walker[V, S]) shares(list []edge, block []S, stuck []int32, reach []V) (shares []V) {
	sum := w.vectors.take(len(reach))
	clear(sum)
	n := 0
	for i := range list {
		with := list[i].with
		own := block[n:][:len(with)]
		n += len(with)
		for c, h := range with {
			sum[h] += V(own[c])
		}
	}
	for _, h := range stuck {
		sum[h] = 1
	}
	var even []V // 1 for a hand whose weights are all zero; nil if there is none
	if slices.Min(sum) == 0 {
		even = w.vectors.take(len(reach))
		for h, v := range sum {
			even[h] = 0
			if v == 0 {
				even[h] = 1
			}
		}
		for i := range list {
			for _, h := range list[i].with {
				sum[h] += even[h]
			}
		}
	}
	for h, v := range sum {
		if v > 0 {
			sum[h] = reach[h] / v
		}
	}
	shares = w.vectors.take(n)
	n = 0
	for i := range list {
		with := list[i].with
		own, share := block[n:][:len(with)], shares[n:][:len(with)]
		n += len(with)
		for c, h := range with {
			v := V(own[c])
			if even != nil {
				v += even[h]
			}
			share[c] = v * sum[h]
		}
	}
	return shares
}

// enter moves into a state and returns the block of its numbers.
func (w *walker[V, S]) enter(s *State, numbers int) (from int, block []S) {
	from = w.number
	w.state++
	w.number += numbers
	return from, w.weights[s.Mover&1][from : from+numbers]
}

// own does the work of visit if the own seat is to move and has two tiles or more.
func (w *walker[V, S]) own(s *State, reach, out []V) {
	var buf [mostPlays]edge
	list, numbers := w.edges(s, buf[:0])
	_, block := w.enter(s, numbers)
	stuck, canPass := w.passes(s)
	worth := w.vectors.take(numbers)
	w.options(s, list, reach, worth)
	if w.answers {
		w.best(list, worth, out)
	} else {
		w.learn(list, block, worth, stuck.hands, out)
	}
	if canPass {
		mine := w.vectors.take(len(stuck.hands))
		w.after(&stuck, reach, mine)
		for c, h := range stuck.hands {
			out[h] = mine[c]
		}
	}
}

// options fills worth with the values of the own seat's moves, in the order of their numbers.
func (w *walker[V, S]) options(s *State, list []edge, reach, worth []V) {
	if w.closed(s) {
		w.pairsOwn(s, list, reach, worth)
		return
	}
	set := s.Allowed[w.me^1]
	for i := range list {
		e := &list[i]
		theirs, vectors := reach, w.vectors
		if t := e.move.Tile(); set.Has(t) {
			theirs = w.pick(reach, w.hands[s.Size[w.me^1]][set.Len()].without[at(set, t)])
		}
		w.visit(&e.next, theirs, worth[:len(e.with)])
		worth = worth[len(e.with):]
		w.vectors.release(vectors)
	}
}

// best fills out with the best value of each hand's moves.
func (w *walker[V, S]) best(list []edge, worth, out []V) {
	const none = -1e30
	for h := range out {
		out[h] = none
	}
	for i := range list {
		with := list[i].with
		for c, h := range with {
			out[h] = max(out[h], worth[c])
		}
		worth = worth[len(with):]
	}
	for h, v := range out {
		if v == none { // no move, or no move that leaves the other seat a hand
			out[h] = 0
		}
	}
}

// learn fills out with the values of the present strategy and adds the regrets to the weights.
func (w *walker[V, S]) learn(list []edge, block []S, worth []V, stuck []int32, out []V) {
	for h := range out {
		out[h] = 1
	}
	shares := w.shares(list, block, stuck, out)
	clear(out)
	n := 0
	for i := range list {
		with := list[i].with
		share, value := shares[n:][:len(with)], worth[n:][:len(with)]
		n += len(with)
		for c, h := range with {
			out[h] += share[c] * value[c]
		}
	}
	if w.pass == collect || w.sums == nil {
		return
	}
	n = 0
	for i := range list {
		with := list[i].with
		own, value := block[n:][:len(with)], worth[n:][:len(with)]
		n += len(with)
		for c, h := range with {
			r := V(own[c]) + w.weight*(value[c]-out[h])
			if r < snap {
				r = 0
			}
			own[c] = S(r)
		}
	}
}

// other does the work of visit if the other seat is to move and has two tiles or more.
func (w *walker[V, S]) other(s *State, reach, out []V) {
	var buf [mostPlays]edge
	list, numbers := w.edges(s, buf[:0])
	from, block := w.enter(s, numbers)
	stuck, canPass := w.passes(s)
	shares := w.shares(list, block, stuck.hands, reach)
	if w.sums != nil && w.pass != combine {
		sums := w.sums[from:][:numbers]
		for c, v := range shares {
			sums[c] += S(w.gain * v)
		}
	}
	clear(out)
	mine := w.vectors.take(len(out))
	if w.closed(s) {
		w.pairsOther(s, list, shares, out)
		list = nil // nothing is left to visit
	}
	set := s.Allowed[w.me]
	for i := range list {
		e := &list[i]
		played := shares[:len(e.with)]
		shares = shares[len(e.with):]
		if t := e.move.Tile(); set.Has(t) {
			without := w.hands[s.Size[w.me]][set.Len()].without[at(set, t)]
			w.visit(&e.next, played, mine[:len(without)])
			for c, h := range without {
				out[h] += mine[c]
			}
		} else {
			w.visit(&e.next, played, mine)
			for h, v := range mine {
				out[h] += v
			}
		}
	}
	if canPass {
		w.after(&stuck, w.pick(reach, stuck.hands), mine)
		for h, v := range mine {
			out[h] += v
		}
	}
}
