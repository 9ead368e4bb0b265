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
	g    *mnk.Game
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
	for _, c := range spiral(p.g.Rows(), p.g.Cols()) {
		if s.At(int(c)) != 0 {
			continue
		}
		v := 0
		for _, d := range mnk.Directions() {
			for side := range 2 {
				v += p.row(s, int(c), d, side)
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
func (p *greedy) row(s *mnk.Plain, c int, d [2]int, side int) int {
	stones, open := 0, 0
	for sign := -1; sign <= 1; sign += 2 {
		r, q := c/p.g.Cols()+sign*d[0], c%p.g.Cols()+sign*d[1]
		for ; r >= 0 && r < p.g.Rows() && q >= 0 && q < p.g.Cols(); r, q = r+sign*d[0], q+sign*d[1] {
			at := s.At(r*p.g.Cols() + q)
			if at == 0 {
				open++
			}
			if int(at) != side+1 {
				break
			}
			stones++
		}
	}
	if stones == 0 || stones+1 < p.g.K() && open == 0 {
		return 0
	}
	v := 2 + open // v counts halves
	for range min(stones, 15) {
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
