package equilibrium

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"perfectplay/rank"
)

// TestCounts compares the size of games with counts made by another program.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		double, tiles int
		want          int64
	}{{2, 2, 45}, {3, 3, 4655}, {3, 4, 30924}, {4, 4, 854660}, {4, 5, 12737189}, {5, 4, 7249120}, {6, 3, 342167}, {6, 4, 37551157}, {5, 5, 304580474}} {
		got, _ := (Game{c.double, c.tiles, Study}).Size(1)
		if got.Numbers != c.want {
			t.Errorf("double-%d, %d tiles: %d numbers, want %d", c.double, c.tiles, got.Numbers, c.want)
		}
	}
}

// TestReach counts the deals that lead to 25,000 random public states in three ways: as pairs of
// hands, by formula, and by the reaches of a walk in which every hand has reach 1.
func TestReach(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var w walker[float64, float64]
	for states := 0; states < 25_000; {
		g := Game{1 + r.IntN(4), 2 + r.IntN(3), Study}
		if g.check() != nil {
			continue
		}
		roots := g.Roots()
		if len(roots) == 0 {
			continue
		}
		root := roots[r.IntN(len(roots))]
		w.tree = &tree{rules: Study, hands: new(tables)}
		for k := 1; k <= g.Tiles; k++ {
			for m := k; m <= root.State.Allowed[1].Len(); m++ {
				w.hands[k][m] = newPlaces(m, k)
			}
		}
		s := root.State
		for {
			states++
			w.vectors = w.vectors[:0]
			one, sum := slices.Repeat([]float64{1}, int(rank.Choose(s.Allowed[1].Len(), int(s.Size[1])))), 0.0
			out := make([]float64, int(rank.Choose(s.Allowed[0].Len(), int(s.Size[0]))))
			w.disjoint(s.Allowed[0], s.Allowed[1], int(s.Size[0]), int(s.Size[1]), one, out)
			for hand := range s.Allowed[0].Subsets(int(s.Size[0])) {
				sum += float64(rank.Choose((s.Allowed[1] &^ hand).Len(), int(s.Size[1])))
			}
			reach := 0.0
			for _, v := range out {
				reach += v
			}
			if got := s.deals(); float64(got) != sum || reach != sum || got == 0 {
				t.Fatalf("%+v: %d deals, reach %v, want %v", s, got, reach, sum)
			}
			moves := s.plays(nil)
			passed, canPass := s.pass()
			if canPass && !s.Passed && (len(moves) == 0 || r.IntN(3) == 0) {
				s = passed
				continue
			}
			if len(moves) == 0 {
				break
			}
			s = s.Play(moves[r.IntN(len(moves))])
			if s.Size[0] == 0 || s.Size[1] == 0 {
				break
			}
		}
	}
}

// TestStopped stops a run after every round and resumes from files. It must end with the bounds and
// the bytes of an uninterrupted run on another number of threads.
func TestStopped(t *testing.T) {
	g := Game{4, 4, Study}
	solve := func(threads int) *Solver {
		s, err := New(g)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s, one, two := solve(1), t.TempDir(), t.TempDir()
	want, err := s.Run(context.Background(), Options{Threads: 1, Iterations: 20})
	if err != nil || s.Save(one) != nil {
		t.Fatal(err)
	}
	var got []Opening
	for stops := 0; ; stops++ {
		s := solve(2)
		if err := s.Load(two); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		got, err = s.Run(ctx, Options{Threads: 2, Iterations: 20, Progress: func([]Opening) { cancel() }})
		if saved := s.Save(two); saved != nil {
			t.Fatal(saved)
		}
		if err == nil {
			if stops < 2 {
				t.Errorf("stopped only %d times", stops)
			}
			break
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	list, _ := os.ReadDir(one)
	for _, f := range list {
		a, _ := os.ReadFile(filepath.Join(one, f.Name()))
		b, _ := os.ReadFile(filepath.Join(two, f.Name()))
		if string(a) != string(b) {
			t.Errorf("%s differs", f.Name())
		}
	}
}

// TestShared computes the gain from a second thread by the numbers that each thread walks.
func TestShared(t *testing.T) {
	for _, g := range []Game{{4, 4, Study}, {5, 4, Study}, {4, 5, Study}, {4, 3, OpenSpiel}} {
		s, err := New(g)
		if err != nil {
			t.Fatal(err)
		}
		var parts []int
		all := 0
		for i, p := range s.parts {
			parts = append(parts, i)
			all += p.size()
		}
		divided, whole := s.share(parts, 2)
		busy := [2]int{}
		give := func(n int) {
			slices.Sort(busy[:])
			busy[0] += n
		}
		alone := 0
		for _, i := range divided {
			p := s.parts[i].(*part[float64])
			w := walker[float64, float64]{tree: p.tree, weights: both(p.regrets), sums: p.sums, gain: 1, weight: 1, pass: collect, cut: p.skip[0].numbers / taskShare}
			w.visit(&p.State, slices.Repeat([]float64{1}, p.hands(1)), make([]float64, p.hands(0)))
			left := p.size()
			for _, task := range w.tasks {
				n := int(p.skip[task.state].numbers)
				give(n)
				left -= n
			}
			alone += 2 * left
		}
		for _, i := range whole {
			give(s.parts[i].size())
		}
		gain := float64(all) / float64(alone+max(busy[0], busy[1]))
		t.Logf("%v: %d numbers, two threads gain %.2f", g, all, gain)
		if gain < 1.8 && g.Rules == Study {
			t.Errorf("%v: two threads gain %.2f", g, gain)
		}
	}
}

// TestNoAllocations: learning and answering allocate nothing after the first walk.
func TestNoAllocations(t *testing.T) {
	s, err := New(Game{3, 4, Study})
	if err != nil {
		t.Fatal(err)
	}
	s.Iterate(3)
	p := s.parts[0].(*part[float64])
	for _, answers := range []bool{false, true} {
		for me := range uint8(2) {
			w := walker[float64, float64]{tree: p.tree, weights: both(p.regrets), sums: p.sums, gain: 1, weight: 1, me: me, answers: answers}
			if answers {
				w.weights, w.sums = both(p.sums), nil
			}
			root, reach, out := p.State, slices.Repeat([]float64{1}, p.hands(me^1)), make([]float64, p.hands(me))
			visit := func() {
				w.state, w.number, w.vectors, w.ranks = 0, 0, w.vectors[:0], w.ranks[:0]
				w.visit(&root, reach, out)
			}
			if n := testing.AllocsPerRun(10, visit); n != 0 {
				t.Errorf("seat %d, answers %v: %v allocations a walk", me, answers, n)
			}
		}
	}
}

// BenchmarkIterate measures one iteration of all openers on one thread and on two.
func BenchmarkIterate(b *testing.B) {
	for _, g := range []Game{{4, 4, Study}, {5, 4, Study}, {4, 5, Study}} {
		s, err := New(g)
		if err != nil {
			b.Fatal(err)
		}
		parts := make([]int, len(s.parts))
		for i := range parts {
			parts[i] = i
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("double-%d/hands=%d/threads=%d", g.Double, g.Tiles, threads), func(b *testing.B) {
				for b.Loop() {
					s.each(parts, threads, func(i, threads int) { s.parts[i].learn(b.Context(), s.parts[i].iterations()+1, threads) })
				}
			})
		}
	}
}
