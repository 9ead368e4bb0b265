package gametest

import (
	"slices"

	"perfectplay/game"
)

// bounds returns the game's lower bounds on each seat's turns to win.
func (s *suite) bounds(st game.State) []int {
	r, ok := st.(game.Racer)
	if !ok {
		return nil
	}
	out := make([]int, s.g.Seats())
	for seat := range out {
		if out[seat] = r.TurnsToWin(seat); out[seat] < 0 || out[seat] > game.NeverWins {
			s.errorf(st, "seat %d needs %d turns to win", seat, out[seat])
		}
	}
	return out
}

// finished compares the bounds along a won game with the turns the winner took.
func (s *suite) finished(st game.State, turns [][]int, movers []int) {
	w, won := st.Result().Winner()
	if !won || turns[0] == nil {
		return
	}
	left := 0
	for ply := len(turns) - 1; ply >= 0; ply-- {
		if ply < len(movers) && movers[ply] == w {
			left++
		}
		if turns[ply][w] > left {
			s.errorf(st, "seat %d won in %d turns of its own from ply %d on, and the bound was %d", w, left, ply, turns[ply][w])
		}
	}
}

// within makes sure that a race lister leaves out only moves after which the mover's bound is too
// high.
func (s *suite) within(st game.State, moves []game.Move, after []int) {
	l, ok := st.(game.RaceLister)
	if !ok {
		return
	}
	most := 0
	for _, turns := range after {
		if turns < game.NeverWins {
			most = max(most, turns)
		}
	}
	for turns := range most + 2 {
		got, all := l.MovesWithin([]game.Move{game.NoMove}, turns)
		if got = got[1:]; all && !slices.Equal(got, moves) {
			s.errorf(st, "within %d turns %d of %d moves are said to be all", turns, len(got), len(moves))
		}
		rest := part(got)
		for i, m := range moves {
			if !rest.take(m) && after[i] <= turns {
				s.errorf(st, "within %d turns %s is not listed in its place, after which the mover needs %d", turns, st.MoveString(m), after[i])
				return
			}
		}
		if len(rest) > 0 {
			s.errorf(st, "within %d turns moves are listed that are not, or in another order", turns)
		}
	}
}

// against makes the moves that a threat lister leaves out: after each the next seat must win at
// once. Within a race it compares the listed moves with the mover's bounds after all moves.
func (s *suite) against(st game.State, moves []game.Move, after []int) {
	l, ok := st.(game.ThreatLister)
	if !ok {
		return
	}
	listed, all, threat := l.MovesAgainst([]game.Move{game.NoMove}, -1)
	if listed = listed[1:]; !threat {
		if len(listed) > 0 {
			s.errorf(st, "%d moves are listed against no threat", len(listed))
		}
		return
	}
	if !all {
		s.errorf(st, "moves against a threat are left out for being too slow where no turns are asked")
	}
	rest := part(listed)
	for _, m := range moves {
		if rest.take(m) {
			continue
		}
		name := st.MoveString(m)
		s.make(st, st.String(), m)
		next := st.Seat()
		if r := st.Result(); r != game.Ongoing || winning(st, st.Moves(nil)) == game.NoMove {
			s.errorf(st, "after %s, which is not listed against a threat, seat %d has no win at once, the result is %s", name, next, s.result(r))
		}
		s.back(st)
	}
	if len(rest) > 0 {
		s.errorf(st, "moves are listed against a threat that are not, or in another order")
	}
	least := slices.Min(after)
	if least >= game.NeverWins {
		return // the mover is in no race
	}
	for turns := range least + 3 {
		got, all, threat := l.MovesAgainst(nil, turns)
		if !threat || all && !slices.Equal(got, listed) {
			s.errorf(st, "against a threat, within %d turns: %t, %d of %d moves are said to be all", turns, threat, len(got), len(listed))
		}
		rest := part(got)
		for i, m := range moves {
			if slices.Contains(listed, m) && !rest.take(m) && after[i] <= turns {
				s.errorf(st, "against a threat, within %d turns: %s is not listed in its place, after which the mover needs %d", turns, st.MoveString(m), after[i])
				return
			}
		}
		if len(rest) > 0 {
			s.errorf(st, "against a threat, within %d turns: moves are listed that are not, or in another order", turns)
		}
	}
}
