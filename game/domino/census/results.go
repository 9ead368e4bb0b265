package census

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/rank"
)

// ScoreOf is the score that place i of Counts.Values stands for.
func ScoreOf(i int) int { return i - domino.MaxScore }

// Outcomes counts games by who wins with perfect play.
func (c *Counts) Outcomes() (wins, draws, losses int64) {
	for i, n := range c.Values {
		switch s := ScoreOf(i); {
		case s > 0:
			wins += n
		case s < 0:
			losses += n
		default:
			draws += n
		}
	}
	return wins, draws, losses
}

// MeanScore is the mean score of perfect play, for the starter.
func (c *Counts) MeanScore() float64 {
	var sum float64
	for i, n := range c.Values {
		sum += float64(ScoreOf(i)) * float64(n)
	}
	return sum / float64(c.Games)
}

// Lines is the number of lines of play of all games together.
func (c *Counts) Lines() int64 {
	var sum int64
	for n, games := range c.Leaves {
		sum += int64(n) * games
	}
	return sum
}

// MeanLines is the mean number of lines of play of a game.
func (c *Counts) MeanLines() float64 { return float64(c.Lines()) / float64(c.Games) }

// BlockedShare is the share of all lines that end blocked.
func (c *Counts) BlockedShare() float64 { return float64(c.Blocked) / float64(c.Lines()) }

// MostLines is the largest number of lines that a game has.
func (c *Counts) MostLines() int {
	for n := len(c.Leaves) - 1; n > 0; n-- {
		if c.Leaves[n] != 0 {
			return n
		}
	}
	return 0
}

// Quantile returns the least number of lines that a share of the games, 0…1,
// does not exceed.
func (c *Counts) Quantile(share float64) int {
	want := int64(math.Ceil(share * float64(c.Games)))
	for n, games := range c.Leaves {
		if want -= games; want <= 0 {
			return n
		}
	}
	return c.MostLines()
}

// Total adds both roles of a hand.
func (h *Hands) Total(rank int) Role {
	r := h[rank][domino.Starter]
	r.Add(h[rank][domino.Second])
	return r
}

// ByDoubles adds up the roles of hands by the number of doubles that they hold.
func (h *Hands) ByDoubles() (sums [domino.HandSize + 1][2]Role) {
	for i := range h {
		doubles := (domino.UnrankHand(i) & domino.Doubles).Len()
		for role := range h[i] {
			sums[doubles][role].Add(h[i][role])
		}
	}
	return sums
}

// Labelings lists the games of a class, each once, in ascending order of their
// sets. The class is given as in [Tally.Widest]: 0|0 starts, whatever other
// doubles were dealt. Its games are those renamings of the seven numbers that
// make 0|0 the highest double.
func Labelings(class domino.Deal) []domino.Deal {
	var list []domino.Deal
	var to [domino.Numbers]int
	rename := func(s domino.Set) (image domino.Set) {
		for ; s != 0; s = s.DropMin() {
			t := s.Min()
			image = image.With(domino.NewTile(to[t.Low()], to[t.High()]))
		}
		return image
	}
	var place func(x, free int)
	place = func(x, free int) {
		if x < domino.Numbers {
			for y := range domino.Numbers {
				if free>>y&1 != 0 {
					to[x] = y
					place(x+1, free&^(1<<y))
				}
			}
			return
		}
		d := domino.Deal{Starter: rename(class.Starter), Second: rename(class.Second)}
		if d.FirstDouble() == to[0] {
			list = append(list, d)
		}
	}
	place(0, 1<<domino.Numbers-1)
	slices.SortFunc(list, compareDeals)
	return slices.Compact(list)
}

// WinShare is the share of games that the owner of the hand wins.
func (r Role) WinShare() float64 { return float64(r.Wins) / float64(r.Games) }

// MeanScore is the mean score for the owner of the hand.
func (r Role) MeanScore() float64 { return float64(r.Score) / float64(r.Games) }

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
	var games int64
	for d := range t.ByDouble {
		c := &t.ByDouble[d]
		name := "games that start with " + domino.Double(d).String()
		expect(name, c.Games, GamesByDouble(d))
		expect(name+", one tile", c.OneTile, 1716*choose(15+d, 13))
		sum := int64(0)
		for _, n := range c.Values {
			sum += n
		}
		expect(name+", by value", sum, c.Games)
		sum = 0
		for _, n := range c.Signs {
			sum += n
		}
		expect(name+", by sign", sum, c.Games)
		sum = 0
		for _, n := range c.Leaves {
			sum += n
		}
		expect(name+", by lines", sum, c.Games)
		games += c.Games
	}
	expect("games", games, domino.GameCount)
	all := t.All()
	wins, draws, losses := all.Outcomes()
	var sum [2]Role
	bad := 0
	for h := range t.Hands {
		sum[0].Add(t.Hands[h][0])
		sum[1].Add(t.Hands[h][1])
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
	score := int64(0)
	for i, n := range all.Values {
		score += int64(ScoreOf(i)) * n
	}
	expect("games by starter's hand", sum[0].Games, games)
	expect("games by second hand", sum[1].Games, games)
	expect("wins by starter's hand", sum[0].Wins, wins)
	expect("wins by second hand", sum[1].Wins, losses)
	expect("draws by starter's hand", sum[0].Draws, draws)
	expect("draws by second hand", sum[1].Draws, draws)
	expect("score by starter's hand", sum[0].Score, score)
	expect("score by second hand", sum[1].Score, -score)
	expect("lines by starter's hand", sum[0].Leaves, all.Lines())
	expect("lines by second hand", sum[1].Leaves, all.Lines())
	expect("blocked lines by starter's hand", sum[0].Blocked, all.Blocked)
	expect("blocked lines by second hand", sum[1].Blocked, all.Blocked)
	return wrong
}

// GamesByDouble is the number of distinct games that start with d|d: the other
// thirteen tiles come from all but d|d and the 6−d higher doubles, and six of
// them are the starter's.
func GamesByDouble(d int) int64 { return choose(21+d, 13) * choose(13, 6) }

// choose is n choose k, which fits here.
func choose(n, k int) int64 {
	c, err := rank.Binomial(n, k)
	if err != nil {
		panic(err)
	}
	return int64(c)
}
