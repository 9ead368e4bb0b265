package players

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
)

// Kind describes a player by name.
type Kind struct {
	Name, About string
	make        func() Player
}

// Kinds lists the players. sampling:N is a sampling player with N hands.
func Kinds() []Kind {
	return []Kind{
		{"random", "plays any move that fits", func() Player { return random{} }},
		{"greedy", "plays the heaviest tile that fits", func() Player { return greedy{} }},
		{"candidates", "the study's minimax on incomplete information", func() Player { return newCandidates() }},
		{"sampling", fmt.Sprintf("perfect play against %d hands the opponent may hold; sampling:N for N", DefaultSamples),
			func() Player { return &sampling{solver: exact.NewSolver(), samples: DefaultSamples} }},
		{"minimax", "perfect play with both hands open", func() Player { return complete{exact.NewSolver()} }},
	}
}

// ByName returns the kind of a name as in [Kinds].
func ByName(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	if count, ok := strings.CutPrefix(name, "sampling:"); ok {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > 1e6 {
			return Kind{}, fmt.Errorf("players: %q: want sampling:N with 1 ≤ N ≤ 1000000", name)
		}
		return Kind{name, fmt.Sprintf("perfect play against %d hands the opponent may hold", n),
			func() Player { return &sampling{solver: exact.NewSolver(), samples: n} }}, nil
	}
	return Kind{}, fmt.Errorf("players: unknown player %q: want %s", name, strings.Join(names, ", "))
}

// New returns a player.
func (k Kind) New() Player { return k.make() }

// Estimate is a mean of n independent values with its standard error.
type Estimate struct {
	N             int
	Mean, StdErr  float64
	sum, sumOfSqs float64
}

// add counts a value.
func (e *Estimate) add(x float64) {
	e.N++
	e.sum += x
	e.sumOfSqs += x * x
}

// finish computes Mean and StdErr.
func (e *Estimate) finish() {
	if e.N == 0 {
		return
	}
	n := float64(e.N)
	e.Mean = e.sum / n
	if e.N > 1 {
		e.StdErr = math.Sqrt(max(0, (e.sumOfSqs-n*e.Mean*e.Mean)/(n-1)/n))
	}
}

// Wilson returns the 95 % confidence interval of a share of k in n.
func Wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, mid-half), min(1, mid+half)
}

// Target is the number of points that wins a tournament.
const Target = 100

// Tournaments is the result of tournaments between two players: deals follow
// each other, every one adds its score to whoever it is good for, and whoever
// first has Target points wins.
type Tournaments struct {
	A, B   string
	Games  int
	WinsA  int
	Deals  int
	Margin Estimate // score of A per deal
}

// Scores is the result of single deals between two players, A always starting.
type Scores struct {
	A, B  string
	Score Estimate // of A per deal
	Wins  int      // deals with a score above 0 for A
	Draws int
}

// randomDeal returns a deal, every one equally likely, and whether the first of
// two named players starts.
func randomDeal(r *rand.Rand) (domino.Deal, bool) {
	a, b := domino.Unrank(r.Int64N(domino.DealCount))
	d, swapped, err := domino.NewDeal(a, b)
	if err != nil {
		panic("players: randomDeal: " + err.Error())
	}
	return d, !swapped
}

// PlayTournaments plays n tournaments on several threads. Equal seeds give
// equal results.
func PlayTournaments(ctx context.Context, a, b Kind, n int, seed uint64, threads int, progress func()) (Tournaments, error) {
	type outcome struct {
		winA   bool
		deals  int
		scores []int8
	}
	results := make([]outcome, n)
	err := each(ctx, n, threads, func() func(i int) {
		pa, pb := a.New(), b.New()
		return func(i int) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			o := &results[i]
			pointsA, pointsB := 0, 0
			for pointsA < Target && pointsB < Target {
				d, first := randomDeal(r)
				var score int
				if first {
					score = Play(d, pa, pb, r)
				} else {
					score = -Play(d, pb, pa, r)
				}
				pointsA += max(score, 0)
				pointsB += max(-score, 0)
				o.deals++
				o.scores = append(o.scores, int8(score))
			}
			o.winA = pointsA >= Target
			if progress != nil {
				progress()
			}
		}
	})
	t := Tournaments{A: a.Name, B: b.Name}
	if err != nil {
		return t, err
	}
	for _, o := range results {
		t.Games++
		t.Deals += o.deals
		if o.winA {
			t.WinsA++
		}
		for _, s := range o.scores {
			t.Margin.add(float64(s))
		}
	}
	t.Margin.finish()
	return t, nil
}

// PlayScores plays n deals that a starts.
func PlayScores(ctx context.Context, a, b Kind, n int, seed uint64, threads int, progress func()) (Scores, error) {
	scores := make([]int8, n)
	err := each(ctx, n, threads, func() func(i int) {
		pa, pb := a.New(), b.New()
		return func(i int) {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			d, _ := randomDeal(r)
			scores[i] = int8(Play(d, pa, pb, r))
			if progress != nil {
				progress()
			}
		}
	})
	s := Scores{A: a.Name, B: b.Name}
	if err != nil {
		return s, err
	}
	for _, x := range scores {
		s.Score.add(float64(x))
		if x > 0 {
			s.Wins++
		}
		if x == 0 {
			s.Draws++
		}
	}
	s.Score.finish()
	return s, nil
}

// each calls the functions that worker returns, one per thread, for 0…n−1.
func each(ctx context.Context, n, threads int, worker func() func(i int)) error {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(threads, n) {
		all.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(n) {
					return
				}
				do(int(i))
			}
		})
	}
	all.Wait()
	return ctx.Err()
}
