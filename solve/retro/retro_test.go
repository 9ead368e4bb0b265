package retro_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/solve/retro"
)

// TestToys compares all sets of seats at all positions of random games with the plain definition of
// forced results, by every method and number of threads.
func TestToys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 27))
	decided := 0
	for round := range 150 {
		seats := 1 + rng.IntN(4)
		g := newToy(rng, seats, 1+rng.IntN(400), 1+rng.IntN(6))
		if round%50 == 0 { // more moves than fit a byte
			g = newToy(rng, seats, 700, 500)
		}
		reached, plain := g.reached(), make([][]int, 1<<seats) // indexed by sets of seats
		for set := range plain {
			plain[set] = g.plain(uint8(set))
		}
		for name, c := range map[string]struct {
			g game.Game
			o retro.Options
		}{
			"keys":             {g, retro.Options{}},
			"unmoves":          {backwards{numbered{g}}, retro.Options{Threads: 3}},
			"graph":            {numbered{g}, retro.Options{Method: retro.Graph, Threads: 2}},
			"unmoves in files": {backwards{numbered{g}}, retro.Options{Threads: 2, Work: t.TempDir(), Resident: 1 << 13}},
		} {
			if c.o.Work != "" && round%8 > 0 {
				continue // solves in files take time
			}
			s, err := retro.Solve(context.Background(), c.g, c.o)
			if err != nil {
				t.Fatalf("round %d, %s: %v", round, name, err)
			}
			defer s.Close()
			if c, err := s.Reachable(t.Context()); err != nil || c.Wins+c.Losses+c.Draws != reached {
				t.Fatalf("round %d, %s: %+v can be reached, want %d: %v", round, name, c, reached, err)
			}
			walk(t, s)
			for set := uint8(1); set < 1<<seats; set++ {
				if seats == 2 && set == 3 {
					continue
				}
				ours, theirs := plain[set], plain[(1<<seats-1)&^set]
				for n := range g.to {
					if g.hole[n] {
						continue
					}
					at, _ := g.Parse(g.at(n))
					v, d, ok := s.Forced(at, set)
					if !ok && name == "keys" {
						continue
					}
					want, in := worth(ours[n], theirs[n])
					if !ok || v != want || d != in {
						t.Fatalf("round %d, %s, %d seats, set %b at %d: %v in %d, want %v in %d", round, name, seats, set, n, v, d, want, in)
					}
					if in > 0 {
						decided++
					}
				}
			}
		}
	}
	if decided < 100_000 {
		t.Errorf("%d values were decided in more than no plies", decided)
	}
}

// walk visits all positions of a solution, and plays the lines of some.
func walk(t *testing.T, s *retro.Solution) {
	t.Helper()
	met := map[string]bool{}
	for at := range s.All() {
		text, hero := at.String(), at.Seat()
		v, plies, ok := s.Value(at)
		if !ok || met[text] {
			t.Fatalf("position %s: known %v, met before %v", text, ok, met[text])
		}
		if met[text] = true; len(met)%64 > 0 {
			continue
		}
		line := s.Line(at)
		if at.String() != text || len(line) != plies {
			t.Fatalf("position %s, then %s: a line of %d moves, %v in %d", text, at, len(line), v, plies)
		}
		end := at.Clone()
		for _, m := range line {
			end.Make(m)
		}
		if w, won := end.Result().Winner(); won != (v != game.Draw) || won && (w == hero) != (v == game.Win) {
			t.Fatalf("position %s, %v in %d: seat %d has won: %v", text, v, plies, w, won)
		}
	}
	if uint64(len(met)) != s.Positions() {
		t.Fatalf("%d positions were visited, there are %d", len(met), s.Positions())
	}
	for range s.All() {
		break
	}
}

// reached counts the positions reached from the start.
func (t *toy) reached() (count uint64) {
	met := map[int]bool{0: true}
	for list := []int{0}; len(list) > 0; count++ {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		for _, to := range t.to[n] {
			if !met[to] {
				met[to] = true
				list = append(list, to)
			}
		}
	}
	return count
}

func (t *toy) at(n int) string { return (&place{toy: t, at: n}).String() }

// TestBadGames: the solver names a breach of the contract, by every method, and nothing hangs. Some
// of 20 random games of each kind do not show the flaw: if solved, they have the values of the
// sound game.
func TestBadGames(t *testing.T) {
	const keys, numbers, unmoves, stages = 1, 2, 4, 8
	const other = "whose number .* has another key"
	for _, c := range []struct {
		flaw, want string
		in         int // kinds of games that can have the flaw
		about      string
	}{
		{"number", other + "|has the numbers|no position's", numbers | unmoves, "two positions share a number"},
		{"path", other + "|no position's|has the number", numbers | unmoves, "a position has another number when it is reached by a move"},
		{"range", "there are 300|has the numbers", numbers | unmoves, "a number is too large"},
		{"at", other + "|has the number|Before knows", numbers | unmoves, "At goes to another position than Number says"},
		{"hole", "no position's", numbers | unmoves, "a move leads to a number without a position"},
		{"result", "depends on the way", keys | numbers | unmoves, "the result depends on the path"},
		{"moves", "has|depend on the way", keys | numbers | unmoves, "moves depend on the path"},
		{"key", "key", keys | numbers | unmoves, "a move does not bring the key up to date"},
		{"stuck", "moves, and the game is not over", keys | numbers | unmoves, "no moves, and not over"},
		{"panic", `^toy at \d+(, move \d+)?: .*place\).Moves panics \(toy_test.go:\d+\): planted`, keys | numbers | unmoves, "a list of moves panics"},
		{"many", "has 655.. moves: at most 65535 are possible", keys | numbers | unmoves, "a list of moves is too long"},
		{"before", "Before knows", unmoves, "a move is not known backwards"},
		{"unmove", "Before knows", unmoves, "a move backwards is no move forwards"},
		{"beyond", "there are 300", unmoves, "a move backwards leads to no number"},
		{"after", "After says|Before knows", unmoves, "After says other numbers than moves lead to"},
		{"count", "CountMoves says", unmoves, "moves are counted wrong"},
		{"rises", "PliesLeft", stages, "a move does not lower the plies left"},
		{"ends", "PliesLeft|no plies left", stages, "no plies left, and not over"},
		{"set", "SetKey|depends? on the way|share a key", stages, "SetKey goes to another position"},
		{"next", "NextKey|depends? on the way|among", stages, "NextKey is wrong"},
		{"key", "key", stages, "the key depends on the path"},
		{"stuck", "no (moves|plies left), and the game is not over", stages, "no moves, and not over"},
		{"panic", "planted", stages, "a list of moves panics"},
		{"many", "at most 65535", stages, "a list of moves is too long"},
		{"result", "depends on the way|not alike", stages, "the result depends on the path"},
		{"moves", "depend on the way|not alike|key", stages, "moves depend on the path"},
	} {
		named, silent := 0, 0
		for seed := range uint64(20) {
			g := newToy(rand.New(rand.NewPCG(seed, 1)), 2, 300, 5)
			st := newStaged(rand.New(rand.NewPCG(seed, 1)), 2, 300, 5, 30)
			st.ahead = st.ahead || c.flaw == "next"
			sound, soundStages := *g, *st.toy
			g.flaw, st.flaw = c.flaw, c.flaw
			for kind, g := range map[int]game.Game{keys: g, numbers: numbered{g}, unmoves: backwards{numbered{g}}, stages: st} {
				if c.in&kind == 0 {
					continue
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				s, err := retro.Solve(ctx, g, retro.Options{Threads: 2})
				cancel()
				switch {
				case err == nil:
					silent++
					of := &sound
					if kind == stages {
						of = &soundStages
					}
					if kind&(keys|stages) != 0 && s.Positions() != of.reached() {
						t.Errorf("%s, seed %d, %T: %d positions, want %d", c.about, seed, g, s.Positions(), of.reached())
					}
					of.same(t, g, s, fmt.Sprintf("%s, seed %d, %T", c.about, seed, g))
				case errors.Is(err, context.DeadlineExceeded):
					t.Fatalf("%s, seed %d, %T: it hangs", c.about, seed, g)
				case regexp.MustCompile(c.want).MatchString(err.Error()):
					named++
				default:
					t.Errorf("%s, seed %d, %T: %v, want %q", c.about, seed, g, err, c.want)
				}
			}
		}
		if named < 3*silent {
			t.Errorf("%s: %d errors, and %d times none", c.about, named, silent)
		}
	}
}

// same compares the values of all positions that a solution has with the definition.
func (t *toy) same(test *testing.T, g game.Game, s *retro.Solution, what string) {
	test.Helper()
	ours, theirs := t.plain(1), t.plain(2)
	for n := range t.to {
		at, _ := g.Parse(t.at(n))
		v, d, ok := s.Forced(at, 1)
		want, in := worth(ours[n], theirs[n])
		if ok && !t.hole[n] && (v != want || d != in) {
			test.Errorf("%s: no error, and a wrong value at %d: %v in %d, want %v in %d", what, n, v, d, want, in)
			return
		}
	}
}

// line is a game with one move at each place: a forced win in n−1 plies.
func line(n int) *toy {
	g := &toy{seats: 2, result: make([]game.Result, n), to: make([][]int, n), from: make([][]int, n), hole: make([]bool, n)}
	for i := range n - 1 {
		g.result[i] = game.Ongoing
		g.to[i], g.from[i+1] = []int{i + 1}, []int{i}
	}
	g.result[n-1] = game.Result((n - 2) % 2)
	return g
}

// TestLongWins: the longest win is exact, and one ply more is an error.
func TestLongWins(t *testing.T) {
	for _, m := range []retro.Method{retro.Unmoves, retro.Graph, retro.Keys} {
		if m != retro.Keys && testing.Short() {
			continue // 65,000 rounds over all numbers
		}
		of := func(n int) game.Game {
			if m == retro.Keys {
				return line(n)
			}
			return backwards{numbered{line(n)}}
		}
		g := of(retro.MaxDistance + 1)
		s, err := retro.Solve(context.Background(), g, retro.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		start := g.Start()
		if _, d, _ := s.Value(start); d != retro.MaxDistance || len(s.Line(start)) != d {
			t.Errorf("%s: %d plies, a line of %d, want %d", m, d, len(s.Line(start)), retro.MaxDistance)
		}
		_, err = retro.Solve(context.Background(), of(retro.MaxDistance+2), retro.Options{Method: m})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("more than %d plies", retro.MaxDistance)) {
			t.Errorf("%s: error %v", m, err)
		}
	}
}
