package census

import (
	"cmp"
	"fmt"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/rank"
)

// ScoreOf is the score that place i of Counts.Values stands for.
func ScoreOf(i int) int { return i - domino.MaxScore }

// Summary is what the games that start with a double, or all games, add up to.
type Summary struct {
	Start        string  `json:"start"` // the double that starts, or all
	Games        int64   `json:"games"`
	Wins         int64   `json:"starter_wins"`
	Draws        int64   `json:"draws"`
	Losses       int64   `json:"starter_losses"`
	MeanScore    float64 `json:"mean_score"` // for the starter
	Lines        int64   `json:"lines"`
	MeanLines    float64 `json:"mean_lines"`
	MedianLines  int     `json:"median_lines"`
	MostLines    int     `json:"most_lines"`
	Blocked      int64   `json:"blocked_lines"`
	Single       int64   `json:"single_line_games"`
	OneTile      int64   `json:"one_tile_games"` // that end with the first tile
	OnlyNegative int64   `json:"only_negative_games"`
	OnlyZero     int64   `json:"only_zero_games"`
	OnlyPositive int64   `json:"only_positive_games"`
	Score        int64   `json:"-"` // the sum of all
}

// Summary adds the counts up.
func (c *Counts) Summary(start string) Summary {
	s := Summary{Start: start, Games: c.Games, OneTile: c.OneTile, Blocked: c.Blocked,
		OnlyNegative: c.Signs[domino.OnlyNegative], OnlyZero: c.Signs[domino.OnlyZero], OnlyPositive: c.Signs[domino.OnlyPositive]}
	for i, n := range c.Values {
		score := ScoreOf(i)
		s.Score += int64(score) * n
		switch {
		case score > 0:
			s.Wins += n
		case score < 0:
			s.Losses += n
		default:
			s.Draws += n
		}
	}
	games := int64(0)
	for lines, n := range c.Leaves {
		if n == 0 {
			continue
		}
		if 2*games < c.Games {
			s.MedianLines = lines
		}
		games += n
		s.Lines += int64(lines) * n
		s.MostLines = lines
		if lines == 1 {
			s.Single = n
		}
	}
	if c.Games > 0 {
		s.MeanScore, s.MeanLines = float64(s.Score)/float64(c.Games), float64(s.Lines)/float64(c.Games)
	}
	return s
}

// Total adds both roles of a hand.
func (h *Hands) Total(rank int) Role {
	r := h[rank][domino.Starter]
	r.Add(h[rank][domino.Second])
	return r
}

// Labelings lists the games of a class, each once, in ascending order of their
// sets. The class is given as in [Tally.Widest]: 0|0 starts, whatever other
// doubles were dealt. Its games are those renamings of the seven numbers that
// make 0|0 the highest double.
func Labelings(class domino.Deal) []domino.Deal {
	var list []domino.Deal
	eachRenaming(func(to [8]uint8) {
		rename := func(s domino.Set) (image domino.Set) {
			for ; s != 0; s = s.DropMin() {
				t := s.Min()
				image = image.With(domino.NewTile(int(to[t.Low()]), int(to[t.High()])))
			}
			return image
		}
		d := domino.Deal{Starter: rename(class.Starter), Second: rename(class.Second)}
		if d.FirstDouble() == int(to[0]) {
			list = append(list, d)
		}
	})
	slices.SortFunc(list, compareDeals)
	return slices.Compact(list)
}

// MeanScore is the mean score for the owner of the hand, 0 without games.
func (r Role) MeanScore() float64 { return float64(r.Score) / float64(max(r.Games, 1)) }

// Ranking returns the ranks of all hands that have met opponents, the strongest
// first: by mean score, then by share of wins, then by rank.
func (h *Hands) Ranking() []int32 {
	var list []int32
	total := make([]Role, len(h))
	for i := range h {
		if total[i] = h.Total(i); total[i].Games > 0 {
			list = append(list, int32(i))
		}
	}
	slices.SortFunc(list, func(a, b int32) int {
		x, y := total[a], total[b]
		// Cross-multiplied, so that equal means compare equal.
		return cmp.Or(
			cmp.Compare(y.Score*x.Games, x.Score*y.Games),
			cmp.Compare(y.Wins*x.Games, x.Wins*y.Games),
			cmp.Compare(a, b))
	})
	return list
}

// maxBadHands is how many hands Check names.
const maxBadHands = 10

// Check returns what does not add up in a complete census, or nothing. It knows
// the exact numbers of games by combinatorics, not by enumeration. Of hands it
// names the first ten, and counts the others.
func (t *Tally) Check() []string {
	var wrong []string
	expect := func(what string, got, want int64) {
		if got != want {
			wrong = append(wrong, fmt.Sprintf("%s: %d, want %d", what, got, want))
		}
	}
	for d := range t.ByDouble {
		c := &t.ByDouble[d]
		name := "games that start with " + domino.Double(d).String()
		expect(name, c.Games, GamesByDouble(d))
		expect(name+", one tile", c.OneTile, 1716*choose(15+d, 13))
		expect(name+", by value", sum(c.Values[:]), c.Games)
		expect(name+", by sign", sum(c.Signs[:]), c.Games)
		expect(name+", by lines", sum(c.Leaves), c.Games)
	}
	all := t.All().Summary("all")
	expect("games", all.Games, domino.GameCount)
	var roles [2]Role
	bad := 0
	for h := range t.Hands {
		roles[0].Add(t.Hands[h][0])
		roles[1].Add(t.Hands[h][1])
		hand := domino.UnrankHand(h)
		want := choose(21, 7)
		if hand&domino.Doubles == 0 {
			want -= choose(14, 7) // 14 of the 21 other tiles are no doubles
		}
		if got := t.Hands.Total(h).Games; got != want {
			if bad++; bad <= maxBadHands {
				expect("games of hand "+hand.String(), got, want)
			}
		}
	}
	if bad > maxBadHands {
		wrong = append(wrong, fmt.Sprintf("games of %d more hands", bad-maxBadHands))
	}
	for i, want := range [2]Role{
		{all.Games, all.Wins, all.Draws, all.Score, all.Lines, all.Blocked},
		{all.Games, all.Losses, all.Draws, -all.Score, all.Lines, all.Blocked},
	} {
		for k, what := range [...]string{"games", "wins", "draws", "score", "lines", "blocked lines"} {
			expect(what+" by "+[2]string{"starter's", "second"}[i]+" hand", *roles[i].fields()[k], *want.fields()[k])
		}
	}
	return wrong
}

// sum adds counts up.
func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// GamesByDouble is the number of distinct games that start with d|d: the other
// thirteen tiles come from all but d|d and the 6−d higher doubles, and six of
// them are the starter's.
func GamesByDouble(d int) int64 { return choose(21+d, 13) * choose(13, 6) }

// choose is n choose k.
func choose(n, k int) int64 { return int64(rank.Choose(n, k)) }
