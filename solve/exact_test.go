package solve

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"perfectplay/game"
)

// With -games, searches also use more threads and larger tables.
var bruteGames = flag.Int("games", 0, "random games that searches and brute force solve (default: 2000)")

type memoryBook struct {
	sync.Mutex
	facts map[string]memoryFact
}

type memoryFact struct {
	view int
	key  []uint64
	Fact
}

// view distinguishes the heroes if there are more than two seats.
func view(g game.Game, hero int) int {
	if g.Seats() <= 2 {
		return -1
	}
	return hero
}

func (b *memoryBook) Facts(g game.Game, hero int, f func([]uint64, Fact)) error {
	b.Lock()
	defer b.Unlock()
	for _, fact := range b.facts {
		if fact.view == view(g, hero) {
			f(fact.key, fact.Fact)
		}
	}
	return nil
}

func (b *memoryBook) Learn(g game.Game, hero int, s game.State, key []uint64, f Fact) {
	b.Lock()
	defer b.Unlock()
	name := fmt.Sprint(view(g, hero), key)
	if old, ok := b.facts[name]; ok {
		f = old.And(f)
	}
	if !f.Valid() {
		panic(fmt.Sprintf("%s: %+v", s, f))
	}
	b.facts[name] = memoryFact{view(g, hero), slices.Clone(key), f}
}

func randomOptions(rng *rand.Rand, seats int) Options {
	algos := []Algo{Paranoid, Proof, MaxN}
	if seats <= 2 {
		algos = append(algos, AlphaBeta)
	}
	o := Options{
		Algo:    algos[rng.IntN(len(algos))],
		Limit:   1 + rng.IntN(14),
		Scope:   Scope(rng.IntN(3)),
		Threads: 1 + rng.IntN(3),
		Memory:  []int64{MinMemory, 1 << 16, 1 << 18, 1 << 20}[rng.IntN(4)],
		NoTable: rng.IntN(8) == 0,
		NoBound: rng.IntN(3) == 0,
		Direct:  rng.IntN(3) == 0,
		Time:    []time.Duration{0, time.Hour}[rng.IntN(2)],
		eager:   rng.IntN(2) == 0,
	}
	if *bruteGames > 0 {
		o.Threads = 1 + rng.IntN(8)
		o.Memory = []int64{1 << 16, 1 << 20, 1 << 26, 1 << 30}[rng.IntN(4)]
	}
	bits := rng.IntN(64)
	o.Ordering = &Ordering{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0, bits&16 != 0, bits&32 != 0}
	if o.Algo != MaxN {
		hero := rng.IntN(seats)
		o.Hero = &hero
	}
	return o
}

func wanted(t *toy, o Options, node, seat, d int) truth {
	b := brute{t: t, hero: -1}
	if o.Algo == MaxN {
		v := b.at(node, seat, d)
		switch {
		case v.winner == 0:
			v.value = game.Win // seat 0 moves at the root of all toys
		case v.winner > 0:
			v.value = game.Loss
		}
		return v
	}
	b.hero = *o.Hero
	v := b.at(node, seat, d)
	if o.Algo == Proof && v.value != game.Win {
		v = truth{value: game.Draw, winner: -1}
	}
	return v
}

// closed reports whether a draw may be claimed at a position with d plies left: by the bounds no
// searched seat can win, or all lines end in time.
func closed(t *toy, o Options, node, seat, d int) bool {
	state, left := t.state(node, seat), t.longest(node)
	if e, ok := state.(game.Ender); ok {
		left = e.PliesLeft()
	}
	if t.outcome(node, seat) != game.Ongoing || left <= d {
		return true
	}
	race, ok := state.(game.Racer)
	for s := range t.seats {
		ok = ok && (o.Algo == Proof && s != *o.Hero || race.TurnsToWin(s) >= game.NeverWins)
	}
	return ok
}

// checkSearch compares a search of a position, made plies after the root, with the reference: a
// value that is not forced is unknown, unless a draw may be claimed.
func checkSearch(t *toy, o Options, s *Search, node, seat, before int, openings []Search) error {
	want := wanted(t, o, node, seat, o.Limit-before)
	switch {
	case want.value != game.Draw:
		want.distance += before
	case before == 0 && o.Scope == OpeningsOnly || !closed(t, o, node, seat, o.Limit-before) || wanted(t, o, node, seat, forever).value != game.Draw:
		// The openings make the position a draw if no opening is open and one is drawn.
		ends := slices.ContainsFunc(openings, func(o Search) bool { return o.Value == game.Draw }) &&
			!slices.ContainsFunc(openings, func(o Search) bool { return o.Value == game.Unknown })
		if !ends {
			want.value = game.Unknown
		}
	}
	if got := (truth{s.Value, s.Winner, s.Distance}); got != want {
		return fmt.Errorf("opening %d: got %+v, want %+v", s.Opening, got, want)
	}
	return nil
}

// checkLine compares each move of the line with the first move that keeps the reference's value.
func checkLine(t *toy, o Options, line []string, want truth) error {
	if want.value != game.Win && want.value != game.Loss {
		if len(line) != 0 {
			return fmt.Errorf("a line for a draw: %v", line)
		}
		return nil
	}
	if len(line) != want.distance {
		return fmt.Errorf("line %v has %d moves, want %d", line, len(line), want.distance)
	}
	node, seat := 0, 0
	for i, text := range line {
		left := want.distance - i
		first := -1
		for j, next := range t.after(node) {
			v := wanted(t, o, next, (seat+1)%t.seats, left-1)
			if v.value == want.value && v.winner == want.winner && v.distance == left-1 {
				first = j
				break
			}
		}
		s := t.state(node, seat)
		if m := s.Moves(nil)[first]; s.MoveString(m) != text {
			return fmt.Errorf("line %v: move %d is %s, want %s", line, i, text, s.MoveString(m))
		}
		node, seat = t.after(node)[first], (seat+1)%t.seats
	}
	return nil
}

// checkToy compares the whole report of a search with the reference.
func checkToy(t *toy, o Options) error {
	rep, err := Run(context.Background(), t, t.Start(), o)
	if err != nil {
		return err
	}
	want := wanted(t, o, 0, 0, o.Limit)
	if err := checkSearch(t, o, &rep.Whole, 0, 0, 0, rep.Openings); err != nil {
		return err
	}
	if o.Scope != WholeOnly {
		best := game.NoMove // first opening that keeps value and distance
		for i, next := range t.after(0) {
			op := &rep.Openings[i]
			if err := checkSearch(t, o, op, next, 1%t.seats, 1, nil); err != nil {
				return err
			}
			if best == game.NoMove && op.Value != game.Unknown && op.Value == rep.Whole.Value && op.Winner == want.winner && op.Distance == want.distance {
				best = op.Move
			}
		}
		if rep.Whole.Move != best {
			return fmt.Errorf("move %d, want %d", rep.Whole.Move, best)
		}
	}
	if rep.Interrupted {
		return fmt.Errorf("interrupted")
	}
	return checkLine(t, o, rep.Line, want)
}

// TestFarWin: a win beyond the deepest horizon does not count as no win, however far the bound
// on turns sees.
func TestFarWin(t *testing.T) {
	const plies = 1300
	g := &toy{seats: 3, words: 1, edges: make([][]int, plies+1), result: make([]game.Result, plies+1), abilities: abilities{keys: true, race: true, gain: true}}
	for i := range plies {
		g.edges[i], g.result[i] = []int{i + 1}, game.Ongoing
	}
	for s := range 3 {
		g.turns = append(g.turns, make([]int, 3*(plies+1)))
		for node := range plies {
			for seat := range 3 {
				// The bound is exact: seat 0 has won at the end, and makes every third move.
				turns := game.NeverWins
				if s == 0 {
					turns = (plies - node + 2 - (3-seat)%3) / 3
				}
				g.turns[s][g.at(node, seat)] = turns
			}
		}
	}
	for _, algo := range []Algo{MaxN, Paranoid, Proof} {
		rep, err := Run(context.Background(), g, g.Start(), Options{Algo: algo, Limit: MaxLimitMaxN, Scope: WholeOnly})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Whole.Value != game.Unknown || rep.Whole.Reached != MaxLimitMaxN {
			t.Errorf("%s: %+v, want nothing known beyond %d plies", algo, rep.Whole, MaxLimitMaxN)
		}
	}
}

// TestAgainstBruteForce compares all engines with the reference over random games, limits,
// threads, table sizes and switches.
func TestAgainstBruteForce(t *testing.T) {
	games := 2000
	if testing.Short() || raceEnabled {
		games = 500
	}
	games = cmp.Or(*bruteGames, games)
	for seed := range uint64(games) {
		if err := bruteForceSeed(seed); err != nil {
			t.Fatal(err)
		}
	}
}

func bruteForceSeed(seed uint64) (err error) {
	rng := rand.New(rand.NewPCG(seed, 4))
	seats := 1 + int(seed)%6
	g := newToy(rng, seats, rng.IntN(2) == 0)
	for g.outcome(0, 0) != game.Ongoing {
		g = newToy(rng, seats, false)
	}
	switch rng.IntN(6) {
	case 0:
		g.abilities = abilities{}
	case 1:
		g.abilities = abilities{keys: true}
	}
	// Each search starts from the book that earlier searches wrote.
	known := &memoryBook{facts: map[string]memoryFact{}}
	for range 3 {
		o := randomOptions(rng, seats)
		if o.Algo != MaxN && !o.NoTable && g.abilities.keys {
			o.Book, o.BookNodes = known, 1+rng.Uint64N(4)
		}
		if err := checkToy(g, o); err != nil {
			hero := "-"
			if o.Hero != nil {
				hero = strconv.Itoa(*o.Hero)
			}
			return fmt.Errorf("seed %d, %d seats, mirrored %v, hero %s, %+v: %w", seed, seats, g.mirrored, hero, o, err)
		}
	}
	return nil
}
