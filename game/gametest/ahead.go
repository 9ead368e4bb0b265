package gametest

import (
	"slices"

	"perfectplay/game"
)

// winning returns the first of the moves that wins at once for the seat to move.
func winning(st game.State, moves []game.Move) game.Move {
	seat := st.Seat()
	i := slices.IndexFunc(moves, func(m game.Move) bool {
		st.Make(m)
		defer st.Unmake()
		return int(st.Result()) == seat
	})
	if i < 0 {
		return game.NoMove
	}
	return moves[i]
}

// mostAnswers roughly bounds the answers that are made after the moves of a position.
const mostAnswers = 10_000

// safe checks a [game.SafeLister] by making the moves and the answers to them.
func (s *suite) safe(st game.State, moves []game.Move) {
	l, ok := st.(game.SafeLister)
	if !ok {
		return
	}
	seat, first := st.Seat(), winning(st, moves)
	switch m := l.WinningMove(); {
	case m == game.NoMove && first != game.NoMove:
		s.errorf(st, "no winning move is seen, and %s wins at once", st.MoveString(first))
	case m != game.NoMove && (!slices.Contains(moves, m) || winning(st, []game.Move{m}) == game.NoMove):
		s.errorf(st, "move %d is said to win at once", m)
	}
	if first != game.NoMove || len(moves) == 0 {
		return
	}
	buf := l.SafeMoves([]game.Move{game.NoMove})
	if buf[0] != game.NoMove {
		s.errorf(st, "safe moves do not follow what the buffer held")
		return
	}
	safe := part(buf[1:])
	step := 1 + len(moves)*len(moves)/mostAnswers
	for i, m := range moves {
		listed := safe.take(m)
		if i%step != 0 {
			continue
		}
		name := st.MoveString(m)
		s.make(st, st.String(), m)
		if r := st.Result(); r >= 0 && int(r) != seat {
			s.errorf(st, "after %s seat %d has won, and a turn wins for the seat that makes it or for nobody", name, r)
		}
		switch win := winning(st, st.Moves(nil)); {
		case listed && win != game.NoMove:
			s.errorf(st, "%s is said to be safe, and the next seat wins by %s", name, st.MoveString(win))
		case !listed && win == game.NoMove:
			s.errorf(st, "%s is not listed in its place as safe, and the next seat has no win at once", name)
		}
		if s.back(st); s.t.Failed() {
			return
		}
	}
	if len(safe) > 0 {
		s.errorf(st, "safe moves are listed that are not legal, or in another order")
	}
}
