package halma

import (
	"math"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// A lower bound on the turns to win, and heuristics.
//
// One turn takes a piece one step, which changes its class of cells, or any way
// by hops, which does not. So a piece needs at least one turn to a cell it is
// next to or whose class it shares, and at least two to any other, whatever
// stands on the board. A seat that must bring pieces to holes of its goal needs
// a turn for each, and a second one for those that neither stand next to the
// goal nor find a hole of their class: what the counts of pieces and holes by
// class do not let match.

// race holds what the bound and the heuristics look up, for one game.
type race struct {
	// beside[seat] are the cells outside the seat's goal that are next to it.
	beside [maxSeats]bitboard.Set128
	// far[seat][cell] is the distance to the goal's apex in 64ths of a step, in a
	// straight line.
	far [maxSeats][128]int32
	// outsiders[seat] says that others can fill holes of the seat's goal.
	outsiders [maxSeats]bool
}

func (g *Game) makeRace() {
	b := g.board
	r := &g.race
	for s := range g.seats {
		apex := b.apex[oppositeTip[g.tip[s]]]
		ar, ac := b.Place(apex)
		for cell := range b.Cells() {
			row, col := b.Place(cell)
			// A row is √3/2 steps high, a doubled column half a step wide.
			dr, dc := float64(row-ar)*math.Sqrt(3)/2, float64(col-ac)/2
			r.far[s][cell] = int32(math.Round(64 * math.Hypot(dr, dc)))
			for d := range Dir(Dirs) {
				if n := b.Next(cell, d); n >= 0 && g.goal[s].Has(n) && !g.goal[s].Has(cell) {
					r.beside[s] = r.beside[s].With(cell)
				}
			}
		}
		// Others fill holes of the goal unless no turn of theirs may end there
		// from outside: then only those that leave it matter, and they make room.
		for other := range g.seats {
			for from := range b.Cells() {
				if other != s && !g.goal[s].Has(from) && !g.mayEnd[other][from].And(g.goal[s]).IsEmpty() &&
					!g.closed(other, from) {
					r.outsiders[s] = true
				}
			}
		}
	}
}

// TurnsToWin is a lower bound on the turns of its own that seat needs before it
// can have won. It counts each piece that must come to the goal once, and once
// more those whose class finds no hole. Under the win rule filled it counts the
// holes that only the seat can fill; where others may fill them too, it is 1 as
// long as the seat must make a turn at all.
func (c *common) TurnsToWin(seat int) int {
	g := c.g
	if c.won >= 0 {
		if c.won == seat {
			return 0
		}
		return game.NeverWins
	}
	own, goal := c.packed[seat], g.goal[seat]
	need := 0 // holes the seat must fill
	holes := goal
	switch {
	case g.rules.Win == AllHome:
		holes = goal.AndNot(own)
		need = holes.Count()
	case !g.race.outsiders[seat]:
		for _, others := range c.packed[:g.seats] {
			holes = holes.AndNot(others)
		}
		need = holes.Count()
		if need > 0 && need+own.And(goal).Count() < goal.Count() {
			// Pieces of others at home there may still change which holes are free.
			return need
		}
	}
	if need == 0 || g.rules.Win == Filled && g.race.outsiders[seat] {
		// All holes may get filled by others, or are by pieces that may leave.
		if own.And(goal).IsEmpty() || g.rules.Illegal != NoIllegal {
			return 1
		}
		return 0
	}
	last := &c.raced[seat]
	if last.own != own || last.holes != holes {
		*last = raced{own, holes, need + g.slow(seat, own, holes)}
	}
	return last.turns
}

// raced is the last bound of a seat: the turns of others mostly leave it as it is.
type raced struct {
	own, holes bitboard.Set128
	turns      int
}

// slow is the number of holes of a seat's goal that none of its pieces own reaches
// in one turn, as far as classes of cells tell.
func (g *Game) slow(seat int, own, holes bitboard.Set128) int {
	// Holes that no piece outside the goal reaches in one turn, by classes.
	outside := own.AndNot(g.goal[seat])
	beside := outside.And(g.race.beside[seat]).Count()
	outside = outside.AndNot(g.race.beside[seat])
	slow := -beside
	for _, class := range g.class {
		slow += max(0, holes.And(class).Count()-outside.And(class).Count())
	}
	return max(0, slow)
}

// Gain is how much nearer to the goal's apex a move brings its piece, in 64ths
// of a step.
func (c *common) Gain(m game.Move) int32 {
	if m == game.Pass {
		return 0
	}
	far := &c.g.race.far[c.seat]
	return far[m&127] - far[m>>7&127]
}

// Wins reports whether a move wins at once.
func (c *common) Wins(m game.Move) bool {
	g, seat := c.g, c.seat
	if m == game.Pass || int(g.decides[seat][m>>7&127]) != seat {
		return false
	}
	after := c.packed[seat].Xor(g.bit[m&127]).Xor(g.bit[m>>7&127])
	occ := after
	for s, own := range c.packed[:g.seats] {
		if s != seat {
			occ = occ.Or(own)
		}
	}
	return g.hasWon(seat, after, occ)
}

// Evaluate compares the summed distances to the goals' apexes: how much further
// the other seats have to go on average than seat has, in 64ths of a step, and
// a quarter of a step for each hole of the goal taken.
func (c *common) Evaluate(seat int) int32 {
	g := c.g
	var own, others int32
	for s, pieces := range c.packed[:g.seats] {
		sum := -16 * int32(pieces.And(g.goal[s]).Count())
		far := &g.race.far[s]
		for w := pieces.Lo; w != 0; w &= w - 1 {
			sum += far[bits.TrailingZeros64(w)]
		}
		for w := pieces.Hi; w != 0; w &= w - 1 {
			sum += far[64+bits.TrailingZeros64(w)]
		}
		if s == seat {
			own = sum
		} else {
			others += sum
		}
	}
	return max(-30000, min(30000, others/int32(max(g.seats-1, 1))-own))
}
