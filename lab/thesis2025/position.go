package thesis2025

import (
	"math/bits"
	"slices"

	"perfectplay/game/halma"
)

// The fast engines work on a padded board. Holes stand on a parallelogram of places, row by
// row, 1<<rowBits a row, so that every direction is a constant change of place and a step
// off the board lands on a place without a hole. Each place has one byte:
//
//	wall    no hole, or a piece that cannot be hopped over
//	empty   an empty hole
//	stone   a piece that can be hopped over
//
// Only one of the two bits is set, so "a hop leads from here" is a shift and an and,
// without a branch.
const (
	wall  = 0
	empty = 1
	stone = 2

	rowBits = 5
	places  = 1024
	rowStep = 1 << rowBits
)

// directions is the number of directions. The program's order, left, right,
// up-left, up-right, down-left, down-right, is that of [halma.Dir].
const directions = halma.Dirs

// opposite is the seat across the board; its tip is the goal.
var opposite = [7]int{0, 2, 1, 5, 6, 3, 4}

// delta is the change of place in each of the program's directions. Going down
// and to the left is one row down, to the right one more place.
var delta = [directions]int16{-1, 1, -rowStep - 1, -rowStep, rowStep, rowStep + 1}

// place is the number of a place; masked it needs no bounds check.
type place = uint16

const placeMask = places - 1

// maxPieces is the largest number of pieces of a seat.
const maxPieces = 10

// Zones of a hole as a seat sees it.
const (
	zoneMiddle = iota // or a free tip
	zoneHome
	zoneGoal
	zoneClosed // any other tip
)

// grid holds the constants of a search: a board, and the zones of its holes for each seat.
// The engines share it.
type grid struct {
	Config
	board    *halma.Board
	seats    []int // in the order of their turns
	paranoid bool
	at       []place       // place of a hole, in the order of [halma.Board]
	hole     [places]uint8 // hole at a place
	tipAt    [places]uint8 // its tip
	zone     [7][places]uint8
	next     [7]int // seat whose turn follows
	start    position
	// enterable are, by the zone where a hop starts, the zones that it may enter, as bits;
	// restable, by the zone where a turn starts, those where it may end.
	enterable, restable [4]uint8
	// anywhere: no rule keeps a piece from a hole. passes: chains may pass zones where no
	// piece may rest.
	anywhere, passes bool
	filled           bool // a full goal with an own piece in it wins
	// moverWins: as long as pieces move by their own seat's rules, only the seat that moved
	// last can have won.
	moverWins bool
	stones    [7]uint8 // the byte of each seat's pieces
	// stuckBound is the largest number of (piece, empty neighbour) pairs that a single move
	// can take away from another seat: the moved piece fills one hole, and at most
	// stuckBound of its six neighbours hold pieces of the seat.
	stuckBound int
}

// position is the state of a search: the board, the lists of pieces and the counts that
// decide wins.
type position struct {
	cell  [places]uint8
	piece [7][maxPieces]place // by seat; the index in a list identifies a piece
	inTip [7][7]uint8         // pieces of a seat in a tip
	full  [7]uint8            // pieces of all seats in a tip
}

func newGrid(c Config) *grid {
	b, seats, err := c.board()
	if err != nil {
		panic(err) // the caller has validated
	}
	r := c.Rules
	g := &grid{
		Config: c, board: b, seats: seats, paranoid: c.Algorithm == Paranoid, anywhere: !r.TipsClosed && !r.Limits.Any(),
		filled: r.Filled, moverWins: !r.Filled || r.TipsClosed && !r.AbsentTipsOpen && r.StayOut,
		stuckBound: min(directions, c.Pieces),
	}
	for zone := range g.enterable {
		enter, rest := uint8(0xff), uint8(0xff&^(1<<zoneClosed))
		if !r.ClosedTransit {
			enter &^= 1 << zoneClosed
		}
		if r.StayOut && zone != zoneHome {
			rest &^= 1 << zoneHome
			if !r.HomeTransit {
				enter &^= 1 << zoneHome
			}
		}
		if r.StayInGoal && zone == zoneGoal {
			rest = 1 << zoneGoal
			if !r.GoalTransit {
				enter = 1 << zoneGoal
			}
		}
		g.enterable[zone], g.restable[zone] = enter, rest
		g.passes = g.passes || enter != rest
	}
	for seat := range g.stones {
		if g.stones[seat] = stone; seat > 2 && c.own() {
			g.stones[seat] = wall
		}
	}
	p := &g.start
	for h := range b.Cells() {
		// A step down to the left keeps x, a step to the right adds 1.
		row, col := b.Place(h)
		x := (col + row + b.Side()) / 2
		at := place((row+2)*rowStep + x + 2)
		g.at = append(g.at, at)
		g.hole[at], g.tipAt[at] = uint8(h), uint8(b.Tip(h))
		p.cell[at] = empty
		for seat := 1; seat <= 6; seat++ {
			zone := uint8(zoneMiddle)
			switch tip := b.Tip(h); {
			case tip == 0:
			case tip == seat:
				zone = zoneHome
			case tip == opposite[seat]:
				zone = zoneGoal
			case r.TipsClosed && !(r.AbsentTipsOpen && !slices.Contains(seats, tip)):
				zone = zoneClosed
			}
			g.zone[seat][at] = zone
		}
	}
	for i, seat := range g.seats {
		g.next[seat] = g.seats[(i+1)%len(g.seats)]
		k := 0
		for h := range b.Camp(seat).Cells() {
			p.piece[seat][k], p.cell[g.at[h]] = g.at[h], g.stones[seat]
			k++
		}
		p.inTip[seat][seat] = uint8(c.Pieces)
		p.full[seat] = uint8(c.Pieces)
	}
	return g
}

// opening is a move of seat 1 at the start.
type opening struct {
	piece int
	to    place
}

// openings lists the opening moves, in the order of generation under every model.
func (g *grid) openings() []opening {
	var list []opening
	p := g.start
	for piece := range g.Pieces {
		for _, to := range p.generate(g, 1, 1, piece, nil) {
			list = append(list, opening{piece, to})
		}
	}
	return list
}

// move puts a piece of a seat on an empty hole; moving it back undoes it.
func (p *position) move(g *grid, seat, piece int, to place) {
	from := p.piece[seat][piece]
	p.piece[seat][piece] = to
	p.cell[to&placeMask] = p.cell[from&placeMask]
	p.cell[from&placeMask] = empty
	a, b := g.tipAt[from&placeMask], g.tipAt[to&placeMask]
	if a != b {
		p.inTip[seat][a]--
		p.inTip[seat][b]++
		p.full[a]--
		p.full[b]++
	}
}

// won says whether a seat has won: all its pieces are in its goal or, if the rules say so,
// the goal is full and holds at least one of them. If the grid says moverWins, a search
// need only ask about the seat that moved last: nobody had won before (the search would
// have ended), and a move cannot make another seat win, since no other seat's piece enters
// a goal from outside.
func (p *position) won(g *grid, seat int) bool {
	goal := opposite[seat]
	own := int(p.inTip[seat][goal])
	return own == g.Pieces || g.filled && own > 0 && int(p.full[goal]) == g.Pieces
}

// around returns, as bits by direction, the empty neighbours of a place and the
// directions in which a hop leads from it.
func (p *position) around(at place) (steps, hops uint8) {
	c := &p.cell
	l, r := c[(at-1)&placeMask], c[(at+1)&placeMask]
	ul, ur := c[(at-rowStep-1)&placeMask], c[(at-rowStep)&placeMask]
	dl, dr := c[(at+rowStep)&placeMask], c[(at+rowStep+1)&placeMask]
	l2, r2 := c[(at-2)&placeMask], c[(at+2)&placeMask]
	ul2, ur2 := c[(at-2*rowStep-2)&placeMask], c[(at-2*rowStep)&placeMask]
	dl2, dr2 := c[(at+2*rowStep)&placeMask], c[(at+2*rowStep+2)&placeMask]
	steps = l&1 | r&1<<1 | ul&1<<2 | ur&1<<3 | dl&1<<4 | dr&1<<5
	hops = l>>1&l2 | r>>1&r2<<1 | ul>>1&ul2<<2 | ur>>1&ur2<<3 | dl>>1&dl2<<4 | dr>>1&dr2<<5
	return steps, hops
}

// generate appends the destinations of a seat's piece to list, in the program's order, and
// returns it. rules is the seat whose rules on zones apply, the same seat but for a defect
// of the program (see reference.turn).
func (p *position) generate(g *grid, seat, rules, piece int, list []place) []place {
	from := p.piece[seat][piece&15]
	steps, hops := p.around(from)
	if hops == 0 && g.anywhere {
		for s := steps; s != 0; s &= s - 1 {
			list = append(list, from+place(delta[bits.TrailingZeros8(s)]))
		}
		return list
	}
	zone := &g.zone[rules]
	may, rest := g.enterable[zone[from&placeMask]&3], g.restable[zone[from&placeMask]&3]
	first := len(list)
	for s := steps | hops; s != 0; s &= s - 1 {
		d := bits.TrailingZeros8(s)
		to := from + place(delta[d])
		if steps>>d&1 != 0 {
			if rest>>zone[to&placeMask]&1 != 0 {
				list = append(list, to)
			}
		} else if to += place(delta[d]); p.cell[to&placeMask] == empty && may>>zone[to&placeMask]&1 != 0 {
			list = p.hop(g, zone, to, list)
		}
	}
	for _, to := range list[first:] {
		p.cell[to&placeMask] = empty
	}
	if g.passes {
		all := list[first:]
		list = list[:first]
		for _, to := range all {
			if rest>>zone[to&placeMask]&1 != 0 {
				list = append(list, to)
			}
		}
	}
	return list
}

// reached marks a hole as reached by hops while a piece's destinations are listed. Like a
// wall it can neither be entered nor hopped over; as an empty hole it could not be hopped
// over anyway.
const reached = wall

// hop marks and appends an empty hole and all holes that hops reach from it. The caller
// empties the marked holes again.
func (p *position) hop(g *grid, zone *[places]uint8, at place, list []place) []place {
	p.cell[at&placeMask] = reached
	list = append(list, at)
	may := g.enterable[zone[at&placeMask]&3]
	_, hops := p.around(at)
	for ; hops != 0; hops &= hops - 1 {
		to := at + 2*place(delta[bits.TrailingZeros8(hops)])
		if p.cell[to&placeMask] == empty && may>>zone[to&placeMask]&1 != 0 {
			list = p.hop(g, zone, to, list)
		}
	}
	return list
}

// canMove says whether a seat has more than bound (piece, empty neighbour) pairs. If false,
// the seat may still have a move.
func (p *position) canMove(g *grid, seat, bound int) bool {
	n := 0
	for _, at := range p.piece[seat][:g.Pieces] {
		c := &p.cell
		n += int(c[(at-1)&placeMask]&1 + c[(at+1)&placeMask]&1 +
			c[(at-rowStep-1)&placeMask]&1 + c[(at-rowStep)&placeMask]&1 +
			c[(at+rowStep)&placeMask]&1 + c[(at+rowStep+1)&placeMask]&1)
		if n > bound {
			return true
		}
	}
	return false
}

// counter holds the scratch memory of count.
type counter struct {
	stamp uint32
	mark  [places]uint32 // stamp<<6 | component, for holes reached in this count
	size  [64]uint32     // holes of a component
	stack [128]place
}

// count returns the number of a seat's moves if pieces may go anywhere. It equals the
// length of the lists of generate.
//
// By hops a piece reaches the empty holes that hops connect to the end of a first hop.
// Connection is symmetric (a hop from one empty hole to another can be reversed) and the
// same for all pieces of the seat. Only the piece's own hole differs, and it lies on none
// of its paths: returning there is excluded, since the program's search marks it. It is
// never hopped over: holes reached by hops are an even number of steps away along both axes
// of the lattice, and its neighbours are not. So each component is walked once for all
// pieces that reach it. For the same reason a destination of a step is not reached by hops.
func (k *counter) count(p *position, g *grid, seat int) int {
	n := 0
	walked := 0
	if k.stamp++; k.stamp == 1<<26 {
		k.stamp = 1
		clear(k.mark[:])
	}
	for _, at := range p.piece[seat][:g.Pieces] {
		steps, hops := p.around(at)
		n += bits.OnesCount8(steps)
		seen := uint64(0)
		for ; hops != 0; hops &= hops - 1 {
			to := at + 2*place(delta[bits.TrailingZeros8(hops)])
			var component uint32
			if m := k.mark[to&placeMask]; m>>6 == k.stamp {
				component = m & 63
			} else {
				component = uint32(walked)
				k.size[component&63] = k.walk(p, to, k.stamp<<6|component)
				walked++
			}
			if seen>>component&1 == 0 {
				seen |= 1 << component
				n += int(k.size[component&63])
			}
		}
	}
	return n
}

// walk marks the holes connected to one by hops and returns their number.
func (k *counter) walk(p *position, at place, mark uint32) uint32 {
	k.mark[at&placeMask] = mark
	k.stack[0] = at
	n := uint32(1)
	for top := 1; top > 0; {
		top--
		at = k.stack[top&127]
		_, hops := p.around(at)
		for ; hops != 0; hops &= hops - 1 {
			to := at + 2*place(delta[bits.TrailingZeros8(hops)])
			if k.mark[to&placeMask] != mark {
				k.mark[to&placeMask] = mark
				k.stack[top&127] = to
				top++
				n++
			}
		}
	}
	return n
}
