package exact

import (
	"math/bits"
	"slices"

	"perfectplay/game/domino"
)

// Solver solves deals with both hands known. It is a workspace: it allocates
// nothing once it has grown, and belongs to one goroutine.
type Solver struct {
	table [tableSize]entry
	graph  *Graph
	scores Scores
	value  []int8
	// Nodes counts the positions that alpha-beta has entered since the Solver
	// was made.
	Nodes uint64
}

// NewSolver returns a workspace.
func NewSolver() *Solver { return &Solver{graph: NewGraph()} }

// Stats returns what [domino.ReferenceStats] does for the start of the deal,
// from the merged graph.
func (s *Solver) Stats(d domino.Deal) domino.Stats {
	starter := d.Starter.Without(d.FirstTile())
	s.graph.Build(d.FirstDouble(), starter, d.Second)
	s.scores.Set(starter, d.Second)
	return s.evaluate()
}

// evaluate computes the statistics of the graph under the scores.
func (s *Solver) evaluate() domino.Stats {
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
			best = s.scores.Of(Left(n.left))
			low, high = min(low, best), max(high, best)
		}
		value[i] = best
	}
	return domino.Stats{Value: int(value[0]), Leaves: g.all, Blocked: g.stuck, Min: int(low), Max: int(high)}
}

// Value returns the score of perfect play of a deal, for the starter.
func (s *Solver) Value(d domino.Deal) int { return s.PositionValue(d.Opened()) }

// PositionValue returns the score of perfect play from a position, for the
// starter.
func (s *Solver) PositionValue(p domino.Position) int {
	return s.Within(p, -maxScore, maxScore)
}

// maxScore is above every score: seven tiles hold at most 69 pips.
const maxScore = 100

// Within returns the score of perfect play from p for the starter if it lies
// between low and high; otherwise some bound of it that is ≤ low or ≥ high.
func (s *Solver) Within(p domino.Position, low, high int) int {
	if p.Left == domino.None {
		if p.Over() {
			return p.Score()
		}
		if p.Playable(p.Mover) == 0 {
			p = p.Pass()
		}
		p = p.Play(p.Moves(nil)[0])
	}
	own, opp := p.Hands[domino.Starter], p.Hands[domino.Second]
	b := board{own: sorted(own), opp: sorted(opp), a: uint8(p.Left), b: uint8(p.Right),
		ownPips: int32(own.Pips()), oppPips: int32(opp.Pips())}
	if p.Mover == domino.Starter {
		return int(s.search(b, int32(low), int32(high)))
	}
	return -int(s.search(b.turned(), -int32(high), -int32(low)))
}

// board is a position from the mover's side.
type board struct {
	own, opp         uint32
	a, b             uint8
	ownPips, oppPips int32
}

func (b board) turned() board {
	b.own, b.opp = b.opp, b.own
	b.ownPips, b.oppPips = b.oppPips, b.ownPips
	return b
}

// entry is what the table knows about a board: the score lies in low…high.
// Scores belong to the board alone, so entries stay true from deal to deal.
type entry struct {
	key       uint64
	low, high int32
}

// tableSize is the number of entries, a power of 2: small enough to stay in the
// nearest caches, since a deal has a few hundred boards.
const tableSize = 1 << 11

// key identifies a board: its two sets of tiles and both ends in either order.
func (b *board) key() uint64 {
	lo, hi := min(b.a, b.b), max(b.a, b.b)
	return uint64(b.own) | uint64(b.opp)<<28 | uint64(lo)<<56 | uint64(hi)<<59
}

// search is fail-soft alpha-beta in negamax form: the score is what the
// opponent is left with minus what the mover is left with. The mover can reach
// at most oppPips (all own tiles out, the opponent stuck at once) and at least
// -ownPips. Boards with a choice of moves go through the table.
func (s *Solver) search(b board, alpha, beta int32) int32 {
	s.Nodes++
	if b.own == 0 || b.opp == 0 {
		return b.oppPips - b.ownPips
	}
	fitA, fitB := byNumber[b.a&7], byNumber[b.b&7]
	moves := b.own & (fitA | fitB)
	if moves == 0 {
		if b.opp&(fitA|fitB) == 0 {
			return b.oppPips - b.ownPips
		}
		return -s.search(b.turned(), -beta, -alpha)
	}
	if -b.ownPips >= beta {
		return -b.ownPips
	}
	if b.oppPips <= alpha {
		return b.oppPips
	}
	var e *entry
	var key uint64
	if moves&(moves-1) != 0 {
		key = b.key()
		e = &s.table[key*0x9e3779b97f4a7c15>>(64-11)]
		if e.key == key {
			if e.low >= beta || e.low == e.high {
				return e.low
			}
			if e.high <= alpha {
				return e.high
			}
			alpha, beta = max(alpha, e.low), min(beta, e.high)
		}
	}
	best := int32(-maxScore)
	// Places are sorted by weight, so the heaviest tile comes first.
	c := board{own: b.opp, ownPips: b.oppPips}
loop:
	for m := moves; m != 0; {
		place := 31 - bits.LeadingZeros32(m)
		bit := uint32(1) << (place & 31)
		m &^= bit
		w := byWeight[place&31]
		c.opp, c.oppPips = b.own&^bit, b.ownPips-int32(w.pips)
		if fitA&bit != 0 {
			c.a, c.b = b.a^w.swap, b.b
			if v := -s.search(c, -beta, -max(alpha, best)); v > best {
				best = v
				if best >= beta {
					break loop
				}
			}
			if b.a == b.b {
				continue
			}
		}
		if fitB&bit != 0 {
			c.a, c.b = b.a, b.b^w.swap
			if v := -s.search(c, -beta, -max(alpha, best)); v > best {
				best = v
				if best >= beta {
					break loop
				}
			}
		}
	}
	if e != nil {
		if e.key != key {
			*e = entry{key, -maxScore, maxScore}
		}
		if best > alpha {
			e.low = max(e.low, best)
		}
		if best < beta {
			e.high = min(e.high, best)
		}
	}
	return best
}
