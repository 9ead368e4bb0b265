package solve

import (
	"math/rand/v2"

	"perfectplay/game"
)

// A search that finds no win for either side and meets no horizon has found a draw. With fewer
// plies than the game may last, it depends on the order of moves and on the table which
// horizons it meets. So within a limit a draw is claimed only where that cannot matter: nobody
// can win any more by the game's bounds, or every line of play ends within the limit. Else the
// value is open. Both are properties of the position and the limit alone.

// Of a game that does not say how long it may last, randomLines lines are played, then all in
// order of generation, until mostMoves moves are made. If none lasts beyond the limit, there is
// hardly one.
const (
	randomLines = 200
	mostMoves   = 1 << 20
)

// nobodyWins reports whether the game's bounds say that no seat whose win is searched can win
// any more.
func (r *run) nobodyWins(at game.State) bool {
	race, ok := at.(game.Racer)
	for seat := range r.game.Seats() {
		if r.algo != Proof || seat == r.hero {
			ok = ok && race.TurnsToWin(seat) >= game.NeverWins
		}
	}
	return ok
}

// drawn reports whether a position is drawn where a search has shown that nobody can force a
// win within over plies, infinite if never. Within a limit it is if every line of play ends by
// then. Where the game does not say how long it may last, lines are played to find a longer one.
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

// trial plays lines to see how long they are.
type trial struct {
	*run
	state game.State
	moves []game.Move // stack of move lists
	left  int         // moves that may still be made
	rng   *rand.Rand
}

// lasts reports whether a line is not over after so many plies: one at random, or any of those
// that are played.
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
