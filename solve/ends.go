package solve

import "perfectplay/game"

// A search that finds no win for either side and meets no horizon has found a draw. With fewer
// plies than the game may last, it depends on the order of moves and on the table which
// horizons it meets. So within a limit a draw is claimed only where that cannot matter: nobody
// can win any more by the game's bounds, or every line of play ends within the limit. Else the
// value is open. Both are properties of the position and the limit alone.

// mostMoves is the number of moves that are made to see whether all lines of a game end within
// a limit, where the game does not say it.
const mostMoves = 1 << 20

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
// win within over plies. Within a limit it is if every line of play ends by then. Where the
// game does not say how long it may last, lines are played in order of generation, and too many
// of them are as good as a long one.
func (r *run) drawn(at game.State, over, limit int) bool {
	if e, ok := at.(game.Ender); ok && over >= e.PliesLeft() {
		return e.PliesLeft() <= limit || r.endless
	} else if ok || r.endless {
		return over >= infinite && r.endless
	}
	t := trial{run: r, state: at.Clone(), left: mostMoves}
	return over >= limit && t.ends(limit)
}

// trial plays lines to see how long they are.
type trial struct {
	*run
	state game.State
	moves []game.Move // stack of move lists
	left  int         // moves that may still be made
}

// ends reports whether every line ends within so many plies.
func (t *trial) ends(plies int) bool {
	if t.state.Result() != game.Ongoing {
		return true
	}
	if plies <= 0 {
		return false
	}
	mark := len(t.moves)
	t.moves = t.state.Moves(t.moves)
	end := len(t.moves)
	for i := mark; i < end; i++ {
		if t.left--; t.left < 0 {
			return false
		}
		if t.pool.sh.canceled.Load() {
			t.stopped = true
			return false
		}
		t.state.Make(t.moves[i])
		all := t.ends(plies - 1)
		t.state.Unmake()
		if !all {
			return false
		}
	}
	t.moves = t.moves[:mark]
	return true
}
