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
		{"candidates", "the study's minimax by unseen tiles, undealt higher doubles included", func() Player { return newCandidates() }},
		{"sampling", fmt.Sprintf("perfect play against %d hands without those doubles; sampling:N for N", DefaultSamples),
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

// Estimate is a mean of N independent values with its standard error.
type Estimate struct {
	N            int
	Mean, StdErr float64
}

// sums is what games between two players add up to, seen from the first one:
// whole numbers, so that neither order nor threads matter.
type sums struct {
	games, wins, draws  int
	deals               int
	score, scoreSquares int64
}

// deal counts the score of a deal.
func (s *sums) deal(score int) {
	s.deals++
	s.score += int64(score)
	s.scoreSquares += int64(score * score)
}

// add adds the sums of other games.
func (s *sums) add(o sums) {
	s.games += o.games
	s.wins += o.wins
	s.draws += o.draws
	s.deals += o.deals
	s.score += o.score
	s.scoreSquares += o.scoreSquares
}

// perDeal is the mean score of a deal.
func (s *sums) perDeal() Estimate {
	e := Estimate{N: s.deals}
	if n := float64(s.deals); n > 0 {
		e.Mean = float64(s.score) / n
		if n > 1 {
			e.StdErr = math.Sqrt(max(0, (float64(s.scoreSquares)-n*e.Mean*e.Mean)/(n-1)/n))
		}
	}
	return e
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

// PlayTournaments plays n tournaments on several threads. Equal seeds give
// equal results. progress, if not nil, is called after each, on any thread.
func PlayTournaments(ctx context.Context, a, b Kind, n int, seed uint64, threads int, progress func()) (Tournaments, error) {
	s, err := play(ctx, a, b, n, seed, threads, progress, func(pa, pb Player, r *rand.Rand, s *sums) {
		pointsA, pointsB := 0, 0
		for pointsA < Target && pointsB < Target {
			var score int
			if d, swapped := domino.RandomDeal(r); swapped {
				score = -Play(d, pb, pa, r)
			} else {
				score = Play(d, pa, pb, r)
			}
			pointsA += max(score, 0)
			pointsB += max(-score, 0)
			s.deal(score)
		}
		if pointsA >= Target {
			s.wins++
		}
	})
	return Tournaments{A: a.Name, B: b.Name, Games: s.games, WinsA: s.wins, Deals: s.deals, Margin: s.perDeal()}, err
}

// PlayScores plays n deals that a starts, as PlayTournaments does.
func PlayScores(ctx context.Context, a, b Kind, n int, seed uint64, threads int, progress func()) (Scores, error) {
	s, err := play(ctx, a, b, n, seed, threads, progress, func(pa, pb Player, r *rand.Rand, s *sums) {
		d, _ := domino.RandomDeal(r)
		score := Play(d, pa, pb, r)
		s.deal(score)
		switch {
		case score > 0:
			s.wins++
		case score == 0:
			s.draws++
		}
	})
	return Scores{A: a.Name, B: b.Name, Score: s.perDeal(), Wins: s.wins, Draws: s.draws}, err
}

// play plays n games, each with randomness of its own, and adds them up. After
// an interrupt it returns the context's error and the sums of those played.
func play(ctx context.Context, a, b Kind, n int, seed uint64, threads int, progress func(), one func(pa, pb Player, r *rand.Rand, s *sums)) (sums, error) {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var mu sync.Mutex
	var total sums
	var all sync.WaitGroup
	for range min(threads, n) {
		all.Go(func() {
			pa, pb := a.New(), b.New()
			var own sums
			for ctx.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(n) {
					break
				}
				one(pa, pb, rand.New(rand.NewPCG(seed, uint64(i))), &own)
				own.games++
				if progress != nil {
					progress()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(own)
		})
	}
	all.Wait()
	return total, ctx.Err()
}
