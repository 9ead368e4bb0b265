package halma

import (
	"perfectplay/game"
	"perfectplay/game/halma/internal/sets"
)

// Allies in a race against one adversary, each without a turn to spare (see package solve). An
// ally stays in its race if its next turn brings a piece to one of certain cells, its targets.
// [chase1] finds out whether it can, and which turns of other seats help it:
//
//  1. Its own army alone determines the pieces and the targets: other seats do not move its
//     pieces and, unless nothing is known about the seat, do not fill its goal.
//  2. Each earlier turn of another seat fills one cell and leaves one. So n turns help a chain
//     of hops to at most n hops over cells that are empty now, and to n landings on cells that
//     are taken now.
//  3. gets looks for a chain within that budget. It ignores which seat can fill or leave a
//     cell, in which order, and any harm done. So it may see chances that do not exist, but
//     overlooks none.
//  4. Counting once is enough: a chain stays in its class of cells and crosses a cell along one
//     axis only, so a shortest chain needs a filled cell once, and a left one once.
//  5. The army's own pieces lie still until its turn: they count as taken, and none leaves.
//  6. Let near be the cells that chains get to within the budget. More budget matters only
//     where a hop leads out of near, over an empty cell or onto a taken one. These cells are
//     the zone. A turn that neither fills nor leaves a cell of the zone does not help.
//  7. So the adversary's turn costs no budget if it has a step outside the zone that nobody can
//     prevent.

// chase1 is an ally's race to its targets in its next turn.
type chase1 struct {
	seat  int
	help  int       // turns of other seats before the ally's
	after bool      // the adversary moves before the ally
	own   sets.Set1 // the ally's pieces
	step  sets.Set1 // targets a step away from a piece that may go there
	start sets.Set1 // pieces that may go to targets by hops
	hop   sets.Set1 // targets that hops may reach
	near  sets.Set1 // cells that chains get to; set by gets if they reach no target
}

// zone1 holds the cells whose change matters to a chase.
type zone1 struct{ fill, leave sets.Set1 }

// chase finds the targets of a chance. It returns false if nothing is known: the seat has a turn
// to spare, or others fill its goal.
func (s *state1) chase(c *chase1, chance *game.Chance) bool {
	k, seat := s.k, chance.Seat
	r, ok := s.run(seat)
	if ok && r.turns() <= chance.Turns || !ok && !s.mustEnter(seat, chance.Turns) {
		return false
	}
	*c = chase1{seat: seat, help: chance.Allies, after: chance.Adversary, own: s.own[seat]}
	for pieces := s.packed[seat]; !pieces.IsEmpty(); pieces = pieces.DropMin() {
		cell := uint8(pieces.Min()) & 127
		to := s.targets(seat, cell, chance.Turns, r, ok).AndNot(c.own)
		c.step = c.step.Or(k.step[seat][cell].And(to))
		if to = to.And(k.end[seat][cell]); !to.IsEmpty() {
			c.start, c.hop = c.start.Or(k.bit[cell]), c.hop.Or(to)
		}
	}
	return true
}

// targets returns the cells where a piece from a cell must end its turn for the seat's bound to be
// at most turns. r is the seat's need. If known is false, the need is unknown and the seat must
// enter its goal.
func (s *state1) targets(seat int, cell uint8, turns int, r run, known bool) sets.Set1 {
	if !known {
		return s.k.goal[seat]
	}
	reach, good := s.within(r, seat, cell, turns)
	if reach == noEnd {
		return sets.Set1{}
	}
	return s.k.reachable(reach, good, seat)
}

// gets reports whether a chase may come to a target after help turns of others; if not, it sets
// near.
func (k *kernel1) gets(c *chase1, occ sets.Set1, help int) bool {
	free := k.all.AndNot(occ)
	if c.step.Meets(free) || help > 0 && !c.step.IsEmpty() {
		return true
	}
	if c.near = c.start; c.near.IsEmpty() {
		return false
	}
	var plain hops1
	k.hops(&plain, c.seat, occ)
	c.near = plain.flood(c.start)
	if help == 0 || c.near.Meets(c.hop) {
		return c.near.Meets(c.hop)
	}
	var filled, left, both hops1
	others, empty := occ.AndNot(c.own), free.And(k.fill[c.seat])
	k.over(&filled, c.seat, empty, free)
	k.over(&left, c.seat, occ, others)
	k.over(&both, c.seat, empty, others)
	// near[l][f] are the cells that chains get to when l cells have been left and f cells filled.
	var near [maxHelp + 1][maxHelp + 1]sets.Set1
	near[0][0] = c.near
	for l := range help + 1 {
		for f := range help + 1 {
			n := near[l][f]
			if f > 0 {
				n = n.Or(near[l][f-1]).Or(filled.hop(near[l][f-1]))
			}
			if l > 0 {
				n = n.Or(near[l-1][f]).Or(left.hop(near[l-1][f]))
			}
			if l > 0 && f > 0 {
				n = n.Or(both.hop(near[l-1][f-1]))
			}
			if near[l][f] = plain.flood(n); near[l][f].Meets(c.hop) {
				return true
			}
		}
	}
	c.near = near[help][help]
	return false
}

// zone adds to z the zone of a chase that does not get to a target.
func (k *kernel1) zone(z *zone1, c *chase1, occ sets.Set1) {
	free, others := k.all.AndNot(occ), occ.AndNot(c.own)
	empty := free.And(k.fill[c.seat])
	var filled, left, both hops1
	k.over(&filled, c.seat, empty, free)
	k.over(&left, c.seat, occ, others)
	k.over(&both, c.seat, empty, others)
	z.fill = z.fill.Or(k.mids(&filled, c.near)).Or(k.mids(&both, c.near))
	z.leave = z.leave.Or(left.hop(c.near)).Or(both.hop(c.near)).Or(c.step.And(others))
}

// mids returns the cells hopped over by one hop from the cells of a set.
func (k *kernel1) mids(h *hops1, from sets.Set1) sets.Set1 {
	row := from.Up(h.row2).And(h.right).Down(k.row).Or(from.Down(h.row2).And(h.left).Up(k.row))
	right := from.Up(h.right2).And(h.downRight).Down(k.right).Or(from.Down(h.right2).And(h.upLeft).Up(k.right))
	left := from.Up(h.left2).And(h.downLeft).Down(k.left).Or(from.Down(h.left2).And(h.upRight).Up(k.left))
	return row.Or(right).Or(left)
}

// chases1 holds the chases of several allies, and the adversary's turn between.
type chases1 struct {
	of        [maxSeats]chase1
	n         int
	adversary int
	taken     int  // turns of allies before the adversary's
	evades    bool // the adversary has a turn that helps none of the chases
}

// prepare finds the chases of chances. less is subtracted from the number of allies' turns before
// each chance. prepare returns false if a chance may come true.
func (s *state1) prepare(cs *chases1, chances []game.Chance, less int) bool {
	if s.won >= 0 || s.illegal {
		return false
	}
	cs.n, cs.evades = len(chances), false
	for i := range chances {
		c := &cs.of[i]
		if !s.chase(c, &chances[i]) {
			return false
		}
		if c.help -= less; c.help > maxHelp || s.k.gets(c, s.occ, c.help) {
			return false
		}
		cs.evades = cs.evades || c.after
	}
	if !cs.evades || s.evades(cs, s.occ, cs.taken) {
		return true
	}
	// Every turn of the adversary may help.
	cs.evades = false
	for i := range cs.n {
		c := &cs.of[i]
		if !c.after {
			continue
		}
		if c.help++; c.help > maxHelp || s.k.gets(c, s.occ, c.help) {
			return false
		}
	}
	return true
}

// evades reports whether the adversary, after taken turns of allies, has a step outside the zone of
// the chases that wait for the adversary's turn.
func (s *state1) evades(cs *chases1, occ sets.Set1, taken int) bool {
	k := s.k
	var z zone1
	for i := range cs.n {
		if c := &cs.of[i]; c.after {
			k.zone(&z, c, occ)
		}
	}
	free := k.all.AndNot(occ).AndNot(z.fill)
	var ends sets.Set1
	for pieces := s.packed[cs.adversary]; !pieces.IsEmpty(); pieces = pieces.DropMin() {
		cell := pieces.Min() & 127
		if z.leave.Meets(k.bit[cell]) {
			continue
		}
		if ends = ends.Or(k.step[cs.adversary][cell].And(free)); ends.Count() > taken {
			return true
		}
	}
	return false
}

// Hopeless implements [game.AllyLister].
func (s *state1) Hopeless(chances []game.Chance) bool {
	cs := chases1{adversary: s.seat}
	return s.prepare(&cs, chances, 0)
}

// MovesHelping implements [game.AllyLister].
func (s *state1) MovesHelping(buf []game.Move, turns int, chances []game.Chance, adversary, before int) (moves []game.Move, all bool) {
	seat, k := s.seat, s.k
	cs := chases1{adversary: adversary, taken: before}
	if !s.prepare(&cs, chances, 1) {
		return s.Moves(buf), true
	}
	r, ok := s.run(seat)
	if turns >= 0 && (ok && r.turns()+2 <= turns || !ok && !s.mustEnter(seat, turns)) {
		return s.Moves(buf), true
	}
	var z zone1
	for i := range cs.n {
		k.zone(&z, &cs.of[i], s.occ)
	}
	o := &s.o
	k.find(o, seat, s.packed[seat], s.occ)
	all = true
	start, passes := len(buf), true
	for i := range o.n {
		from, any := k.ends(o, i, seat, s.occ)
		if any.IsEmpty() {
			continue
		}
		passes = false
		var keep sets.Set1
		if turns >= 0 {
			keep = s.targets(seat, from, turns, r, ok)
		}
		bit := k.bit[from&127]
		some := any.AndNot(keep)
		if !z.leave.Meets(bit) {
			some = some.And(z.fill)
		}
		to := any.And(keep)
		for ; !some.IsEmpty(); some = some.DropMin() {
			if end := some.First(); s.helps(&cs, s.occ.AndNot(bit).Or(end)) {
				to = to.Or(end)
			}
		}
		all = all && to == any
		buf = k.appendMoves(buf, from, to)
	}
	if len(buf) == start && passes && s.othersMove() {
		buf = append(buf, game.Pass)
	}
	return buf, all
}

// helps reports whether, after an ally's turn that leaves the pieces on occ, one of the chases
// may come to a target.
func (s *state1) helps(cs *chases1, occ sets.Set1) bool {
	for i := range cs.n {
		if c := &cs.of[i]; s.k.gets(c, occ, c.help) {
			return true
		}
	}
	return cs.evades && !s.evades(cs, occ, cs.taken-1)
}
