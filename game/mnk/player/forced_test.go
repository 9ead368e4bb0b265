package player

import (
	"math/rand/v2"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// forcedBoards are boards of one word, two and several, with lines of three to nine.
var forcedBoards = [][3]int{{5, 5, 3}, {7, 7, 4}, {9, 9, 5}, {11, 11, 5}, {12, 12, 4}, {13, 9, 5}, {15, 15, 5}, {19, 19, 6}, {20, 20, 9}, {3, 60, 5}}

// TestForcedPlayedOut: who is said to win by threats wins against any replies, going on by the
// cells that are named; and after any reply of a side that is said to lose the other one wins.
func TestForcedPlayedOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	wins, losses := 0, 0
	for _, sh := range forcedBoards {
		g := mustGame(t, sh[0], sh[1], sh[2])
		q, err := NewForced(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			at := walk(g, rng, 4+rng.IntN(min(g.Cells()*2/3, 40)))
			from := at.String()
			v, _, _, _ := q.Value(t.Context(), at, 4000)
			if v == game.Unknown {
				continue
			}
			winner := at.Seat()
			if v == game.Loss {
				losses++
				winner = 1 - winner
			} else {
				wins++
			}
			for at.Result() == game.Ongoing {
				if at.Seat() != winner {
					at.Make(reply(q, at, rng))
					continue
				}
				v, cell, _, _ := q.Value(t.Context(), at, 1<<20)
				if v != game.Win || at.At(cell) != 0 {
					t.Fatalf("%s: %s: said to be decided, and is %v by %d at %s", g.ID(), from, v, cell, at)
				}
				at.Make(game.Move(cell))
			}
			if seat, won := at.Result().Winner(); !won || seat != winner {
				t.Fatalf("%s: %s: said to be won by %d, and ends as %s", g.ID(), from, winner, at)
			}
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	}
	if wins < 60 || losses < 10 {
		t.Errorf("%d wins and %d losses: too few", wins, losses)
	}
}

// reply is a stone that completes a line, or one that looks good to the loser, or any.
func reply(q *Forced, s *mnk.Plain, rng *rand.Rand) game.Move {
	q.f.follow(s)
	p := s.Seat()
	for _, side := range []int{p, 1 - p} {
		if list := q.f.complete[side].list; len(list) > 0 {
			return game.Move(list[0])
		}
	}
	moves := s.Moves(nil)
	best := moves[rng.IntN(len(moves))]
	for range rng.IntN(8) {
		if m := moves[rng.IntN(len(moves))]; q.f.weigh(p, int32(m)) > q.f.weigh(p, int32(best)) {
			best = m
		}
	}
	return best
}

// TestForcedKnowsWhenItHasSeenAll: without threats there is nothing to look at, and it says so.
func TestForcedKnowsWhenItHasSeenAll(t *testing.T) {
	g := mustGame(t, 15, 15, 5)
	q, err := NewForced(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if v, _, _, all := q.Value(t.Context(), g.Start(), 0); v != game.Unknown || !all {
		t.Errorf("the empty board: %v, all %v", v, all)
	}
}

// TestNotesPromiseNoLength: what a player says of a win names no number of plies, which its own
// search does not bound.
func TestNotesPromiseNoLength(t *testing.T) {
	g := mustGame(t, 15, 15, 5)
	rng := rand.New(rand.NewPCG(3, 4))
	p := mustPlayer(t, "level-9", g, 1)
	wins := 0
	for range 40 {
		at := walk(g, rng, 10+rng.IntN(20))
		if at.Result() != game.Ongoing {
			continue
		}
		_, note := p.Move(t.Context(), at, Limits{Positions: 20_000})
		if strings.Contains(note, "win") {
			wins++
		}
		if strings.Contains(note, "plies") && !strings.HasPrefix(note, "by evaluation") {
			t.Errorf("%s: %s", at, note)
		}
	}
	if wins < 3 {
		t.Errorf("%d wins: too few", wins)
	}
}
