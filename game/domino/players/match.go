package players

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/host"
)

// Kind describes a player by name.
type Kind struct {
	Name, About string
	New         func() Player
	Open        bool // it sees both hands
}

// Kinds lists the players. sampling:N is a sampling player with N hands.
func Kinds() []Kind {
	return []Kind{
		{Name: "random", About: "plays any move that fits", New: func() Player { return random{} }},
		{Name: "greedy", About: "plays the heaviest tile that fits", New: func() Player { return greedy{} }},
		{Name: "candidates", About: "the study's minimax by unseen tiles, undealt higher doubles included", New: func() Player { return newCandidates() }},
		samplingKind("sampling", DefaultSamples, " without those doubles; sampling:N for N"),
		{Name: "minimax", About: "perfect play with both hands open", New: func() Player { return complete{exact.NewSolver()} }, Open: true},
	}
}

func samplingKind(name string, hands int, more string) Kind {
	return Kind{Name: name, About: fmt.Sprintf("perfect play against %d hands%s", hands, more),
		New: func() Player { return &sampling{solver: exact.NewSolver(), samples: hands} }}
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
		return samplingKind(name, n, ""), nil
	}
	return Kind{}, fmt.Errorf("players: unknown player %q: want %s", name, strings.Join(names, ", "))
}

// Target is the number of points that wins a tournament.
const Target = 100

// Match is what games between two players came to.
type Match struct {
	A         string  `json:"a"`
	B         string  `json:"b"`
	Scores    bool    `json:"scores"` // single deals that a starts, not tournaments
	Games     int     `json:"games"`
	Wins      int     `json:"wins"` // of a
	Percent   float64 `json:"win_percent"`
	Low       float64 `json:"win_percent_low"` // 95 % confidence interval
	High      float64 `json:"win_percent_high"`
	Deals     int     `json:"deals"`
	MeanScore float64 `json:"mean_score"` // of a per deal
	StdErr    float64 `json:"std_err"`
	Seed      uint64  `json:"seed"`

	// Whole numbers, so that neither order nor threads matter.
	score, squares int64
}

// play plays a deal and counts its score for a.
func (m *Match) play(d domino.Deal, swapped bool, a, b Player, r *rand.Rand) (score int) {
	if swapped {
		score = -Play(d, b, a, r)
	} else {
		score = Play(d, a, b, r)
	}
	m.Deals++
	m.score += int64(score)
	m.squares += int64(score * score)
	return score
}

// tournament plays one: deals follow each other, every one adds its score to
// whoever it is good for, and whoever first has [Target] points wins.
func (m *Match) tournament(a, b Player, r *rand.Rand) {
	pointsA, pointsB := 0, 0
	for pointsA < Target && pointsB < Target {
		d, swapped := domino.RandomDeal(r)
		score := m.play(d, swapped, a, b, r)
		pointsA += max(score, 0)
		pointsB += max(-score, 0)
	}
	if pointsA >= Target {
		m.Wins++
	}
}

// single plays a deal that a starts, and wins with a score above 0.
func (m *Match) single(a, b Player, r *rand.Rand) {
	d, _ := domino.RandomDeal(r)
	if m.play(d, false, a, b, r) > 0 {
		m.Wins++
	}
}

// add adds other games.
func (m *Match) add(o *Match) {
	m.Games += o.Games
	m.Wins += o.Wins
	m.Deals += o.Deals
	m.score += o.score
	m.squares += o.squares
}

// PlayTournaments plays n tournaments on several threads, each with randomness of
// its own: equal seeds give equal results. progress, if not nil, is called after
// each, on any thread. With the error, which is that of the context, comes what
// was played before it.
func PlayTournaments(ctx context.Context, a, b Kind, n int, seed uint64, threads int, progress func()) (Match, error) {
	return play(ctx, false, (*Match).tournament, a, b, n, seed, threads, progress)
}

// PlayScores plays n deals that a starts, as PlayTournaments does.
func PlayScores(ctx context.Context, a, b Kind, n int, seed uint64, threads int, progress func()) (Match, error) {
	return play(ctx, true, (*Match).single, a, b, n, seed, threads, progress)
}

func play(ctx context.Context, scores bool, game func(*Match, Player, Player, *rand.Rand), a, b Kind, n int, seed uint64, threads int, progress func()) (Match, error) {
	total := Match{A: a.Name, B: b.Name, Scores: scores, Seed: seed}
	type table struct {
		a, b Player
		Match
	}
	tables := make([]*table, min(max(threads, 1), n))
	for i := range tables {
		tables[i] = &table{a: a.New(), b: b.New()}
	}
	err := host.Parallel(ctx, tables, n, func(t *table, i int) error {
		game(&t.Match, t.a, t.b, rand.New(rand.NewPCG(seed, uint64(i))))
		t.Games++
		if progress != nil {
			progress()
		}
		return nil
	})
	for _, t := range tables {
		total.add(&t.Match)
	}
	total.Percent = 100 * float64(total.Wins) / float64(total.Games)
	low, high := Wilson(total.Wins, total.Games)
	total.Low, total.High = 100*low, 100*high
	if n := float64(total.Deals); n > 1 {
		total.MeanScore = float64(total.score) / n
		total.StdErr = math.Sqrt(max(0, (float64(total.squares)-n*total.MeanScore*total.MeanScore)/(n-1)/n))
	} else {
		total.MeanScore = float64(total.score)
	}
	return total, err
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
