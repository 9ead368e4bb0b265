package solve

import "perfectplay/game"

// Where one seat plays against all others, the others are allies: a win of one of them is a loss
// of that seat. The bounds on races say which allies may still win in time, and with how many
// turns to spare. An ally with no turn to spare is out of its race as soon as one of its turns
// brings it no nearer. If no ally has a turn to spare, another seat's turn matters only if it
// helps one of them; the game lists such turns (game.AllyLister). In deep searches nearly all
// nodes are such positions.

// chances lists the allies that can still win in time, and the turns that each needs.
type chances struct {
	list   [maxSeats]game.Chance
	n      int
	before int // allies' turns before the turn of the seat they play against; negative if all chances come before it
}

// chances finds the allies, without the seat to move, that can win within d plies. It reports
// false if one of them may have a turn to spare, or may win by another seat's turn.
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

// hopeless reports that the seat to move, which plays against all others, does not lose
// within d plies.
func (w *worker) hopeless(mover, d int) bool {
	c := &w.chance
	return w.chances(c, mover, d) && w.allies.Hopeless(c.list[:c.n])
}
