package halma

import (
	"math"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// A lower bound on the turns to win.
//
//  1. A step takes a piece to a neighbouring cell of another class, hops to a cell of its
//     class. So a piece needs at least one turn to a neighbouring cell or a cell of its class, and
//     two to any other.
//  2. A seat that must bring pieces to holes of its goal needs a turn for each.
//  3. A piece needs a second turn if it does not stand next to the goal and no hole of its
//     class is left for it, by the counts of pieces and holes by class.
//  4. A piece of the seat in the goal that makes room costs a turn and saves at most one.

// race holds the tables of the bound and of the heuristics for one game.
type race struct {
	// beside[seat] are the cells next to the seat's goal.
	beside [maxSeats]bitboard.Set128
	// far[seat][cell] is the straight distance to the goal's apex in 64ths of a step.
	far       [maxSeats][128]int32
	outsiders [maxSeats]bool // others can fill holes of the seat's goal
	shared    bool           // a seat may win by another's turn
	// count[seat][cell] is the part of a piece on the cell in the seat's tally; byte s of
	// taken[cell] is 1 if the cell is in the goal of seat s.
	count [maxSeats][128]tally
	taken [128]uint64
	// holes[seat] are the holes of the goal by class.
	holes [maxSeats][4]int
	goal  int // number of holes of a goal
}

// tally counts a seat's pieces. The lowest four bytes count, by class, pieces that are not next to
// the goal. The next bytes count the pieces next to the goal, and the pieces in it (also in their
// class).
type tally uint64

const (
	tallyBeside = 32
	tallyInside = 40
)

func (t tally) class(c int) int { return int(t >> (8 * uint(c) & 63) & 0xff) }
func (t tally) beside() int     { return int(t >> tallyBeside & 0xff) }
func (t tally) inside() int     { return int(t >> tallyInside & 0xff) }

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
			class := tally(1) << (8 * g.classOf[cell])
			switch {
			case g.goal[s].Has(cell):
				r.holes[s][g.classOf[cell]]++
				r.count[s][cell] = class | 1<<tallyInside
				r.taken[cell] = 1 << (8 * s)
			case r.beside[s].Has(cell):
				r.count[s][cell] = 1 << tallyBeside
			default:
				r.count[s][cell] = class
			}
		}
		r.goal = g.goal[s].Count()
		// Others fill holes of the goal, unless none of their turns may end there from outside.
		// Then they can only leave the goal.
		for other := range g.seats {
			for from := range b.Cells() {
				if other != s && !g.goal[s].Has(from) && !g.mayEnd[other][from].And(g.goal[s]).IsEmpty() &&
					!g.closed(other, from) {
					r.outsiders[s] = true
					r.shared = g.rules.Filled
				}
			}
		}
	}
}

// run is a seat's remaining need. need is the number of holes to fill. spare is the number of
// pieces that need a second turn; if spare is negative, −spare more pieces than needed can come in
// one turn.
type run struct{ need, spare int }

func (r run) turns() int { return r.need + max(0, r.spare) }

// run returns a seat's remaining need. ok is false if the need is unknown, since others may fill
// holes of the goal or have filled all.
func (c *common) run(seat int) (r run, ok bool) {
	g, t := c.g, c.tally[seat]
	inside := t.inside()
	r.need = g.race.goal - inside
	if g.rules.Filled {
		if r.need = g.race.goal - int(c.taken>>(8*uint(seat)&63)&0xff); r.need == 0 || g.race.outsiders[seat] {
			return r, false
		}
	}
	// The following pieces come in one turn: of each class, at most as many as its holes that the
	// seat has not filled, and the pieces next to the goal.
	h := &g.race.holes[seat]
	soon := min(h[0], t.class(0)) + min(h[1], t.class(1)) + min(h[2], t.class(2)) + min(h[3], t.class(3)) - inside
	r.spare = r.need - soon - t.beside()
	return r, true
}

// TurnsToWin implements [game.Racer]. If others may fill the goal, too, the bound is 1 as long as
// the seat must make a turn at all.
func (c *common) TurnsToWin(seat int) int {
	if c.won >= 0 {
		if c.won == seat {
			return 0
		}
		return game.NeverWins
	}
	r, ok := c.run(seat)
	switch {
	case ok:
		return r.turns()
	case c.tally[seat].inside() == 0 || c.g.rules.Illegal != NoIllegal:
		return 1
	}
	return 0
}

// mustEnter is for a seat with unknown need. It reports whether the seat must bring a piece into
// its goal with its next turn, if it is to win with that turn and at most turns further turns. The
// reason is that others have taken all holes, and fill none again.
func (c *common) mustEnter(seat, turns int) bool {
	return c.g.rules.Filled && !c.g.race.outsiders[seat] && turns == 0 && c.tally[seat].inside() == 0
}

// maxThreat bounds the hops of a winning turn that counts as a threat.
const maxThreat = 15

// maxHelp bounds the turns of others before a chase.
const maxHelp = 3

// reach says where a turn may end. Each reach includes the reaches before it. A class of cells is
// good if its holes outnumber the seat's pieces of that class.
type reach uint8

const (
	noEnd       reach = iota
	goodHoles         // holes of the goal in good classes
	allHoles          // all holes of the goal
	goodOrClose       // also the cells next to the goal, and all cells of good classes
	anyEnd
)

// within returns the cells where a piece from a cell must end its turn for the seat's bound to
// be at most turns, and as bits the classes that are good with the piece lifted.
func (c *common) within(r run, seat int, from uint8, turns int) (to reach, good uint8) {
	t, h := c.tally[seat], &c.g.race.holes[seat]
	piece := c.g.race.count[seat][from&127]
	for class := range 4 {
		if t.class(class)-piece.class(class) < h[class] {
			good |= 1 << class
		}
	}
	// With the piece lifted.
	r.need += piece.inside()
	if piece.beside() > 0 || good>>(c.g.classOf[from&127]&3)&1 != 0 {
		r.spare++
	}
	// plain is the bound after a turn to a cell that is neither a hole nor good. best is the bound
	// after a turn to a good cell. A hole lowers either bound by one.
	plain, best := r.turns(), run{r.need, r.spare - 1}.turns()
	switch {
	case plain <= turns:
		return anyEnd, good
	case best <= turns:
		return goodOrClose, good
	case plain-1 <= turns:
		return allHoles, good
	case best-1 <= turns:
		return goodHoles, good
	}
	return noEnd, good
}

// Gain is the distance that a move brings its piece nearer to the goal's apex, plus a quarter of
// its remaining distance, in whole steps of 64; of equal moves, a move that ends farther away gains
// up to a step more. So pieces in the rear move first and positions of a race coincide more often,
// which halves the nodes of searches.
func (c *common) Gain(m game.Move) int32 {
	if m == game.Pass {
		return 0
	}
	far := &c.g.race.far[c.seat]
	from, to := far[m&127], far[m>>7&127]
	return (from-to+to/4)&^63 + to/16
}

// Wins implements [game.Finisher].
func (c *common) Wins(m game.Move) bool {
	g, seat := c.g, c.seat
	if m == game.Pass || g.decides[seat][m>>7&127]&moverWins == 0 {
		return false
	}
	after := c.packed[seat].Xor(g.bit[m&127]).Xor(g.bit[m>>7&127])
	occ := after
	for s, own := range c.packed[:g.seats] {
		if s != seat {
			occ = occ.Or(own)
		}
	}
	return g.over[seat].Won(after, occ)
}

// Evaluate compares the summed distances to the goals' apexes: the average of the other seats'
// minus seat's, in 64ths of a step, and a quarter of a step for each hole of the goal taken.
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
