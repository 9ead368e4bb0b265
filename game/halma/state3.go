// Code generated from state1.go by go test -run Generated -generate; DO NOT EDIT.

package halma

import (
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// kernel3 is a game's geometry as data for sets of three words. It is immutable.
type kernel3 struct {
	game *Game
	// row, right and left are the shifts of one step along a row and down to the
	// right and left.
	row, right, left uint
	inOrder          bool // bits ascend with cell numbers
	open             bool // a turn may end anywhere
	illegal          bool // some positions may not be moved into
	all              set3
	cellOf           cellTable
	class            [4]set3
	classOf          [128]uint8
	bit              [128]set3 // a cell as a set
	cell             [128]cell3
	// decides[seat][cell] is the seat that may have won when seat moves a piece to
	// cell, or −1.
	decides [maxSeats][128]int8
	// decisive[seat] are the cells where decides[seat] names a seat.
	decisive [maxSeats]set3
	home     [maxSeats]set3
	// land[seat][d] holds the cells where a hop in direction d may land. It keeps
	// shifts from wrapping round the board, and single hops within the rules
	// where chains must obey them hole by hole.
	land [maxSeats][Dirs]set3
	// next[d] holds the cells that a step in direction d leads to.
	next [Dirs]set3
	// step[seat][cell] are the cells one step away where the turn may end.
	step [maxSeats][128]set3
	// end[seat][cell] are the cells where a chain of hops from cell may end.
	end [maxSeats][128]set3
}

// cell3 is a cell as a set in both forms.
type cell3 struct {
	bit    set3
	packed bitboard.Set128
}

func newKernel3(g *Game) *kernel3 {
	b := g.board
	k := &kernel3{game: g, inOrder: b.inOrder, illegal: g.rules.Illegal != NoIllegal, open: true}
	k.row, k.right, k.left = uint(b.fit.Shift[Right]), uint(b.fit.Shift[DownRight]), uint(b.fit.Shift[DownLeft])
	for i := range b.Cells() {
		k.bit[i] = newSet3(b.fit.Bit[i])
		k.cell[i] = cell3{k.bit[i], bitboard.Cell128(i)}
		k.cellOf[b.fit.Bit[i]] = uint8(i)
		k.all = k.all.or(k.bit[i])
		k.classOf[i] = uint8(b.hopClass(i))
		k.class[k.classOf[i]] = k.class[k.classOf[i]].or(k.bit[i])
	}
	for s := range g.seats {
		k.home[s] = k.padded(g.home[s])
		k.decides[s] = g.goalOf
		for i, w := range g.goalOf {
			if g.rules.Win == AllHome && int(w) != s {
				k.decides[s][i] = -1
			}
			if k.decides[s][i] >= 0 {
				k.decisive[s] = k.decisive[s].or(k.bit[i])
			}
		}
		for i := range b.Cells() {
			end := k.padded(g.mayEnd[s][i])
			k.open = k.open && end == k.all
			k.end[s][i] = end.and(k.class[k.classOf[i]])
			for d := range Dir(Dirs) {
				over := b.Next(i, d)
				if over < 0 {
					continue
				}
				k.next[d] = k.next[d].or(k.bit[over])
				if g.mayEnd[s][i].Has(over) {
					k.step[s][i] = k.step[s][i].or(k.bit[over])
				}
				if to := b.Next(over, d); to >= 0 && (!g.rules.NoTransit || g.mayEnd[s][i].Has(to)) {
					k.land[s][d] = k.land[s][d].or(k.bit[to])
				}
			}
		}
	}
	return k
}

// padded converts a set of cells to the embedding.
func (k *kernel3) padded(cells bitboard.Set128) (s set3) {
	for ; !cells.IsEmpty(); cells = cells.DropMin() {
		s = s.or(k.bit[cells.Min()])
	}
	return s
}

// newState returns a state at a position.
func (k *kernel3) newState(p *position) game.State {
	s := &state3{common: newCommon(k.game, p), k: k}
	for seat := range k.game.seats {
		s.own[seat] = k.padded(p.own[seat])
		s.occ = s.occ.or(s.own[seat])
	}
	return s
}

// hops3 holds, for one position and seat, the empty cells where a hop in each
// direction lands if a piece jumps off two cells before.
type hops3 struct {
	left, right, upLeft, upRight, downLeft, downRight set3
	row2, right2, left2                               uint // shifts of one hop
}

// hops finds where a seat's hops land: an empty cell behind an occupied one. It
// serves all pieces of the seat at once, and the origin of a turn needs no
// lifting off the board: a chain stays in its class of cells and so never comes
// to hop over its own origin, and it gains nothing by landing there.
func (k *kernel3) hops(h *hops3, seat uint, occ set3) {
	free := k.all.andNot(occ)
	land := &k.land[seat]
	h.left = occ.down(k.row).and(free).and(land[Left])
	h.right = occ.up(k.row).and(free).and(land[Right])
	h.upLeft = occ.down(k.right).and(free).and(land[UpLeft])
	h.upRight = occ.down(k.left).and(free).and(land[UpRight])
	h.downLeft = occ.up(k.left).and(free).and(land[DownLeft])
	h.downRight = occ.up(k.right).and(free).and(land[DownRight])
	h.row2, h.right2, h.left2 = 2*k.row, 2*k.right, 2*k.left
}

// starts returns the cells from which a piece could hop at once.
func (h *hops3) starts() set3 {
	row := h.right.down(h.row2).or(h.left.up(h.row2))
	right := h.downRight.down(h.right2).or(h.upLeft.up(h.right2))
	left := h.downLeft.down(h.left2).or(h.upRight.up(h.left2))
	return row.or(right).or(left)
}

// flood adds to the cells of from all that chains of hops reach from them.
func (h *hops3) flood(from set3) set3 {
	for {
		r := from
		r = r.or(from.up(h.row2).and(h.right)).or(from.down(h.row2).and(h.left))
		t := r
		r = r.or(t.up(h.right2).and(h.downRight)).or(t.down(h.right2).and(h.upLeft))
		t = r
		r = r.or(t.up(h.left2).and(h.downLeft)).or(t.down(h.left2).and(h.upRight))
		if r == from {
			return r
		}
		from = r
	}
}

// origins3 lists a seat's pieces with what their chains of hops reach. Chains
// never leave their class of cells, so pieces of different classes are flooded
// together: round i holds the i-th piece of each class that can hop at all.
type origins3 struct {
	h     hops3
	n     int
	runs  int                 // number of rounds
	cell  [maxPieces]uint8    // ascending
	round [maxPieces]uint8    // idle for a piece that cannot hop
	reach [maxPieces + 1]set3 // by round; at idle nothing but pieces
}

// find fills o for the pieces of a seat.
func (k *kernel3) find(o *origins3, seat uint, pieces bitboard.Set128, occ set3) {
	k.hops(&o.h, seat, occ)
	starts := o.h.starts()
	var count [4]uint8
	o.reach = [maxPieces + 1]set3{}
	n, runs := 0, uint8(0)
	word, base := pieces.Lo, uint8(0)
	for {
		for ; word != 0; word &= word - 1 {
			cell := (base + uint8(bits.TrailingZeros64(word))) & 127
			bit := k.bit[cell]
			class := k.classOf[cell] & 3
			one := uint8(1)
			if starts.and(bit).isEmpty() {
				one = 0
			}
			i := count[class]
			count[class] = i + one
			runs = max(runs, i+one)
			if one == 0 {
				i = idle
			}
			o.reach[i] = o.reach[i].or(bit)
			o.cell[n], o.round[n] = cell, i
			n++
		}
		if base != 0 {
			break
		}
		word, base = pieces.Hi, 64
	}
	o.n, o.runs = n, int(runs)
	for i := range o.runs {
		o.reach[i] = o.h.flood(o.reach[i])
	}
}

// ends returns where the turns of piece i of o end, legal moves all but for the
// rules on illegal positions.
func (k *kernel3) ends(o *origins3, i int, seat uint, occ set3) (cell uint8, to set3) {
	cell = o.cell[i] & 127
	hop := o.reach[o.round[i]].and(k.end[seat][cell])
	return cell, k.step[seat][cell].or(hop).andNot(occ)
}

// countOpen counts a seat's moves where a turn may end anywhere: steps by
// direction, and chains by what rounds of pieces reach, whoever reaches it.
func (k *kernel3) countOpen(seat uint, own, occ set3) int {
	free, next := k.all.andNot(occ), &k.next
	n := own.down(k.row).and(free).and(next[Left]).count() +
		own.up(k.row).and(free).and(next[Right]).count() +
		own.down(k.right).and(free).and(next[UpLeft]).count() +
		own.down(k.left).and(free).and(next[UpRight]).count() +
		own.up(k.left).and(free).and(next[DownLeft]).count() +
		own.up(k.right).and(free).and(next[DownRight]).count()
	var h hops3
	k.hops(&h, seat, occ)
	for left := h.starts().and(own); !left.isEmpty(); {
		round := left.and(k.class[0]).first().or(left.and(k.class[1]).first()).
			or(left.and(k.class[2]).first()).or(left.and(k.class[3]).first())
		left = left.andNot(round)
		n += h.flood(round).andNot(occ).count()
	}
	return n
}

// state3 is a position in play on a board of three words.
type state3 struct {
	common
	k   *kernel3
	own [maxSeats]set3
	occ set3
	o   origins3 // scratch of the move generator
}

func (s *state3) Moves(buf []game.Move) []game.Move {
	if s.won >= 0 {
		return buf
	}
	start := len(buf)
	k, seat := s.k, uint(s.seat)
	o := &s.o
	k.find(o, seat, s.packed[seat], s.occ)
	check := k.illegal && s.risky(int(seat))
	for i := range o.n {
		from, to := k.ends(o, i, seat, s.occ)
		if check {
			to = s.dropIllegal(seat, from, to)
		}
		if to.isEmpty() {
			continue
		}
		buf = slices.Grow(buf, to.count())
		if first := len(buf); k.inOrder {
			buf = to.appendMoves(buf, game.Move(from), &k.cellOf)
		} else {
			buf = to.appendSorted(buf, first, game.Move(from), &k.cellOf)
		}
	}
	if len(buf) == start && s.othersMove() {
		buf = append(buf, game.Pass)
	}
	return buf
}

// CountMoves counts what Moves lists.
func (s *state3) CountMoves() int {
	if s.won >= 0 {
		return 0
	}
	n := s.count(uint(s.seat))
	if n == 0 && s.othersMove() {
		return 1
	}
	return n
}

// count counts the moves that seat would have if it were to move.
func (s *state3) count(seat uint) int {
	k := s.k
	if k.open && !(k.illegal && s.risky(int(seat))) {
		return k.countOpen(seat, s.own[seat], s.occ)
	}
	o := &s.o
	k.find(o, seat, s.packed[seat], s.occ)
	n := 0
	check := k.illegal && s.risky(int(seat))
	for i := range o.n {
		from, to := k.ends(o, i, seat, s.occ)
		if check {
			to = s.dropIllegal(seat, from, to)
		}
		n += to.count()
	}
	return n
}

// dropIllegal removes the ends that would make an illegal position. Without a
// camp blocked already, only turns that end in the mover's home or leave an apex
// can do so.
func (s *state3) dropIllegal(seat uint, from uint8, to set3) set3 {
	suspect := to
	if !s.atBlockade(int(from)) {
		suspect = to.and(s.k.home[seat])
	}
	if suspect.isEmpty() {
		return to
	}
	for c := suspect.cells(&s.k.cellOf); !c.IsEmpty(); c = c.DropMin() {
		if s.illegalAfter(int(seat), int(from), c.Min()) {
			to = to.andNot(s.k.bit[c.Min()])
		}
	}
	return to
}

// canMove reports whether a seat has a legal move, were it to move. Most
// positions show a free step at once.
func (s *state3) canMove(seat uint) bool {
	k := s.k
	taken := s.occ
	if k.illegal {
		taken = taken.or(k.home[seat])
	}
	if !k.illegal || !s.atBlockade(-1) {
		for own := s.packed[seat]; !own.IsEmpty(); own = own.DropMin() {
			if !k.step[seat][own.Min()&127].andNot(taken).isEmpty() {
				return true
			}
		}
	}
	return s.count(seat) > 0
}

// othersMove reports whether any seat but the one to move has a legal move.
func (s *state3) othersMove() bool {
	for seat := range s.g.seats {
		if seat != int(s.seat) && s.canMove(uint(seat)) {
			return true
		}
	}
	return false
}

func (s *state3) Result() game.Result {
	if s.won >= 0 {
		return game.Result(s.won)
	}
	if s.canMove(uint(s.seat)) || s.othersMove() {
		return game.Ongoing
	}
	return game.Drawn
}

func (s *state3) Make(m game.Move) {
	seat := uint(s.seat)
	s.history = append(s.history, m)
	next := seat + 1
	if next == s.seats {
		next = 0
	}
	s.seat = int8(next)
	if m == game.Pass {
		return
	}
	s.move(m, seat)
	if w := s.k.decides[seat][m>>7&127]; w >= 0 {
		s.won = s.decide(int(seat), int(w))
	}
}

func (s *state3) Unmake() {
	last := len(s.history) - 1
	m := s.history[last]
	s.history = s.history[:last]
	if s.synced > last {
		s.unsync(m)
	}
	seat := uint(s.seat) - 1
	if s.seat == 0 {
		seat = s.seats - 1
	}
	s.seat = int8(seat)
	if m == game.Pass {
		return
	}
	s.move(m, seat)
	s.won = -1
}

// move moves a piece of a seat, or takes the move back: the sets change by
// exclusive or.
func (s *state3) move(m game.Move, seat uint) {
	a, b := &s.k.cell[m&127], &s.k.cell[m>>7&127]
	x := a.bit.xor(b.bit)
	s.own[seat] = s.own[seat].xor(x)
	s.occ = s.occ.xor(x)
	p := &s.packed[seat]
	p.Lo ^= a.packed.Lo ^ b.packed.Lo
	p.Hi ^= a.packed.Hi ^ b.packed.Hi
}

// MakeAll makes and takes back every sequence of depth turns within the
// generator, without lists of moves, and returns how many there are.
func (s *state3) MakeAll(depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	if s.won >= 0 {
		return 0
	}
	if depth == 1 {
		return s.makeAll(&s.o, depth)
	}
	var o origins3
	return s.makeAll(&o, depth)
}

// makeAll is MakeAll for at least one turn of a game that is not won, with
// scratch that no turn after it uses.
func (s *state3) makeAll(o *origins3, depth int) (n uint64) {
	k, seat := s.k, uint(s.seat)
	k.find(o, seat, s.packed[seat], s.occ)
	check := k.illegal && s.risky(int(seat))
	next := int8(seat + 1)
	if seat+1 == s.seats {
		next = 0
	}
	own, occ, packed := s.own[seat], s.occ, s.packed[seat]
	passes := true
	for i := range o.n {
		from, ends := k.ends(o, i, seat, occ)
		if check {
			ends = s.dropIllegal(seat, from, ends)
		}
		if ends.isEmpty() {
			continue
		}
		passes = false
		// With the piece lifted, each end is a store of its own that waits for
		// none before it.
		lifted := &k.cell[from]
		s.own[seat], s.occ = own.xor(lifted.bit), occ.xor(lifted.bit)
		s.seat = next
		if depth == 1 {
			n += ends.andNot(k.decisive[seat]).putEach(&s.own[seat], &s.occ)
			ends = ends.and(k.decisive[seat])
		}
		if !ends.isEmpty() {
			s.packed[seat] = packed.Xor(lifted.packed)
			n += s.putAll(seat, ends, depth)
			s.packed[seat] = packed
		}
		s.seat = int8(seat)
		s.own[seat], s.occ = own, occ
	}
	if passes && s.othersMove() {
		s.seat = next
		n = s.MakeAll(depth - 1)
		s.seat = int8(seat)
	}
	return n
}

// putAll is the part of MakeAll for one lifted piece of a seat: it puts the
// piece on each end in turn and plays on.
func (s *state3) putAll(seat uint, ends set3, depth int) (n uint64) {
	k := s.k
	own, occ, packed := s.own[seat], s.occ, s.packed[seat]
	for c := ends.cells(&k.cellOf); !c.IsEmpty(); c = c.DropMin() {
		to := c.Min() & 127
		put := &k.cell[to]
		s.own[seat], s.occ, s.packed[seat] = own.xor(put.bit), occ.xor(put.bit), packed.Xor(put.packed)
		if goal := k.decides[seat][to]; goal >= 0 {
			s.won = s.decide(int(seat), int(goal))
		}
		n += s.MakeAll(depth - 1)
		s.won = -1
	}
	return n
}

// Clone returns a state at the same position without its history.
func (s *state3) Clone() game.State {
	s.sync()
	c := *s
	c.history, c.synced = newHistory(), 0
	return &c
}

// ParseMove reads what MoveString prints and checks that the move is legal.
func (s *state3) ParseMove(text string) (game.Move, error) {
	return s.g.parseMove(text, s)
}
