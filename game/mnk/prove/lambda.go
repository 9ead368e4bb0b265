package prove

import (
	"math/bits"
	"sync/atomic"

	"perfectplay/game/mnk"
)

// λ-search (Thomsen, "Lambda-search in game trees — with application to Go",
// ICGA Journal 23/4, 2000) asks whether a side, the winner, can complete a
// window by threats alone. Orders measure how direct the threats are:
//
//   - a λ⁰-win is a stone that completes a window;
//   - a λⁿ-move of the winner is one after which he would have a λ-win of a lower
//     order if the other side, the loser, passed;
//   - a λⁿ-win is a λⁿ-move to which every reply leaves a λⁿ-win.
//
// λ¹-moves lack one stone to complete, so λ¹ is threat-space search in the strict
// sense; λ² adds what threatens a forced win (open threes in Go-Moku), and so
// on. Every win is a λ-win of some order; its order, not its length, makes it
// hard to find.
//
// Only replies that disturb the win after a pass can be any good. Wins come with
// a zone as refutations do (doc.go), with the sides exchanged: the cells outside
// it may all hold the loser's stones. The replies inside it are the relevance
// zone of the literature, but here it is a proof, not a heuristic.

// lambda is one thread's λ-search.
type lambda struct {
	l     *mnk.Lines64
	table []lambdaEntry // a power of two, direct mapped
	nodes uint64
	limit uint64       // of nodes; beyond it answers mean nothing
	stop  *atomic.Bool // ends the search early, if not nil
	yield func()       // see Options
}

// lambdaEntry is what is known about the winner's turn in a position. The cache of
// entries is a thread's own and direct mapped. package table is as fast here
// (7,4,4 by zones: 0.16 s of processor time with either, median of 8), but which
// entries it keeps would shift where the searches of lambdaNodes end, and with
// them the counts of nodes (286,859 for 286,887).
type lambdaEntry struct {
	w, l uint64
	zone uint64 // of the win
	move uint8
	lost uint8 // there is no win of an order below this
	won  uint8 // one more than the order of a win; 0 if none is known
}

// lambdaEntryBytes is the size of an entry.
const lambdaEntryBytes = 32

// maxLambda is the highest order, of which there is no more than fits a byte.
const maxLambda = 60

// newLambda returns a search with a table of at most budget bytes, at least one
// entry.
func newLambda(l *mnk.Lines64, budget int64) *lambda {
	n := 1
	for int64(2*n)*lambdaEntryBytes <= budget {
		n *= 2
	}
	return &lambda{l: l, table: make([]lambdaEntry, n)}
}

func (s *lambda) entry(w, l uint64) *lambdaEntry {
	return &s.table[mix(w, l)&uint64(len(s.table)-1)]
}

// over reports that the budget of nodes is spent or the search is to end.
func (s *lambda) over() bool {
	if s.nodes&1023 == 0 {
		if s.yield != nil {
			s.yield()
		}
		if s.stop != nil && s.stop.Load() {
			s.limit = 0
		}
	}
	return s.nodes > s.limit
}

// wins reports whether the side with stones w, to move, has a λ-win of an order
// up to order against l; nobody has completed a window. zone and move belong to
// a win, see attack. known is false if it took more than limit nodes.
func (s *lambda) wins(w, l uint64, order int, limit uint64) (win bool, zone uint64, move int, known bool) {
	s.nodes, s.limit = 0, limit
	for n := min(1, order); n <= min(order, maxLambda); n++ {
		if win, zone, move = s.attack(w, l, n); win || s.over() {
			break
		}
	}
	return win && !s.over(), zone, move, !s.over()
}

// attack looks for a λ-win of an order up to n with the winner to move. The win
// stands whatever cells outside zone hold stones of the loser.
func (s *lambda) attack(w, l uint64, n int) (win bool, zone uint64, move int) {
	s.nodes++
	var vw, vl analysis
	free := s.l.Cells &^ (w | l)
	vw.analyse(s.l, w, l)
	if t := vw.threats; t != 0 {
		vl.analyse(s.l, l, w)
		return true, vl.guard(s.l, t&-t, free, 1, 0), bits.TrailingZeros64(t)
	}
	if n == 0 || s.over() || n == 1 && vw.pairs == 0 {
		return false, 0, -1
	}
	e := s.entry(w, l)
	if e.w == w && e.l == l && e.w|e.l != 0 {
		if e.won > 0 && int(e.won)-1 <= n {
			return true, e.zone, int(e.move)
		}
		if n < int(e.lost) {
			return false, 0, -1
		}
	}
	if n > 1 {
		if win, zone, move = s.attack(w, l, n-1); win || s.over() {
			return win, zone, move
		}
	}
	vl.analyse(s.l, l, w)
	moves := vw.pairs
	if n > 1 {
		vw.reach(s.l)
		vl.reach(s.l)
		moves = (vw.cells | vl.cells) & free
	}
	if t := vl.threats; t != 0 {
		if moves &= t; t&(t-1) != 0 {
			moves = 0
		}
	}
	// Threats first, and of these the forks.
	for _, part := range [3]uint64{moves & vw.doubles, moves & vw.pairs &^ vw.doubles, moves &^ vw.pairs} {
		for x := part; x != 0; x &= x - 1 {
			win, zone = s.answered(w|x&-x, l, n)
			if s.over() {
				return false, 0, -1
			}
			if win {
				move = bits.TrailingZeros64(x)
				zone |= x & -x
				*s.entry(w, l) = lambdaEntry{w: w, l: l, zone: zone, move: uint8(move), lost: uint8(n), won: uint8(n) + 1}
				return true, zone, move
			}
		}
	}
	*s.entry(w, l) = lambdaEntry{w: w, l: l, lost: uint8(n) + 1}
	return false, 0, -1
}

// answered reports whether the winner's last stone is a λ-move of an order up to
// n that no reply answers, with the loser to move.
func (s *lambda) answered(w, l uint64, n int) (win bool, zone uint64) {
	s.nodes++
	var vw, vl analysis
	free := s.l.Cells &^ (w | l)
	vl.analyse(s.l, l, w)
	if vl.threats != 0 {
		return false, 0
	}
	vw.analyse(s.l, w, l)
	if t := vw.threats; t != 0 {
		if t&(t-1) != 0 {
			two := t & -t
			t &= t - 1
			return true, vl.guard(s.l, two|t&-t, free, 2, 0)
		}
		win, zone, _ = s.attack(w, l|t, n)
		return win, vl.guard(s.l, zone|t, free, 2, 0)
	}
	if n < 2 {
		return false, 0
	}
	// The win after a pass, and which replies may disturb it.
	win, zone, _ = s.attack(w, l, n-1)
	if !win || s.over() {
		return false, 0
	}
	// Replies that take part in threats of the loser, then those that block.
	for must := zone & free; must != 0; {
		y := must & -must
		if first := must & (vw.doubles | vl.doubles); first != 0 {
			y = first & -first
		} else if first := must & (vw.pairs | vl.pairs); first != 0 {
			y = first & -first
		}
		must &^= y
		win, z, _ := s.attack(w, l|y, n)
		if !win || s.over() {
			return false, 0
		}
		zone |= z
		must &= z
	}
	return true, zone
}
