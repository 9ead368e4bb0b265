package explore_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/play/explore"
)

// TestHidden plays deals with hidden hands to their ends, as either seat against every player.
// No answer before the end holds a tile of the other hand, every reply is legal and repeats if
// asked again, and afterwards every move is compared with the exact solver.
func TestHidden(t *testing.T) {
	s := newService(t, explore.Options{})
	description, err := s.Game("domino", "")
	if err != nil || len(description.Hidden) < 4 {
		t.Fatalf("%+v, %v", description, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	replies, passes, deals := 0, 0, uint64(6)
	if testing.Short() {
		deals = 2
	}
	for _, p := range description.Hidden {
		for deal := range deals {
			q := explore.HiddenQuery{Game: "domino", Deal: deal, Seat: []string{"starter", "second"}[deal%2], Player: p.Name}
			for {
				a, err := s.Hidden(t.Context(), q)
				if err != nil {
					t.Fatalf("%+v: %v", q, err)
				}
				if a.Over {
					if len(a.Review) != len(q.Moves) {
						t.Fatalf("%+v: %d of %d moves reviewed", q, len(a.Review), len(q.Moves))
					}
					checkDeal(t, q, a)
					break
				}
				if a.Position != "" || a.Review != nil {
					t.Fatalf("%+v: tells %q before the end", q, a.Position)
				}
				q.Moves = append(q.Moves, next(t, s, q, a, r))
				if a.Reply != "" {
					replies++
				}
				if q.Moves[len(q.Moves)-1] == "pass" {
					passes++
				}
			}
		}
	}
	t.Logf("%d replies, %d passes", replies, passes)
	if replies < 50 || passes == 0 {
		t.Error("too few of some kind")
	}
}

// next is the move after an answer.
func next(t *testing.T, s *explore.Service, q explore.HiddenQuery, a *explore.HiddenAnswer, r *rand.Rand) string {
	t.Helper()
	if a.Reply == "" {
		if a.Seat != q.Seat || len(a.Moves) == 0 {
			t.Fatalf("%+v: %+v: nobody is to move", q, a)
		}
		return a.Moves[r.IntN(len(a.Moves))].Move
	}
	if a.Seat == q.Seat || len(a.Moves) > 0 {
		t.Fatalf("%+v: %+v: both are to move", q, a)
	}
	if again, err := s.Hidden(t.Context(), q); err != nil || again.Reply != a.Reply {
		t.Fatalf("%+v: %q, then %+v, %v", q, a.Reply, again, err)
	}
	return a.Reply
}

// checkDeal plays a finished deal again with its answers.
func checkDeal(t *testing.T, q explore.HiddenQuery, end *explore.HiddenAnswer) {
	t.Helper()
	s := newService(t, explore.Options{})
	at := must(domino.Default().Parse(end.Position))(t)
	solver := exact.NewSolver()
	position := func() domino.Position { return at.(interface{ At() domino.Position }).At() }
	viewer := 0
	if q.Seat == "second" {
		viewer = 1
	}
	for i, text := range q.Moves {
		before := q
		before.Moves = q.Moves[:i]
		a := must(s.Hidden(t.Context(), before))(t)
		told := must(json.Marshal(a))(t)
		for rest := position().Hands[1-viewer]; rest != 0; rest = rest.DropMin() {
			tile := rest.Min()
			if a.Reply != "" && strings.HasPrefix(a.Reply, tile.String()) {
				continue // still under way
			}
			for _, name := range []string{tile.String(), fmt.Sprintf("%d|%d", tile.High(), tile.Low()), fmt.Sprint(tile.Low(), tile.High())} {
				if strings.Contains(string(told), `"`+name) {
					t.Fatalf("%+v: %s is told: %s", before, name, told)
				}
			}
		}
		sign := 1 - 2*at.Seat()
		was, review := sign*solver.PositionValue(position()), end.Review[i]
		m, err := at.ParseMove(text)
		if err != nil {
			t.Fatalf("%+v: %v", before, err)
		}
		at.Make(m)
		is := sign * solver.PositionValue(position())
		if *review.Was.Score != was || *review.Is.Score != is || was < is || review.Move != text {
			t.Fatalf("%+v: reviewed as %+v, want %d to %d", before, review, was, is)
		}
	}
	if at.String() == "" || !position().Over() {
		t.Fatalf("%+v: the game is not over", q)
	}
}

// TestHiddenErrors: errors name the wrong part, and an illegal move gets no reason.
func TestHiddenErrors(t *testing.T) {
	s := newService(t, explore.Options{})
	for _, c := range []struct {
		q     explore.HiddenQuery
		fault explore.Fault
		says  string
	}{
		{explore.HiddenQuery{Game: "halma-star37-2p"}, explore.BadGame, "nothing is hidden"},
		{explore.HiddenQuery{Game: "domino", Seat: "3", Player: "greedy"}, explore.BadSeat, "starter, second"},
		{explore.HiddenQuery{Game: "domino", Seat: "starter", Player: "minimax"}, explore.BadPlayer, "greedy"},
		{explore.HiddenQuery{Game: "domino", Seat: "starter", Player: "greedy", Moves: []string{"9|9"}}, explore.BadMove, "is not legal here"},
	} {
		_, err := s.Hidden(t.Context(), c.q)
		var bad *explore.Error
		if !errors.As(err, &bad) || bad.Fault != c.fault || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.q, err)
		}
	}
}
