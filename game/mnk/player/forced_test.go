package player

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// forcedBoards are boards of one word, two and several, with lines of three to nine.
var forcedBoards = [][3]int{{5, 5, 3}, {7, 7, 4}, {9, 9, 5}, {11, 11, 5}, {12, 12, 4}, {13, 9, 5}, {15, 15, 5}, {19, 19, 6}, {20, 20, 9}, {3, 60, 5}}

// TestForcedPlayedOut: a side with a win by threats wins against any replies by the cells
// returned; and after any reply of a side that loses by threats the other side wins.
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

// reply returns a stone that completes or blocks a line, else a random one, often a good one.
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

// TestForcedKnowsWhenItHasSeenAll: without threats there is nothing to look at, and the result
// says so.
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

// TestShortestIsPlayed: a player that wins by threats wins within the plies that it announces,
// against random stones and against the stones of a player, and never later than announced before.
func TestShortestIsPlayed(t *testing.T) {
	within := regexp.MustCompile(`^wins by threats, within (\d+) plies$`)
	bounds, quiet := 0, 0
	for _, sh := range [][3]int{{7, 7, 4}, {9, 9, 5}, {15, 15, 5}, {19, 19, 6}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		rng := rand.New(rand.NewPCG(3, uint64(g.Cells())))
		p, foe := mustPlayer(t, "level-9", g, 1), mustPlayer(t, "level-9", g, 1)
		q, err := NewForced(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 300 {
			at := walk(g, rng, 8+rng.IntN(20))
			if v, _, _, _ := q.Value(t.Context(), at, 4000); v != game.Win {
				continue
			}
			from, me, left := at.String(), at.Seat(), -1
			for first := true; at.Result() == game.Ongoing; first = false {
				if at.Seat() != me {
					m := reply(q, at, rng)
					if n%2 == 0 {
						m = game.Move(choose(t, foe, at, 2000).cell)
					}
					at.Make(m)
					left--
					continue
				}
				a := choose(t, p, at, 20_000)
				if first && !strings.HasPrefix(a.note, "wins by threats") {
					break
				}
				if m := within.FindStringSubmatch(a.note); m != nil {
					plies, _ := strconv.Atoi(m[1])
					if bounds++; left >= 0 && plies > left {
						t.Fatalf("%s: %s: %d plies are left of those promised, and it says %d", g.ID(), from, left, plies)
					}
					left = plies
				} else if first {
					quiet++
				}
				at.Make(game.Move(a.cell))
				if left--; left == 0 && at.Result() == game.Ongoing {
					t.Fatalf("%s: %s: not won within the plies promised: %s", g.ID(), from, at)
				}
			}
			if seat, won := at.Result().Winner(); at.Result() != game.Ongoing && (!won || seat != me) {
				t.Fatalf("%s: %s: won by threats, and ends as %s", g.ID(), from, at)
			}
		}
		if err := errors.Join(q.Close(), p.Close(), foe.Close()); err != nil {
			t.Error(err)
		}
	}
	if bounds < 30 || quiet < 5 {
		t.Errorf("%d bounds, %d wins with quiet threats: too few", bounds, quiet)
	}
}
