package prove

import (
	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// lambda64 is one thread's λ-search of the first order: every stone of the winner makes a
// threat, until one makes two.
type lambda64 struct {
	l     *mnk.Lines64
	table []lambdaEntry64 // direct mapped; its length is a power of two
	nodes uint64
	limit uint64 // most nodes of a search; after more its answer has no meaning
}

// lambdaEntry64 is the cached answer of a position with the winner to move.
type lambdaEntry64 struct {
	w, l bitboard.Set64
	zone bitboard.Set64 // zone of the win
	move uint8
	won  bool // false: there is no win
}

// newLambda64 returns a search with a table of at most budget bytes, at least one
// entry.
func newLambda64(l *mnk.Lines64, budget int64) *lambda64 {
	n := 1
	for int64(2*n)*lambdaEntryBytes64 <= budget {
		n *= 2
	}
	return &lambda64{l: l, table: make([]lambdaEntry64, n)}
}

func (s *lambda64) entry(w, l bitboard.Set64) *lambdaEntry64 {
	key := key64(w, l)
	return &s.table[hash64(key[:], 0)&uint64(len(s.table)-1)]
}

// over reports that the budget of nodes is spent.
func (s *lambda64) over() bool { return s.nodes > s.limit }

// wins reports whether the side with stones w, to move, has a λ-win against l; nobody has
// completed a window. zone and move belong to a win, see attack. It gives up after limit
// nodes.
func (s *lambda64) wins(w, l bitboard.Set64, limit uint64) (win bool, zone bitboard.Set64, move int) {
	s.nodes, s.limit = 0, limit
	win, zone, move = s.attack(w, l)
	return win && !s.over(), zone, move
}

// attack looks for a λ-win with the winner to move. The win stands even if cells outside
// zone hold stones of the loser.
func (s *lambda64) attack(w, l bitboard.Set64) (win bool, zone bitboard.Set64, move int) {
	s.nodes++
	var vw, vl analysis64
	free := s.l.Cells.AndNot(w.Or(l))
	vw.analyse(s.l, w, l)
	if t := vw.threats; !t.IsEmpty() {
		vl.analyse(s.l, l, w)
		return true, vl.guard(s.l, t.First(), free, 1, bitboard.Set64{}), t.Min()
	}
	if s.over() || vw.pairs.IsEmpty() {
		return false, bitboard.Set64{}, -1
	}
	if e := s.entry(w, l); e.w == w && e.l == l && !e.w.Or(e.l).IsEmpty() {
		if e.won {
			return true, e.zone, int(e.move)
		}
		return false, bitboard.Set64{}, -1
	}
	vl.analyse(s.l, l, w)
	moves := vw.pairs
	if t := vl.threats; !t.IsEmpty() {
		if moves = moves.And(t); !t.DropMin().IsEmpty() {
			moves = bitboard.Set64{}
		}
	}
	for _, part := range [2]bitboard.Set64{moves.And(vw.doubles), moves.AndNot(vw.doubles)} { // forks first
		for x := part; !x.IsEmpty(); x = x.DropMin() {
			win, zone = s.answered(w.Or(x.First()), l)
			if s.over() {
				return false, bitboard.Set64{}, -1
			}
			if win {
				move = x.Min()
				zone = zone.Or(x.First())
				*s.entry(w, l) = lambdaEntry64{w: w, l: l, zone: zone, move: uint8(move), won: true}
				return true, zone, move
			}
		}
	}
	*s.entry(w, l) = lambdaEntry64{w: w, l: l}
	return false, bitboard.Set64{}, -1
}

// answered reports whether the winner's last stone is a threat whose answer leaves a λ-win,
// with the loser to move.
func (s *lambda64) answered(w, l bitboard.Set64) (win bool, zone bitboard.Set64) {
	s.nodes++
	var vw, vl analysis64
	free := s.l.Cells.AndNot(w.Or(l))
	vl.analyse(s.l, l, w)
	if !vl.threats.IsEmpty() {
		return false, bitboard.Set64{}
	}
	vw.analyse(s.l, w, l)
	t := vw.threats
	if !t.DropMin().IsEmpty() {
		two := t.First()
		t = t.DropMin()
		return true, vl.guard(s.l, two.Or(t.First()), free, 2, bitboard.Set64{})
	}
	win, zone, _ = s.attack(w, l.Or(t))
	return win, vl.guard(s.l, zone.Or(t), free, 2, bitboard.Set64{})
}
