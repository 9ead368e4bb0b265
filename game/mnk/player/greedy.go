package player

import (
	"math/rand/v2"

	"perfectplay/game/mnk"
)

// greedy looks one stone ahead, as first programs do. The rating of an empty cell adds up,
// over the four directions and both sides, 10ⁿ for the n stones in a row next to it, more
// with open ends. It takes a cell with the highest rating. With a probability of errs it
// takes any cell.
type greedy struct {
	f    *field
	errs float64
	rng  *rand.Rand
}

func (p *greedy) choose(t *turn, s *mnk.Plain) {
	best, top, same := -1, -1, 0
	if p.errs > 0 && p.rng.Float64() < p.errs {
		moves := s.Moves(nil)
		t.propose(int(moves[p.rng.IntN(len(moves))]), "any cell")
		return
	}
	p.f.follow(s)
	for _, c := range p.f.order {
		if p.f.cell[c] != 0 {
			continue
		}
		v := 0
		for _, d := range mnk.Directions() {
			for side := range 2 {
				v += p.row(int(c), d, side)
			}
		}
		if v > top {
			best, top, same = int(c), v, 1
		} else if v == top {
			if same++; top > 0 && p.rng.IntN(same) == 0 {
				best = int(c)
			}
		}
	}
	t.propose(best, "the longest rows")
}

// row is the worth of a cell for one side in one direction.
func (p *greedy) row(c int, d [2]int, side int) int {
	r, q := c/p.f.g.Cols(), c%p.f.g.Cols()
	a, roomA := p.f.run(r, q, d[0], d[1], side)
	b, roomB := p.f.run(r, q, -d[0], -d[1], side)
	open := btoi(roomA > 0) + btoi(roomB > 0)
	if a+b == 0 || a+b+1 < p.f.k && open == 0 {
		return 0
	}
	v := 2 + open // v counts halves
	for range min(a+b, 15) {
		v *= 10
	}
	return v
}

// mixed looks one stone ahead for a share of its moves and searches for the others. At every move
// it completes a line if it can, or else blocks one.
type mixed struct {
	*strongest
	one   *greedy
	hasty float64
}

func (p *mixed) choose(t *turn, s *mnk.Plain) {
	if p.one.rng.Float64() >= p.hasty {
		p.strongest.choose(t, s)
		return
	}
	p.s.f.follow(s)
	if !forced(t, p.s.f, s.Seat()) {
		p.one.choose(t, s)
	}
}
