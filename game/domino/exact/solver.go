package exact

import (
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/domino"
)

// Solver solves deals with both hands known. It belongs to one goroutine, and allocates nothing
// once it has grown.
type Solver struct {
	table [tableSize]entry
	graph *Graph
	value []int8
	Nodes uint64 // positions that alpha-beta has entered since the Solver was made
}

// NewSolver returns a solver.
func NewSolver() *Solver { return &Solver{graph: NewGraph()} }

// Stats returns [domino.ReferenceStats] of the start of the deal, from the merged graph.
func (s *Solver) Stats(d domino.Deal) domino.Stats {
	starter := d.Starter.Without(d.FirstTile())
	s.graph.Build(d.FirstDouble(), starter, d.Second)
	return s.evaluate(starter, d.Second)
}

// evaluate walks the graph of a deal from its ends. The starter has played the first tile.
func (s *Solver) evaluate(starter, second domino.Set) domino.Stats {
	g := s.graph
	low, high := int8(127), int8(-128)
	value := slices.Grow(s.value[:0], g.used)[:g.used]
	s.value = value
	end := uint32(g.moves)
	for i := g.used - 1; i >= 0; i-- {
		n := &g.nodes[i]
		edges := g.edges[n.first:end]
		end = n.first
		var best int8
		switch n.mover {
		case domino.Starter:
			best = -128
			for _, e := range edges {
				best = max(best, value[e])
			}
		case domino.Second:
			best = 127
			for _, e := range edges {
				best = min(best, value[e])
			}
		default:
			own := domino.Set(bitboard.Deposit64(uint64(n.left&starterMask), uint64(starter)))
			other := domino.Set(bitboard.Deposit64(uint64(n.left>>starterTiles), uint64(second)))
			best = int8(other.Pips() - own.Pips())
			low, high = min(low, best), max(high, best)
		}
		value[i] = best
	}
	return domino.Stats{Value: int(value[0]), Leaves: g.all, Blocked: g.stuck, Min: int(low), Max: int(high)}
}

// Value returns the score of perfect play of a deal, for the starter.
func (s *Solver) Value(d domino.Deal) int { return s.PositionValue(d.Start()) }

// PositionValue returns the score of perfect play from a position, for the starter.
func (s *Solver) PositionValue(p domino.Position) int {
	return s.within(p, -maxScore, maxScore)
}

// maxScore is above every score.
const maxScore = domino.MaxScore + 1

// within returns the score of perfect play from p for the starter if the score lies between low and
// high. Otherwise it returns a bound on the score that is ≤ low or ≥ high.
func (s *Solver) within(p domino.Position, low, high int) int {
	if p.Left == domino.None && !p.Over() {
		p = p.Play(domino.NewMove(((p.Hands[0] | p.Hands[1]) & domino.Doubles).Max(), domino.RightEnd))
	}
	if p.Over() {
		return p.Score()
	}
	own, opp := p.Hands[domino.Starter], p.Hands[domino.Second]
	ends := uint32(p.Left)<<3 | uint32(p.Right)
	if p.Mover == domino.Starter {
		return int(s.search(sorted(own), sorted(opp), ends, pips(own, opp), int32(low), int32(high)))
	}
	return -int(s.search(sorted(opp), sorted(own), ends, pips(opp, own), -int32(high), -int32(low)))
}

// pips packs the pips of the mover and the opponent.
func pips(own, opp domino.Set) uint32 { return uint32(own.Pips()) | uint32(opp.Pips())<<16 }

// entry says that the score of a position lies in low…high. That holds for every deal.
type entry struct {
	key       uint64
	low, high int32
}

// tableSize is the number of entries: few, to stay in the nearest caches.
const (
	tableBits = 11
	tableSize = 1 << tableBits
)

// search is fail-soft alpha-beta in negamax form: the score is the opponent's pips left minus the
// mover's. It follows passes and forced moves without a call; positions with a choice go through
// the table. The score is at most the opponent's pips, and at least the negative of the own pips
// left after the heaviest move.
//
// Neither hand is empty. Hands are sorted by weight; ends is one number times 8 plus the other;
// pips is the mover's plus the opponent's times 1<<16.
func (s *Solver) search(own, opp, ends, pips uint32, alpha, beta int32) int32 {
	s.Nodes++
	sign := int32(1)
	var fitA, fitB, moves uint32
	for {
		a, b := ends>>3&7, ends&7
		fitA, fitB = byNumber[a], byNumber[b]
		fit := fitA | fitB
		moves = own & fit
		if moves == 0 {
			if opp&fit == 0 {
				return sign * score(pips)
			}
		} else {
			if moves&(moves-1) != 0 || moves&fitA&fitB != 0 && a != b {
				break
			}
			own &^= moves
			w := byWeight[bits.TrailingZeros32(moves)&31]
			pips -= uint32(w.pips)
			if moves&fitA != 0 {
				ends ^= uint32(w.swap) << 3
			} else {
				ends ^= uint32(w.swap)
			}
			if own == 0 {
				return sign * score(pips)
			}
		}
		own, opp = opp, own
		pips = bits.RotateLeft32(pips, 16)
		alpha, beta = -beta, -alpha
		sign = -sign
	}
	heaviest := byWeight[(31-bits.LeadingZeros32(moves))&31]
	if least := int32(heaviest.pips) - int32(pips&0xffff); least >= beta {
		return sign * least
	}
	if most := int32(pips >> 16); most <= alpha {
		return sign * most
	}
	key := uint64(own) | uint64(opp)<<28 | uint64(byEnds[ends&63])<<56
	e := &s.table[key*0x9e3779b97f4a7c15>>(64-tableBits)]
	if e.key == key {
		if e.low >= beta || e.low == e.high {
			return sign * e.low
		}
		if e.high <= alpha {
			return sign * e.high
		}
		alpha, beta = max(alpha, e.low), min(beta, e.high)
	}
	best := int32(-maxScore)
	bound := alpha
	var list [maxMoves]choice
	for _, c := range list[:order(&list, moves, opp, ends)] {
		w := byWeight[c.place()]
		rest := own &^ (1 << c.place())
		left := bits.RotateLeft32(pips-uint32(w.pips), 16)
		v := score(left)
		if rest != 0 {
			v = s.search(opp, rest, ends^uint32(w.swap)<<c.shift(), left, -beta, -bound)
		}
		if best = max(best, -v); best >= beta {
			break
		}
		bound = max(bound, best)
	}
	if e.key != key { // the search below may have replaced the entry
		*e = entry{key, -maxScore, maxScore}
	}
	if best > alpha {
		e.low = max(e.low, best)
	}
	if best < beta {
		e.high = min(e.high, best)
	}
	return sign * best
}

// choice is a move in search: priority<<16 | shift of the number at its end in ends<<8 | place of
// its tile by weight.
type choice uint32

func (c choice) place() uint32 { return uint32(c) & 31 }
func (c choice) shift() uint32 { return uint32(c) >> 8 & 3 }

// replyWeight weighs a reply left to the opponent against pips played, in the order of moves.
// Without it search enters twice as many positions.
const replyWeight = 11

// order lists the moves of a position, the most promising first.
func order(list *[maxMoves]choice, moves, opp, ends uint32) int {
	n := 0
	a, b := ends>>3&7, ends&7
	for shift := uint32(3); ; shift = 0 {
		fit, other := byNumber[a], byNumber[b]
		for m := moves & fit; m != 0; {
			at := uint32(31-bits.LeadingZeros32(m)) & 31
			m &^= 1 << at
			w := byWeight[at]
			replies := bits.OnesCount32(opp & (byNumber[(a^uint32(w.swap))&7] | other))
			key := 256 + uint32(w.pips) - replyWeight*uint32(replies)
			c := choice(key<<16 | shift<<8 | at)
			i := n % maxMoves // n is below maxMoves: this spares a bounds check
			for ; i > 0 && list[i-1]>>16 < choice(key); i-- {
				list[i] = list[i-1]
			}
			list[i] = c
			n++
		}
		if a == b || shift == 0 {
			return n
		}
		a, b = b, a
	}
}

// score is the mover's score of a position where the deal ends.
func score(pips uint32) int32 { return int32(pips>>16) - int32(pips&0xffff) }

// byEnds gives both orders of two ends the same number, and different ends different numbers.
var byEnds = func() (table [64]uint8) {
	for a := range 8 {
		for b := range 8 {
			table[a<<3|b] = uint8(min(a, b)<<3 | max(a, b))
		}
	}
	return table
}()
