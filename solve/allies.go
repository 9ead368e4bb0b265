package solve

import "perfectplay/game"

// A paranoid search sets one seat, the hero, against all others, the allies: a win of any ally
// is a loss of the hero. At nearly all deep nodes no ally has a turn to spare:
//
//  1. An ally can win within d plies only if its bound TurnsToWin is at most the number of
//     turns that it has in them. Other allies are out of the race.
//  2. If these numbers are equal, the ally leaves the race as soon as one of its turns does not
//     lower its bound.
//  3. So if they are equal for all allies in the race, another seat's turn matters only if it helps
//     one of them to lower its bound. The game lists these turns (game.AllyLister); after every
//     other turn the hero can prevent all wins of the allies in time.

// chances lists the allies that can still win in time, and the turns that each needs.
type chances struct {
	list   [maxSeats]game.Chance
	n      int
	before int // allies' turns before the hero's; negative if all chances come before it
}

// chances finds the allies, without the seat to move, that can win within d plies. It returns false
// if an ally may have a turn to spare, or may win by another seat's turn.
func (w *worker) chances(c *chances, mover, d int) bool {
	if w.allies == nil {
		return false
	}
	c.n, c.before = 0, -1
	hero, adversary := -1, false
	if onSide(w.side, mover) {
		hero = 0
	}
	for i := 1; i < w.seats; i++ {
		seat := mover + i
		if seat >= w.seats {
			seat -= w.seats
		}
		if onSide(w.side, seat) {
			hero = i
			continue
		}
		turns := w.racer.TurnsToWin(seat)
		if turns <= 0 {
			return false
		}
		if i >= d {
			continue
		}
		switch most := (d-1-i)/w.seats + 1; {
		case turns > most:
			continue
		case turns < most:
			return false
		}
		chance := game.Chance{Seat: seat, Turns: turns - 1, Allies: i}
		if hero >= 0 {
			chance.Allies, chance.Adversary, adversary = i-1, true, true
		}
		c.list[c.n] = chance
		c.n++
	}
	if adversary {
		c.before = hero
	}
	return true
}

// hopeless reports whether the hero, who is to move, surely does not lose within d plies.
func (w *worker) hopeless(mover, d int) bool {
	c := &w.chance
	return w.chances(c, mover, d) && w.allies.Hopeless(c.list[:c.n])
}
