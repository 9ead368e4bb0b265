package domino

// The meaning of the game in its plainest form: recursion over lines of play without
// merging. Tests and the census's verification compare the engines below this package with
// it.

// WalkLeaves calls visit for every line of play from p to its end, in the order
// of [Position.Moves], with the final position.
func WalkLeaves(p Position, visit func(leaf Position)) {
	if p.Over() {
		visit(p)
		return
	}
	var buf [2 * HandSize]Move
	moves := p.Moves(buf[:0])
	if len(moves) == 0 {
		WalkLeaves(p.Pass(), visit)
		return
	}
	for _, m := range moves {
		WalkLeaves(p.Play(m), visit)
	}
}

// Stats describes the full tree of a deal: every line of play counts, also if lines meet
// again.
type Stats struct {
	Value   int    // score of perfect play, for the starter
	Leaves  uint64 // lines of play
	Blocked uint64 // those that end with both players stuck
	Min     int    // lowest score of a line
	Max     int    // highest score of a line
}

// Sign tells which signs the scores of all lines of a deal have.
type Sign uint8

// The signs. OnlyZero deals are neither negative nor positive.
const (
	Mixed Sign = iota
	OnlyNegative
	OnlyZero
	OnlyPositive
)

// String returns the sign in words.
func (s Sign) String() string {
	return [...]string{"mixed", "only negative", "only zero", "only positive"}[s&3]
}

// Sign returns the sign by the lowest and the highest score.
func (s Stats) Sign() Sign {
	switch {
	case s.Max < 0:
		return OnlyNegative
	case s.Min > 0:
		return OnlyPositive
	case s.Min == 0 && s.Max == 0:
		return OnlyZero
	}
	return Mixed
}

// ReferenceStats walks the full tree below p.
func ReferenceStats(p Position) Stats {
	s := Stats{Value: AlphaBeta(p, -MaxScore-1, MaxScore+1)}
	WalkLeaves(p, func(leaf Position) {
		score := leaf.Score()
		if s.Leaves == 0 {
			s.Min, s.Max = score, score
		}
		s.Leaves++
		if leaf.Blocked() {
			s.Blocked++
		}
		s.Min, s.Max = min(s.Min, score), max(s.Max, score)
	})
	return s
}

// AlphaBeta returns the score of perfect play from p for the starter if it lies strictly
// between low and high, otherwise a bound on it: minimax with cut-offs and nothing else.
func AlphaBeta(p Position, low, high int) int {
	if p.Over() {
		return p.Score()
	}
	var buf [2 * HandSize]Move
	moves := p.Moves(buf[:0])
	if len(moves) == 0 {
		return AlphaBeta(p.Pass(), low, high)
	}
	for _, m := range moves {
		v := AlphaBeta(p.Play(m), low, high)
		if p.Mover == Starter {
			low = max(low, v)
		} else {
			high = min(high, v)
		}
		if low >= high {
			break
		}
	}
	if p.Mover == Starter {
		return low
	}
	return high
}

// CountOneTile looks at every set of fourteen tiles. It returns the number of those with a
// double, and of these the number in which no other tile shows the number of the highest
// double, so that every deal of them ends with its first tile. With d|d, thirteen other
// tiles come from the 15+d that neither show d nor are a higher double, so there are 15+d
// over 13 for every d. It takes about a tenth of a second.
func CountOneTile() (boards, oneTile int) {
	for s := Set(1<<Dealt - 1); s != 0; s = s.Next() {
		doubles := s & Doubles
		if doubles == 0 {
			continue
		}
		boards++
		first := doubles.Max()
		if s&withNumber[first.Low()] == 1<<first {
			oneTile++
		}
	}
	return boards, oneTile
}
