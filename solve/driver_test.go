package solve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"perfectplay/game"
)

func TestOptions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	two, three := newToy(rng, 2, false), newToy(rng, 3, false)
	for _, g := range []*toy{two, three} {
		g.result[0] = game.Ongoing
	}
	over := *two
	over.result = append([]game.Result{game.Drawn}, two.result[1:]...)
	crowd := *two
	crowd.seats = maxSeats + 1
	seat := func(s int) *int { return &s }
	for _, c := range []struct {
		game   *toy
		change Options
		want   string
	}{
		{two, Options{Limit: -1}, "limit -1"},
		{two, Options{Limit: MaxLimit + 1}, "limit 30001"},
		{three, Options{Limit: MaxLimitMaxN + 1, Algo: MaxN}, "limit 1001: it must be from 1 to 1000"},
		{two, Options{Limit: 4, Algo: "alpha"}, `algorithm "alpha": not known: choose one of alphabeta, paranoid, proof, maxn`},
		{three, Options{Limit: 4, Algo: AlphaBeta}, "3 seats: use paranoid, proof or maxn"},
		{two, Options{Limit: 4, Hero: seat(-1)}, "hero: seat -1: the game has seats 0 to 1"},
		{two, Options{Limit: 4, Hero: seat(2)}, "hero: seat 2"},
		{two, Options{Limit: 4, Hero: seat(1), Algo: MaxN}, "hero: maxn has none"},
		{two, Options{Limit: 4, Scope: OpeningsOnly + 1}, "scope 3"},
		{two, Options{Limit: 4, Time: -time.Second}, "time -1s"},
		{two, Options{Limit: 4, Threads: -1}, "threads -1"},
		{two, Options{Limit: 4, Threads: MaxThreads + 1}, "threads 1025"},
		{two, Options{Limit: 4, Memory: MinMemory - 1}, "memory 4095 bytes"},
		{two, Options{Limit: 4, Memory: -1}, "memory -1 bytes"},
		{&crowd, Options{Limit: 4}, "7 seats: at most 6"},
		{&over, Options{Limit: 4}, "position: the game is over"},
	} {
		rep, err := Run(context.Background(), c.game, c.game.Start(), c.change)
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), c.want) || rep != nil {
			t.Errorf("%+v: error %v, want %q", c.change, err, c.want)
		}
	}
}

func TestDefaults(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for seats, algo := range map[int]Algo{1: AlphaBeta, 2: AlphaBeta, 3: Paranoid, 6: Paranoid} {
		g := newToy(rng, seats, false)
		p, err := Options{Limit: 1}.plan(g, g.state(0, seats-1))
		if err != nil {
			t.Fatal(err)
		}
		if p.algo != algo || p.hero != seats-1 || p.Threads != runtime.GOMAXPROCS(0) || p.Memory != DefaultMemory ||
			p.ordering != AllOrdering() || p.Scope != Both {
			t.Errorf("%d seats: %+v", seats, p)
		}
	}
}

// brake is a toy that calls stop once its states have made a number of moves.
type brake struct {
	*toy
	left atomic.Int64
	stop func()
}

type brakeState struct {
	game.State
	b *brake
}

func (b *brake) Start() game.State { return brakeState{b.toy.Start(), b} }
func (s brakeState) Make(m game.Move) {
	if s.b.left.Add(-1) == 0 {
		s.b.stop()
	}
	s.State.Make(m)
}
func (s brakeState) Clone() game.State { return brakeState{s.State.Clone(), s.b} }

// checkProved compares the report of a stopped run with the reference: verdicts are right, and
// without a verdict nothing is forced within the plies reported.
func checkProved(t *toy, o Options, rep *Report) error {
	check := func(s *Search, node, seat, before int) error {
		if s.Value != game.Unknown {
			return checkSearch(t, o, s, node, seat, before, rep.Openings)
		}
		if s.Distance != 0 || s.Winner != -1 || s.Reached < before || s.Reached > o.Limit || s.done != (s.Reached == o.Limit) {
			return fmt.Errorf("opening %d: not decided, and says %+v", s.Opening, s)
		}
		if v := wanted(t, o, node, seat, s.Reached-before); v.value != game.Draw {
			return fmt.Errorf("opening %d: %+v is said to be excluded within %d plies", s.Opening, v, s.Reached)
		}
		return nil
	}
	if err := check(&rep.Whole, 0, 0, 0); err != nil {
		return err
	}
	open := !rep.Whole.done
	openings := 0
	for i, next := range t.after(0) {
		if o.Scope == WholeOnly {
			break
		}
		if err := check(&rep.Openings[i], next, 1%t.seats, 1); err != nil {
			return err
		}
		if !rep.Openings[i].done {
			openings++
		}
	}
	if o.Scope != WholeOnly && openings == 0 && open {
		return fmt.Errorf("every opening is done, and the whole is not")
	}
	if (open || openings > 0) && !rep.Interrupted {
		return fmt.Errorf("something is not done, and the run not interrupted")
	}
	if rows := rep.Records(); len(rows) != len(rep.Openings)+1 || !reflect.DeepEqual(rows[len(rows)-1], rep.Record(&rep.Whole)) {
		return fmt.Errorf("%d records of %d openings", len(rows), len(rep.Openings))
	}
	return nil
}

// slowToy returns a game whose outcome takes at least six plies, options to search it without a
// table, and the number of moves of that search, large enough to stop it on the way.
func slowToy(t *testing.T, rng *rand.Rand) (*toy, Options, int64) {
	for {
		seats := 1 + rng.IntN(6)
		g := newToy(rng, seats, false)
		if len(g.edges[0]) == 0 || g.outcome(0, 0) != game.Ongoing {
			continue
		}
		g.abilities = abilities{}
		o := randomOptions(rng, seats)
		o.Time, o.Direct, o.Threads = 0, false, 1
		o.Limit = 9
		v := wanted(g, o, 0, 0, o.Limit)
		if v.value == game.Draw || v.distance < 6 {
			continue
		}
		const most = 60_000
		ctx, cancel := context.WithCancel(context.Background())
		b := &brake{toy: g, stop: cancel}
		b.left.Store(most)
		rep, err := Run(ctx, b, b.Start(), o)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if moves := most - b.left.Load(); !rep.Interrupted && moves > 4*pollNodes {
			return g, o, moves
		}
	}
}

// TestStopped ends searches midway by their context, or by a time so short that most have hardly
// begun.
func TestStopped(t *testing.T) {
	games := 20
	if testing.Short() || raceEnabled {
		games = 10
	}
	stopped := 0
	for seed := range uint64(games) {
		rng := rand.New(rand.NewPCG(seed, 5))
		g, o, moves := slowToy(t, rng)
		for range 6 {
			o.Threads = 1 + rng.IntN(2)
			ctx, cancel := context.WithCancel(context.Background())
			b := &brake{toy: g, stop: func() {
				cancel()
				runtime.Gosched() // let the goroutine run that stops the workers
			}}
			byTime := rng.IntN(4) == 0
			if o.Time = 0; byTime {
				o.Time = time.Duration(1+rng.IntN(3000)) * time.Microsecond
			} else {
				b.left.Store(1 + rng.Int64N(moves))
			}
			rep, err := Run(ctx, b, b.Start(), o)
			cancel()
			if err == nil {
				err = checkProved(g, o, rep)
			}
			if err != nil {
				t.Fatalf("seed %d, %d seats, %+v: %v", seed, g.seats, o, err)
			}
			if rep.Interrupted {
				stopped++
			}
			for i := range rep.Openings {
				if byTime && rep.Openings[i].Counts.Nodes == 0 {
					t.Errorf("seed %d: opening %d never began", seed, i+1)
				}
			}
		}
	}
	if stopped < games {
		t.Errorf("%d of %d runs were stopped", stopped, 6*games)
	}
	t.Logf("%d of %d runs were stopped", stopped, 6*games)
}

func TestCancelledBefore(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	g := newToy(rng, 2, false)
	g.result[0] = game.Ongoing
	g.abilities = abilities{}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for scope := Both; scope <= OpeningsOnly; scope++ {
		hero := 0
		o := Options{Limit: 40, Scope: scope, Threads: 1, Hero: &hero}
		rep, err := Run(ctx, g, g.Start(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkProved(g, o, rep); err != nil {
			t.Errorf("scope %d: %v", scope, err)
		}
	}
}

// TestProgress watches an endless search until its third report.
func TestProgress(t *testing.T) {
	g := &toy{seats: 2, edges: [][]int{{0, 0, 0}}, result: []game.Result{game.Ongoing}}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var told []Progress
	o := Options{Limit: 60, Threads: 1, Progress: func(p Progress) {
		if told = append(told, p); len(told) == 3 {
			cancel()
		}
	}}
	rep, err := Run(ctx, g, g.Start(), o)
	if err != nil || !rep.Interrupted {
		t.Fatalf("%+v, %v", rep, err)
	}
	for i, p := range told {
		if p.Search != 0 || p.Searches != 4 || p.Move != "" || p.Limit != 60 || p.Iteration < 1 || p.Iteration > 60 ||
			p.Fraction < 0 || p.Fraction > 1 || p.Nodes == 0 || i > 0 && (p.Nodes <= told[i-1].Nodes || p.Elapsed <= told[i-1].Elapsed) {
			t.Errorf("report %d: %+v", i, p)
		}
	}
}

// TestTies: max^n prefers a draw to a loss, a longer loss to a shorter one, a shorter win to a
// longer one, and the first of equal moves.
func TestTies(t *testing.T) {
	const first, second = game.Result(0), game.Result(1)
	// Node 0 is the root; from it chains of forced moves lead to the ends.
	build := func(ends ...struct {
		result game.Result
		plies  int
	}) *toy {
		g := &toy{seats: 3, edges: [][]int{nil}, result: []game.Result{game.Ongoing}}
		for _, e := range ends {
			g.edges[0] = append(g.edges[0], len(g.edges))
			for range e.plies - 1 {
				g.edges = append(g.edges, []int{len(g.edges) + 1})
				g.result = append(g.result, game.Ongoing)
			}
			g.edges, g.result = append(g.edges, nil), append(g.result, e.result)
		}
		return g
	}
	type end = struct {
		result game.Result
		plies  int
	}
	for _, c := range []struct {
		about string
		ends  []end
		move  int
		want  string
	}{
		{"draw before loss", []end{{second, 3}, {game.Drawn, 2}}, 1, "draw"},
		{"horizon before loss", []end{{second, 3}, {first, 9}}, -1, "open"},
		{"win before draw", []end{{game.Drawn, 1}, {first, 4}}, 1, "P1 wins"},
		{"longer loss", []end{{second, 2}, {second, 4}, {second, 3}}, 1, "P2 wins"},
		{"longer loss to another", []end{{second, 3}, {2, 5}}, 1, "P3 wins"},
		{"shorter win", []end{{first, 4}, {first, 2}, {first, 3}}, 1, "P1 wins"},
		{"first of equal losses", []end{{second, 1}, {2, 4}, {second, 4}}, 1, "P3 wins"},
		{"first of equal wins", []end{{first, 4}, {first, 2}, {first, 2}}, 1, "P1 wins"},
	} {
		g := build(c.ends...)
		for _, scope := range []Scope{Both, OpeningsOnly} {
			rep, err := Run(context.Background(), g, g.Start(), Options{Algo: MaxN, Limit: 6, Scope: scope, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			w := rep.Whole
			got, move := w.Value.String(), game.NoMove
			if w.Winner >= 0 {
				got = g.SeatName(w.Winner) + " wins"
			}
			if c.move >= 0 {
				move = game.Move(c.move * toyCode)
			}
			if got != c.want || w.Move != move {
				t.Errorf("%s, scope %d: %s by move %d in %d", c.about, scope, got, w.Move/toyCode, w.Distance)
			}
		}
	}
}
