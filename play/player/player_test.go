package player

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/halma"
	halmawing "perfectplay/game/halma/oracle"
	"perfectplay/game/halma/strong"
	"perfectplay/game/mnk"
	mnkwing "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/solve/retro"
)

// service is shared by all tests.
var service = sync.OnceValues(func() (*explore.Service, error) {
	return explore.New(explore.Options{Wings: []wing.Wing{halmawing.Wing(), mnkwing.Wing()}, Memory: 256 << 20, Threads: 2})
})

func analyst(t testing.TB) explore.Analyst {
	s := must(service())(t)
	return s
}

// must returns v. An error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// wingOf is the wing of a game.
func wingOf(t testing.TB, id string) wing.Wing { return must(must(service())(t).Wing(id))(t) }

// opened opens a game.
func opened(t *testing.T, id, rules string) game.Game {
	t.Helper()
	w := wingOf(t, id)
	return must(w.Open(id, rules))(t)
}

func newPlayer(t testing.TB, name string, g game.Game, seed uint64) Player {
	t.Helper()
	p, err := New(t.Context(), name, g, Options{Analyst: analyst(t), Wing: wingOf(t, g.ID()), Memory: 16 << 20, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestKnown(t *testing.T) {
	for _, name := range []string{"random", "level-1", "level-9", "strongest", "perfect"} {
		if err := Known(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "Random", "level", "level-0", "level-10", "level-01", "level-+1", "level-1 ", "perfect-1", "best", "greedy", "mcts", "depth-3", "errs-20"} {
		err := Known(name)
		if err == nil || !strings.Contains(err.Error(), "level-1 to level-9") {
			t.Errorf("%q: %v", name, err)
		}
		if g, _ := mnk.ByID("mnk-3x3k3"); g != nil {
			if _, err := New(t.Context(), name, g, Options{Analyst: analyst(t), Wing: mnkwing.Wing()}); err == nil {
				t.Errorf("%q plays", name)
			}
		}
	}
}

// TestPerfectWhereSolved: only solved games have a perfect player.
func TestPerfectWhereSolved(t *testing.T) {
	for id, solved := range map[string]bool{"mnk-3x3k3": true, "mnk-7x7k5": true, "mnk-15x15k5": false, "mnk-10x10k5": false, "mnk-50x50k10": false} {
		g := opened(t, id, "")
		for _, name := range []string{"perfect", "strongest"} {
			p, err := New(t.Context(), name, g, Options{Analyst: analyst(t), Wing: mnkwing.Wing()})
			if err == nil {
				err = p.Close()
			} else if !solved && name == "perfect" && strings.Contains(err.Error(), "is not solved") {
				continue
			}
			if err != nil || !solved && name == "perfect" {
				t.Errorf("%s in %s: %v", name, id, err)
			}
		}
	}
}

// forced is the value of a position that a seat can force, and the plies.
type forced func(s game.State, seat int) (game.Value, int)

// solved solves a game: star 37 by the solver of two armies, others by retrograde analysis.
func solved(t *testing.T, star game.Game) forced {
	t.Helper()
	if star.ID() != "halma-star37-2p" {
		sol := must(retro.Solve(t.Context(), star, retro.Options{Threads: 1}))(t)
		return func(s game.State, seat int) (game.Value, int) {
			v, distance, ok := sol.Forced(s, 1<<seat)
			if !ok {
				t.Fatalf("%s has no value", s)
			}
			return v, distance
		}
	}
	g := star.(*halma.Game)
	spec := must(g.TwoArmy())(t)
	sol := must(strong.Solve(t.Context(), spec, strong.Options{Distances: true, Memory: 1 << 30}))(t)
	return func(s game.State, seat int) (game.Value, int) {
		v, distance := sol.Value(halma.Sides(g, s))
		if s.Seat() != seat {
			v = v.Negate()
		}
		return v, distance
	}
}

// meet plays a game and returns the seat that wins, or −1 after 1500 plies.
func meet(t *testing.T, g game.Game, seats []Player) int {
	t.Helper()
	s := g.Start()
	for ply := 0; s.Result() == game.Ongoing && ply < 1500; ply++ {
		c, err := seats[s.Seat()].Move(t.Context(), s, Clock{})
		if err != nil {
			t.Fatal(err)
		}
		s.Make(c.Move)
	}
	if w, ok := s.Result().Winner(); ok {
		return w
	}
	return -1
}

// TestBeatsGreedy: on the largest star one level with a few hundred positions a move beats greedy
// levels on all other seats.
func TestBeatsGreedy(t *testing.T) {
	for _, c := range []struct {
		id, name    string
		least, most int // games won, and played
	}{
		{"halma-star121-2p", "level-6", 4, 4},
		{"halma-star121-3p", "level-5", 3, 3},
		{"halma-star121-6p", "level-7", 2, 3},
	} {
		g := opened(t, c.id, "base")
		won := 0
		for i := range c.most {
			seat := i % g.Seats()
			var seats []Player
			for at := range g.Seats() {
				name := "level-3"
				if at == seat {
					name = c.name
				}
				seats = append(seats, newPlayer(t, name, g, uint64(10*i+at)))
			}
			if meet(t, g, seats) == seat {
				won++
			}
		}
		if won < c.least {
			t.Errorf("%s: %s wins %d of %d against level-3", c.id, c.name, won, c.most)
		}
	}
}

// TestLevels: every level plays on every number of seats, and equal seeds give equal moves.
func TestLevels(t *testing.T) {
	names := []string{"random", "level-1", "level-2", "level-3", "level-4", "level-5", "level-6"}
	for _, id := range []string{"halma-star37-2p", "halma-star73-3p", "halma-star73-4p", "halma-star121-6p"} {
		g := opened(t, id, "base")
		for _, name := range names {
			var first []game.Move
			for range 2 {
				p := newPlayer(t, name, g, 5)
				s := g.Start()
				var made []game.Move
				for range 4 {
					c, err := p.Move(t.Context(), s, Clock{})
					if err != nil || c.Note == "" {
						t.Fatalf("%s: %v, note %q", name, err, c.Note)
					}
					made = append(made, c.Move)
					s.Make(c.Move) // panics or goes wrong unless legal
				}
				if first == nil {
					first = made
				} else if !slices.Equal(first, made) {
					t.Errorf("%s: %s plays %v and %v", id, name, first, made)
				}
			}
		}
	}
}

// TestLevelsNeedNoMemory: moves and notes of a level do not depend on the memory that the program
// may use.
func TestLevelsNeedNoMemory(t *testing.T) {
	for id, w := range map[string]wing.Wing{"halma-star73-2p": halmawing.Wing(), "halma-star37-3p": halmawing.Wing(), "mnk-15x15k5": mnkwing.Wing()} {
		g := must(w.Open(id, ""))(t)
		var first []Choice
		for _, memory := range []int64{64 << 20, 3 << 20} {
			p, err := New(t.Context(), "level-9", g, Options{Analyst: analyst(t), Wing: w, Memory: memory, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			var made []Choice
			for s := g.Start(); len(made) < 3; s.Make(made[len(made)-1].Move) {
				c, err := p.Move(t.Context(), s, Clock{})
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, c)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if first == nil {
				first = made
			} else if !slices.Equal(first, made) {
				t.Errorf("%s: %v with much memory, %v with little", id, first, made)
			}
		}
	}
}

// TestSearchesWhereNothingIsKnown: strongest gives a part of its time to a search, and plays its
// move.
func TestSearchesWhereNothingIsKnown(t *testing.T) {
	g := opened(t, "halma-star121-2p", "base")
	s := g.Start()
	a := &explore.Answer{Worth: explore.Worth{Value: explore.Open}}
	for _, m := range s.Moves(nil) {
		a.Moves = append(a.Moves, explore.Move{Move: s.MoveString(m), Worth: explore.Worth{Value: explore.Open}})
	}
	f := &fixed{answer: a, open: true}
	p, err := New(t.Context(), "strongest", g, Options{Analyst: f, Wing: wingOf(t, g.ID()), Now: stepping()})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c, err := p.Move(t.Context(), s, Clock{Time: time.Second})
	if err != nil || !strings.HasPrefix(c.Note, "estimate, ") {
		t.Errorf("%+v, %v", c, err)
	}
	if f.query.Seconds < 0.2 || f.query.Seconds > 0.25 {
		t.Errorf("%v s of one for proofs", f.query.Seconds)
	}
	// Moves proved to lose are not searched.
	n := 6
	for i := range a.Moves[1:] {
		a.Moves[i+1].Worth = explore.Worth{Value: explore.Loss, Distance: &n, Final: true}
	}
	if c, err := p.Move(t.Context(), s, Clock{Time: time.Second}); err != nil || s.MoveString(c.Move) != a.Moves[0].Move {
		t.Errorf("%+v, %v", c, err)
	}
}

// stepping is a clock that advances by a millisecond at each call.
func stepping() func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}
}

// patient is more time than a move with a known value takes.
var patient = Clock{Time: 5 * time.Minute}

// TestWonIsWon: from positions that complete solutions call won for the seat to move against all
// others together, perfect wins against the best defence within their number of plies; on stars of
// 13 holes the proving searches win, too.
func TestWonIsWon(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		games     int
		names     []string
	}{
		{"halma-star13-2p", "base", 20, []string{"perfect", "level-7"}}, {"halma-star13-3p", "base", 20, []string{"perfect", "level-7"}},
		{"halma-star13-4p", "base", 20, []string{"perfect", "level-7"}}, {"halma-star37-2p", "house", 40, []string{"perfect"}},
	} {
		g := opened(t, c.id, c.rules)
		value := solved(t, g)
		rng := rand.New(rand.NewPCG(51, 52))
		games, far := 0, 0
		for games < c.games {
			s := g.Start()
			for range rng.IntN(c.games) {
				moves := s.Moves(nil)
				if len(moves) == 0 {
					break
				}
				s.Make(moves[rng.IntN(len(moves))])
			}
			if s.Result() != game.Ongoing {
				continue
			}
			hero := s.Seat()
			v, distance := value(s, hero)
			if v != game.Win || distance == 1 {
				continue
			}
			games++
			if distance >= 5 {
				far++
			}
			for _, name := range c.names {
				at := s.Clone()
				p := newPlayer(t, name, g, rng.Uint64())
				plies := 0
				for ; at.Result() == game.Ongoing && plies < 200; plies++ {
					if at.Seat() != hero {
						at.Make(defence(value, at, hero))
						continue
					}
					choice, err := p.Move(t.Context(), at, Clock{Time: patient.Time, Depth: 20})
					if err != nil {
						t.Fatal(err)
					}
					at.Make(choice.Move)
				}
				winner, over := at.Result().Winner()
				if !over || winner != hero || name == "perfect" && plies > distance {
					t.Errorf("%s: %s from %s, won in %d: %v after %d plies", c.id, name, s, distance, at.Result(), plies)
				}
			}
		}
		if far < 2 {
			t.Errorf("%s: only %d of %d games are won in 5 plies and more", c.id, far, games)
		}
	}
}

// defence is the reply that delays a seat's win against all others longest, or prevents it.
func defence(value forced, s game.State, hero int) (best game.Move) {
	longest := -1
	for _, m := range s.Moves(nil) {
		s.Make(m)
		long := 0 // the ply at which the hero has won
		if s.Result() == game.Ongoing {
			v, distance := value(s, hero)
			if long = distance; v != game.Win {
				long = 1 << 20
			}
		} else if winner, ok := s.Result().Winner(); !ok || winner != hero {
			long = 1 << 20
		}
		s.Unmake()
		if long > longest {
			longest, best = long, m
		}
	}
	return best
}

// minimax is the value of an m,n,k-position to its mover, by trying everything.
func minimax(s game.State, known map[string]game.Value) game.Value {
	if r := s.Result(); r != game.Ongoing {
		if _, won := r.Winner(); won {
			return game.Loss // the last move has won
		}
		return game.Draw
	}
	key := s.String()
	if v, ok := known[key]; ok {
		return v
	}
	best := game.Loss
	for _, m := range s.Moves(nil) {
		s.Make(m)
		best = max(best, minimax(s, known).Negate())
		s.Unmake()
	}
	known[key] = best
	return best
}

// TestPerfectOnMNK: perfect's moves never worsen the value of a position, and lose as slowly as
// possible.
func TestPerfectOnMNK(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-3x4k4"} {
		g := opened(t, id, "")
		known := map[string]game.Value{}
		perfect := newPlayer(t, "perfect", g, 1)
		for seed := range uint64(4) {
			s := g.Start()
			random := newPlayer(t, "random", g, seed)
			for ply := 0; s.Result() == game.Ongoing; ply++ {
				p := perfect
				if ply%2 == int(seed%2) {
					p = random
				}
				before := minimax(s, known)
				c := must(p.Move(t.Context(), s, patient))(t)
				text := s.MoveString(c.Move)
				s.Make(c.Move)
				if after := minimax(s, known).Negate(); p == perfect && after != before {
					t.Errorf("%s: perfect plays %s from %v to %v, at %s (%s)", id, text, before, after, s, c.Note)
				}
			}
		}
	}
}

// fixed is an analyst with one answer.
type fixed struct {
	answer *explore.Answer
	query  explore.Query
	open   bool // no source has the game
}

func (f fixed) Game(string, string) (*explore.Game, error) {
	if f.open {
		return &explore.Game{Source: explore.Source{Kind: wing.BySearch}}, nil
	}
	return &explore.Game{Solved: true, Source: explore.Source{Kind: wing.BySolution}}, nil
}

func (f *fixed) Analyse(_ context.Context, q explore.Query, report func(*explore.Answer) error) error {
	f.query = q
	if f.answer == nil {
		return nil
	}
	return report(f.answer)
}

// TestChoice: a player prefers moves by their proved value, then by the winner if all play for
// themselves.
func TestChoice(t *testing.T) {
	g := opened(t, "halma-star13-3p", "base")
	s := g.Start()
	var names []string
	for _, m := range s.Moves(nil) {
		names = append(names, s.MoveString(m))
	}
	if len(names) != 2 {
		t.Fatalf("moves %v", names)
	}
	n := func(i int) *int { return &i }
	win := func(d int) explore.Worth { return explore.Worth{Value: explore.Win, Distance: n(d), Final: true} }
	loss := func(d int) explore.Worth {
		return explore.Worth{Value: explore.Loss, Distance: n(d), Final: true}
	}
	points := func(v explore.Value, p int) explore.Worth { return explore.Worth{Value: v, Score: n(p), Final: true} }
	open := explore.Worth{Value: explore.Open, NotWithin: n(5)}
	draw := explore.Worth{Value: explore.Draw, Final: true}
	winner := func(w explore.Worth, seat string) explore.Worth {
		w.Winner = seat
		return w
	}
	far := explore.Worth{Value: explore.Win, Final: true}
	for _, c := range []struct {
		level       string
		whole       explore.Value
		better, bad explore.Worth
		note        string
	}{
		{"perfect", explore.Win, win(5), win(7), "win in 5"},
		{"perfect", explore.Win, win(99), far, "win in 99"},
		{"perfect", explore.Win, far, open, "win"},
		{"perfect", explore.Win, win(900), open, "win in 900"},
		{"perfect", explore.Loss, loss(8), loss(6), "loss in 8"},
		{"perfect", explore.Open, open, loss(900), "open"},
		{"perfect", explore.Draw, draw, open, "draw"},
		{"perfect", explore.Open, winner(open, "1"), open, "open"},
		{"perfect", explore.Open, open, winner(open, "2"), "open"},
		{"perfect", explore.Win, points(explore.Win, 30), points(explore.Win, 7), "win"},
		{"perfect", explore.Loss, points(explore.Loss, -7), points(explore.Loss, -30), "loss"},
		{"perfect", explore.Win, points(explore.Win, 1), points(explore.Loss, -1), "win"},
	} {
		for better := range 2 { // the better move comes first, then second
			a := &explore.Answer{Worth: explore.Worth{Value: c.whole}, Moves: make([]explore.Move, 2)}
			a.Moves[better] = explore.Move{Move: names[better], Worth: c.better}
			a.Moves[1-better] = explore.Move{Move: names[1-better], Worth: c.bad}
			p, err := New(t.Context(), c.level, g, Options{Analyst: &fixed{answer: a}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Move(t.Context(), s, Clock{})
			if err != nil || s.MoveString(got.Move) != names[better] || got.Note != c.note {
				t.Errorf("%s: %s (%s), %v: want %s (%s), with %+v and %+v", c.level, s.MoveString(got.Move), got.Note, err, names[better], c.note, c.better, c.bad)
			}
		}
	}
	// It is no error if the analyst has no answer in time. An answer that lacks a move is an error.
	p, _ := New(t.Context(), "perfect", g, Options{Analyst: &fixed{}})
	if c, err := p.Move(t.Context(), s, Clock{}); err != nil || c.Note != "no time to think" {
		t.Errorf("%v, %v", c, err)
	}
	p, _ = New(t.Context(), "perfect", g, Options{Analyst: &fixed{answer: &explore.Answer{}}})
	if _, err := p.Move(t.Context(), s, Clock{}); err == nil || !strings.Contains(err.Error(), "has no move") {
		t.Errorf("%v", err)
	}
}

// TestAsked: a player that asks an analyst keeps its clock and its level.
func TestAsked(t *testing.T) {
	g := opened(t, "mnk-3x3k3", "")
	for _, c := range []struct {
		level   string
		clock   Clock
		limit   int
		seconds float64
	}{
		{"perfect", Clock{}, 0, 0},
		{"perfect", Clock{Time: time.Second}, 0, 0.9},
		{"perfect", Clock{Time: 100 * time.Millisecond}, 0, 0.05},
		{"perfect", Clock{Time: 20 * time.Millisecond}, 0, 0.01},
		{"perfect", Clock{Depth: 7}, 7, 0},
		{"perfect", Clock{Time: 10 * time.Second, Depth: 7}, 7, 9},
	} {
		f := &fixed{}
		p, err := New(t.Context(), c.level, g, Options{Analyst: f})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Move(t.Context(), g.Start(), c.clock); err != nil {
			t.Fatal(err)
		}
		if f.query.Limit != c.limit || f.query.Seconds != c.seconds || f.query.Position != "3.3.3" {
			t.Errorf("%s with %+v asks %+v", c.level, c.clock, f.query)
		}
	}
}

// TestErrs: players make the share of random moves that the ladder says.
func TestErrs(t *testing.T) {
	g := opened(t, "halma-star13-2p", "base")
	for n, want := range []int{2500, 1000} {
		name := fmt.Sprint("level-", n+1)
		p := newPlayer(t, name, g, 5)
		any := 0
		for range 5000 {
			c, err := p.Move(t.Context(), g.Start(), Clock{})
			if err != nil {
				t.Fatal(err)
			}
			if c.Note == "any move" {
				any++
			}
		}
		if any < want-150 || any > want+150 {
			t.Errorf("%s: %d of 5000 moves are any, want about %d", name, any, want)
		}
	}
}

// TestStopped: a player whose context ends still moves.
func TestStopped(t *testing.T) {
	g := opened(t, "halma-star73-2p", "base")
	p := newPlayer(t, "strongest", g, 1)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	s := g.Start()
	c, err := p.Move(ctx, s, Clock{})
	if err != nil || fmt.Sprint(s) != fmt.Sprint(g.Start()) {
		t.Fatalf("%v at %s", err, s)
	}
	s.Make(c.Move) // panics unless it is legal
	over, done := context.WithCancel(t.Context())
	done()
	if _, err := p.Move(over, s, Clock{}); err != nil {
		t.Errorf("after the end: %v", err)
	}
}
