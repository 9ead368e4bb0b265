package solve

import "perfectplay/game"

// Where one seat plays against all others, a loss of that seat is a win of one of its
// adversaries, who are each other's allies. The bounds on races say which of them may still
// win in time, and with how many turns to spare. If none of those has a turn to spare, each is
// out of its race as soon as a turn of its own brings it no nearer. Then a turn of another seat
// matters only if it helps one of them to make its next turn count, which the game can tell
// (game.AllyLister). In deep searches nearly all nodes are questions of this kind.

// chances lists the allies that can still win in time, with what each of them needs.
type chances struct {
	list   [maxSeats]game.Chance
	n      int
	before int // allies' turns before that of the seat they play against, negative if nobody waits for it
}

// chances finds the chances of the allies, the seat to move excepted, to win within d plies.
// It reports false if one of them may have a turn to spare, or win by another's turn.
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
