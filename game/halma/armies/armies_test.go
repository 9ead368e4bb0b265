package armies

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/game/halma/strong"
	"perfectplay/solve/retro"
)

// described returns the description of a game.
func described(t testing.TB, id, rules string) (*halma.Game, *halma.Armies) {
	t.Helper()
	g, err := halma.ByID(id, rules)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := g.Armies()
	if err != nil {
		t.Fatal(err)
	}
	return g, spec
}

// solved solves a game in memory.
func solved(t testing.TB, spec *halma.Armies, o Options) *Solution {
	t.Helper()
	s, err := Solve(context.Background(), spec, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestCoalitions compares every reachable position, and every set of seats, with package retro.
func TestCoalitions(t *testing.T) {
	for _, c := range []struct {
		seats int
		rules string
		slow  bool
	}{
		{-3, "liou", false}, {-3, "house", false},
		{2, "base", false}, {2, "house", false}, {2, "liou", false},
		{3, "base", false}, {3, "house", false}, {3, "house-code", false}, {3, "house-loose", false}, {3, "house-readme", false}, {3, "liou", false},
		{4, "base", false}, {4, "house", false}, {4, "house-readme", false}, {4, "liou", false},
		{6, "house", true}, {6, "base", true},
	} {
		id := fmt.Sprintf("halma-star13-%dp", c.seats)
		if c.seats < 0 { // negative: the star of 37 holes with one piece a seat
			c.seats = -c.seats
			id = fmt.Sprintf("halma-star37p1-%dp", c.seats)
		}
		t.Run("game="+id+",rules="+c.rules, func(t *testing.T) {
			t.Parallel()
			if c.slow && (testing.Short() || c.rules == "base" && !*long) {
				t.Skip("takes seconds or minutes; not with -short, and base with -long")
			}
			g, spec := described(t, id, c.rules)
			s := solved(t, spec, Options{Threads: 1})
			all, err := retro.Solve(context.Background(), g, retro.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := s.Reader()
			reach, err := s.Reach(context.Background(), 2)
			if err != nil {
				t.Fatal(err)
			}
			places := map[string]bool{}
			most, compared := 1<<20, 0
			if c.slow && !*long || testing.Short() {
				most = 1000 // with -long all positions are compared
			}
			seen := map[string]bool{}
			queue := []game.State{g.Start()}
			seen[g.Start().String()] = true
			for ; len(queue) > 0; queue = queue[1:] {
				at := queue[0]
				p, err := s.Place(at.Seat(), Sides(g, at))
				if err != nil {
					t.Fatal(err)
				}
				places[fmt.Sprint(p)] = true
				if !reach.has(s, p) {
					t.Fatalf("%s is not reached", at)
				}
				for seats := uint8(1); seats < 1<<c.seats; seats++ {
					if c.seats == 2 && seats == 3 {
						// With two seats, the other solver does not find the shortest game of both
						// together.
						continue
					}
					v, d, err := r.Value(Relative(seats, at.Seat(), c.seats), p)
					if err != nil {
						t.Fatal(err)
					}
					want, plies, ok := all.Forced(at, seats)
					if !ok || v != want || d != plies {
						t.Fatalf("%s, seats %b: %v in %d, want %v in %d", at, seats, v, d, want, plies)
					}
				}
				compared++
				if compared >= most {
					break
				}
				for _, m := range at.Moves(nil) {
					at.Make(m)
					if text := at.String(); !seen[text] {
						seen[text] = true
						queue = append(queue, at.Clone())
					}
					at.Unmake()
				}
			}
			// The other solver counts symmetric positions once.
			if uint64(compared) < all.Positions() && compared < most {
				t.Errorf("%d positions compared of %d", compared, all.Positions())
			}
			reached := uint64(0)
			for kind := range s.b.period {
				reached += positions(reach, kind)
			}
			if compared < most && reached != uint64(len(places)) {
				t.Errorf("%d positions are reached, met were %d", reached, len(places))
			}
		})
	}
}

// small is a game of three armies on the star of 13 holes. The camp of two pieces is a tip and the
// hole beside it clockwise; the goal is the same across the board. The letters name rules: f
// filled, g stay in goal, o stay out, c closed other tips, G, H and C transit.
func small(t testing.TB, pieces int, letters string) *halma.Armies {
	t.Helper()
	_, spec := described(t, "halma-star13-3p", "base")
	spec.ID, spec.Rules, spec.Pieces = fmt.Sprintf("small%d", pieces), letters, pieces
	turn := sixthTurns(spec.At, 1)
	camp := []int{12}
	if pieces > 1 {
		camp = append(camp, int(spec.Next[12][halma.UpLeft]))
	}
	spec.Home, spec.Goal, spec.Closed = nil, nil, nil
	tips := []int{0, 1, 4, 8, 11, 12}
	for range 3 {
		var goal, closed []int
		for _, c := range camp {
			goal = append(goal, int(turn[turn[turn[c]]]))
		}
		for _, c := range tips {
			if !slices.Contains(camp, c) && !slices.Contains(goal, c) {
				closed = append(closed, c)
			}
		}
		spec.Home, spec.Goal, spec.Closed = append(spec.Home, camp), append(spec.Goal, goal), append(spec.Closed, closed)
		var next []int
		for _, c := range camp {
			next = append(next, int(turn[turn[c]]))
		}
		camp = next
	}
	set := func(letter string) bool {
		for i := range letters {
			if letters[i:i+1] == letter {
				return true
			}
		}
		return false
	}
	if !set("c") {
		spec.Closed = make([][]int, 3)
	}
	spec.Filled, spec.StayInGoal, spec.StayOut = set("f"), set("g"), set("o")
	spec.HomeEmpty = set("e")
	spec.GoalTransit, spec.HomeTransit, spec.ClosedTransit = set("G"), set("H"), set("C")
	if err := spec.Check(); err != nil {
		t.Fatal(err)
	}
	return spec
}

// TestPlain compares all positions, reachable or not, and all questions with a second solver.
func TestPlain(t *testing.T) {
	for _, c := range []struct {
		pieces  int
		letters string
	}{
		{1, ""}, {1, "fgoc"}, {1, "fgocGHC"},
		{2, "fcC"}, {2, "fec"}, {2, "fgocC"}, {2, "fgoc"}, {2, "goGHc"}, {2, "cC"},
	} {
		t.Run(fmt.Sprintf("pieces=%d,rules=%s", c.pieces, c.letters), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.pieces > 1 && c.letters != "fgocC" {
				t.Skip("takes seconds; not with -short")
			}
			spec := small(t, c.pieces, c.letters)
			s := solved(t, spec, Options{Threads: 2, Named: true})
			if s.b.period != 1 {
				t.Errorf("the turn of the board was not found: period %d", s.b.period)
			}
			r := s.Reader()
			g := newPlain(spec)
			if n := s.Positions; 3*n != uint64(len(g.positions)) {
				t.Errorf("%d positions from the mover's side, there are %d in all", n, len(g.positions))
			}
			places := make([]Place, len(g.positions))
			for i, p := range g.positions {
				var err error
				if places[i], err = s.Place(p.seat, p.sides(3)); err != nil {
					t.Fatal(err)
				}
			}
			reach, err := s.Reach(context.Background(), 2)
			if err != nil {
				t.Fatal(err)
			}
			met := map[string]bool{}
			for _, i := range g.reached() {
				p := places[i]
				met[fmt.Sprint(p)] = true
				if !reach.has(s, p) {
					t.Fatalf("%v is not reached", g.positions[i])
				}
			}
			if n := positions(reach, 0); n != uint64(len(met)) {
				t.Errorf("%d positions are reached, want %d", n, len(met))
			}
			census := s.Census(reach)
			if err := census.Count(context.Background(), 2, func(float64) {}); err != nil {
				t.Fatal(err)
			}
			want := g.census(met, func(i int) string { return fmt.Sprint(places[i]) })
			if fmt.Sprint(census.Vectors, census.Reached, census.Deciders) != want {
				t.Errorf("census %v %v %v, want %s", census.Vectors, census.Reached, census.Deciders, want)
			}
			// In the order of slabs, so that each slab is unpacked only a few times.
			order := byPlace(places)
			for ours := uint8(1); ours < 8; ours++ {
				for wins := uint8(1); wins < 8; wins++ {
					if wins != ours && (ours&wins != wins || wins&(wins-1) != 0) {
						continue
					}
					want := g.answer(ours, wins)
					for _, i := range order {
						p := g.positions[i]
						q := Question{Relative(ours, p.seat, 3), Relative(wins, p.seat, 3)}
						yes, plies, err := r.Answer(q, places[i])
						if err != nil {
							t.Fatal(err)
						}
						if yes != (want[i] >= 0) || yes && plies != want[i] {
							t.Fatalf("%v: seats %b for %b: %v in %d, want %d", p, ours, wins, yes, plies, want[i])
						}
					}
				}
			}
		})
	}
}

// byPlace returns the indices of places in their order.
func byPlace(places []Place) []int {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(places[a].ranks, places[b].ranks) })
	return order
}

// TestTwoArmies compares all positions of the star of 37 holes for two with package strong.
func TestTwoArmies(t *testing.T) {
	for _, rules := range []string{"house", "liou", "house-code", "house-loose"} {
		t.Run("rules="+rules, func(t *testing.T) {
			if rules != "house" && !*long {
				t.Skip("takes seconds; with -long")
			}
			g, spec := described(t, "halma-star37-2p", rules)
			s := solved(t, spec, Options{Threads: 2})
			two, err := g.TwoArmy()
			if err != nil {
				t.Fatal(err)
			}
			other, err := strong.Solve(context.Background(), two, strong.Options{Distances: true})
			if err != nil {
				t.Fatal(err)
			}
			r := s.Reader()
			c := other.Counts()
			if s.Positions != c.Positions() {
				t.Errorf("%d positions, want %d", s.Positions, c.Positions())
			}
			kernel := s.b.kernel.(*cells1)
			cells := func(set sets.Set1) (out bitboard.Set128) {
				for cell, bit := range s.b.bit {
					if set.Meets(sets.Only1(bit)) {
						out = out.With(cell)
					}
				}
				return out
			}
			for _, mover := range kernel.army[0] {
				for _, next := range kernel.army[1] {
					if mover.Meets(next) {
						continue
					}
					p, err := s.Place(0, []bitboard.Set128{cells(mover), cells(next)})
					if err != nil {
						t.Fatal(err)
					}
					v, d, err := r.Value(1, p)
					if err != nil {
						t.Fatal(err)
					}
					if want, plies := other.Value(cells(mover), cells(next)); v != want || d != plies {
						t.Fatalf("%x against %x: %v in %d, want %v in %d", cells(mover), cells(next), v, d, want, plies)
					}
				}
			}
		})
	}
}

func (r *Reach) has(s *Solution, p Place) bool {
	l := s.b.layout(p.kind)
	row, bit := l.row(p.ranks)
	return r.seen[p.kind][row*l.words+bit>>6]>>(bit&63)&1 != 0
}

// positions counts the positions of a kind of seats.
func positions(r *Reach, kind int) (n uint64) {
	for _, x := range r.seen[kind] {
		n += uint64(bits.OnesCount64(x))
	}
	return n
}
