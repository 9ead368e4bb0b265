package explore_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies"
	"perfectplay/game/halma/strong"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/solve"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

var positions = flag.Int("positions", 40, "random positions of each game")

// oracle returns the value of a position to a seat, and the distance or −1.
type oracle func(s game.State, seat int) (game.Value, int)

// walk visits positions of random games: as text, and as moves from the start.
func walk(t *testing.T, g game.Game, n int, visit func(s game.State, moves []string)) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for n > 0 {
		for c := game.NewCourse(g, g.Start()); c.Result() == game.Ongoing && len(c.Path) < 60 && n > 0; {
			if r.IntN(4) == 0 {
				visit(c.State, c.Names())
				n--
			}
			list := c.State.Moves(nil)
			c.Play(list[r.IntN(len(list))])
		}
	}
}

// word converts a value to the words of answers.
func word(v game.Value) explore.Value {
	if v == game.Unknown {
		return explore.Open
	}
	return explore.Value(v.String())
}

func number(d *int) int {
	if d == nil {
		return -1
	}
	return *d
}

// near bounds in plies the searches for the winner if all play for themselves.
const near = 20

// before returns the value to a seat of the move that led to a position. The distance counts from
// the position before that move.
func before(at game.State, seat int, says oracle) (v game.Value, d int) {
	v, d = game.Draw, -1
	if w, won := at.Result().Winner(); won {
		if v, d = game.Loss, 0; w == seat {
			v = game.Win
		}
	} else if at.Result() == game.Ongoing {
		v, d = says(at, seat)
	}
	if d >= 0 {
		d++
	}
	return v, d
}

// compare asks the service about random positions and compares value and distance of the
// position and of every move with an oracle.
func compare(t *testing.T, s *explore.Service, g game.Game, n int, kind wing.Kind, says oracle) {
	t.Helper()
	walk(t, g, n, func(at game.State, moves []string) {
		if t.Failed() {
			return
		}
		seat := at.Seat()
		q := explore.Query{Game: g.ID(), Rules: g.Rules(), Position: at.String(), Limit: near}
		a := ask(t, s, q)
		q.Position, q.Moves = "start", moves
		b := ask(t, s, q)
		if a.Position != b.Position || a.Value != b.Value || number(a.Distance) != number(b.Distance) || len(a.Moves) != len(b.Moves) {
			t.Fatalf("%s: as text %+v, by moves %+v", at, a, b)
		}
		v, d := says(at, seat)
		if a.Source.Kind != kind || a.Value != word(v) || number(a.Distance) != d || a.Position != at.String() || a.Seat != g.SeatName(seat) {
			t.Fatalf("%s %s: %s in %d by %s, want %v in %d by %s", g.ID(), at, a.Value, number(a.Distance), a.Source.Kind, v, d, kind)
		}
		legal := at.Moves(nil)
		if len(a.Moves) != len(legal) {
			t.Fatalf("%s %s: %d moves, want %d", g.ID(), at, len(a.Moves), len(legal))
		}
		for _, m := range a.Moves {
			move := must(at.ParseMove(m.Move))(t)
			at.Make(move)
			v, d := before(at, seat, says)
			if m.Value != word(v) || number(m.Distance) != d || m.Position != at.String() || m.Over != (at.Result() != game.Ongoing) {
				t.Fatalf("%s %s: move %s to %s: %s in %d, want %v in %d", g.ID(), at, m.Move, m.Position, m.Value, number(m.Distance), v, d)
			}
			at.Unmake()
		}
		if a.Value != a.Moves[0].Value || number(a.Distance) != number(a.Moves[0].Distance) {
			t.Fatalf("%s %s: %s in %d, best move %s in %d", g.ID(), at, a.Value, number(a.Distance), a.Moves[0].Value, number(a.Moves[0].Distance))
		}
		if a.Distance != nil && g.Seats() == 2 && len(a.Line) != *a.Distance {
			t.Fatalf("%s %s: %s in %d, by the line %v", g.ID(), at, a.Value, *a.Distance, a.Line)
		}
	})
}

// twoSeats makes an oracle from a function that answers for the seat to move.
func twoSeats(says func(game.State) (game.Value, int)) oracle {
	return func(s game.State, seat int) (game.Value, int) {
		v, d := says(s)
		if s.Seat() != seat {
			v = v.Negate()
		}
		if v == game.Draw {
			d = -1
		}
		return v, d
	}
}

func openHalma(t *testing.T, id, rules string) *halma.Game {
	t.Helper()
	g := must(halma.ByID(id, rules))(t)
	return g
}

// solved solves a game and returns its solution as an oracle.
func solved(t *testing.T, g *halma.Game) oracle {
	t.Helper()
	spec := must(g.TwoArmy())(t)
	all, err := strong.Solve(context.Background(), spec, strong.Options{Distances: true})
	if err != nil {
		t.Fatal(err)
	}
	return twoSeats(func(s game.State) (game.Value, int) { return all.Value(halma.Sides(g, s)) })
}

func TestAgreesWithSolutions(t *testing.T) {
	t.Parallel()
	s := newService(t, explore.Options{})
	for _, c := range [][2]string{
		{"halma-star13-2p", "base"}, {"halma-star37-2p", "house"}, {"halma-star37-2p", "liou"}, {"halma-4x4p3", "gamesman"},
		{"halma-4x4p3", "sturtevant"}, {"halma-5x5p3", "gamesman-2026"}, {"halma-4x4p6", "sturtevant"},
	} {
		g := openHalma(t, c[0], c[1])
		compare(t, s, g, *positions, wing.BySolution, solved(t, g))
	}
}

// TestAgreesWithTables writes tables with and without distances and asks about their positions.
// For a table of values the memory is too small for a solution.
func TestAgreesWithTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, rules string
		distances bool
		memory    int64
	}{{"halma-4x4p3", "gamesman", true, 0}, {"halma-star37-2p", "house", false, explore.MinMemory}} {
		g := openHalma(t, c.id, c.rules)
		spec := must(g.TwoArmy())(t)
		all, err := strong.Solve(context.Background(), spec, strong.Options{Distances: c.distances})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := strong.Save(context.Background(), filepath.Join(dir, "any.name"), spec, all, "test", 1, nil); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "no.table"), []byte("something else"), 0o600); err != nil {
			t.Fatal(err)
		}
		s := newService(t, explore.Options{Tables: dir, Memory: c.memory})
		says := twoSeats(func(s game.State) (game.Value, int) { return all.Value(halma.Sides(g, s)) })
		if c.distances {
			compare(t, s, g, *positions, wing.ByTable, says)
		} else {
			walk(t, g, *positions, func(at game.State, _ []string) {
				a := ask(t, s, explore.Query{Game: c.id, Rules: c.rules, Position: at.String()})
				if v, _ := says(at, at.Seat()); a.Value != word(v) || !a.Final || a.Source.Kind != wing.ByTable || a.Source.Name != "any.name" {
					t.Fatalf("%s: %s by %+v, want %v", at, a.Value, a.Source, v)
				}
				for _, m := range a.Moves {
					if !m.Final {
						t.Fatalf("%s: move %s is %s", at, m.Move, m.Value)
					}
				}
			})
		}
	}
}

func TestAgreesWithDeals(t *testing.T) {
	t.Parallel()
	s := newService(t, explore.Options{})
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		d, _ := domino.RandomDeal(r)
		g := domino.New(d)
		walk(t, g, *positions/20+1, func(at game.State, moves []string) {
			score := plainScore(at)
			a := ask(t, s, explore.Query{Game: "domino", Position: g.Start().String(), Moves: moves})
			if a.Score == nil || *a.Score != score || a.Source.Kind != wing.ByDeal || a.Distance != nil || *a.Moves[0].Score != score {
				t.Fatalf("%s: %+v, want %d", at, a, score)
			}
			for _, m := range a.Moves {
				move := must(at.ParseMove(m.Move))(t)
				at.Make(move)
				if want := -plainScore(at); *m.Score != want || m.Position != at.String() {
					t.Fatalf("%s after %s: %d, want %d", at, m.Move, *m.Score, want)
				}
				at.Unmake()
			}
			// The line is legal and ends with the score.
			end, seat := at.Clone(), at.Seat()
			for _, text := range a.Line {
				m := must(end.ParseMove(text))(t)
				end.Make(m)
			}
			if end.Result() == game.Ongoing || (seat == end.Seat()) != (plainScore(end) == score) && score != 0 {
				t.Fatalf("%s: the line %v ends at %s", at, a.Line, end)
			}
		})
	}
}

// plainScore is the score of perfect play for the seat to move.
func plainScore(s game.State) int {
	if s.Result() != game.Ongoing {
		p := s.(interface{ At() domino.Position }).At()
		if s.Seat() == domino.Second {
			return -p.Score()
		}
		return p.Score()
	}
	best := -1000
	for _, m := range s.Moves(nil) {
		s.Make(m)
		best = max(best, -plainScore(s))
		s.Unmake()
	}
	return best
}

// TestAgreesWithProofs compares the proofs for both sides, and the distances that
// an analysis finds, with all positions solved.
func TestAgreesWithProofs(t *testing.T) {
	t.Parallel()
	s := newService(t, explore.Options{})
	for _, size := range [][3]int{{3, 3, 3}, {3, 4, 3}, {4, 4, 3}} {
		g := must(mnk.New(size[0], size[1], size[2]))(t)
		all, err := retro.Solve(t.Context(), g, retro.Options{})
		if err != nil {
			t.Fatal(err)
		}
		exact := twoSeats(func(s game.State) (game.Value, int) {
			v, plies, _ := all.Value(s)
			return v, plies
		})
		if size[0]*size[1] < 16 {
			compare(t, s, g, *positions, wing.BySolution, exact)
			continue
		}
		walk(t, g, *positions/4, func(at game.State, moves []string) {
			q := explore.Query{Game: g.ID(), Position: "start", Moves: moves}
			a := ask(t, s, q)
			deep := a
			q.Seconds = patient
			if err := s.Analyse(context.Background(), q, func(a *explore.Answer) error { deep = a; return nil }); err != nil {
				t.Fatal(err)
			}
			v, d := exact(at, at.Seat())
			if a.Value != word(v) || !a.Final || deep.Value != word(v) || number(deep.Distance) != d {
				t.Fatalf("%s %s: %s, in depth %s in %d; want %v in %d", g.ID(), at, a.Value, deep.Value, number(deep.Distance), v, d)
			}
			for _, m := range deep.Moves {
				move := must(at.ParseMove(m.Move))(t)
				seat := at.Seat()
				at.Make(move)
				v, d := before(at, seat, exact)
				at.Unmake()
				if m.Value != word(v) || number(m.Distance) != d {
					t.Fatalf("%s %s: move %s: %s in %d, want %v in %d", g.ID(), at, m.Move, m.Value, number(m.Distance), v, d)
				}
			}
		})
	}
}

// save writes the table of a game of several armies.
func save(t *testing.T, name string, g *halma.Game) {
	t.Helper()
	spec := must(g.Armies())(t)
	s, err := armies.Solve(t.Context(), spec, armies.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	info, n, from, err := s.Describe("test", nil)
	if err == nil {
		_, err = table.Write(t.Context(), name, info, n, from, 2, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAgreesWithCoalitions compares answers about several armies, or one alone, from a solution made
// on the spot and from a table, with a solver of any game: for the seat to move, after each move, and
// for each seat.
func TestAgreesWithCoalitions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	memory, files := newService(t, explore.Options{}), newService(t, explore.Options{Tables: dir})
	for _, c := range []struct {
		id, rules string
		file      bool // the answers come from a table
	}{
		{"halma-star13-3p", "liou", false}, {"halma-star13-3p", "base", true}, {"halma-star13-4p", "house", false}, {"halma-star13-4p", "liou", true},
		{"halma-star37p1-3p", "house", false}, {"halma-star37p1-3p", "house", true}, {"halma-star37-1p", "house", false},
	} {
		g := openHalma(t, c.id, c.rules)
		s, kind := memory, wing.ByCoalitions
		if g.Seats() == 1 {
			kind = wing.BySolution
		}
		if c.file {
			s, kind = files, wing.ByTable
			save(t, filepath.Join(dir, c.id), g)
		}
		all, err := retro.Solve(context.Background(), g, retro.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		says := func(s game.State, seat int) (game.Value, int) {
			v, d, ok := all.Forced(s, 1<<seat)
			if !ok {
				t.Fatalf("%s is not among the positions", s)
			}
			if v == game.Draw {
				d = -1
			}
			return v, d
		}
		compare(t, s, g, *positions/8, kind, says)
		if g.Seats() == 1 {
			continue
		}
		walk(t, g, 3, func(at game.State, _ []string) {
			a := ask(t, s, explore.Query{Game: g.ID(), Rules: g.Rules(), Position: at.String(), Limit: near})
			if len(a.Force) != g.Seats() {
				t.Fatalf("%s: what %d seats can force", at, len(a.Force))
			}
			for seat, f := range a.Force {
				if v, d := says(at, seat); f.Value != word(v) || number(f.Distance) != d || f.Seat != g.SeatName(seat) {
					t.Fatalf("%s: seat %s: %s in %d, want %v in %d", at, f.Seat, f.Value, number(f.Distance), v, d)
				}
			}
		})
	}
}

// TestAgreesWithSearch asks where only a search has an answer, to a limit, and compares with
// the engine.
func TestAgreesWithSearch(t *testing.T) {
	t.Parallel()
	s := newService(t, explore.Options{})
	for _, c := range []struct {
		id, rules string
		limit     int
	}{{"halma-star73-2p", "house", 4}, {"halma-7x7p6", "gamesman", 4}, {"halma-star37-3p", "house", 4}, {"halma-star121-6p", "liou", 2}} {
		g := openHalma(t, c.id, c.rules)
		walk(t, g, *positions/10, func(at game.State, _ []string) {
			want, err := solve.Run(context.Background(), g, at, solve.Options{Limit: c.limit, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			a := ask(t, s, explore.Query{Game: c.id, Rules: c.rules, Position: at.String(), Limit: c.limit})
			check := func(what string, w explore.Worth, x *solve.Search) {
				t.Helper()
				d := -1
				if x.Value == game.Win || x.Value == game.Loss {
					d = x.Distance
				}
				if w.Value != explore.Value(want.Word(x)) || number(w.Distance) != d || number(w.NotWithin) < x.NotWithin() {
					t.Fatalf("%s %s: %s: %s in %d, not within %d; want %s in %d, not within %d", c.id, at, what, w.Value, number(w.Distance), number(w.NotWithin), want.Word(x), d, x.NotWithin())
				}
			}
			check("position", a.Worth, &want.Whole)
			for _, m := range a.Moves {
				for i := range want.Openings {
					if want.Openings[i].Name == m.Move {
						check(m.Move, m.Worth, &want.Openings[i])
					}
				}
			}
		})
	}
}
