package match

import "math"

// Standing sums up games from the side of A.
type Standing struct {
	Games int `json:"games"`
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
	// Score is A's share of the points, 0…1: a draw is shared out among the players.
	Score float64 `json:"score"`
	// Expected is the score of equal players: 0.5, or less where A has one seat.
	Expected float64 `json:"expected"`
	// Elo is the difference in Elo that Score stands for, positive where A is
	// better; Low and High are its bounds with 95 % confidence. Nil is infinite.
	Elo  *float64 `json:"elo"`
	Low  *float64 `json:"elo_low"`
	High *float64 `json:"elo_high"`
	// Forfeits counts the games that A and B lost by time or by a fault.
	ForfeitsA int `json:"forfeits_a"`
	ForfeitsB int `json:"forfeits_b"`
}

// confident is the number of standard deviations of 95 % confidence.
const confident = 1.959963984540054

// NewStanding sums up the games of a match in which so many others play against A: 1
// where A and B share the seats, see [Match.Others].
//
// The bounds follow from the variance between pairs of games, which counts what an
// opening gives to either side once: games of a pair are not independent of each
// other. Where all pairs ended alike there is no variance to be seen; then, and
// where there are fewer than two pairs, the bounds are those of Clopper and Pearson
// for as many pairs, one of which could have ended otherwise.
//
// Where A has one seat of n, the odds of a win are taken to be as the strengths of the
// n players are to each other (Luce 1959, for two Bradley and Terry's model, which is
// Elo's): a share s of the points stands for the difference whose odds are
// (n−1)·s : (1−s). A game without a winner gives A its share of a point.
func NewStanding(records []Record, others int) Standing {
	st := Standing{Expected: 1 / float64(1+others)}
	pairs := map[int][]float64{}
	for _, r := range records {
		point := st.Expected
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
		if r.Ending == ByTime || r.Ending == ByFault {
			if r.Winner == SideA {
				st.ForfeitsB++
			} else {
				st.ForfeitsA++
			}
		}
		pairs[r.Pair] = append(pairs[r.Pair], point)
	}
	if st.Games = len(records); st.Games == 0 {
		return st
	}
	st.Score = (float64(st.Won) + float64(st.Drawn)*st.Expected) / float64(st.Games)
	n, squares := 0.0, 0.0
	for _, points := range pairs {
		sum := 0.0
		for _, p := range points {
			sum += p
		}
		d := sum - st.Score*float64(len(points)) // in points
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
	st.Elo, st.Low, st.High = elo(st.Score, others), elo(low, others), elo(high, others)
	return st
}

// elo is the difference in Elo of an expected score against so many others, nil where
// it is infinite.
func elo(score float64, others int) *float64 {
	if score <= 0 || score >= 1 {
		return nil
	}
	d := 400 * math.Log10(score*float64(others)/(1-score))
	return &d
}
