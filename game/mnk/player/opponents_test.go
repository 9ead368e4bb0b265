package player

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// set puts stones on named cells, separated by blanks.
func set(t *testing.T, f *field, x, o string) {
	t.Helper()
	for p, names := range []string{x, o} {
		for _, name := range strings.Fields(names) {
			c, err := f.g.ParseCell(name)
			if err != nil {
				t.Fatal(err)
			}
			f.put(int32(c), p)
		}
	}
}

// TestMonkeyEvaluation: an alignment counts once for each window it can grow in,
// if the cells before and after the window are empty or, for k−1 stones, one of
// them.
func TestMonkeyEvaluation(t *testing.T) {
	for _, c := range []struct {
		x, o     string
		own, opp int32 // evaluation as seen by x, and by o
	}{
		{"", "", 0, 0},
		{"d4", "", 0, 0},                                // one stone is no alignment of k−2
		{"c4 d4", "", 200, -2600},                       // in b–e and c–f
		{"a4 b4", "", 0, 0},                             // no cell before a–d
		{"c4 d4", "g4", 100, -1300},                     // b–e only: o stands after c–f
		{"c4 d4", "f4", 0, 0},                           // o stands after b–e
		{"c4 d4 e4", "", 500, -10040},                   // in b–e and c–f
		{"a4 b4 c4", "", 80, -2000},                     // in a–d, open at one end
		{"c4 d4 e4", "g4", 250 + 80, -5020 - 2000},      // c–f is open at one end
		{"a4 b4 c4", "e4", 0, 0},                        // open at no end
		{"d3 d4", "", 200, -2600},                       // a column
		{"c3 d4", "", 200, -2600},                       // a diagonal
		{"e3 d4", "", 200, -2600},                       // the other diagonal
		{"c4 d4", "c6 d6", 200 - 2600, 200 - 2600},      // both players have the same
		{"a4 b4 c4 d4", "c6 d6", 1_000_000, -1_000_000}, // a line ends the game
		{"c6 d6", "a4 b4 c4 d4", -1_000_000, 1_000_000}, // a line of the opponent
		{"c4 e4", "", 200, -2600},                       // a gap inside is allowed
		{"c2 d2 c4 d4", "", 600, -7800},                 // two rows, and two columns with gaps: c2–c5, d2–d5
		{"d1 d2 d3", "", 80, -2000},                     // a column at the edge
		{"a1 b2 c3", "", 80, -2000},                     // a diagonal from the corner
		{"a2 b3 c4", "", 80, -2000},                     // a diagonal beside that of the corner
		{"c4 d4 e4", "a4 b4 g4 f4", 0, 0},               // no window can grow
		{"b4 c4 d4", "", 330, -7020},                    // a–d is open at one end
		{"b4 c4 d4", "a4", 80, -2000},
		{"b4 c4 d4", "f4", 160, -4000},             // a–d and b–e are open at one end
		{"c1 d1", "c7 d7", 200 - 2600, 200 - 2600}, // rows at the edges are lines too
		{"c1 d1", "b1", 0, 0},                      // b–e is blocked, o stands before c–f
	} {
		g := mustGame(t, 7, 7, 4)
		for me, want := range []int32{c.own, c.opp} {
			m := openMonkey(t, g)
			set(t, m.f, c.x, c.o)
			m.me = me
			if got := m.evaluate(); got != want {
				t.Errorf("x %s, o %s, seen by %d: %d, want %d", c.x, c.o, me, got, want)
			}
		}
	}
}

// openMonkey returns a player with a table of the smallest size.
func openMonkey(t *testing.T, g *mnk.Game) *monkey {
	t.Helper()
	m, err := newMonkey(g, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// TestMonkeyTable: the table returns the bounds stored, for their position, depth and
// player alone.
func TestMonkeyTable(t *testing.T) {
	tab := openMonkey(t, mustGame(t, 5, 5, 4)).table
	for _, c := range [][2]int32{{-monkeyInf, monkeyInf}, {monkeyInf, monkeyInf}, {-monkeyInf, 1 - monkeyInf}, {0, 0}, {-1, 1}} {
		tab.store(1, 3, 0, c[0], c[1])
		if lower, upper, ok := tab.load(1, 3, 0); !ok || lower != c[0] || upper != c[1] {
			t.Errorf("%v: %d, %d, %v", c, lower, upper, ok)
		}
	}
	for _, other := range []struct {
		hash      uint64
		depth, me int
	}{{2, 3, 0}, {1, 4, 0}, {1, 3, 1}} {
		if _, _, ok := tab.load(other.hash, other.depth, other.me); ok {
			t.Errorf("%+v is found by another name", other)
		}
	}
}

// TestMonkeyHash: pictures of a position under every symmetry have the same smallest hash, and the
// hash after stones put and taken is that of the position set up anew.
func TestMonkeyHash(t *testing.T) {
	hash := func(m *monkey) uint64 { return slices.Min(m.hash[:len(m.f.g.Symmetries())]) }
	for _, sh := range [][3]int{{5, 5, 4}, {4, 7, 4}, {12, 11, 5}, {20, 20, 6}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		rng, m := rand.New(rand.NewPCG(3, 4)), openMonkey(t, g)
		for range 30 {
			s := undecided(g, rng, 12)
			before := hash(m)
			if m.follow(s); hash(m) == before {
				t.Fatalf("%s: the hash at %s is that of another position", g.ID(), s)
			}
			want := hash(m)
			c := int32(s.Moves(nil)[0])
			if m.make(c, m.me); hash(m) == want {
				t.Fatalf("%s: the hash does not notice a stone", g.ID())
			}
			m.undo()
			for i, image := range g.Symmetries() {
				turned := make([]uint8, g.Cells())
				for c := range turned {
					turned[image[c]] = s.At(c)
				}
				at, err := g.Plain().Parse(g.Print(func(c int) uint8 { return turned[c] }))
				if err != nil {
					t.Fatal(err)
				}
				if m.follow(at.(*mnk.Plain)); hash(m) != want {
					t.Fatalf("%s: symmetry %d changes the hash at %s", g.ID(), i, s)
				}
			}
		}
	}
}

// TestMonkeyRelevant: cells beside stones, from the centre outwards; on the empty board the
// centre.
func TestMonkeyRelevant(t *testing.T) {
	m := openMonkey(t, mustGame(t, 5, 5, 4))
	names := func() string {
		var list []string
		for _, c := range m.relevant(0) {
			list = append(list, m.f.g.CellName(int(c)))
		}
		return strings.Join(list, " ")
	}
	if got := names(); got != "c3" {
		t.Errorf("empty board: %s", got)
	}
	set(t, m.f, "a1", "e5")
	if got := names(); got != "d4 b2 d5 e4 a2 b1" {
		t.Errorf("two corners: %s", got)
	}
}

// plainValue is the value of m's position for the side to move by full search.
func plainValue(m *monkey, p, depth int) int32 {
	f := m.f
	switch {
	case depth == 0 || f.won(0) || f.won(1):
		if p != m.me {
			return -m.evaluate()
		}
		return m.evaluate()
	case f.n == f.cells:
		return 0
	}
	best := -monkeyInf
	for _, c := range append([]int32(nil), m.relevant(64+depth)...) {
		f.put(c, p)
		best = max(best, -plainValue(m, 1-p, depth-1))
		f.take()
	}
	return best
}

// positions calls test at n random positions of each of three boards, with a player of its own for
// each board, set up there, and a depth.
func positions(t *testing.T, n int, test func(rng *rand.Rand, m *monkey, depth int)) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, sh := range [][3]int{{3, 3, 3}, {4, 4, 3}, {6, 6, 4}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		m := openMonkey(t, g)
		m.stop = func() bool { return false }
		for range n {
			s := undecided(g, rng, 7)
			m.follow(s)
			test(rng, m, 1+rng.IntN(3))
		}
	}
}

// TestBestNodeSearch: the tests at a narrowing guess end at a move with the highest value
// by full search, and their bounds hold, also with entries of earlier searches in the
// table.
func TestBestNodeSearch(t *testing.T) {
	positions(t, 60, func(_ *rand.Rand, m *monkey, depth int) {
		moves := slices.Clone(m.relevant(0))
		c, v, ok := m.bns(moves, depth)
		if !ok {
			t.Fatal("cut short")
		}
		best, chosen := -monkeyInf, int32(0)
		for _, d := range moves {
			m.f.put(d, m.me)
			w := -plainValue(m, 1-m.me, depth-1)
			m.f.take()
			best = max(best, w)
			if d == c {
				chosen = w
			}
		}
		if chosen != best || v > best {
			t.Fatalf("%s, depth %d: %s is worth %d and at least %d, the best %d", m.f.g.Print(m.f.At), depth, m.f.g.CellName(int(c)), chosen, v, best)
		}
	})
}

// TestMonkeyFullWindow: with a full window the value is that of full search; with another window it
// is a bound on that value, also with entries of earlier searches in the table.
func TestMonkeyFullWindow(t *testing.T) {
	positions(t, 100, func(rng *rand.Rand, m *monkey, depth int) {
		want := plainValue(m, m.me, depth)
		for range 3 {
			alpha := want + int32(rng.IntN(400)) - 200
			beta := alpha + 1 + int32(rng.IntN(2))*int32(rng.IntN(400))
			v := m.value(m.me, depth, 0, alpha, beta)
			if v <= alpha && want > v || v >= beta && want < v || v > alpha && v < beta && v != want {
				t.Fatalf("%s, depth %d: %d within %d and %d, full search %d", m.f.g.Print(m.f.At), depth, v, alpha, beta, want)
			}
			if v := m.value(m.me, depth, 0, -monkeyInf, monkeyInf); v != want {
				t.Fatalf("%s, depth %d: %d with a full window, full search %d", m.f.g.Print(m.f.At), depth, v, want)
			}
		}
	})
}

// TestCompareSearches: four searches find the same values, or the comparison fails; each
// visits nodes, and more of them in deeper trees.
func TestCompareSearches(t *testing.T) {
	for _, sh := range [][3]int{{3, 3, 3}, {4, 4, 3}, {5, 4, 4}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		before := Searches{}
		for depth := 1; depth <= 4; depth++ {
			s, err := CompareSearches(t.Context(), g, 30, depth, 1, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if s.BestNode <= before.BestNode || s.AlphaBeta <= before.AlphaBeta || s.Scout <= before.Scout || s.MTDF <= before.MTDF {
				t.Errorf("%s, depth %d: %+v after %+v", g.ID(), depth, s, before)
			}
			before = s
		}
	}
}

// TestMonkeyOnePly: above 100 cells one ply is searched, up to 100 all.
func TestMonkeyOnePly(t *testing.T) {
	for _, c := range []struct {
		rows int
		deep bool
	}{{10, true}, {11, false}} {
		g := mustGame(t, c.rows, 10, 5)
		s := g.Plain().Start().(*mnk.Plain)
		s.Make(game.Move(55))
		th := &turn{ctx: t.Context(), limit: 20000}
		openMonkey(t, g).choose(th, s)
		note := th.best.Load().note
		if deep := !strings.HasPrefix(note, "depth 1,"); deep != c.deep {
			t.Errorf("%s: %s", g.ID(), note)
		}
	}
}

// TestDogeEvaluation sums lines by hand on 5,5,4: x minus o.
func TestDogeEvaluation(t *testing.T) {
	for _, c := range []struct {
		x, o string
		want int64
	}{
		{"", "", 0},
		{"c3", "", 40},               // room on both sides in four directions
		{"a1", "", 5 + 5 + 5 - 1},    // a corner: room in three directions, none in the fourth
		{"c3 d3", "", 100 + 30 + 30}, // a pair, and each stone's other lines
		{"c3 d3", "e3", 25 + 60 - 7}, // one end closed; e3 has only its column
	} {
		d := newDoge(mustGame(t, 5, 5, 4))
		set(t, d.f, c.x, c.o)
		if got := d.evaluate(0); got != c.want {
			t.Errorf("x %s, o %s: %d, want %d", c.x, c.o, got, c.want)
		}
		if got := d.evaluate(1); got != -c.want {
			t.Errorf("x %s, o %s, seen by o: %d, want %d", c.x, c.o, got, -c.want)
		}
	}
}

// TestDogeBeam: with n levels left the beam has n + 1 cells next to stones, at least five, in
// order of the longest line, then critical cells, then the sum.
func TestDogeBeam(t *testing.T) {
	d := newDoge(mustGame(t, 7, 7, 4))
	set(t, d.f, "c4 d4 e4", "c3 c2")
	for levels, want := range map[int]int{0: 5, 1: 5, 4: 5, 5: 6, 8: 9, 9: 10} {
		got := d.moves(levels)
		if len(got) != want {
			t.Errorf("%d levels: %d cells, want %d", levels, len(got), want)
		}
		for i, m := range got {
			if d.f.cell[m.c] != 0 || d.f.near[m.c] == 0 {
				t.Errorf("%s is taken or far", d.f.g.CellName(int(m.c)))
			}
			if i == 0 {
				continue
			}
			switch l := got[i-1]; {
			case l.longest > m.longest:
			case l.longest < m.longest, !l.critical && m.critical, l.critical == m.critical && l.sum < m.sum:
				t.Errorf("%+v before %+v", l, m)
			}
		}
	}
	// b4 and f4 complete four.
	for i, m := range d.moves(1)[:2] {
		if name := d.f.g.CellName(int(m.c)); m.longest != 4 || !m.critical || name != "b4" && name != "f4" {
			t.Errorf("place %d: %s, %+v", i, name, m)
		}
	}
}

// plainDoge is doge's value without cutting off.
func plainDoge(d *doge, p, levels int) int64 {
	switch {
	case d.f.won(1 - p):
		return -dogeWin - int64(levels)
	case d.f.n == d.f.cells:
		return 0
	case levels == 0:
		return d.evaluate(p)
	}
	best := -4 * dogeWin
	for _, m := range slices.Clone(d.moves(levels)) {
		d.f.put(m.c, p)
		best = max(best, -plainDoge(d, 1-p, levels-1))
		d.f.take()
	}
	return best
}

// TestDogeSearch: cutting off does not change the value over the beam.
func TestDogeSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	g := mustGame(t, 6, 5, 4)
	d := newDoge(g)
	d.stop = func() bool { return false }
	for range 40 {
		s := undecided(g, rng, 18)
		d.f.follow(s)
		levels := 1 + rng.IntN(4)
		if got, want := d.search(s.Seat(), levels, -4*dogeWin, 4*dogeWin), plainDoge(d, s.Seat(), levels); got != want {
			t.Errorf("%s, %d levels: %d, want %d", s, levels, got, want)
		}
	}
}

// play lets a chooser choose at a position given as text.
func play(t *testing.T, name string, g *mnk.Game, seed uint64, text string) string {
	t.Helper()
	s, err := g.Plain().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g.CellName(choose(t, mustPlayer(t, name, g, seed), s.(*mnk.Plain), 5000).cell)
}

// TestOneMove: all players but the first levels complete a line before they block one, and
// block one before anything else.
func TestOneMove(t *testing.T) {
	for _, c := range []struct {
		m, n, k    int
		text, want string
	}{
		{5, 5, 4, "xxx2.ooo2.5.5.5", "d5"},
		{5, 5, 4, "xxxo1.ooo2.5.5.x4", "d4"},
		{5, 5, 4, "xxx2.oo3.5.5.5", "d5"},
		{3, 3, 3, "xx1.1o1.3", "c3"},
		{12, 12, 5, "12.12.12.12.2xxxx6.2oooo6.12.12.12.12.12.12", "b8 g8"},
	} {
		g := mustGame(t, c.m, c.n, c.k)
		for _, name := range []string{best, "monkey", "sufferingdoge", "level-4"} {
			if got := play(t, name, g, 1, c.text); !slices.Contains(strings.Fields(c.want), got) {
				t.Errorf("%s at %s: %s, want %s", name, c.text, got, c.want)
			}
		}
	}
}

// TestSeeds: the first levels depend only on the seed, and choose every cell sometimes.
func TestSeeds(t *testing.T) {
	g := mustGame(t, 4, 4, 4)
	for name, want := range map[string]int{"level-1": 16, "level-2": 16, "level-3": 1} {
		seen := map[string]bool{}
		for seed := range uint64(500) {
			c := play(t, name, g, seed, "4.4.4.4")
			if c != play(t, name, g, seed, "4.4.4.4") {
				t.Fatalf("%s: not the same cell with seed %d", name, seed)
			}
			seen[c] = true
		}
		if len(seen) != want {
			t.Errorf("%s: %d first moves, want %d: %v", name, len(seen), want, seen)
		}
	}
}
