package equilibrium

import (
	"fmt"
	"math/big"
	"slices"

	"perfectplay/game/domino"
)

// Plan is a strategy of both seats. It maps the [PlanKey] of an information set to the
// probabilities of the moves that domino.Position.Moves lists. In a set without an entry all moves
// are equally likely.
type Plan map[string][]*big.Rat

// PlanKey is the mover's information as text: the hand, and the tiles and passes after the first
// tile.
func PlanKey(hand domino.Set, past string) string { return hand.String() + ":" + past }

// dealt is a deal in play and the probability that the other seat's moves lead here.
type dealt struct {
	domino.Position
	reach *big.Rat
}

// check computes a best answer to a plan exactly, deal by deal, by the rules of package domino. It
// shares no code with the solvers.
type check struct {
	plan  Plan
	score func(own, other int) int
	me    uint8
	err   error
}

// exact returns the results of a plan against its best answers, in pips a deal for the starter: low
// if the starter plays the plan, high if the second player does.
func (r Rules) exact(root Root, plan Plan) (low, high *big.Rat, err error) {
	var worth [2]*big.Rat
	for me := range uint8(2) {
		c := check{plan: plan, score: r.score, me: me}
		sum, n := new(big.Rat), int64(0)
		for own := range root.State.Allowed[me].Subsets(int(root.State.Size[me])) {
			var list []dealt
			for other := range root.State.Allowed[me^1].Subsets(int(root.State.Size[me^1])) {
				if own&other == 0 {
					p := domino.Position{Left: root.State.Left, Right: root.State.Right, Mover: root.State.Mover}
					p.Hands[me], p.Hands[me^1] = own, other
					list = append(list, dealt{p, big.NewRat(1, 1)})
					n++
				}
			}
			sum.Add(sum, c.best(list, "", false))
		}
		if c.err != nil {
			return nil, nil, c.err
		}
		worth[me] = sum.Quo(sum, big.NewRat(n, 1))
	}
	return worth[1].Neg(worth[1]), worth[0], nil
}

// legal lists the moves of a position. By OpenSpiel's rules the first tile may be any.
func legal(p domino.Position) (list []domino.Move) {
	if p.Left != domino.None {
		return p.Moves(nil)
	}
	for s := p.Hands[p.Mover]; s != 0; s = s.DropMin() {
		list = append(list, domino.NewMove(s.Min(), domino.RightEnd))
	}
	return list
}

// best returns the seat's best result, weighted by reach, over deals that it cannot tell apart.
func (c *check) best(list []dealt, past string, passed bool) *big.Rat {
	sum := new(big.Rat)
	if len(list) == 0 {
		return sum
	}
	if list[0].Mover == c.me {
		moves := legal(list[0].Position)
		if len(moves) == 0 {
			return c.passed(list, past, passed)
		}
		for i, m := range moves {
			if v := c.played(list, m, past); i == 0 || v.Cmp(sum) > 0 {
				sum = v
			}
		}
		return sum
	}
	byMove := map[domino.Move][]dealt{}
	var stuck []dealt
	for _, d := range list {
		moves := legal(d.Position)
		if len(moves) == 0 {
			stuck = append(stuck, d)
			continue
		}
		for i, p := range c.at(d.Position, past, len(moves)) {
			if p.Sign() != 0 {
				byMove[moves[i]] = append(byMove[moves[i]], dealt{d.Position, new(big.Rat).Mul(d.reach, p)})
			}
		}
	}
	for m, list := range byMove {
		sum.Add(sum, c.played(list, m, past))
	}
	return sum.Add(sum, c.passed(stuck, past, passed))
}

// at returns the probabilities of the mover's moves. It refuses negative probabilities, and sums
// other than 1.
func (c *check) at(p domino.Position, past string, moves int) []*big.Rat {
	key := PlanKey(p.Hands[p.Mover], past)
	list, ok := c.plan[key]
	if !ok {
		list = slices.Repeat([]*big.Rat{big.NewRat(1, int64(moves))}, moves)
	}
	sum := new(big.Rat)
	for _, q := range list {
		if q.Sign() < 0 {
			c.err = fmt.Errorf("equilibrium: %s: a probability is %v", key, q)
		}
		sum.Add(sum, q)
	}
	if len(list) != moves || sum.Cmp(big.NewRat(1, 1)) != 0 {
		c.err = fmt.Errorf("equilibrium: %s: %d probabilities of %d moves add up to %v", key, len(list), moves, sum)
		return nil
	}
	return list
}

func (c *check) over(sum *big.Rat, d dealt) {
	score := int64(c.score(d.Hands[c.me].Pips(), d.Hands[c.me^1].Pips()))
	sum.Add(sum, new(big.Rat).Mul(d.reach, big.NewRat(score, 1)))
}

func (c *check) passed(list []dealt, past string, passed bool) *big.Rat {
	sum := new(big.Rat)
	var next []dealt
	for _, d := range list {
		if passed {
			c.over(sum, d)
		} else {
			next = append(next, dealt{d.Pass(), d.reach})
		}
	}
	return sum.Add(sum, c.best(next, past+" pass", true))
}

func (c *check) played(list []dealt, m domino.Move, past string) *big.Rat {
	sum := new(big.Rat)
	var next []dealt
	text := past + " " + list[0].MoveText(m)
	for _, d := range list {
		if after := (dealt{d.Play(m), d.reach}); after.Hands[d.Mover] == 0 {
			c.over(sum, after)
		} else {
			next = append(next, after)
		}
	}
	return sum.Add(sum, c.best(next, text, false))
}
