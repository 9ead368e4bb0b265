package census

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
	"perfectplay/internal/parts"
	"perfectplay/rank"
)

// ScoreOf is the score counted at place i of Counts.Values.
func ScoreOf(i int) int { return i - domino.MaxScore }

// Summary adds up the games that start with a double, or all games.
type Summary struct {
	Start        string  `json:"start"` // the double that starts, or "all"
	Games        int64   `json:"games"`
	Wins         int64   `json:"starter_wins"`
	Draws        int64   `json:"draws"`
	Losses       int64   `json:"starter_losses"`
	MeanScore    float64 `json:"mean_score"` // mean score for the starter
	Lines        int64   `json:"lines"`
	MeanLines    float64 `json:"mean_lines"`
	MedianLines  int     `json:"median_lines"`
	MostLines    int     `json:"most_lines"`
	Blocked      int64   `json:"blocked_lines"`
	Single       int64   `json:"single_line_games"`
	OneTile      int64   `json:"one_tile_games"` // games that end with the first tile
	OnlyNegative int64   `json:"only_negative_games"`
	OnlyZero     int64   `json:"only_zero_games"`
	OnlyPositive int64   `json:"only_positive_games"`
	Score        int64   `json:"-"` // sum over all games
}

// Summary returns the sums of the counts.
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

// Labelings lists the games of a class as in [Tally.Widest], each once, in ascending order: the
// renamings that make 0|0 the highest double.
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

// Ranking returns the ranks of all hands with games, the strongest first: by mean score,
// then by share of wins, then by rank.
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
		// Sums are multiplied crosswise instead of divided, so that equal means compare as
		// equal.
		return cmp.Or(
			cmp.Compare(y.Score*x.Games, x.Score*y.Games),
			cmp.Compare(y.Wins*x.Games, x.Wins*y.Games),
			cmp.Compare(a, b))
	})
	return list
}

const maxBadHands = 10

type wrongs []string

func (w *wrongs) expect(what string, got, want int64) {
	if got != want {
		*w = append(*w, fmt.Sprintf("%s: %d, want %d", what, got, want))
	}
}

// within adds a sentence to the list if a number is out of range. It reports whether the number is
// in range.
func (w *wrongs) within(what string, got, least, most int64) bool {
	if got < least || got > most {
		*w = append(*w, fmt.Sprintf("%s: %d, want %d to %d", what, got, least, most))
		return false
	}
	return true
}

// mostLines bounds the lines of a game; see packed.
const mostLines = 1 << 18

// checkCounts returns the contradictions in a part's counts without its hands. Without
// contradictions, no sum here or later overflows.
func (t *Tally) checkCounts() []string {
	var wrong wrongs
	most := int64(0)
	for d := range t.ByDouble {
		c := &t.ByDouble[d]
		name := "games that start with " + domino.Double(d).String()
		if !wrong.within(name, c.Games, 0, gamesByDouble(d)) || !wrong.within(name+", kinds of lines", int64(len(c.Leaves)), 0, mostLines+1) {
			continue
		}
		for _, by := range []struct {
			what   string
			counts []int64
		}{{"by value", c.Values[:]}, {"by sign", c.Signs[:]}, {"by lines", c.Leaves}} {
			if slices.ContainsFunc(by.counts, func(n int64) bool { return n < 0 || n > c.Games }) {
				wrong = append(wrong, fmt.Sprintf("%s, %s: a count is not within 0 to %d", name, by.what, c.Games))
			} else {
				wrong.expect(name+", "+by.what, sum(by.counts), c.Games)
			}
		}
		if len(wrong) > 0 {
			return wrong
		}
		s := c.Summary("")
		most = max(most, int64(s.MostLines))
		wrong.within(name+", one tile", c.OneTile, 0, s.Single)
		wrong.within(name+", blocked lines", c.Blocked, 0, s.Lines)
		if len(c.Leaves) > 0 {
			wrong.expect(name+", no line", c.Leaves[0], 0)
		}
	}
	wrong.expect("most lines of a game", t.MostLeaves, most)
	for _, n := range []int64{t.Classes, t.Positions, t.Moves, t.Operations} {
		wrong.within("what was solved", n, 0, math.MaxInt64/parts.Most)
	}
	if wrong.within("examples of deals", int64(len(t.Widest)), min(most, 1), min(most, 1)*maxWidest) {
		g := exact.NewGraph()
		for _, d := range t.Widest {
			if again, _, err := domino.NewDeal(d.Starter, d.Second); err != nil || (again.Starter|again.Second)&^domino.AllTiles != 0 || !d.Starter.Has(0) {
				wrong = append(wrong, fmt.Sprintf("there is no deal %v that 0|0 starts", d))
				continue
			}
			g.Build(0, d.Starter.Without(0), d.Second)
			lines, _ := g.Leaves()
			wrong.expect(fmt.Sprintf("lines of %v", d), int64(lines), most)
		}
	}
	return wrong
}

// checkHands returns the contradictions between a part's hands and its counts.
func (t *Tally) checkHands() []string {
	var wrong wrongs
	all := t.All().Summary("all")
	var roles [2]Role
	for h := range t.Hands {
		for role := range t.Hands[h] {
			r := &t.Hands[h][role]
			if r.Games < 0 || r.Games > secondHands || r.Wins < 0 || r.Draws < 0 || r.Wins > r.Games || r.Draws > r.Games-r.Wins ||
				r.Score < -domino.MaxScore*r.Games || r.Score > domino.MaxScore*r.Games || r.Leaves < r.Games || r.Leaves > mostLines*r.Games || r.Blocked < 0 || r.Blocked > r.Leaves {
				return append(wrong, fmt.Sprintf("figures of hand %v contradict each other", domino.UnrankHand(h)))
			}
			roles[role].Add(*r)
		}
	}
	for i, want := range [2]Role{
		{all.Games, all.Wins, all.Draws, all.Score, all.Lines, all.Blocked},
		{all.Games, all.Losses, all.Draws, -all.Score, all.Lines, all.Blocked},
	} {
		for k, what := range [...]string{"games", "wins", "draws", "score", "lines", "blocked lines"} {
			wrong.expect(what+" by "+[2]string{"starter's", "second"}[i]+" hand", *roles[i].fields()[k], *want.fields()[k])
		}
	}
	return wrong
}

// Check returns the errors in a complete census, by the numbers of games that combinatorics gives.
// It names the first ten bad hands and counts the others.
func (t *Tally) Check() []string {
	wrong := wrongs(t.checkCounts())
	for d := range t.ByDouble {
		c := &t.ByDouble[d]
		name := "games that start with " + domino.Double(d).String()
		wrong.expect(name, c.Games, gamesByDouble(d))
		wrong.expect(name+", one tile", c.OneTile, 1716*choose(15+d, 13))
	}
	wrong.expect("games", t.All().Games, domino.GameCount)
	bad := 0
	for h := range t.Hands {
		hand := domino.UnrankHand(h)
		want := choose(21, 7)
		if hand&domino.Doubles == 0 {
			want -= choose(14, 7) // 14 of the 21 other tiles are no doubles
		}
		if got := t.Hands.Total(h).Games; got != want {
			if bad++; bad <= maxBadHands {
				wrong.expect("games of hand "+hand.String(), got, want)
			}
		}
	}
	if bad > maxBadHands {
		wrong = append(wrong, fmt.Sprintf("games of %d more hands", bad-maxBadHands))
	}
	return append(wrong, t.checkHands()...)
}

func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// gamesByDouble is the number of games that start with d|d: thirteen tiles from all but d|d and the
// 6−d higher doubles, six of them the starter's.
func gamesByDouble(d int) int64 { return choose(21+d, 13) * choose(13, 6) }

func choose(n, k int) int64 { return int64(rank.Choose(n, k)) }
