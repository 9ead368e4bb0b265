package domino

// WalkLeaves calls visit with the final position of every line of play from p, in the order of
// [Position.Moves].
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

// Stats describes the full tree of a deal, in which lines that meet again count apart.
type Stats struct {
	Value   int    // score of perfect play, for the starter
	Leaves  uint64 // lines of play
	Blocked uint64 // lines that end with both players stuck
	Min     int    // lowest score of a line
	Max     int    // highest score of a line
}

// Sign is the sign of the scores of all lines of a deal.
type Sign uint8

// The signs.
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

// ReferenceStats walks the full tree below p. Tests and the verification of the census compare the
// engines with it.
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

// AlphaBeta returns the score of perfect play from p for the starter if the score lies strictly
// between low and high, otherwise a bound on the score.
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

// CountOneTile counts the sets of fourteen tiles with a double, and of these the sets whose deals
// all end with the first tile: no other tile shows the number of the highest double. With the
// double d|d there are 15+d over 13, the ways to choose thirteen tiles that neither show d nor are
// higher doubles.
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
