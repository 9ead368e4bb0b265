package players

import (
	"math/rand/v2"

	"perfectplay/game/domino"
)

// candidates is the alpha-beta player of the study of 2025, who knows only the own hand.
// The opponent's hand is a set of candidates, at first all unseen tiles, and a size:
//
//   - the opponent may play any candidate that fits;
//   - the opponent may pass if the candidates that do not fit are enough for the
//     whole hand, which is then known to be among them (the study says: as long as
//     there are more candidates than tiles in the hand, which would allow passes
//     with a tile that fits);
//   - with as many candidates as tiles the hand is known, and the opponent passes
//     only if none of it fits.
//
// Unseen tiles include the doubles above the one that started the deal, as in the study,
// though nobody can hold them, unless a pass has excluded them: see [View]. The sampling
// player leaves them out.
//
// The study does not give the score of a line that ends with the opponent's hand still
// unknown. Here it is the worst case for the player, as everywhere else in minimax: the
// opponent is left with the lightest candidates. Of the readings tried (lightest, heaviest
// and average ones, all candidates, none) it is the strongest, and comes closest to the
// printed tournaments: about two standard errors below them.
type candidates struct{ table []known }

// known is a position's entry in the table of the search.
type known struct {
	key       situation
	low, high int32
}

// situation is a position as the player sees it: the own hand is that of seat 0, the
// candidates that of seat 1. Either may have started the deal.
type situation struct {
	domino.Position
	size   int8 // tiles in the opponent's hand
	passed bool // the other seat has just passed
}

// newSituation returns the situation of the player to move.
func newSituation(v View) situation {
	return situation{domino.Position{Hands: [2]domino.Set{v.Hand, v.Unseen}, Left: v.Left, Right: v.Right}, int8(v.Opponent), false}
}

// after returns the situation after a move.
func (s situation) after(m domino.Move) situation {
	s.size -= int8(s.Mover)
	s.Position, s.passed = s.Play(m), false
	return s
}

// candidatesBits is the binary logarithm of the table's size.
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

// score is the player's score of a line that ends here.
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

// search returns the score of the best line for both sides by the player's knowledge, if it
// lies between low and high, otherwise a bound on it.
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
	// At best for the opponent, the opponent goes out at once. At best for the player, it
	// is left with its whole hand, all as heavy as the heaviest candidate.
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
