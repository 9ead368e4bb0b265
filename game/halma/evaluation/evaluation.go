package evaluation

import (
	"math"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
)

const maxSeats = 6

// Evaluation evaluates positions of one game. It belongs to one goroutine, and implements
// wing.Evaluator.
type Evaluation struct {
	g     *halma.Game
	seats int
	side  [maxSeats]side
	ways  [128]ways
	solo  *solo // made when first needed
}

// side holds the costs of a seat's pieces.
type side struct {
	cost [128]int32
	far  [128]int32 // steps from a cell to the far corner of the goal
	goal bitboard.Set128
	base int32      // cost of an army in its goal
	hops [128][]hop // hops from a cell that lead forward
	ways *[128]ways
}

type hop struct {
	over, to uint8
	worth    int32
}

// ways are the targets of steps and hops from a cell.
type ways struct {
	near bitboard.Set128
	hops [halma.Dirs]hop
	n    int
}

// shut reports whether a piece of another seat in the goal cannot leave it, by any number of
// turns while all others stand still.
func (v *side) shut(cell int, all bitboard.Set128) bool {
	known := bitboard.Cell128(cell)
	for left := known; !left.IsEmpty(); {
		w := &v.ways[left.Min()&127]
		left = left.DropMin()
		next := w.near.AndNot(all)
		for _, h := range w.hops[:w.n] {
			if all.Has(int(h.over)) && !all.Has(int(h.to)) {
				next = next.With(int(h.to))
			}
		}
		if !next.AndNot(v.goal).IsEmpty() {
			return false
		}
		next = next.AndNot(known)
		known, left = known.Or(next), left.Or(next)
	}
	return true
}

// The weights, in hundredths of a turn (see docs/players.md).
const (
	perStep     = 22.0 // for each step from the goal's corner
	perSquare   = 0.8  // times the squared number of steps from the goal's corner
	perAside    = 8.0  // for each step away from the axis between the camps
	perHop      = 3    // percentage of the worth of each possible hop
	perStraggle = 25   // for each step of the last piece behind the average
	perBlocker  = 40   // for each piece of another seat in the goal
	perPrisoner = 500  // for each piece of another seat that cannot leave the goal
	blockFrom   = 2000 // cost of an army below which perBlocker and perPrisoner begin to count
)

// New returns the evaluation of a game.
func New(g *halma.Game) *Evaluation {
	e := &Evaluation{g: g, seats: g.Seats()}
	b := g.Board()
	place := func(c int) (x, y float64) {
		row, col := b.Place(c)
		return float64(col) / 2, float64(row) * math.Sqrt(3) / 2
	}
	at := b.Lattice().At
	for c := range b.Cells() {
		w := &e.ways[c]
		for d := range halma.Dir(halma.Dirs) {
			if over := b.Next(c, d); over >= 0 {
				w.near = w.near.With(over)
				if to := b.Next(over, d); to >= 0 {
					w.hops[w.n] = hop{over: uint8(over), to: uint8(to)}
					w.n++
				}
			}
		}
	}
	for seat := range e.seats {
		v := &e.side[seat]
		v.ways = &e.ways
		v.goal = g.Goal(seat)
		home, goal := corner(g.Home(seat), v.goal, at), corner(v.goal, g.Home(seat), at)
		hx, hy := place(home)
		gx, gy := place(goal)
		length := math.Hypot(gx-hx, gy-hy)
		for c := range b.Cells() {
			x, y := place(c)
			aside := math.Abs((gx-hx)*(y-hy)-(gy-hy)*(x-hx)) / length
			far := float64(steps(at[c], at[goal]))
			v.far[c] = int32(far)
			v.cost[c] = int32(math.Round(perStep*far + perSquare*far*far + perAside*aside))
		}
		v.base = v.army(v.goal, v.goal)
		for c := range b.Cells() {
			w := &e.ways[c]
			for _, h := range w.hops[:w.n] {
				if h.worth = v.cost[c] - v.cost[h.to]; h.worth > 0 {
					v.hops[c] = append(v.hops[c], h)
				}
			}
		}
	}
	return e
}

func steps(a, b halma.Point) int {
	x, y := a.X-b.X, a.Y-b.Y
	return max(x, -x, y, -y, x+y, -x-y)
}

// corner returns the cell of a camp with the largest sum of distances to the cells of another camp;
// of equal cells the first.
func corner(camp, other bitboard.Set128, at []halma.Point) (best int) {
	most := -1
	for c := range camp.Cells() {
		sum := 0
		for o := range other.Cells() {
			sum += steps(at[c], at[o])
		}
		if sum > most {
			best, most = c, sum
		}
	}
	return best
}

// Costs implements wing.Evaluator.
func (e *Evaluation) Costs(s game.State, dst []int32) {
	a := s.(halma.Position)
	var own [maxSeats]bitboard.Set128
	var all bitboard.Set128
	for seat := range e.seats {
		own[seat] = a.Pieces(seat)
		all = all.Or(own[seat])
	}
	for seat := range e.seats {
		dst[seat] = e.side[seat].army(own[seat], all)
	}
}

// army is the cost of an army among all pieces.
func (v *side) army(own, all bitboard.Set128) int32 {
	cost, far, last, n := -v.base, int32(0), int32(0), int32(0)
	for word, base := own.Lo, 0; ; word, base = own.Hi, 64 {
		for ; word != 0; word &= word - 1 {
			c := (base + bits.TrailingZeros64(word)) & 127
			cost += v.cost[c]
			far += v.far[c]
			last = max(last, v.far[c])
			n++
			for _, h := range v.hops[c] {
				if all.Has(int(h.over)) && !all.Has(int(h.to)) {
					cost -= h.worth * perHop / 100
				}
			}
		}
		if base != 0 {
			break
		}
	}
	if n > 0 {
		cost += max(0, last-far/n) * perStraggle
	}
	if near := blockFrom - cost; near > 0 {
		guests := int32(0)
		for in := all.AndNot(own).And(v.goal); !in.IsEmpty(); in = in.DropMin() {
			if guests += perBlocker; v.shut(in.Min(), all) {
				guests += perPrisoner
			}
		}
		cost += guests * min(near, blockFrom) / blockFrom
	}
	return cost
}

// Gain implements wing.Evaluator.
func (e *Evaluation) Gain(s game.State, m game.Move) int32 {
	if m == game.Pass {
		return 0
	}
	cost := &e.side[s.Seat()].cost
	from, to := halma.Cells(m)
	return cost[from] - cost[to]
}
