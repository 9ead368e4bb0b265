package players

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/game/domino/exact"
	"perfectplay/rank"
)

// plain is the search of candidates without bounds and table.
func plain(s situation) int32 {
	if s.Hands[0] == 0 || s.size == 0 {
		return s.score()
	}
	theirs, hand := s.Mover == 1, s.Hands[s.Mover]
	fits := domino.WithNumber(int(s.Left)) | domino.WithNumber(int(s.Right))
	best, found := int32(0), false
	take := func(v int32) {
		if !found || theirs && v < best || !theirs && v > best {
			best, found = v, true
		}
	}
	for _, m := range s.Moves(nil) {
		take(plain(s.after(m)))
	}
	canPass := hand&fits == 0
	if theirs && hand.Len() > int(s.size) {
		canPass = (hand &^ fits).Len() >= int(s.size)
	}
	if canPass {
		next := s
		next.Mover ^= 1
		if theirs {
			next.Hands[1] &^= fits
		}
		if s.passed {
			take(next.score())
		} else {
			next.passed = true
			take(plain(next))
		}
	}
	return best
}

// walk plays random games and calls visit at every position with a choice of moves.
func walk(r *rand.Rand, games int, visit func(table *Table, moves []domino.Move)) {
	for range games {
		d, _ := domino.RandomDeal(r)
		table := NewTable(domino.AllTiles, d)
		for !table.pos.Over() {
			moves := table.pos.Moves(nil)
			if len(moves) == 0 {
				table.Play(domino.Passed)
				continue
			}
			if len(moves) > 1 {
				visit(&table, moves)
			}
			table.Play(moves[r.IntN(len(moves))])
		}
	}
}

// TestCandidatesSearch compares the search with the plain one in positions with few tiles.
func TestCandidatesSearch(t *testing.T) {
	c := newCandidates()
	r := rand.New(rand.NewPCG(2, 2))
	compared := 0
	walk(r, 3000, func(table *Table, moves []domino.Move) {
		if v := table.view(); v.Hand.Len()+v.Opponent <= 6 && table.pos.Left != domino.None {
			root := newSituation(v)
			for _, m := range moves {
				next := root.after(m)
				want := plain(next)
				if got := c.search(next, -infinite, infinite); got != want {
					t.Fatalf("%v, %v: %v, want %v", table.pos, m, got, want)
				}
				for _, bound := range []int32{want, want + 1} {
					if got := c.search(next, bound-1, bound); (got >= bound) != (want >= bound) {
						t.Fatalf("%v, %v: window at %v: %v, value %v", table.pos, m, bound, got, want)
					}
				}
				compared++
			}
		}
	})
	if compared < 500 {
		t.Errorf("only %d positions compared", compared)
	}
}

// TestMinimaxReachesTheValue: two players who see both hands reach the value of the deal, and one
// of them gets at least the value against any other player.
func TestMinimaxReachesTheValue(t *testing.T) {
	s := exact.NewSolver()
	r := rand.New(rand.NewPCG(4, 4))
	perfect := complete{exact.NewSolver()}
	for range 500 {
		d, _ := domino.RandomDeal(r)
		want := s.Value(d)
		if got := Play(domino.AllTiles, d, perfect, perfect, r); got != want {
			t.Fatalf("%v: score %d, value %d", d, got, want)
		}
		if got := Play(domino.AllTiles, d, perfect, greedy{}, r); got < want {
			t.Fatalf("%v: score %d against greedy, value %d", d, got, want)
		}
		if got := Play(domino.AllTiles, d, random{}, perfect, r); got > want {
			t.Fatalf("%v: score %d for random, value %d", d, got, want)
		}
	}
}

// worths returns the values of the moves for the mover, by hand that the other seat may have.
func worths(table *Table, moves []domino.Move) (list [][]int) {
	v := table.view()
	for hand := range v.Possible.Subsets(v.Opponent) {
		p, values := table.pos, make([]int, len(moves))
		p.Hands[v.Seat^1] = hand
		for i, m := range moves {
			values[i] = domino.AlphaBeta(p.Play(m), -100, 100)
			if v.Seat == domino.Second {
				values[i] = -values[i]
			}
		}
		list = append(list, values)
	}
	return list
}

// bestPlainly is the index of the move with the largest sum; of equal ones that of the heaviest tile.
func bestPlainly(moves []domino.Move, sums []int) (best int) {
	for i := range moves {
		if sums[i] > sums[best] || sums[i] == sums[best] && moves[i].Tile().Pips() > moves[best].Tile().Pips() {
			best = i
		}
	}
	return best
}

// TestSamplingWeights compares the probabilities of a player with sums by plain search, over all
// hands, or over all sequences of draws if it draws hands, and with the frequencies of its choices.
func TestSamplingWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	compared, whole, mixed := 0, 0, 0
	for _, c := range []struct{ draws, games int }{{1, 400}, {2, 400}, {3, 400}, {defaultSamples, 1500}} {
		draws, player := c.draws, newSampling(c.draws, c.draws)
		walk(r, c.games, func(table *Table, moves []domino.Move) {
			v := table.view()
			all := v.hands() <= uint64(draws)
			if v.Hand.Len() > 5 || !all && (v.hands() > 30 || draws > 3) {
				return
			}
			worth := worths(table, moves)
			if n, err := rank.Binomial(v.Possible.Len(), v.Opponent); err != nil || int(n) != len(worth) {
				t.Fatalf("%v: %d hands, want %d: %v", table.pos, len(worth), n, err)
			}
			want, sequences := make([]float64, len(moves)), math.Pow(float64(len(worth)), float64(draws))
			var draw func(left int, sums []int)
			draw = func(left int, sums []int) {
				if left == 0 {
					want[bestPlainly(moves, sums)] += 1 / sequences
					return
				}
				for _, values := range worth {
					next := slices.Clone(sums)
					for i := range next {
						next[i] += values[i]
					}
					draw(left-1, next)
				}
			}
			if sums := make([]int, len(moves)); all {
				for _, values := range worth {
					for i, v := range values {
						sums[i] += v
					}
				}
				want[bestPlainly(moves, sums)] = 1
			} else {
				draw(draws, sums)
			}
			got := make([]float64, len(moves))
			if !player.Weights(table, moves, got) {
				t.Fatalf("%v: %d draws of %d hands: unknown", table.pos, draws, v.hands())
			}
			for i := range moves {
				if math.Abs(got[i]-want[i]) > 1e-12 {
					t.Fatalf("%v: %d draws of %d hands: %v, want %v", table.pos, draws, v.hands(), got, want)
				}
			}
			if compared++; all && len(worth) > 1 {
				whole++
			}
			if slices.Max(want) < 0.9 && mixed < 20 {
				mixed++
				const times = 1000
				chosen := make([]float64, len(moves))
				for range times {
					chosen[slices.Index(moves, player.Choose(table, moves, r))]++
				}
				for i, p := range want {
					if math.Abs(chosen[i]/times-p) > 5*math.Sqrt(p*(1-p)/times) {
						t.Errorf("%v: %d draws: chosen %v of %d, want %v", table.pos, draws, chosen, times, want)
					}
				}
			}
		})
	}
	if compared < 800 || whole < 100 || mixed < 20 {
		t.Errorf("%d positions compared, %d by several hands each once, %d mixed", compared, whole, mixed)
	}
	deal := domino.Default().Start().(interface{ At() domino.Position }).At()
	table := NewTable(domino.AllTiles, domino.Deal{Starter: deal.Hands[0], Second: deal.Hands[1]})
	table.Play(domino.NewMove(table.first, domino.RightEnd))
	moves := table.pos.Moves(nil)
	if newSampling(100, 100).Weights(&table, moves, make([]float64, len(moves))) {
		t.Error("the sums of 100 draws of 38,760 hands are known")
	}
}

// TestGreedy: the player plays each of the heaviest tiles, to each end.
func TestGreedy(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	p := domino.Position{Left: 2, Right: 4, Hands: [2]domino.Set{
		domino.SetOf(domino.NewTile(2, 4), domino.NewTile(1, 4), domino.NewTile(0, 4), domino.NewTile(2, 3), domino.NewTile(6, 6)),
		domino.SetOf(domino.NewTile(5, 5))}}
	table := Table{pos: p}
	count := map[domino.Move]int{}
	for range 1000 {
		count[greedy{}.Choose(&table, p.Moves(nil), r)]++
	}
	heaviest := domino.NewTile(2, 4) // the tile fits both ends; the double six fits no end
	left, right := count[domino.NewMove(heaviest, domino.LeftEnd)], count[domino.NewMove(heaviest, domino.RightEnd)]
	if left+right != 1000 || left < 400 || right < 400 {
		t.Errorf("chosen %v", count)
	}
}

// TestSeeds: a match depends only on its seed.
func TestSeeds(t *testing.T) {
	a, _ := ByName("sampling:8")
	b, _ := ByName("greedy")
	one, err := Terms{Games: 12, Seed: 7, Threads: 1}.Play(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Terms{Games: 12, Seed: 7, Threads: 3}.Play(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	if one != two {
		t.Errorf("one thread %+v, three %+v", one, two)
	}
	if one.Games != 12 || one.Wins < 7 {
		t.Errorf("sampling wins %d of %d", one.Wins, one.Games)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	// Memory does not grow with the number of games.
	if _, err := (Terms{Mode: Scores, Games: math.MaxInt, Seed: 1, Threads: 2}).Play(ctx, a, b); err == nil {
		t.Error("no error after an interrupt")
	}
	if _, err := (Terms{Games: math.MaxInt, Seed: 1, Threads: 2}).Play(ctx, a, b); err == nil {
		t.Error("no error after an interrupt")
	}
}

func TestByName(t *testing.T) {
	for _, k := range Kinds() {
		if got, err := ByName(k.Name); err != nil || got.Name != k.Name {
			t.Errorf("%s: %v, %v", k.Name, got.Name, err)
		}
	}
	for _, bad := range []string{"", "Greedy", "sampling:", "sampling:0", "sampling:x", "sampling:-3"} {
		if _, err := ByName(bad); err == nil {
			t.Errorf("%q is a player", bad)
		}
	}
}

func TestWilson(t *testing.T) {
	low, high := wilson(810, 1000)
	if math.Abs(low-0.7845) > 1e-3 || math.Abs(high-0.8331) > 1e-3 {
		t.Errorf("%.4f … %.4f", low, high)
	}
	if low, high = wilson(0, 0); low != 0 || high != 1 {
		t.Errorf("nothing known: %v … %v", low, high)
	}
}

func BenchmarkPlay(b *testing.B) {
	for _, k := range Kinds() {
		b.Run("player="+k.Name, func(b *testing.B) {
			p, i := k.New(), 0
			for b.Loop() {
				r := rand.New(rand.NewPCG(1, uint64(i)))
				d, _ := domino.RandomDeal(r)
				if s := Play(domino.AllTiles, d, p, p, r); s < -69 || s > 69 {
					b.Fatalf("%v: score %d", d, s)
				}
				i++
			}
		})
	}
}

// TestLines: drawn deals have enough lines, and perfect players get their values.
func TestLines(t *testing.T) {
	terms := Terms{Mode: Scores, Games: 40, Seed: 3, Threads: 2, Lines: 5000,
		Game: equilibrium.Game{Double: 6, Tiles: 7, Rules: equilibrium.Study}}
	values := 0
	solver := exact.NewSolver()
	for i := range terms.Games {
		d, _ := terms.deal(t.Context(), exact.NewGraph(), rand.New(rand.NewPCG(terms.Seed, uint64(i))))
		if n := domino.ReferenceStats(d.Start()).Leaves; n < terms.Lines || !d.Starter.Has(d.FirstTile()) {
			t.Fatalf("%v has %d lines", d, n)
		}
		values += solver.Value(d)
	}
	open, _ := ByName("minimax")
	drawn, err := terms.Play(t.Context(), open, open)
	if err != nil {
		t.Fatal(err)
	}
	if mean := float64(values) / float64(terms.Games); drawn.MeanScore != mean || drawn.Deals != terms.Games {
		t.Errorf("mean score %v of %d deals, want %v", drawn.MeanScore, drawn.Deals, mean)
	}
}
