package players

import (
	"math/rand/v2"

	"perfectplay/game/domino"
)

// candidates is the alpha-beta player of the study of 2025, who knows only the own hand. The
// opponent's hand is a size and a set of candidates, at first all unseen tiles, undealt higher
// doubles included:
//
//   - the opponent may play any candidate that fits;
//   - the opponent may pass if the whole hand may be among the candidates that do not fit (the study
//     allows it with more candidates than tiles, even with a tile that fits);
//   - with as many candidates as tiles the hand is known.
//
// The study does not give the score of a line that ends with the opponent's hand unknown. Here
// the opponent is left with the lightest candidates, the worst case for the player. Of the
// readings tried it is the strongest and the closest to the printed tournaments.
type candidates struct{ table []known }

// known is a position's entry in the table of the search.
type known struct {
	key       situation
	low, high int32
}

// situation is a position as the player sees it, with the own hand at seat 0 and the candidates at
// seat
// 1. Either seat may have started the deal.
type situation struct {
	domino.Position
	size   int8 // tiles in the opponent's hand
	passed bool // the other seat has just passed
}

func newSituation(v View) situation {
	return situation{domino.Position{Hands: [2]domino.Set{v.Hand, v.Unseen}, Left: v.Left, Right: v.Right}, int8(v.Opponent), false}
}

func (s situation) after(m domino.Move) situation {
	s.size -= int8(s.Mover)
	s.Position, s.passed = s.Play(m), false
	return s
}

const candidatesBits = 14

// infinite is above every score.
const infinite = 1000

func newCandidates() *candidates { return &candidates{table: make([]known, 1<<candidatesBits)} }

func (c *candidates) Choose(t *Table, moves []domino.Move, _ *rand.Rand) domino.Move {
	root := newSituation(t.view())
	best, bestValue := moves[0], int32(-infinite)
	for _, m := range moves {
		if value := c.search(root.after(m), bestValue, infinite); value > bestValue {
			best, bestValue = m, value
		}
	}
	return best
}

// score is the player's score of a line that ends here: the lightest candidates are left.
func (s *situation) score() int32 {
	sum, left := 0, int(s.size)
	for p := 0; left > 0; p++ {
		n := min(left, (s.Hands[1] & withPips[p]).Len())
		sum += n * p
		left -= n
	}
	return int32(sum - s.Hands[0].Pips())
}

// withPips holds the tiles by their pips.
var withPips = func() (table [13]domino.Set) {
	for t := range domino.Tile(domino.Tiles) {
		table[t.Pips()] = table[t.Pips()].With(t)
	}
	return table
}()

// slot hashes a situation to a place in the table.
func (s *situation) slot() int {
	h := uint64(s.Hands[0]) | uint64(s.Hands[1])<<28 | uint64(s.size)<<56 | uint64(s.Left)<<60
	if s.Mover == 1 {
		h = ^h
	}
	h = (h + uint64(s.Right)*0x632be59bd9b4e019) * 0x9e3779b97f4a7c15
	return int(h >> (64 - candidatesBits))
}

// search returns the score of best play by the player's knowledge if the score lies between low and
// high, else a bound on the score.
func (c *candidates) search(s situation, low, high int32) int32 {
	own, may := s.Hands[0], s.Hands[1]
	if own == 0 || s.size == 0 {
		return s.score()
	}
	if s.Left > s.Right { // ends have no order
		s.Left, s.Right = s.Right, s.Left
	}
	theirs := s.Mover == 1
	playable := s.Playable(s.Mover)
	mayPass := playable == 0
	if theirs && may.Len() > int(s.size) {
		// After a pass the whole hand is among the tiles that do not fit.
		mayPass = (may &^ playable).Len() >= int(s.size)
	}
	if playable == 0 && s.passed {
		return s.score()
	}
	e := &c.table[s.slot()]
	if e.key == s {
		if e.low >= high || e.low == e.high {
			return e.low
		}
		if e.high <= low {
			return e.high
		}
	}
	// At best for the opponent, it plays all its tiles. At best for the player, the opponent is
	// left with its whole hand, all as heavy as the heaviest candidate.
	if least := -int32(own.Pips()); least >= high {
		return least
	}
	if most := int32(int(s.size) * may.Heaviest().Pips()); most <= low {
		return most
	}
	best := int32(infinite)
	if !theirs {
		best = -infinite
	}
	a, b := low, high
	better := func(v int32) (cut bool) {
		if theirs {
			best = min(best, v)
			b = min(b, best)
		} else {
			best = max(best, v)
			a = max(a, best)
		}
		return a >= b
	}
	cut := false
	for rest := playable; rest != 0 && !cut; {
		t := rest.Heaviest()
		rest = rest.Without(t)
		for end, x := range [2]int8{s.Left, s.Right} {
			if !cut && domino.WithNumber(int(x)).Has(t) && (end == 0 || s.Left != s.Right) {
				cut = better(c.search(s.after(domino.NewMove(t, domino.End(end))), a, b))
			}
		}
	}
	if mayPass && !cut {
		next := s
		next.Position = s.Pass()
		if theirs {
			next.Hands[1] &^= playable
		}
		next.passed = true
		if s.passed {
			better(next.score())
		} else {
			better(c.search(next, a, b))
		}
	}
	if e.key != s {
		*e = known{s, -infinite, infinite}
	}
	if best > low {
		e.low = max(e.low, best)
	}
	if best < high {
		e.high = min(e.high, best)
	}
	return best
}
