package equilibrium

import (
	"fmt"
	"math"

	"perfectplay/game/domino"
	"perfectplay/rank"
)

// tree is the public tree from a root. Its states are numbered in the order of the walk, each
// before those after it. A state has one number for each tile that may be played, each end that the
// tile fits, and each hand with the tile. Its numbers are ordered by tile, then by end, then by
// hand. The last tile of a seat ends the deal at either end, so hands of one tile have no numbers.
type tree struct {
	rules Rules
	root  State
	skip  []span // by state: the size of its subtree
	hands *tables
}

// span counts states and their numbers.
type span struct{ states, numbers uint32 }

// Counts is the size of a game.
type Counts struct {
	States  int64 `json:"states"`  // public states with a hand to move, passes included
	Numbers int64 `json:"numbers"` // weights of a strategy: hands × moves over all states
	Stored  int64 `json:"stored"`  // numbers of hands with more than one tile
}

func (c *Counts) add(o Counts) {
	c.States += o.States
	c.Numbers += o.Numbers
	c.Stored += o.Stored
}

// Count returns the size of the tree from a state. Above most numbers it stops, and the counts are
// lower bounds.
func (s State) Count(most int64) (c Counts) {
	c.States++
	me := s.Mover & 1
	var buf [mostPlays]domino.Move
	moves := s.plays(buf[:0])
	c.Numbers = int64(len(moves)) * int64(rank.Choose(s.Allowed[me].Len()-1, int(s.Size[me])-1))
	if s.Size[me] > 1 {
		c.Stored = c.Numbers
		for _, m := range moves {
			if c.Numbers < most {
				c.add(s.Play(m).Count(most - c.Numbers))
			}
		}
	}
	if next, ok := s.pass(); ok && !s.Passed && c.Numbers < most {
		c.add(next.Count(most - c.Numbers))
	}
	return c
}

// newTree builds the tree of a root, and adds missing places to the tables.
func newTree(rules Rules, root State, hands *tables) (*tree, error) {
	t := &tree{rules: rules, root: root, hands: hands}
	for seat := range 2 {
		for k := 1; k <= int(root.Size[seat]); k++ {
			for m := k; m <= root.Allowed[seat].Len(); m++ {
				if t.hands[k][m] == nil {
					t.hands[k][m] = newPlaces(m, k)
				}
			}
		}
	}
	total := t.build(root)
	if total > math.MaxUint32 || len(t.skip) > math.MaxUint32 {
		return nil, fmt.Errorf("equilibrium: %d numbers: at most %d are possible", total, math.MaxUint32)
	}
	return t, nil
}

// build counts the subtree of a state and returns the count of its numbers.
func (t *tree) build(s State) (numbers uint64) {
	id := len(t.skip)
	t.skip = append(t.skip, span{})
	if me := s.Mover & 1; s.Size[me] > 1 {
		var buf [mostPlays]domino.Move
		moves := s.plays(buf[:0])
		numbers = uint64(len(moves)) * rank.Choose(s.Allowed[me].Len()-1, int(s.Size[me])-1)
		for _, m := range moves {
			if !t.closed(&s) {
				numbers += t.build(s.Play(m))
			}
		}
	}
	if next, ok := s.pass(); ok && !s.Passed {
		numbers += t.build(next)
	}
	t.skip[id] = span{uint32(len(t.skip) - id), uint32(numbers)}
	return numbers
}

// closed reports whether the values of a state's moves have the closed form of pairsOwn.
func (t *tree) closed(s *State) bool {
	me := s.Mover & 1
	return t.rules == Study && s.Size[me] == 2 && s.Size[me^1] == 1
}
