package players

import (
	"math/rand/v2"

	"perfectplay/game/domino"
)

// candidates is the alpha-beta player of the study of 2025, who knows only the
// own hand. The opponent's hand is a set of candidates, at first all unseen
// tiles, and a size:
//
//   - the opponent may play any candidate that fits;
//   - the opponent may pass where the candidates that do not fit are enough for the
//     whole hand, which is then known to be among them (the study says: as long as
//     there are more candidates than tiles in the hand, which would allow passes
//     with a tile that fits);
//   - with as many candidates as tiles the hand is known, and the opponent passes
//     only where none of it fits.
//
// Unseen tiles include the doubles above the one that started the deal, as in the
// study, though nobody can hold them: see [View]. The sampling player leaves them
// out.
//
// The study does not say what a line counts that ends with the opponent's hand
// still unknown. Here it is the worst that the player must fear, as minimax has
// it everywhere else: the opponent is left with the lightest candidates. Of the
// readings that were tried (lightest, heaviest and average ones, all candidates,
// none) it is the strongest, and comes closest to the printed tournaments: about
// two standard errors below them.
type candidates struct{ table []known }

// known is what a line of search found out about a position.
type known struct {
	key       situation
	low, high int32
}

// situation is a position as the player sees it.
type situation struct {
	own, may    domino.Set
	left, right int8
	size        int8 // tiles of the opponent
	theirs      bool // the opponent is to move
	passed      bool // the other one has just passed
}

// candidatesBits is the binary logarithm of the table's size.
const candidatesBits = 14

// infinite is above every score.
const infinite = 1000

func newCandidates() *candidates { return &candidates{table: make([]known, 1<<candidatesBits)} }

func (c *candidates) Choose(t *Table, moves []domino.Move, _ *rand.Rand) domino.Move {
	v := t.View()
	root := situation{own: v.Hand, may: v.Unseen, left: v.Left, right: v.Right, size: int8(v.Opponent)}
	best, bestValue := moves[0], int32(-infinite)
	for _, m := range moves {
		if value := c.search(root.afterOwn(m), bestValue, infinite); value > bestValue {
			best, bestValue = m, value
		}
	}
	return best
}

// afterOwn returns the situation after a move of the player.
func (s situation) afterOwn(m domino.Move) situation {
	s.own = s.own.Without(m.Tile())
	s.put(m)
	s.theirs, s.passed = true, false
	return s
}

// afterTheirs returns the situation after a move of the opponent.
func (s situation) afterTheirs(m domino.Move) situation {
	s.may = s.may.Without(m.Tile())
	s.size--
	s.put(m)
	s.theirs, s.passed = false, false
	return s
}

// put changes the end that a tile is put to.
func (s *situation) put(m domino.Move) {
	if m.End() == domino.LeftEnd {
		s.left = int8(m.Tile().Other(int(s.left)))
	} else {
		s.right = int8(m.Tile().Other(int(s.right)))
	}
}

// score is what a line counts that ends here, for the player.
func (s *situation) score() int32 {
	sum, left := 0, int(s.size)
	for p := 0; left > 0; p++ {
		n := min(left, (s.may & withPips[p]).Len())
		sum += n * p
		left -= n
	}
	return int32(sum - s.own.Pips())
}

// withPips holds the tiles by their pips.
var withPips = func() (table [13]domino.Set) {
	for t := range domino.Tile(domino.Tiles) {
		table[t.Pips()] = table[t.Pips()].With(t)
	}
	return table
}()

// slot mixes a situation to a place in the table.
func (s *situation) slot() int {
	h := uint64(s.own) | uint64(s.may)<<28 | uint64(s.size)<<56 | uint64(s.left)<<60
	if s.theirs {
		h = ^h
	}
	h = (h + uint64(s.right)*0x632be59bd9b4e019) * 0x9e3779b97f4a7c15
	return int(h >> (64 - candidatesBits))
}

// search returns the score of the best line for both sides by the player's
// knowledge, if it lies between low and high, otherwise a bound of it.
func (c *candidates) search(s situation, low, high int32) int32 {
	if s.own == 0 || s.size == 0 {
		return s.score()
	}
	if s.left > s.right { // ends have no order
		s.left, s.right = s.right, s.left
	}
	fits := domino.WithNumber(int(s.left)) | domino.WithNumber(int(s.right))
	hand := s.own
	if s.theirs {
		hand = s.may
	}
	playable := hand & fits
	mayPass := playable == 0
	if s.theirs && s.may.Len() > int(s.size) {
		// A pass says that the whole hand is among the others.
		mayPass = (s.may &^ fits).Len() >= int(s.size)
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
	// The opponent goes out at best for them, and never holds more than so many
	// times the heaviest candidate at best for the player.
	if least := -int32(s.own.Pips()); least >= high {
		return least
	}
	if most := int32(int(s.size) * s.may.Heaviest().Pips()); most <= low {
		return most
	}
	best := int32(infinite)
	if !s.theirs {
		best = -infinite
	}
	a, b := low, high
	better := func(v int32) (cut bool) {
		if s.theirs {
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
		for _, end := range [2]domino.End{domino.LeftEnd, domino.RightEnd} {
			x := s.left
			if end == domino.RightEnd {
				if x = s.right; s.left == s.right {
					break
				}
			}
			if !domino.WithNumber(int(x)).Has(t) || cut {
				continue
			}
			if s.theirs {
				cut = better(c.search(s.afterTheirs(domino.NewMove(t, end)), a, b))
			} else {
				cut = better(c.search(s.afterOwn(domino.NewMove(t, end)), a, b))
			}
		}
	}
	if mayPass && !cut {
		next := s
		next.theirs = !s.theirs
		if s.theirs {
			next.may &^= fits
		}
		if s.passed {
			better(next.score())
		} else {
			next.passed = true
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
