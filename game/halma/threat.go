package halma

import (
	"perfectplay/game"
	"perfectplay/game/halma/internal/sets"
)

// A threat is a turn by which the next seat would win at once.

// hop returns the cells where one hop from the cells of a set lands.
func (h *hops1) hop(from sets.Set1) sets.Set1 {
	row := from.Up(h.row2).And(h.right).Or(from.Down(h.row2).And(h.left))
	right := from.Up(h.right2).And(h.downRight).Or(from.Down(h.right2).And(h.upLeft))
	left := from.Up(h.left2).And(h.downLeft).Or(from.Down(h.left2).And(h.upRight))
	return row.Or(right).Or(left)
}

// origin returns a cell of a set from which one hop lands on a cell, and the cell hopped over.
func (k *kernel1) origin(h *hops1, from, to sets.Set1) (cell, over sets.Set1) {
	switch {
	case !to.And(h.right).IsEmpty() && !to.Down(h.row2).And(from).IsEmpty():
		return to.Down(h.row2), to.Down(k.row)
	case !to.And(h.left).IsEmpty() && !to.Up(h.row2).And(from).IsEmpty():
		return to.Up(h.row2), to.Up(k.row)
	case !to.And(h.downRight).IsEmpty() && !to.Down(h.right2).And(from).IsEmpty():
		return to.Down(h.right2), to.Down(k.right)
	case !to.And(h.upLeft).IsEmpty() && !to.Up(h.right2).And(from).IsEmpty():
		return to.Up(h.right2), to.Up(k.right)
	case !to.And(h.downLeft).IsEmpty() && !to.Down(h.left2).And(from).IsEmpty():
		return to.Down(h.left2), to.Down(k.left)
	}
	return to.Up(h.left2), to.Up(k.left)
}

// threat looks for a turn of at most maxThreat hops by which a seat would win at once if it were
// to move. It returns the cells that the turn depends on: while no piece leaves or enters them,
// the seat can make that turn and wins by it.
func (s *state1) threat(seat int) (zone sets.Set1, ok bool) {
	r, ok := s.run(seat)
	if !ok || r.turns() != 1 {
		return zone, false
	}
	k, g := s.k, s.g
	// Pieces of any seat may fill the rest of the goal.
	hole, still := k.goal[seat].AndNot(s.occ), k.wins[seat].Full
	if hole.IsEmpty() {
		return zone, false // another seat has filled the last hole
	}
	var h hops1
	hopped := false
	for pieces := s.packed[seat].AndNot(g.goal[seat]); !pieces.IsEmpty(); pieces = pieces.DropMin() {
		from := pieces.Min() & 127
		if !s.own[seat].AndNot(k.bit[from]).Within(k.wins[seat].Inside) {
			continue
		}
		if !k.step[seat][from].And(hole).IsEmpty() {
			return still.Or(hole), true
		}
		if k.end[seat][from].And(hole).IsEmpty() {
			continue
		}
		if !hopped {
			k.hops(&h, seat, s.occ)
			hopped = true
		}
		var layer [maxThreat + 1]sets.Set1
		layer[0] = k.bit[from]
		seen, n := layer[0], 0
		for n < maxThreat && layer[n].And(hole).IsEmpty() {
			next := h.hop(layer[n]).AndNot(seen)
			if next.IsEmpty() {
				break
			}
			n++
			layer[n] = next
			seen = seen.Or(next)
		}
		if layer[n].And(hole).IsEmpty() {
			continue
		}
		zone = still
		for at := hole; n > 0; n-- {
			cell, over := k.origin(&h, layer[n-1], at)
			zone = zone.Or(at).Or(over)
			at = cell
		}
		return zone, true
	}
	return zone, false
}

// MovesAgainst implements [game.ThreatLister].
func (s *state1) MovesAgainst(buf []game.Move, turns int) (moves []game.Move, all, threat bool) {
	seat := s.seat
	next := s.after(seat)
	if s.won >= 0 || s.illegal || s.g.race.shared || next == seat {
		return buf, false, false
	}
	zone, ok := s.threat(next)
	if !ok {
		return buf, false, false
	}
	k := s.k
	r, ok := s.run(seat)
	limited := ok && turns >= 0 && r.turns()+2 > turns
	mine := sets.Set1{} // cells on which a turn of the mover may win
	if !ok || r.turns() <= 1 {
		mine = k.last[seat]
	}
	o := &s.o
	k.find(o, seat, s.packed[seat], s.occ)
	all = true
	for i := range o.n {
		from, to := k.ends(o, i, seat, s.occ)
		if zone.And(k.bit[from&127]).IsEmpty() {
			to = to.And(zone.Or(mine))
		}
		if limited && !to.IsEmpty() {
			near, good := s.within(r, seat, from, turns)
			var stays sets.Set1
			if near != noEnd {
				stays = to.And(k.reachable(near, good, seat))
			}
			all = all && stays == to
			to = stays
		}
		buf = k.appendMoves(buf, from, to)
	}
	return buf, all, true
}
