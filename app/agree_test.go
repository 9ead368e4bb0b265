package app

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/play/explore"
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

// question is a position of the comparison, with the service's answer.
type question struct {
	explore.Query
	g    game.Game
	at   game.State
	want said
}

var agreePositions = flag.Int("positions", 0, "positions on which TestAgree compares; 0 is a few")

// TestAgree compares all interfaces on the same positions of random games, over all games: the
// service, whose tests compare it with the libraries, the HTTP API, the page's client and signs
// (under Node.js, if present), the engine in JSON and by lines, the texts of analyse and play, and
// the text of probe for a hundredth of the positions. Run it with -positions 10000.
func TestAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("all faces on one question after another; with -short the packages of each are held against the libraries alone")
	}
	t.Parallel()
	positions := 70
	if *agreePositions > 0 {
		positions = *agreePositions
	}
	service, address := served(t, newApp(ours...))
	questions := ask(t, service, positions)
	byGame := map[string]int{}
	for _, q := range questions {
		byGame[q.g.ID()+" "+q.g.Rules()]++
	}
	faces := []struct {
		name string
		says func(*testing.T, []question) []*said // an answer is nil if it was not asked for
	}{
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
			return each(limited, func(q question) *said { return httpSays(t, address, q) })
		}},
		{"page", func(t *testing.T, list []question) []*said { return pageSays(t, address, bounded(list)) }},
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
					t.Errorf("%s %s, %s:\n  %s\nthe service:\n  %s", q.Game, q.Rules, q.Position, got, q.want)
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

// ask collects positions of random games, with the service's answers.
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
	r := rand.New(rand.NewPCG(12, 12))
	for i, c := range games {
		q := explore.Query{Game: c.id, Rules: c.rules, Position: "start", Limit: c.limit, Seconds: 300}
		course, err := service.Course(q)
		if err != nil {
			t.Fatal(err)
		}
		g := course.Game
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
			one := question{Query: q, g: g, at: s}
			one.want = *answered(service.Ask(t.Context(), bounded([]question{one})[0].Query))
			list = append(list, one)
			k++
		}
	}
	return list
}
