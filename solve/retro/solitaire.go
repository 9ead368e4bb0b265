package retro

import (
	"context"
	"fmt"
	"math/bits"

	"perfectplay/game"
	"perfectplay/rank"
)

// Solitaire is a one-army game played alone: how far every placement is from
// the home camp.
type Solitaire struct {
	// Levels[d] is the number of placements that need exactly d moves from home.
	Levels []uint64
	// Placements is the number of all placements; if the levels add up to less,
	// the rest cannot be reached.
	Placements uint64
	// Shortest is the least number of moves from home to goal, −1 if there is no
	// way.
	Shortest int
}

// SolveSolitaire moves the first army of a game alone, without an opponent,
// under the rules on goal, home and closed cells, by breadth-first search over
// all placements. It takes a bit and while it grows four bytes a placement, and
// refuses more than limit.
func SolveSolitaire(ctx context.Context, t *game.TwoArmy, limit uint64) (*Solitaire, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	sets, err := rank.NewSubsets(t.Cells, t.Pieces)
	if err != nil {
		return nil, err
	}
	if sets.Size() > limit || sets.Size() > 1<<32 {
		return nil, fmt.Errorf("retro: %s: %d placements: more than %d", t.ID, sets.Size(), min(limit, 1<<32))
	}
	p := &solo{t: t, sets: sets}
	goal := p.rank(p.list(t.Goal))
	if len(t.Goal) != t.Pieces {
		return nil, fmt.Errorf("retro: %s: a goal of %d cells for %d pieces", t.ID, len(t.Goal), t.Pieces)
	}
	seen := make([]uint64, (sets.Size()+63)/64)
	s := &Solitaire{Shortest: -1, Placements: rest(t, sets.Size())}
	home := uint32(p.rank(p.list(t.Home)))
	seen[home>>6] |= 1 << (home & 63)
	level := []uint32{home}
	var following []uint32
	for d := 0; len(level) > 0; d++ {
		s.Levels = append(s.Levels, uint64(len(level)))
		following = following[:0]
		for i, r := range level {
			if i&0xfff == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if uint64(r) == goal {
				s.Shortest = d
			}
			p.place(r)
			p.moves(func(to uint64) {
				if seen[to>>6]>>(to&63)&1 == 0 {
					seen[to>>6] |= 1 << (to & 63)
					following = append(following, uint32(to))
				}
			})
		}
		level, following = following, level
	}
	return s, nil
}

// rest returns the number of placements that keep off closed cells.
func rest(t *game.TwoArmy, all uint64) uint64 {
	if len(t.Closed) == 0 {
		return all
	}
	n, err := rank.Binomial(t.Cells-len(t.Closed), t.Pieces)
	if err != nil {
		return all // more than there are of all placements is impossible
	}
	return n
}

// solo is a placement of one army, walked over hole by hole.
type solo struct {
	t     *game.TwoArmy
	sets  *rank.Subsets
	army  []int // cells
	taken [128]bool
	seen  [128]int32
	run   int32
	stack []int
}

// list copies cells.
func (p *solo) list(cells []int) []int { return append([]int(nil), cells...) }

// rank numbers an army.
func (p *solo) rank(cells []int) uint64 {
	x := p.sets.First() // for its type; all bits are replaced
	x.Lo, x.Hi = 0, 0
	for _, c := range cells {
		if c < 64 {
			x.Lo |= 1 << c
		} else {
			x.Hi |= 1 << (c - 64)
		}
	}
	return p.sets.Rank(x)
}

// place puts up the army of a number.
func (p *solo) place(r uint32) {
	for _, c := range p.army {
		p.taken[c] = false
	}
	p.army = p.army[:0]
	x := p.sets.Unrank(uint64(r))
	for lo := x.Lo; lo != 0; lo &= lo - 1 {
		p.army = append(p.army, bits.TrailingZeros64(lo))
	}
	for hi := x.Hi; hi != 0; hi &= hi - 1 {
		p.army = append(p.army, 64+bits.TrailingZeros64(hi))
	}
	for _, c := range p.army {
		p.taken[c] = true
	}
}

// moves calls do with the number of every army that a move leads to.
func (p *solo) moves(do func(to uint64)) {
	for i, from := range p.army {
		p.run++
		p.taken[from] = false
		p.seen[from] = p.run
		for d := range 6 {
			if to := int(p.t.Next[from][d]); to >= 0 && !p.taken[to] {
				p.end(i, from, to, do)
			}
		}
		p.stack = append(p.stack[:0], from)
		for len(p.stack) > 0 {
			at := p.stack[len(p.stack)-1]
			p.stack = p.stack[:len(p.stack)-1]
			for d := range 6 {
				over := p.t.Next[at][d]
				if over < 0 || !p.taken[over] {
					continue
				}
				to := int(p.t.Next[over][d])
				if to < 0 || p.taken[to] || p.seen[to] == p.run || p.t.NoTransit && p.ruled(at, to) {
					continue
				}
				p.seen[to] = p.run
				p.stack = append(p.stack, to)
				p.end(i, from, to, do)
			}
		}
		p.taken[from] = true
	}
}

// end calls do if the i-th piece may end its turn on a cell.
func (p *solo) end(i, from, to int, do func(uint64)) {
	if p.ruled(from, to) {
		return
	}
	p.army[i] = to
	do(p.rank(p.army))
	p.army[i] = from
}

// ruled says whether the rules forbid going from one cell to another.
func (p *solo) ruled(from, to int) bool {
	t := p.t
	if !t.StayInGoal && !t.StayOut && len(t.Closed) == 0 {
		return false
	}
	return t.StayInGoal && in(t.Goal, from) && !in(t.Goal, to) ||
		t.StayOut && !in(t.Home, from) && in(t.Home, to) || in(t.Closed, to)
}
