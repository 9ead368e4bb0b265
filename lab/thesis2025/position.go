package thesis2025

import (
	"math/bits"
	"slices"

	"perfectplay/game/halma"
)

// The search works on a padded board. Holes stand on a parallelogram of places, 1<<rowBits a row,
// so that every direction is a constant change of place and a step off the board meets a place
// without a hole. The byte of a place has at most one bit set, so that testing for hops takes no
// branch:
//
//	wall    no hole, or a piece that cannot be hopped over
//	empty   an empty hole
//	stone   a piece that can be hopped over
const (
	wall  = 0
	empty = 1
	stone = 2

	rowBits = 5
	places  = 1024
	rowStep = 1 << rowBits
)

// directions is the number of directions. The program's order, left, right, up-left, up-right,
// down-left, down-right, is that of [halma.Dir].
const directions = halma.Dirs

// opposite is the seat across the board; its tip is the goal.
var opposite = [7]int{0, 2, 1, 5, 6, 3, 4}

var delta = [directions]int16{-1, 1, -rowStep - 1, -rowStep, rowStep, rowStep + 1}

// place numbers a place of the padded board. A masked place needs no bounds check as an index.
type place = uint16

const placeMask = places - 1

const maxPieces = 10

// Zones of a hole as a seat sees it.
const (
	zoneMiddle = iota // the middle of the board, or a free tip
	zoneHome
	zoneGoal
	zoneClosed // any other tip
)

// grid holds the constants of a search.
type grid struct {
	Config
	board      *halma.Board
	seats      []int // the seats in the order of their turns
	paranoid   bool
	maxn       bool
	at         []place       // place of a hole, in the order of [halma.Board]
	hole       [places]uint8 // hole at a place
	tipAt      [places]uint8 // tip of the hole at a place
	zone       [7][places]uint8
	inGoal     [7][places]uint8 // by seat: 1 for the places of its goal
	next       [7]int           // by seat: the seat that moves next
	start      position
	enterable  [4]uint8 // by zone: the zones, as bits, that a hop from there may enter
	restable   [4]uint8 // by zone: the zones, as bits, where a turn from there may end
	anywhere   bool     // pieces may enter all holes
	passes     bool     // chains may pass zones where no piece may rest
	filled     bool     // a full goal with an own piece in it wins
	least      int32    // best value of a node before its first child
	moverWins  bool     // only the seat that moved last can have won, if pieces move by their seat's rules
	stones     [7]uint8 // the byte of each seat's pieces
	stuckBound int      // most (piece, empty neighbour) pairs that a move takes from another seat
}

// position is the state of a search: the board, the lists of pieces and the counts that
// decide wins.
type position struct {
	cell  [places]uint8
	piece [7][maxPieces]place // places of a seat's pieces; the index in a list identifies a piece
	home  [7]uint8            // pieces of a seat in its goal
	full  [7]uint8            // pieces of all seats in a tip, if a full goal can win
}

func newGrid(c Config) *grid {
	b, seats, err := c.board()
	if err != nil {
		panic(err) // Validate has refused such a configuration
	}
	r := c.Rules
	g := &grid{
		Config: c, board: b, seats: seats, paranoid: c.Algorithm == Paranoid, maxn: c.Algorithm == MaxN, anywhere: !r.TipsClosed && !r.Limits.Any(),
		filled: r.Filled, moverWins: !r.Filled || r.TipsClosed && !r.AbsentTipsOpen && r.StayOut,
		stuckBound: min(directions, c.Pieces),
	}
	if !g.maxn {
		g.least = open
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
		// x is the column on the padded board: a step down to the left keeps it, a step to the right
		// adds 1.
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
				zone, g.inGoal[seat][at] = zoneGoal, 1
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
		p.full[seat] = uint8(c.Pieces)
	}
	return g
}

type opening struct {
	piece int
	to    place
}

// openings lists the opening moves in the order of generation.
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
	goal := &g.inGoal[seat]
	p.home[seat] += goal[to&placeMask] - goal[from&placeMask]
	if g.filled {
		p.full[g.tipAt[from&placeMask]]--
		p.full[g.tipAt[to&placeMask]]++
	}
}

// won reports whether a seat has won: all its pieces are in its goal or, if the rules say so, the
// goal is full and holds one of them.
func (p *position) won(g *grid, seat int) bool {
	own := int(p.home[seat])
	return own == g.Pieces || g.filled && own > 0 && int(p.full[opposite[seat]]) == g.Pieces
}

// around returns, as bits by direction, the empty neighbours of a place, and the directions of hops
// from it.
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

// generate appends the destinations of a seat's piece to list, in the program's order. rules is the
// seat whose zones count: the same seat, except after a second pass of two players.
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

// reached marks a hole reached by hops while destinations are listed: it cannot be entered again.
const reached = wall

// hop marks and appends an empty hole and all holes that hops reach from it. The caller clears the
// marks.
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

// canMove reports whether a seat has more than bound (piece, empty neighbour) pairs. If not, the
// seat may still have a move by hops.
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

type counter struct {
	stamp uint32
	mark  [places]uint32 // stamp<<6 | component, for holes reached in this count
	size  [64]uint32     // holes of a component
	stack [128]place
}

// countMoves returns the number of a seat's moves if pieces may enter all holes: as many as generate
// lists.
//
// Hops can be reversed, so they divide the empty holes into components, the same for all pieces. A
// piece's own hole lies on none of its paths. generate excludes it, and a hole reached by hops is
// never beside it, because it is an even number of steps away in both axes. So each component is
// walked once for all pieces, and no destination of a step is reached by hops.
func (k *counter) countMoves(p *position, g *grid, seat int) int {
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

// walk marks the component of a hole and returns its size.
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
