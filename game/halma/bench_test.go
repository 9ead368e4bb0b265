package halma

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"perfectplay/game"
	"perfectplay/game/perft"
)

var benchGames = []struct{ id, rules string }{
	{"halma-5x5p3", "base"},
	{"halma-7x7p6", "base"},
	{"halma-9x9p10", "base"},
	{"halma-star37-2p", "base"},
	{"halma-star73-2p", "base"},
	{"halma-star121-2p", "base"},
	{"halma-star37-2p", "house"},
	{"halma-star121-2p", "house"},
	{"halma-star37-6p", "base"},
	{"halma-star121-6p", "base"},
	{"halma-7x7p6", "sturtevant"},
}

// sample returns undecided positions of play that heads for the goal about half of the time.
func sample(b testing.TB, id, rules string, n int) (*Game, []game.State) {
	g, err := ByID(id, rules)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	var states []game.State
	for len(states) < n {
		s := g.Start()
		for ply := 0; ply < 40 && len(states) < n; ply++ {
			if s.Result() != game.Ongoing {
				break
			}
			if ply > 3 {
				states = append(states, s.Clone())
			}
			moves := s.Moves(nil)
			m := moves[rng.IntN(len(moves))]
			if rng.IntN(2) == 0 {
				m = towardsGoal(g, s.Seat(), moves, rng)
			}
			s.Make(m)
		}
	}
	return g, states
}

func mailboxes(b testing.TB, g *Game, states []game.State) (out []game.State) {
	for _, s := range states {
		m, err := g.Mailbox().Parse(s.String())
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

func BenchmarkMoves(b *testing.B) {
	for _, c := range benchGames {
		g, states := sample(b, c.id, c.rules, 512)
		want := 0
		for _, m := range mailboxes(b, g, states) {
			want += len(m.Moves(nil))
		}
		run := func(name string, list func(s game.State) int) {
			b.Run(fmt.Sprintf("game=%s/rules=%s/do=%s", c.id, c.rules, name), func(b *testing.B) {
				for b.Loop() {
					n := 0
					for _, s := range states {
						n += list(s)
					}
					if n != want {
						b.Fatalf("%d moves, want %d", n, want)
					}
				}
				perPosition(b, len(states))
			})
		}
		buf := make([]game.Move, 0, 1024)
		run("list", func(s game.State) int { return len(s.Moves(buf[:0])) })
		run("count", func(s game.State) int { return s.(game.Counter).CountMoves() })
	}
}

func perPosition(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/op")
}

func BenchmarkMailbox(b *testing.B) {
	for _, c := range benchGames[:6] {
		g, states := sample(b, c.id, c.rules, 64)
		want := 0
		for _, s := range states {
			want += len(s.Moves(nil))
		}
		mail := mailboxes(b, g, states)
		b.Run(fmt.Sprintf("game=%s/rules=%s", c.id, c.rules), func(b *testing.B) {
			var buf []game.Move
			for b.Loop() {
				n := 0
				for _, s := range mail {
					n += len(s.(*mailState).movesOf(s.Seat(), buf[:0], math.MaxInt))
				}
				if n != want {
					b.Fatalf("%d moves, want %d", n, want)
				}
			}
			perPosition(b, len(states))
		})
	}
}

// BenchmarkPerft counts from the start with the last turn counted and with every leaf made.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		id, rules string
		depth     int
		want      uint64
	}{
		{"halma-7x7p6", "base", 4, 0},
		{"halma-star37-2p", "base", 5, 0},
		{"halma-star73-2p", "base", 4, 0},
		{"halma-star121-2p", "base", 4, 0},
		{"halma-star121-6p", "base", 4, 0},
		{"halma-star37-2p", "house", 5, 0},
	} {
		g, err := ByID(c.id, c.rules)
		if err != nil {
			b.Fatal(err)
		}
		want := perft.Count(g.Start(), c.depth)
		run := func(name string, count func(game.State, int) uint64) {
			b.Run(fmt.Sprintf("game=%s/rules=%s/depth=%d/do=%s", c.id, c.rules, c.depth, name), func(b *testing.B) {
				s := g.Start()
				for b.Loop() {
					if got := count(s, c.depth); got != want {
						b.Fatalf("%d leaves, want %d", got, want)
					}
				}
				b.ReportMetric(float64(want)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
			})
		}
		run("bulk", perft.Count)
		run("moves", func(s game.State, depth int) uint64 { return perft.Count(struct{ game.State }{s}, depth) })
	}
}

// BenchmarkKey takes keys of positions from play.
func BenchmarkKey(b *testing.B) {
	for _, id := range []string{"halma-7x7p6", "halma-star37-2p", "halma-star121-2p", "halma-star37-6p", "halma-star121-6p"} {
		_, states := sample(b, id, "base", 512)
		b.Run("game="+id, func(b *testing.B) {
			var key [6]uint64
			sum, again := uint64(0), uint64(0)
			for b.Loop() {
				sum, again = 0, sum
				for _, s := range states {
					s.(game.Keyer).Key(key[:])
					sum += key[0]
				}
			}
			if again != 0 && sum != again {
				b.Fatal("other keys")
			}
			perPosition(b, len(states))
		})
	}
}

func BenchmarkMake(b *testing.B) {
	for _, id := range []string{"halma-7x7p6", "halma-star73-2p", "halma-star121-2p", "halma-star121-6p"} {
		_, states := sample(b, id, "base", 64)
		n := 0
		lists := make([][]game.Move, len(states))
		for i, s := range states {
			lists[i] = s.Moves(nil)
			n += len(lists[i])
		}
		b.Run("game="+id, func(b *testing.B) {
			for b.Loop() {
				for i, s := range states {
					for _, m := range lists[i] {
						s.Make(m)
						s.Unmake()
					}
				}
			}
			perPosition(b, n)
		})
	}
}

// BenchmarkNode times the calls of a search at a node other than moves.
func BenchmarkNode(b *testing.B) {
	for _, c := range []struct{ id, rules string }{
		{"halma-star37-2p", "base"}, {"halma-star37-2p", "house"}, {"halma-star121-2p", "house"},
		{"halma-star121-6p", "house"}, {"halma-7x7p6", "sturtevant"},
	} {
		_, states := sample(b, c.id, c.rules, 512)
		run := func(name string, ask func(s game.State) int) {
			want := 0
			for _, s := range states {
				want += ask(s.Clone())
			}
			b.Run(fmt.Sprintf("game=%s/rules=%s/do=%s", c.id, c.rules, name), func(b *testing.B) {
				for b.Loop() {
					n := 0
					for _, s := range states {
						n += ask(s)
					}
					if n != want {
						b.Fatalf("%d, want %d", n, want)
					}
				}
				perPosition(b, len(states))
			})
		}
		run("result", func(s game.State) int { return int(s.Result()) })
		run("turnstowin", func(s game.State) int { return s.(game.Racer).TurnsToWin(0) })
		run("evaluate", func(s game.State) int { return int(s.(game.Evaluator).Evaluate(0)) })
	}
}
