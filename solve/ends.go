package solve

import (
	"math/rand/v2"

	"perfectplay/game"
)

// If a game does not say how long it may last, the run plays randomLines lines, then all lines
// in order of generation, until it has made mostMoves moves. doc.go explains why.
const (
	randomLines = 200
	mostMoves   = 1 << 20
)

// nobodyWins reports whether the game's bounds exclude every win that is searched for.
func (r *run) nobodyWins(at game.State) bool {
	race, ok := at.(game.Racer)
	for seat := range r.game.Seats() {
		if r.algo != Proof || seat == r.hero {
			ok = ok && race.TurnsToWin(seat) >= game.NeverWins
		}
	}
	return ok
}

// drawn reports whether a position is drawn, after a search has shown that nobody can force a
// win within over plies (infinite: ever).
func (r *run) drawn(at game.State, over, limit int) bool {
	if e, ok := at.(game.Ender); ok && over >= e.PliesLeft() {
		return e.PliesLeft() <= limit || r.endless
	} else if ok || r.endless {
		return over >= infinite && r.endless
	}
	if over < limit {
		return false
	}
	t := trial{run: r, state: at.Clone(), left: mostMoves, rng: rand.New(rand.NewPCG(1, 2))}
	for range randomLines {
		if t.lasts(limit, true) {
			return false
		}
	}
	return !t.lasts(limit, false) && (t.left >= 0 || over >= infinite)
}

// trial plays lines to measure their length.
type trial struct {
	*run
	state game.State
	moves []game.Move // stack of move lists
	left  int         // moves that may still be made
	rng   *rand.Rand
}

// lasts reports whether a line is longer than the given plies: one random line, or any line
// within the moves left.
func (t *trial) lasts(plies int, random bool) (found bool) {
	if t.state.Result() != game.Ongoing {
		return false
	}
	if plies <= 0 {
		return true
	}
	mark := len(t.moves)
	t.moves = t.state.Moves(t.moves)
	list := t.moves[mark:]
	if random {
		list = list[t.rng.IntN(len(list)):][:1]
	}
	for _, m := range list {
		if t.left--; t.left < 0 || found {
			break
		}
		if t.pool.sh.canceled.Load() {
			t.stopped, found = true, true
			break
		}
		t.state.Make(m)
		found = t.lasts(plies-1, random)
		t.state.Unmake()
	}
	t.moves = t.moves[:mark]
	return found
}
