package evaluation

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
)

func board(t testing.TB, id, rules string) *halma.Game {
	t.Helper()
	g, err := halma.ByID(id, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// wander plays n random turns from the start, fewer if the game ends.
func wander(g *halma.Game, rng *rand.Rand, n int) game.State {
	s := g.Start()
	for range n {
		moves := s.Moves(nil)
		if len(moves) == 0 {
			break
		}
		s.Make(moves[rng.IntN(len(moves))])
	}
	return s
}

// plainCost is the cost of a seat, cell by cell, as documented.
func plainCost(e *Evaluation, s game.State, seat int) int32 {
	g := e.g
	b := g.Board()
	owner := map[int]int{}
	for other := range g.Seats() {
		for c := range s.(halma.Position).Pieces(other).Cells() {
			owner[c] = other
		}
	}
	goal := g.Goal(seat)
	v := &e.side[seat]
	var race, ready, sum, last, pieces, far, deep int32
	for c := range b.Cells() {
		if goal.Has(c) {
			race -= v.cost[c]
			far += v.far[c]
			deep = max(deep, v.far[c])
		}
		who, taken := owner[c]
		if !taken || who != seat {
			continue
		}
		race += v.cost[c]
		pieces++
		sum += v.far[c]
		last = max(last, v.far[c])
		for d := range halma.Dir(halma.Dirs) {
			over := b.Next(c, d)
			if over < 0 {
				continue
			}
			to := b.Next(over, d)
			_, full := owner[over]
			if _, blocked := owner[to]; to >= 0 && full && !blocked && v.cost[to] < v.cost[c] {
				ready += (v.cost[c] - v.cost[to]) * perHop / 100
			}
		}
	}
	behind := max(0, last-sum/pieces) - max(0, deep-far/pieces)
	cost := race - ready + perStraggle*behind
	guests := int32(0)
	for c := range goal.Cells() {
		who, taken := owner[c]
		if !taken || who == seat {
			continue
		}
		guests += perBlocker
		if !leaves(b, goal, owner, c, map[int]bool{c: true}) {
			guests += perPrisoner
		}
	}
	if cost < blockFrom {
		cost += guests * min(blockFrom, blockFrom-cost) / blockFrom
	}
	return cost
}

// leaves follows the steps and hops of a piece, one by one, until it is out of a camp.
func leaves(b *halma.Board, camp bitboard.Set128, owner map[int]int, at int, seen map[int]bool) bool {
	for d := range halma.Dir(halma.Dirs) {
		to := b.Next(at, d)
		if _, full := owner[to]; to >= 0 && full {
			to = b.Next(to, d)
		}
		if _, full := owner[to]; to < 0 || full || seen[to] {
			continue
		}
		seen[to] = true
		if !camp.Has(to) || leaves(b, camp, owner, to, seen) {
			return true
		}
	}
	return false
}

// boards are all stars, and some of the many diamonds.
func boards(t *testing.T) (list []*halma.Game) {
	for i, size := range halma.Sizes() {
		if strings.Contains(size.ID, "star") || i%9 == 0 {
			list = append(list, board(t, size.ID, "base"))
		}
	}
	return list
}

func TestCosts(t *testing.T) {
	for _, g := range boards(t) {
		e := New(g)
		rng := rand.New(rand.NewPCG(1, 2))
		costs := make([]int32, g.Seats())
		for i := range 20 {
			s := wander(g, rng, 6*i)
			before := s.String()
			e.Costs(s, costs)
			for seat := range g.Seats() {
				if want := plainCost(e, s, seat); costs[seat] != want {
					t.Fatalf("%s: seat %d at %s: cost %d, want %d", g.ID(), seat, s, costs[seat], want)
				}
			}
			if s.String() != before {
				t.Fatalf("%s: the state has changed", g.ID())
			}
		}
	}
}

// TestPrisoner: a piece that cannot leave a goal adds to the cost of the goal's seat.
func TestPrisoner(t *testing.T) {
	g := board(t, "halma-star121-2p", "base")
	e := New(g)
	costs := make([]int32, 2)
	at := func(text string) int32 {
		s, err := g.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		e.Costs(s, costs)
		if want := plainCost(e, s, 0); costs[0] != want {
			t.Fatalf("%s: cost %d, want %d", text, costs[0], want)
		}
		return costs[0]
	}
	shut := at("1.21.111.1111._______1_____.____________.___________.__________._________.__________.___________.____________._____________.22_2.222.22.2-1")
	free := at("1.21._11.1111.______11_____.____________.___________.__________._________.__________.___________.____________._____________.22_2.222.22.2-1")
	room := at("1.2_.111.1111._______11____.____________.___________.__________._________.__________.___________.____________._____________.22_2.222.22.2-1")
	if free+100 > shut || free+100 > room {
		t.Errorf("%d with a way out, %d without, %d with room to move and no way out", free, shut, room)
	}
}

// TestSymmetry: at the start all seats of a star cost the same, and an army in its goal costs
// nothing.
func TestSymmetry(t *testing.T) {
	for _, g := range boards(t) {
		e := New(g)
		costs := make([]int32, g.Seats())
		e.Costs(g.Start(), costs)
		if slices.Max(costs)-slices.Min(costs) > 2 { // costs are rounded
			t.Errorf("%s: costs at the start %v", g.ID(), costs)
		}
		for seat := range g.Seats() {
			if c := e.side[seat].army(g.Goal(seat), g.Goal(seat)); c != 0 {
				t.Errorf("%s: seat %d at home costs %d", g.ID(), seat, c)
			}
			if costs[seat] < 40 {
				t.Errorf("%s: seat %d begins %d hundredths of a turn from its goal", g.ID(), seat, costs[seat])
			}
		}
	}
}

// TestGain: the gain of a move is the part of the race that it saves.
func TestGain(t *testing.T) {
	g := board(t, "halma-star121-6p", "base")
	e := New(g)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 20 {
		s := wander(g, rng, 10*i)
		race := func(seat int) (sum int32) {
			for c := range s.(halma.Position).Pieces(seat).Cells() {
				sum += e.side[seat].cost[c]
			}
			return sum
		}
		seat := s.Seat()
		for _, m := range s.Moves(nil) {
			before, gain := race(seat), e.Gain(s, m)
			s.Make(m)
			if got := before - race(seat); got != gain {
				t.Fatalf("%s: gain %d, want %d", s, gain, got)
			}
			s.Unmake()
		}
	}
	if e.Gain(g.Start(), game.Pass) != 0 {
		t.Error("a pass gains something")
	}
}

func TestNoAllocations(t *testing.T) {
	for _, id := range []string{"halma-star37-2p", "halma-star73-2p", "halma-star121-6p"} {
		g := board(t, id, "base")
		e := New(g)
		s := wander(g, rand.New(rand.NewPCG(1, 1)), 40)
		costs := make([]int32, g.Seats())
		moves := s.Moves(nil)
		if n := testing.AllocsPerRun(100, func() {
			e.Costs(s, costs)
			for _, m := range moves {
				costs[0] += e.Gain(s, m)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", id, n)
		}
	}
}

// alone returns the least number of turns to the goal for every placement of the first army with
// the other army out of reach. All moves must be reversible.
func alone(t *halma.TwoArmy) map[bitboard.Set128]int {
	goal := halma.SetOf(t.Goal)
	distance := map[bitboard.Set128]int{goal: 0}
	level := []bitboard.Set128{goal}
	for len(level) > 0 {
		var next []bitboard.Set128
		for _, army := range level {
			for _, m := range plainTurns(t, army) {
				a := moved(army, m)
				if _, known := distance[a]; !known {
					distance[a] = distance[army] + 1
					next = append(next, a)
				}
			}
		}
		level = next
	}
	return distance
}

// plainTurns lists the turns of an army alone by the plain rules.
func plainTurns(t *halma.TwoArmy, army bitboard.Set128) (list []game.Move) {
	for from := range army.Cells() {
		for to := range halmatest.Ends(t, army.Without(from), from).Cells() {
			list = append(list, halma.NewMove(from, to))
		}
	}
	return list
}

// TestFinish: plans lead to the goal by legal turns; a plan reported as shortest is shortest; and
// there is no plan while pieces of other seats can still be met.
func TestFinish(t *testing.T) {
	for _, id := range []string{"halma-star37-2p", "halma-6x6p3"} {
		g, spec := halmatest.Race(id, "base")
		e, least := New(g), alone(spec)
		v := &e.side[0]
		rng := rand.New(rand.NewPCG(3, 4))
		planned, proved := 0, 0
		for range 1500 {
			var own, other bitboard.Set128
			// Greatest distance of own pieces from the goal. Most other pieces are farther from it.
			near := int32(2 + rng.IntN(5))
			for own.Count() < g.Board().Pieces() {
				if c := rng.IntN(g.Board().Cells()); v.far[c] <= near {
					own = own.With(c)
				}
			}
			for other.Count() < g.Board().Pieces() {
				if c := rng.IntN(g.Board().Cells()); !own.Has(c) && v.far[c] >= near {
					other = other.With(c)
				}
			}
			last, first := int32(0), int32(math.MaxInt32)
			for c := range own.Cells() {
				last = max(last, v.far[c])
			}
			for c := range other.Cells() {
				first = min(first, v.far[c])
			}
			s := halma.FromSides(g, own, other)
			if s.Result() != game.Ongoing {
				continue
			}
			turns, shortest := e.Finish(s, 20_000)
			if first <= last+2 {
				if turns != nil {
					t.Fatalf("%s: a plan with others in the way: %s", id, s)
				}
				continue
			}
			planned++
			army := own
			for _, m := range turns {
				if !slices.Contains(plainTurns(spec, army), m) {
					t.Fatalf("%s: from %s: %v is no turn of a plan", id, s, m)
				}
				army = moved(army, m)
			}
			switch {
			case army != g.Goal(0):
				t.Fatalf("%s: from %s: the plan ends elsewhere", id, s)
			case len(turns) < least[own] || shortest && len(turns) != least[own]:
				t.Fatalf("%s: from %s: %d turns, shortest %t, want %d", id, s, len(turns), shortest, least[own])
			case !slices.Contains(s.Moves(nil), turns[0]):
				t.Fatalf("%s: from %s: the plan begins with no legal move", id, s)
			}
			if shortest {
				proved++
			}
			// After the first turn of a plan, Finish returns the rest of the plan.
			if len(turns) > 1 {
				after := halma.FromSides(g, moved(own, turns[0]), other)
				if rest, _ := e.Finish(after, 1); rest != nil && !slices.Equal(rest, turns[1:]) {
					t.Fatalf("%s: from %s: another plan after the first turn", id, s)
				}
			}
		}
		if planned < 30 || proved < planned*9/10 {
			t.Errorf("%s: %d plans, %d of them proved", id, planned, proved)
		}
	}
}

func BenchmarkCosts(b *testing.B) {
	for _, id := range []string{"halma-star121-2p", "halma-star121-6p"} {
		b.Run("game="+id[6:], func(b *testing.B) {
			g := board(b, id, "base")
			e := New(g)
			s := wander(g, rand.New(rand.NewPCG(1, 1)), 40)
			costs := make([]int32, g.Seats())
			for b.Loop() {
				e.Costs(s, costs)
			}
			if want := plainCost(e, s, 0); costs[0] != want {
				b.Fatalf("cost %d, want %d", costs[0], want)
			}
		})
	}
}
