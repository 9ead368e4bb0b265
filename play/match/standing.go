package match

import (
	"fmt"
	"math"
	"strings"
)

// Standing sums up games from the side of A.
type Standing struct {
	Games int `json:"games"`
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
	// Score is A's share of the points, 0…1: players share a draw.
	Score float64 `json:"score"`
	// Expected is the score of equal players: A's share of the seats, over all games.
	Expected float64 `json:"expected"`
	// Elo is the difference in Elo by Score, positive if A is better; Low and High are its
	// bounds with 95 % confidence. Nil is infinite.
	Elo  *float64 `json:"elo"`
	Low  *float64 `json:"elo_low"`
	High *float64 `json:"elo_high"`
	// Forfeits counts the games that A and B lost by time or by a fault.
	ForfeitsA int `json:"forfeits_a"`
	ForfeitsB int `json:"forfeits_b"`
	// Points of a tournament, and games below theory.
	PointsA int `json:"points_a"`
	PointsB int `json:"points_b"`
	BelowA  int `json:"below_a"`
	BelowB  int `json:"below_b"`
	// First are A's games in the seat that begins, Later all others.
	First Score `json:"first"`
	Later Score `json:"later"`
}

// Score counts games.
type Score struct{ Won, Drawn, Lost int }

// String returns the counts as text, for instance +2 =1 -0.
func (s Score) String() string { return fmt.Sprintf("+%d =%d -%d", s.Won, s.Drawn, s.Lost) }

func (s *Score) add(winner string) {
	switch winner {
	case SideA:
		s.Won++
	case SideB:
		s.Lost++
	default:
		s.Drawn++
	}
}

// tally counts points, forfeits and games below theory of a record.
func (st *Standing) tally(r *Record) {
	if r.Ending == ByTime || r.Ending == ByFault {
		if r.Winner == SideA {
			st.ForfeitsB++
		} else {
			st.ForfeitsA++
		}
	}
	st.PointsA, st.PointsB = st.PointsA+r.APoints, st.PointsB+r.BPoints
	switch r.Below {
	case SideA:
		st.BelowA++
	case SideB:
		st.BelowB++
	}
	if strings.HasPrefix(r.Seating, SideA) {
		st.First.add(r.Winner)
	} else {
		st.Later.add(r.Winner)
	}
}

const confident = 1.959963984540054 // standard deviations of 95 % confidence

// NewStanding sums up the games of a match.
//
// The bounds follow from the variance between pairs or rounds, whose games share an opening. If
// there is no variance, or only one pair, the bounds are Clopper and Pearson's bounds for one pair
// that could have ended otherwise.
//
// A seat wins with a probability proportional to its player's strength (Luce 1959; for two seats
// Bradley and Terry's model, which is Elo's). If A has k of n seats and is x times as strong as
// B, the odds that A wins are k·x : (n−k). The difference in Elo predicts the score over all
// games. A drawn game gives A its share of a point.
func NewStanding(records []Record) Standing {
	var st Standing
	pairs := map[string][]float64{}
	seats := shares{}
	for _, r := range records {
		k, n := strings.Count(r.Seating, SideA), len(r.Seating)
		seats[[2]int{k, n}]++
		point := float64(k) / float64(n)
		switch r.Winner {
		case SideA:
			st.Won++
			point = 1
		case SideB:
			st.Lost++
			point = 0
		default:
			st.Drawn++
		}
		st.tally(&r)
		pair := fmt.Sprint(r.Game, " ", r.Rules, " ", r.Pair)
		pairs[pair] = append(pairs[pair], point)
		st.Score += point
	}
	if st.Games = len(records); st.Games == 0 {
		return st
	}
	st.Score /= float64(st.Games)
	st.Expected = seats.score(1)
	n, squares := 0.0, 0.0
	for _, points := range pairs {
		d := 0.0
		for _, p := range points {
			d += p - st.Score
		}
		squares += d * d
		n++
	}
	low, high := 0.0, 1.0
	if n > 1 && squares > 0 {
		off := confident * math.Sqrt(squares*n/(n-1)) / float64(st.Games)
		low, high = st.Score-off, st.Score+off
	} else {
		rare := 1 - math.Pow(0.025, 1/n)
		low, high = st.Score-rare, st.Score+rare
	}
	st.Elo, st.Low, st.High = seats.elo(st.Score), seats.elo(low), seats.elo(high)
	return st
}

// shares counts games by the numbers of A's seats and of all seats.
type shares map[[2]int]int

// score is A's expected score if it is x times as strong as B.
func (c shares) score(x float64) float64 {
	sum, games := 0.0, 0
	for s, count := range c {
		k, others := float64(s[0]), float64(s[1]-s[0])
		sum += float64(count) * k * x / (k*x + others)
		games += count
	}
	return sum / float64(games)
}

// elo is the difference in Elo that predicts a score, nil if infinite.
func (c shares) elo(score float64) *float64 {
	const most = 8000 // with this difference in Elo a score rounds to 0 or 1
	if score <= 0 || score >= 1 {
		return nil
	}
	low, high := -float64(most), float64(most)
	for range 64 {
		if d := (low + high) / 2; c.score(math.Pow(10, d/400)) < score {
			low = d
		} else {
			high = d
		}
	}
	if high = math.Round(high*1e9) / 1e9; high == 0 {
		high = 0 // 0, not -0
	}
	return &high
}
