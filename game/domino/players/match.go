package players

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"perfectplay/game/domino"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/host"
)

// Kind describes a player by name.
type Kind struct {
	Name, About string
	New         func() Player
	Open        bool // the player sees both hands
}

// Kinds lists the players. [ByName] also knows two patterns: sampling:N samples N hands, and
// equilibrium:N solves a rest of at most N numbers.
func Kinds() []Kind {
	return []Kind{
		{Name: "random", About: "plays any move that fits", New: func() Player { return random{} }},
		{Name: "greedy", About: "plays the heaviest tile that fits", New: func() Player { return greedy{} }},
		{Name: "candidates", About: "the study's minimax by unseen tiles, undealt higher doubles included", New: func() Player { return newCandidates() }},
		samplingKind("sampling", defaultSamples, " without those doubles; sampling:N for N"),
		Resting("equilibrium", DefaultNumbers),
		{Name: "minimax", About: "perfect play with both hands open", New: func() Player { return complete{exact.NewSolver()} }, Open: true},
	}
}

func samplingKind(name string, hands int, more string) Kind {
	return Kind{Name: name, About: fmt.Sprintf("perfect play against %d hands%s", hands, more),
		New: func() Player { return newSampling(hands, hands) }}
}

// ByName returns the kind with a name.
func ByName(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	for player, kind := range map[string]func(n int) Kind{
		"sampling":    func(n int) Kind { return samplingKind(name, n, "") },
		"equilibrium": func(n int) Kind { return Resting(name, int64(n)) },
	} {
		if count, ok := strings.CutPrefix(name, player+":"); ok {
			n, err := strconv.Atoi(count)
			if err != nil || n < 1 || n > 1e6 {
				return Kind{}, fmt.Errorf("players: %q: want %s:N with 1 ≤ N ≤ 1000000", name, player)
			}
			return kind(n), nil
		}
	}
	return Kind{}, fmt.Errorf("players: unknown player %q: want %s", name, strings.Join(names, ", "))
}

// target is the number of points that wins a tournament.
const target = 100

// Match is the result of games between two players.
type Match struct {
	A       string  `json:"a"`
	B       string  `json:"b"`
	Game    string  `json:"game"`
	Scores  bool    `json:"scores"` // single deals that A starts, not tournaments
	Both    bool    `json:"both"`   // deals that are played twice, not tournaments
	Games   int     `json:"games"`
	Wins    int     `json:"wins"` // games that A won
	Percent float64 `json:"win_percent"`
	Low     float64 `json:"win_percent_low"` // 95 % confidence interval
	High    float64 `json:"win_percent_high"`
	Deals   int     `json:"deals"`
	// MeanScore is A's mean score in a deal, with a 95 % confidence interval.
	MeanScore float64 `json:"mean_score"`
	ScoreLow  float64 `json:"mean_score_low"`
	ScoreHigh float64 `json:"mean_score_high"`
	StdErr    float64 `json:"std_err"`
	Seed      uint64  `json:"seed"`
	Lines     uint64  `json:"least_lines"` // least lines of play of a deal; 0: any
	// SolvedA and SolvedB are the shares of a player's decisions with two tiles or more that came
	// from a solution; nil for a player that solves nothing.
	SolvedA *float64 `json:"a_solved_percent"`
	SolvedB *float64 `json:"b_solved_percent"`

	score, squares int64 // sums over deals; as integers they are equal in any order of the deals
}

// Mode is the kind of game in a match.
type Mode int

const (
	Tournaments Mode = iota // to [target] points: the winner of a deal gets its score
	Scores                  // a deal that a starts, or a deal in which a holds a given hand
	Both                    // a deal played twice, with a in each seat; the mean of both scores counts
)

// Terms are the rules of a match. The zero Game stands for the double-six set with seven tiles
// each.
type Terms struct {
	Game    equilibrium.Game
	Mode    Mode
	Hand    domino.Set // with Scores: a's hand in every deal, whoever starts; 0: any hand
	Games   int
	Lines   uint64 // least lines of play of the deals drawn; for the zero Game only
	Seed    uint64
	Threads int

	Progress func() // if not nil, called after each game, on any thread
}

// deal draws a deal to two named players, each deal with enough lines of play equally likely.
// swapped reports that the second player starts. Once the context is done it returns any deal.
func (t *Terms) deal(ctx context.Context, g *exact.Graph, r *rand.Rand) (d domino.Deal, swapped bool) {
	for {
		d, swapped = t.draw(r)
		if t.Lines == 0 || ctx.Err() != nil {
			return d, swapped
		}
		g.Build(d.FirstDouble(), d.Starter.Without(d.FirstTile()), d.Second)
		if lines, _ := g.Leaves(); lines >= t.Lines {
			return d, swapped
		}
	}
}

func (t *Terms) draw(r *rand.Rand) (d domino.Deal, swapped bool) {
	if t.Game.Tiles == domino.HandSize && t.Game.Double == domino.Numbers-1 && t.Hand == 0 {
		return domino.RandomDeal(r)
	}
	for {
		left, hands := t.Game.All()&^t.Hand, [2]domino.Set{t.Hand}
		for seat := range hands {
			for hands[seat].Len() < t.Game.Tiles {
				rest := left
				for range r.IntN(left.Len()) {
					rest = rest.DropMin()
				}
				hands[seat], left = hands[seat].With(rest.Min()), left.Without(rest.Min())
			}
		}
		doubles := (hands[0] | hands[1]) & domino.Doubles
		swapped = doubles&hands[0] < doubles&hands[1]
		switch {
		case doubles == 0: // no double: nobody starts, draw again
		case swapped:
			return domino.Deal{Starter: hands[1], Second: hands[0]}, true
		default:
			return domino.Deal{Starter: hands[0], Second: hands[1]}, false
		}
	}
}

func (t *Terms) play(d domino.Deal, swapped bool, a, b Player, r *rand.Rand) int {
	if swapped {
		return -Play(t.Game.All(), d, b, a, r)
	}
	return Play(t.Game.All(), d, a, b, r)
}

func (m *Match) game(ctx context.Context, t *Terms, i int, a, b Player, g *exact.Graph) error {
	r := rand.New(rand.NewPCG(t.Seed, uint64(i)))
	pointsA, pointsB := 0, 0
	for over := false; !over; over = t.Mode != Tournaments || max(pointsA, pointsB) >= target {
		d, swapped := t.deal(ctx, g, r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		score := 0
		switch t.Mode {
		case Scores:
			score = t.play(d, swapped && t.Hand != 0, a, b, r)
		case Both:
			score = t.play(d, false, a, b, r) + t.play(d, true, a, b, r)
		default:
			score = t.play(d, swapped, a, b, r)
		}
		m.Deals++
		m.score += int64(score)
		m.squares += int64(score * score)
		pointsA += max(score, 0)
		pointsB += max(-score, 0)
	}
	if pointsA > pointsB {
		m.Wins++
	}
	m.Games++
	return nil
}

func (m *Match) add(o *Match) {
	m.Games += o.Games
	m.Wins += o.Wins
	m.Deals += o.Deals
	m.score += o.score
	m.squares += o.squares
}

// Play plays a match. Equal seeds give equal results for any number of threads. When the
// context ends, it returns its error and the games played so far.
func (t Terms) Play(ctx context.Context, a, b Kind) (Match, error) {
	if t.Game == (equilibrium.Game{}) {
		t.Game = equilibrium.Game{Double: domino.Numbers - 1, Tiles: domino.HandSize, Rules: equilibrium.Study}
	}
	total := Match{A: a.Name, B: b.Name, Game: t.Game.String(), Scores: t.Mode == Scores, Both: t.Mode == Both, Seed: t.Seed, Lines: t.Lines}
	type table struct {
		a, b  Player
		lines *exact.Graph
		Match
	}
	tables := make([]*table, min(max(t.Threads, 1), t.Games))
	for i := range tables {
		tables[i] = &table{a: a.New(), b: b.New()}
		if t.Lines > 0 {
			tables[i].lines = exact.NewGraph()
		}
	}
	err := host.Parallel(ctx, tables, t.Games, func(m *table, i int) error {
		if err := m.game(ctx, &t, i, m.a, m.b, m.lines); err != nil {
			return err
		}
		if t.Progress != nil {
			t.Progress()
		}
		return nil
	})
	var ofA, ofB []Player
	for _, m := range tables {
		total.add(&m.Match)
		ofA, ofB = append(ofA, m.a), append(ofB, m.b)
	}
	total.SolvedA, total.SolvedB = solvedPercent(ofA), solvedPercent(ofB)
	total.Percent = 100 * float64(total.Wins) / float64(total.Games)
	low, high := wilson(total.Wins, total.Games)
	total.Low, total.High = 100*low, 100*high
	each := 1.0 // deals in one score
	if t.Mode == Both {
		each = 2
	}
	if n := float64(total.Deals); n > 1 {
		mean := float64(total.score) / n
		total.MeanScore = mean / each
		total.StdErr = math.Sqrt(max(0, (float64(total.squares)-n*mean*mean)/(n-1)/n)) / each
	} else {
		total.MeanScore = float64(total.score) / each
	}
	total.ScoreLow, total.ScoreHigh = total.MeanScore-normal95*total.StdErr, total.MeanScore+normal95*total.StdErr
	return total, err
}

// solvedPercent is the share of the decisions of players of one kind that came from a solution.
func solvedPercent(list []Player) *float64 {
	solved, all := 0, 0
	for _, p := range list {
		b, ok := p.(*Balanced)
		if !ok {
			return nil
		}
		solved, all = solved+b.solvedDecisions, all+b.decisions
	}
	share := 100 * float64(solved) / float64(max(all, 1))
	return &share
}

// normal95 is the 97.5 % quantile of the normal distribution.
const normal95 = 1.959963984540054

// wilson returns the 95 % confidence interval of a share of k in n.
func wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = normal95
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, mid-half), min(1, mid+half)
}
