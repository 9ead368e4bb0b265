package app

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/play/explore"
	"perfectplay/play/serve"
	"perfectplay/play/serve/web"
	"perfectplay/solve"
	"perfectplay/solve/retro"
)

// known is the value of a position or a move, with the distance or −1, and the points if the
// game has any.
type known struct {
	Value    string
	Distance int
	Score    *int
}

func (k known) String() string {
	switch {
	case k.Score != nil && k.Value != "draw":
		return fmt.Sprintf("%s by %d", k.Value, max(*k.Score, -*k.Score))
	case k.Distance >= 0:
		return fmt.Sprintf("%s in %d", k.Value, k.Distance)
	}
	return k.Value
}

// said is the answer of an interface about a position and its moves by name.
type said struct {
	known
	moves map[string]known
}

func (s said) String() string {
	var lines []string
	for name, k := range s.moves {
		lines = append(lines, name+" "+k.String())
	}
	slices.Sort(lines)
	return s.known.String() + ": " + strings.Join(lines, ", ")
}

// question is a position of the comparison, with the library's answer.
type question struct {
	explore.Query
	g    game.Game
	at   game.State
	want said
}

// library returns the value of an unfinished position for a seat.
type library func(s game.State, seat int) known

// TestAgree compares all interfaces on the same positions of random games, over all games: the
// libraries, the service, the HTTP API, the page's client and signs (under Node.js, if present),
// the engine in JSON and by lines, the texts of analyse and play, and the text of probe for a
// hundredth of the positions. Run it with -positions 10000.
func TestAgree(t *testing.T) {
	t.Parallel()
	positions := 70
	if testing.Short() {
		positions = 14
	}
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "positions" {
			positions = int(*generatorPositions)
		}
	})
	service, err := explore.New(explore.Options{Wings: newApp(ours...).Wings(), Memory: 512 << 20, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	s, err := serve.New(serve.Options{Explorer: service, Page: web.Files(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()

	questions := ask(t, service, positions)
	byGame := map[string]int{}
	for _, q := range questions {
		byGame[q.g.ID()+" "+q.g.Rules()]++
	}
	faces := []struct {
		name string
		says func(*testing.T, []question) []*said // an answer is nil if it was not asked for
	}{
		{"service", func(t *testing.T, list []question) []*said {
			return each(bounded(list), func(q question) *said { return answered(service.Ask(t.Context(), q.Query)) })
		}},
		{"HTTP API", func(t *testing.T, list []question) []*said {
			open := 0 // slow positions so far; every fourth is asked without a limit
			limited := bounded(list)
			for i, q := range list {
				if !settles(q) {
					if open++; open%4 == 1 {
						limited[i] = q
					}
				}
			}
			return each(limited, func(q question) *said { return httpSays(t, server.URL, q) })
		}},
		{"page", func(t *testing.T, list []question) []*said { return pageSays(t, server.URL, bounded(list)) }},
		{"engine, JSON", engineSays},
		{"engine, lines", engineLinesSay},
		{"analyse", func(t *testing.T, list []question) []*said {
			return each(bounded(list), func(q question) *said { return analyseSays(t, service, q) })
		}},
		{"play", func(t *testing.T, list []question) []*said {
			waited := 0 // slow positions so far; every tenth is asked
			return each(list, func(q question) *said {
				if !settles(q) {
					if waited++; waited%10 != 1 {
						return nil
					}
				}
				return playSays(t, service, q)
			})
		}},
		{"probe", probeSays},
	}
	for _, f := range faces {
		t.Run(f.name, func(t *testing.T) {
			compared, moves := 0, 0
			for i, got := range f.says(t, questions) {
				if got == nil {
					continue
				}
				q := questions[i]
				if got.String() != q.want.String() {
					t.Errorf("%s %s, %s:\n  %s\nthe library:\n  %s", q.Game, q.Rules, q.Position, got, q.want)
					if compared > 5 {
						t.FailNow()
					}
				}
				compared++
				moves += len(got.moves)
			}
			t.Logf("%d positions with %d moves", compared, moves)
			if compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
	t.Logf("%d positions of %d games: %v", len(questions), len(byGame), byGame)
}

func each(list []question, say func(question) *said) (all []*said) {
	for _, q := range list {
		all = append(all, say(q))
	}
	return all
}

// ask collects positions of random games, with the libraries' answers.
func ask(t *testing.T, service *explore.Service, n int) (list []question) {
	t.Helper()
	games := []struct {
		id, rules string
		limit     int
	}{
		{"halma-star13-2p", "base", 0}, {"halma-star37-2p", "house", 0}, {"halma-5x5p3", "base", 0}, {"halma-4x4p3", "sturtevant", 0},
		{"halma-star13-3p", "house", 0}, {"halma-star13-4p", "base", 0}, {"halma-star37p1-3p", "base", 0}, {"halma-star37-1p", "house", 0}, {"halma-5x5p6-1p", "base", 0},
		{"halma-star73-2p", "base", 2}, {"halma-star121-6p", "house", 1}, {"mnk-3x3k3", "", 0}, {"mnk-4x3k3", "", 0}, {"domino", "", 0},
	}
	if testing.Short() { // without the three games that cost most
		games = slices.DeleteFunc(games, func(g struct {
			id, rules string
			limit     int
		}) bool {
			return g.id == "halma-star13-4p" || g.id == "halma-star37p1-3p" || g.id == "halma-star121-6p"
		})
	}
	r := rand.New(rand.NewPCG(12, 12))
	for i, c := range games {
		q := explore.Query{Game: c.id, Rules: c.rules, Position: "start", Limit: c.limit, Seconds: 300}
		g, _, err := service.State(q)
		if err != nil {
			t.Fatal(err)
		}
		says := libraryOf(t, g, c.limit)
		for k := 0; k < (n+i)/len(games); {
			s := g.Start()
			for range r.IntN(14) {
				if moves := s.Moves(nil); len(moves) > 0 {
					s.Make(moves[r.IntN(len(moves))])
				}
			}
			if s.Result() != game.Ongoing {
				continue
			}
			q.Position = s.String()
			list = append(list, question{q, g, s, libraryAnswer(g, s, says)})
			k++
		}
	}
	return list
}

// libraryAnswer is a library's answer about a position and its moves, for the seat to move.
// The rules answer finished positions.
func libraryAnswer(g game.Game, s game.State, says library) said {
	seat := s.Seat()
	a := said{says(s, seat), map[string]known{}}
	for _, m := range s.Moves(nil) {
		name := s.MoveString(m)
		s.Make(m)
		k := known{Value: "draw", Distance: -1}
		if won, ok := s.Result().Winner(); ok {
			if k = (known{Value: "loss", Distance: 0}); won == seat {
				k.Value = "win"
			}
		} else if s.Result() == game.Ongoing {
			k = says(s, seat)
		}
		if p, ok := s.(interface{ At() domino.Position }); ok { // dominoes: the answer has points instead of plies
			if s.Result() != game.Ongoing {
				score := p.At().Score() * (1 - 2*seat)
				k.Score = &score
			}
			k.Distance = -1
		}
		s.Unmake()
		if k.Distance >= 0 {
			k.Distance++
		}
		a.moves[name] = k
	}
	return a
}

// libraryOf returns the library of a game without the service.
func libraryOf(t *testing.T, g game.Game, limit int) library {
	t.Helper()
	ctx := context.Background()
	fail := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	twoSeats := func(says func(s game.State) (game.Value, int)) library {
		return func(s game.State, seat int) known {
			v, d := says(s)
			if s.Seat() != seat {
				v = v.Negate()
			}
			if v == game.Draw || v == game.Unknown {
				d = -1
			}
			return known{Value: v.String(), Distance: d}
		}
	}
	h, _ := g.(*halma.Game)
	switch {
	case limit > 0: // a bounded search of each position
		return func(s game.State, seat int) known {
			left := limit
			if s.Seat() != seat || g.Seats() == 1 {
				left-- // the move before the position took one ply of the limit
			}
			k := known{Value: "open", Distance: -1}
			if left == 0 {
				return k
			}
			o := solve.Options{Limit: left, Scope: solve.WholeOnly, Threads: 1, Memory: 16 << 20}
			if g.Seats() > 2 {
				o.Hero = &seat
			}
			r, err := solve.Run(ctx, g, s.Clone(), o)
			fail(err)
			if r.Whole.Value != game.Unknown {
				v := r.Whole.Value
				if g.Seats() == 2 && s.Seat() != seat {
					v = v.Negate()
				}
				k = known{Value: v.String(), Distance: r.Whole.Distance}
			}
			return k
		}
	case h != nil && h.Seats() == 2:
		spec, err := h.TwoArmy()
		fail(err)
		all, err := strong.Solve(ctx, spec, strong.Options{Distances: true, Threads: 1})
		fail(err)
		return twoSeats(func(s game.State) (game.Value, int) {
			mover, other := halma.Sides(h, s)
			return all.Value(mover, other)
		})
	case h != nil:
		all, err := retro.Solve(ctx, g, retro.Options{Threads: 1})
		fail(err)
		return func(s game.State, seat int) known {
			v, d, ok := all.Forced(s, 1<<seat)
			if !ok {
				t.Fatalf("%s is not known", s)
			}
			if v == game.Draw {
				d = -1
			}
			return known{Value: v.String(), Distance: d}
		}
	case g.ID() == domino.Default().ID():
		solver := exact.NewSolver()
		return func(s game.State, seat int) known {
			score := solver.PositionValue(s.(interface{ At() domino.Position }).At()) * (1 - 2*seat)
			return known{Value: []string{"loss", "draw", "win"}[1+max(-1, min(1, score))], Distance: -1, Score: &score}
		}
	}
	memo := map[string][2]int{}
	return twoSeats(func(s game.State) (game.Value, int) { return minimax(s, memo) })
}

// minimax is the value of a game without cycles for the seat to move, by plain recursion.
func minimax(s game.State, memo map[string][2]int) (game.Value, int) {
	if won, ok := s.Result().Winner(); ok {
		if won == s.Seat() {
			return game.Win, 0
		}
		return game.Loss, 0
	} else if s.Result() == game.Drawn {
		return game.Draw, 0
	}
	key := s.String()
	if r, ok := memo[key]; ok {
		return game.Value(r[0]), r[1]
	}
	best, far := game.Unknown, 0
	for _, m := range s.Moves(nil) {
		s.Make(m)
		v, d := minimax(s, memo)
		s.Unmake()
		v = v.Negate()
		if d++; v > best || v == best && (v == game.Win && d < far || v == game.Loss && d > far) {
			best, far = v, d
		}
	}
	memo[key] = [2]int{int(best), far}
	return best, far
}
