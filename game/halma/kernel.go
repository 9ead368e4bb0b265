package halma

import (
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
)

//go:generate go run ../../internal/genkernel 1,2,3 kernel.go

// This file is the move generator for boards of one word. zkernel2.go and
// zkernel3.go are the same text for two and three words, made by
// genkernel, which replaces the names that end in 1. Type parameters
// would do it too, but cost a factor of 2 to 10: each operation on a set became
// a call.

// kernel1 is a game's geometry as data for sets of one word. It is immutable.
type kernel1 struct {
	// row, right and left are the shifts of one step along a row and down to the
	// right and left.
	row, right, left uint
	inOrder          bool // bits ascend with cell numbers
	all              set1
	cellOf           cellTable
	class            [4]set1
	classOf          [128]uint8
	bit              [128]set1 // a cell as a set
	cell             [128]cell1
	// The sets of the same names of [tables] and [Game].
	home, decisive [maxSeats]set1
	goal, close    [maxSeats]set1 // close: with the cells next to the goal
	classes        [16]set1       // unions of classes, by bits
	next           [Dirs]set1
	land           [maxSeats][Dirs]set1
	step           [maxSeats][128]set1
	// end[seat][cell] are the cells where a chain of hops from cell may end.
	end [maxSeats][128]set1
}

// cell1 is a cell as a set in both forms.
type cell1 struct {
	bit    set1
	packed bitboard.Set128
}

func newKernel1(g *Game) *kernel1 {
	fit := &g.board.fit
	k := &kernel1{
		row: uint(fit.Shift[Right]), right: uint(fit.Shift[DownRight]), left: uint(fit.Shift[DownLeft]),
		inOrder: g.board.inOrder, classOf: g.classOf,
	}
	for i, bit := range fit.Bit {
		k.bit[i] = newSet1(bit)
		k.cell[i] = cell1{k.bit[i], bitboard.Cell128(i)}
		k.cellOf[bit] = uint8(i)
		k.all = k.all.or(k.bit[i])
	}
	for i, class := range g.class {
		k.class[i] = k.padded(class)
	}
	for i := range k.classes {
		for class := range k.class {
			if i>>class&1 != 0 {
				k.classes[i] = k.classes[i].or(k.class[class])
			}
		}
	}
	for d, next := range g.next {
		k.next[d] = k.padded(next)
	}
	for s := range g.seats {
		k.home[s], k.decisive[s] = k.padded(g.home[s]), k.padded(g.decisive[s])
		k.goal[s] = k.padded(g.goal[s])
		k.close[s] = k.goal[s].or(k.padded(g.race.beside[s]))
		for d, land := range g.land[s] {
			k.land[s][d] = k.padded(land)
		}
		for i := range fit.Bit {
			k.step[s][i] = k.padded(g.step[s][i])
			k.end[s][i] = k.padded(g.mayEnd[s][i].And(g.class[g.classOf[i]]))
		}
	}
	return k
}

// padded converts a set of cells to the embedding.
func (k *kernel1) padded(cells bitboard.Set128) (s set1) {
	for ; !cells.IsEmpty(); cells = cells.DropMin() {
		s = s.or(k.bit[cells.Min()])
	}
	return s
}

// newState returns a state at a position.
func (k *kernel1) newState(g *Game, p *position) game.State {
	s := &state1{k: k}
	s.self = s
	s.place(g, *p)
	return s
}

// place puts the state at a position from which nothing has been played.
func (s *state1) place(g *Game, p position) {
	s.common.place(g, p)
	s.occ = set1{}
	for seat := range g.seats {
		s.own[seat] = s.k.padded(p.own[seat])
		s.occ = s.occ.or(s.own[seat])
	}
}

// hops1 holds, for one position and seat, the empty cells where a hop in each
// direction lands if a piece jumps off two cells before.
type hops1 struct {
	left, right, upLeft, upRight, downLeft, downRight set1
	row2, right2, left2                               uint // shifts of one hop
}

// hops finds where a seat's hops land: an empty cell behind an occupied one. It
// serves all pieces of the seat at once, and the origin of a turn needs no
// lifting off the board: a chain stays in its class of cells and so never comes
// to hop over its own origin, and it gains nothing by landing there.
func (k *kernel1) hops(h *hops1, seat int, occ set1) {
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
func (h *hops1) starts() set1 {
	row := h.right.down(h.row2).or(h.left.up(h.row2))
	right := h.downRight.down(h.right2).or(h.upLeft.up(h.right2))
	left := h.downLeft.down(h.left2).or(h.upRight.up(h.left2))
	return row.or(right).or(left)
}

// flood adds to the cells of from all that chains of hops reach from them.
func (h *hops1) flood(from set1) set1 {
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

// origins1 lists a seat's pieces with what their chains of hops reach. Chains
// never leave their class of cells, so pieces of different classes are flooded
// together: round i holds the i-th piece of each class that can hop at all.
type origins1 struct {
	h     hops1
	n     int
	runs  int                 // number of rounds
	cell  [maxPieces]uint8    // ascending
	round [maxPieces]uint8    // idle for a piece that cannot hop
	reach [maxPieces + 1]set1 // by round; at idle nothing but pieces
}

// find fills o for the pieces of a seat.
func (k *kernel1) find(o *origins1, seat int, pieces bitboard.Set128, occ set1) {
	k.hops(&o.h, seat, occ)
	starts := o.h.starts()
	var count [4]uint8
	o.reach = [maxPieces + 1]set1{}
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
func (k *kernel1) ends(o *origins1, i int, seat int, occ set1) (cell uint8, to set1) {
	cell = o.cell[i] & 127
	hop := o.reach[o.round[i]].and(k.end[seat][cell])
	return cell, k.step[seat][cell].or(hop).andNot(occ)
}

// countOpen counts a seat's moves where a turn may end anywhere: steps by
// direction, and chains by what rounds of pieces reach, whoever reaches it.
func (k *kernel1) countOpen(seat int, own, occ set1) int {
	free, next := k.all.andNot(occ), &k.next
	n := own.down(k.row).and(free).and(next[Left]).count() +
		own.up(k.row).and(free).and(next[Right]).count() +
		own.down(k.right).and(free).and(next[UpLeft]).count() +
		own.down(k.left).and(free).and(next[UpRight]).count() +
		own.up(k.left).and(free).and(next[DownLeft]).count() +
		own.up(k.right).and(free).and(next[DownRight]).count()
	var h hops1
	k.hops(&h, seat, occ)
	for left := h.starts().and(own); !left.isEmpty(); {
		round := left.and(k.class[0]).first().or(left.and(k.class[1]).first()).
			or(left.and(k.class[2]).first()).or(left.and(k.class[3]).first())
		left = left.andNot(round)
		n += h.flood(round).andNot(occ).count()
	}
	return n
}

// state1 is a position in play on a board of one word.
type state1 struct {
	common
	k   *kernel1
	own [maxSeats]set1
	occ set1
	o   origins1 // scratch of the move generator
}

func (s *state1) Moves(buf []game.Move) []game.Move {
	if s.won >= 0 {
		return buf
	}
	start := len(buf)
	k, seat := s.k, s.seat
	o := &s.o
	k.find(o, seat, s.packed[seat], s.occ)
	check := s.risky(seat)
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

// MovesWithin appends the legal moves after which the mover's bound on its turns
// to win is at most turns; all says that there is no other.
func (s *state1) MovesWithin(buf []game.Move, turns int) (moves []game.Move, all bool) {
	seat := s.seat
	if s.won >= 0 {
		return buf, true
	}
	r, ok := s.run(seat)
	if !ok || r.turns()+2 <= turns || s.illegal {
		return s.Moves(buf), true
	}
	// Pieces that may stay in the race, and where.
	var pieces bitboard.Set128
	var ends [maxPieces]set1
	k, n := s.k, 0
	all = true
	for own := s.packed[seat]; !own.IsEmpty(); own = own.DropMin() {
		cell := uint8(own.Min())
		to, good := s.within(r, seat, cell, turns)
		if to == noEnd {
			all = false
			continue
		}
		ends[n] = k.reachable(to, good, seat)
		n++
		pieces = pieces.With(int(cell))
	}
	o := &s.o
	k.find(o, seat, pieces, s.occ)
	start := len(buf)
	for i := range o.n {
		from, any := k.ends(o, i, seat, s.occ)
		to := any.and(ends[i])
		all = all && to == any
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
	if len(buf) == start && all && s.othersMove() {
		buf = append(buf, game.Pass)
	}
	return buf, all
}

// hop returns where one hop from the cells of a set lands.
func (h *hops1) hop(from set1) set1 {
	row := from.up(h.row2).and(h.right).or(from.down(h.row2).and(h.left))
	right := from.up(h.right2).and(h.downRight).or(from.down(h.right2).and(h.upLeft))
	left := from.up(h.left2).and(h.downLeft).or(from.down(h.left2).and(h.upRight))
	return row.or(right).or(left)
}

// origin returns a cell of a set from which one hop lands on a cell, and the cell
// hopped over.
func (k *kernel1) origin(h *hops1, from, to set1) (cell, over set1) {
	switch {
	case !to.and(h.right).isEmpty() && !to.down(h.row2).and(from).isEmpty():
		return to.down(h.row2), to.down(k.row)
	case !to.and(h.left).isEmpty() && !to.up(h.row2).and(from).isEmpty():
		return to.up(h.row2), to.up(k.row)
	case !to.and(h.downRight).isEmpty() && !to.down(h.right2).and(from).isEmpty():
		return to.down(h.right2), to.down(k.right)
	case !to.and(h.upLeft).isEmpty() && !to.up(h.right2).and(from).isEmpty():
		return to.up(h.right2), to.up(k.right)
	case !to.and(h.downLeft).isEmpty() && !to.down(h.left2).and(from).isEmpty():
		return to.down(h.left2), to.down(k.left)
	}
	return to.up(h.left2), to.up(k.left)
}

// threat looks for a turn by which a seat would win at once if it were to move, and
// returns the cells it owes to: as long as no piece leaves any of them or comes to one, the
// seat can make that turn and wins by it. It finds the turn if there is one of no more
// than maxThreat hops.
func (s *state1) threat(seat int) (zone set1, ok bool) {
	r, ok := s.run(seat)
	if !ok || r.turns() != 1 {
		return zone, false
	}
	k, g := s.k, s.g
	goal := k.goal[seat]
	hole, still := goal.andNot(s.occ), set1{}
	switch {
	case hole.isEmpty():
		return zone, false // another seat's piece stands there
	case g.rules.Win == Filled:
		still = goal // whoever fills the other holes
	}
	var h hops1
	hopped := false
	for pieces := s.packed[seat].AndNot(g.goal[seat]); !pieces.IsEmpty(); pieces = pieces.DropMin() {
		from := pieces.Min() & 127
		if !k.step[seat][from].and(hole).isEmpty() {
			return still.or(hole), true
		}
		if k.end[seat][from].and(hole).isEmpty() {
			continue
		}
		if !hopped {
			k.hops(&h, seat, s.occ)
			hopped = true
		}
		var layer [maxThreat + 1]set1
		layer[0] = k.bit[from]
		seen, n := layer[0], 0
		for n < maxThreat && layer[n].and(hole).isEmpty() {
			next := h.hop(layer[n]).andNot(seen)
			if next.isEmpty() {
				break
			}
			n++
			layer[n] = next
			seen = seen.or(next)
		}
		if layer[n].and(hole).isEmpty() {
			continue
		}
		zone = still
		for at := hole; n > 0; n-- {
			cell, over := k.origin(&h, layer[n-1], at)
			zone = zone.or(at).or(over)
			at = cell
		}
		return zone, true
	}
	return zone, false
}

// MovesAgainst appends the legal moves that meet a threat of the next seat to win at
// once, and stay within turns, if that is not negative.
func (s *state1) MovesAgainst(buf []game.Move, turns int) (moves []game.Move, all, threat bool) {
	seat := s.seat
	if s.won >= 0 || s.illegal || s.g.race.shared {
		return buf, false, false
	}
	zone, ok := s.threat(s.after(seat))
	if !ok {
		return buf, false, false
	}
	k := s.k
	r, ok := s.run(seat)
	limited := ok && turns >= 0 && r.turns()+2 > turns
	mine := set1{} // holes that the mover may win by
	if !ok || r.turns() <= 1 {
		mine = k.goal[seat]
	}
	o := &s.o
	k.find(o, seat, s.packed[seat], s.occ)
	all = true
	for i := range o.n {
		from, to := k.ends(o, i, seat, s.occ)
		if zone.and(k.bit[from&127]).isEmpty() {
			to = to.and(zone.or(mine))
		}
		if limited && !to.isEmpty() {
			near, good := s.within(r, seat, from, turns)
			var stays set1
			if near != noEnd {
				stays = to.and(k.reachable(near, good, seat))
			}
			all = all && stays == to
			to = stays
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
	return buf, all, true
}

// IsLegal reports whether a move that the seat could make somewhere is legal here.
func (s *state1) IsLegal(m game.Move) bool {
	k, seat := s.k, s.seat
	from, to := uint8(m&127), k.cell[m>>7&127].bit
	if s.won >= 0 || s.own[seat].and(k.cell[from].bit).isEmpty() || !s.occ.and(to).isEmpty() {
		return false
	}
	if k.step[seat][from].and(to).isEmpty() {
		if k.end[seat][from].and(to).isEmpty() {
			return false
		}
		var h hops1
		k.hops(&h, seat, s.occ)
		if h.starts().and(k.cell[from].bit).isEmpty() || h.flood(k.cell[from].bit).and(to).isEmpty() {
			return false
		}
	}
	return !s.risky(seat) || !s.dropIllegal(seat, from, to).isEmpty()
}

// reachable returns the cells of a reach of a seat, with the good classes as bits.
func (k *kernel1) reachable(to reach, good uint8, seat int) set1 {
	switch to {
	case goodHoles:
		return k.goal[seat].and(k.classes[good&15])
	case allHoles:
		return k.goal[seat]
	case goodOrClose:
		return k.close[seat].or(k.classes[good&15])
	}
	return k.all
}

// CountMoves counts what Moves lists.
func (s *state1) CountMoves() int {
	if s.won >= 0 {
		return 0
	}
	n := s.count(s.seat)
	if n == 0 && s.othersMove() {
		n = 1
	}
	return n
}

// count counts the moves that seat would have if it were to move.
func (s *state1) count(seat int) int {
	k, check := s.k, s.risky(seat)
	if s.g.open && !check {
		return k.countOpen(seat, s.own[seat], s.occ)
	}
	o := &s.o
	k.find(o, seat, s.packed[seat], s.occ)
	n := 0
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
func (s *state1) dropIllegal(seat int, from uint8, to set1) set1 {
	suspect := to
	if !s.atBlockade(int(from)) {
		suspect = to.and(s.k.home[seat])
	}
	if suspect.isEmpty() {
		return to
	}
	return to.andNot(s.k.padded(s.illegalEnds(seat, int(from), suspect.cells(&s.k.cellOf))))
}

// Result is the seat that has won, a draw where nobody can move, or ongoing.
func (s *state1) Result() game.Result {
	if s.won >= 0 {
		return game.Result(s.won)
	}
	if s.canMove(s.seat) || s.othersMove() {
		return game.Ongoing
	}
	return game.Drawn
}

// canMove reports whether a seat has a legal move, were it to move. Most
// positions show a free step at once.
func (s *state1) canMove(seat int) bool {
	taken := s.occ
	if s.illegal {
		taken = taken.or(s.k.home[seat])
	}
	if !s.illegal || !s.atBlockade(-1) {
		for own := s.packed[seat]; !own.IsEmpty(); own = own.DropMin() {
			if !s.k.step[seat][own.Min()&127].andNot(taken).isEmpty() {
				return true
			}
		}
	}
	return s.count(seat) > 0
}

func (s *state1) Make(m game.Move) {
	seat := s.advance(m)
	if m == game.Pass {
		return
	}
	s.move(m, seat)
	s.recount(seat, m, m>>7)
	if w := s.g.decides[seat][m>>7&127]; w >= 0 {
		s.won = s.decide(seat, int(w))
	}
}

func (s *state1) Unmake() {
	m, seat := s.retreat()
	if s.synced > len(s.history) {
		s.unsync(m, seat)
	}
	if m == game.Pass {
		return
	}
	s.move(m, seat)
	s.recount(seat, m>>7, m)
	s.won = -1
}

// move moves a piece of a seat, or takes the move back: the sets change by
// exclusive or.
func (s *state1) move(m game.Move, seat int) {
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
func (s *state1) MakeAll(depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	if s.won >= 0 {
		return 0
	}
	if depth == 1 {
		return s.makeAll(&s.o, depth)
	}
	var o origins1
	return s.makeAll(&o, depth)
}

// makeAll is MakeAll for at least one turn of a game that is not won, with
// scratch that no turn after it uses.
func (s *state1) makeAll(o *origins1, depth int) (n uint64) {
	k, seat := s.k, s.seat
	k.find(o, seat, s.packed[seat], s.occ)
	check := s.risky(seat)
	next := s.after(seat)
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
		s.seat = seat
		s.own[seat], s.occ = own, occ
	}
	if passes && s.othersMove() {
		s.seat = next
		n = s.MakeAll(depth - 1)
		s.seat = seat
	}
	return n
}

// putAll is the part of MakeAll for one lifted piece of a seat: it puts the
// piece on each end in turn and plays on.
func (s *state1) putAll(seat int, ends set1, depth int) (n uint64) {
	k := s.k
	own, occ, packed := s.own[seat], s.occ, s.packed[seat]
	for c := ends.cells(&k.cellOf); !c.IsEmpty(); c = c.DropMin() {
		to := c.Min() & 127
		put := &k.cell[to]
		s.own[seat], s.occ, s.packed[seat] = own.xor(put.bit), occ.xor(put.bit), packed.Xor(put.packed)
		if goal := s.g.decides[seat][to]; goal >= 0 {
			s.won = s.decide(seat, int(goal))
		}
		n += s.MakeAll(depth - 1)
		s.won = -1
	}
	return n
}

// Clone returns a state at the same position without its history.
func (s *state1) Clone() game.State {
	s.sync()
	c := *s
	c.history, c.synced, c.self = newHistory(), 0, &c
	return &c
}
