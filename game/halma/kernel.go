package halma

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma/internal/sets"
	"perfectplay/game/halma/internal/turns"
)

//go:generate go run ../../internal/genkernel 1,2,3 kernel.go threat.go help.go

// The move generator for boards of one word. From it genkernel makes zkernel2.go and zkernel3.go
// for two and three words, by replacing the names that end in 1. Type parameters would cost a
// factor of 2 to 10: each operation on a set would become a call.

// kernel1 is a game's geometry for sets of one word. It is immutable.
type kernel1 struct {
	// row, right and left are the shifts of one step along a row, down to the right and down to
	// the left.
	row, right, left uint
	inOrder          bool // bits ascend with cell numbers
	all              sets.Set1
	cellOf           cellTable
	class            [4]sets.Set1
	classOf          [128]uint8
	bit              [128]sets.Set1 // a cell as a set
	cell             [128]cell1
	// The sets of the same names in [tables] and [Game].
	home        [maxSeats]sets.Set1
	goal, close [maxSeats]sets.Set1 // close is the goal with the cells next to it
	last        [maxSeats]sets.Set1 // the cells of turns.Over.Last
	wins        [maxSeats]turns.Over1
	classes     [16]sets.Set1 // classes[b] is the union of the classes whose bits are set in b
	next        [Dirs]sets.Set1
	land        [maxSeats][Dirs]sets.Set1
	step        [maxSeats][128]sets.Set1
	// end[seat][cell] are the cells where a chain of hops from cell may end.
	end [maxSeats][128]sets.Set1
	// fill[seat] are the cells where pieces of other seats may stand.
	fill [maxSeats]sets.Set1
}

// cell1 is a cell as a set of one cell, in padded and in packed form.
type cell1 struct {
	bit    sets.Set1
	packed bitboard.Set128
}

func newKernel1(g *Game) *kernel1 {
	fit := &g.board.fit
	k := &kernel1{
		row: uint(fit.Shift[Right]), right: uint(fit.Shift[DownRight]), left: uint(fit.Shift[DownLeft]),
		inOrder: g.board.inOrder, classOf: g.classOf,
	}
	for i, bit := range fit.Bit {
		k.bit[i] = sets.Only1(bit)
		k.cell[i] = cell1{k.bit[i], bitboard.Cell128(i)}
		k.cellOf[bit] = uint8(i)
		k.all = k.all.Or(k.bit[i])
	}
	for i, class := range g.class {
		k.class[i] = k.padded(class)
	}
	for i := range k.classes {
		for class := range k.class {
			if i>>class&1 != 0 {
				k.classes[i] = k.classes[i].Or(k.class[class])
			}
		}
	}
	for d, next := range g.next {
		k.next[d] = k.padded(next)
	}
	for s := range g.seats {
		k.home[s] = k.padded(g.home[s])
		k.goal[s], k.last[s] = k.padded(g.goal[s]), k.padded(g.over[s].Last)
		k.wins[s] = turns.NewOver1(g.over[s], fit.Bit)
		k.close[s] = k.goal[s].Or(k.padded(g.race.beside[s]))
		for other := range g.seats {
			if other != s {
				k.fill[s] = k.fill[s].Or(k.padded(g.turns[other].Open))
			}
		}
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

func (k *kernel1) padded(cells bitboard.Set128) (s sets.Set1) {
	for ; !cells.IsEmpty(); cells = cells.DropMin() {
		s = s.Or(k.bit[cells.Min()])
	}
	return s
}

func (k *kernel1) newState(g *Game, p *position) game.State {
	s := &state1{k: k}
	s.self = s
	s.place(g, *p)
	return s
}

// place puts the state at a position without a history.
func (s *state1) place(g *Game, p position) {
	s.common.place(g, p)
	s.occ = sets.Set1{}
	for seat := range g.seats {
		s.own[seat] = s.k.padded(p.own[seat])
		s.occ = s.occ.Or(s.own[seat])
	}
}

// hops1 holds, for one position and seat, the empty cells where a hop in each direction lands if
// a piece jumps off two cells before.
type hops1 struct {
	left, right, upLeft, upRight, downLeft, downRight sets.Set1
	row2, right2, left2                               uint // shifts of one hop
}

// hops finds the cells where a seat's hops land: an empty cell behind an occupied one. These cells
// hold for all pieces of the seat. The moving piece may stay on the board: a chain stays in its
// class of cells, so it never hops over its origin, and gains nothing by landing there.
func (k *kernel1) hops(h *hops1, seat int, occ sets.Set1) {
	k.over(h, seat, occ, k.all.AndNot(occ))
}

// over finds the hops over any cell of mid onto any cell of to, as hops does.
func (k *kernel1) over(h *hops1, seat int, mid, to sets.Set1) {
	land := &k.land[seat]
	h.left = mid.Down(k.row).And(to).And(land[Left])
	h.right = mid.Up(k.row).And(to).And(land[Right])
	h.upLeft = mid.Down(k.right).And(to).And(land[UpLeft])
	h.upRight = mid.Down(k.left).And(to).And(land[UpRight])
	h.downLeft = mid.Up(k.left).And(to).And(land[DownLeft])
	h.downRight = mid.Up(k.right).And(to).And(land[DownRight])
	h.row2, h.right2, h.left2 = 2*k.row, 2*k.right, 2*k.left
}

// starts returns the cells from which a piece could hop.
func (h *hops1) starts() sets.Set1 {
	row := h.right.Down(h.row2).Or(h.left.Up(h.row2))
	right := h.downRight.Down(h.right2).Or(h.upLeft.Up(h.right2))
	left := h.downLeft.Down(h.left2).Or(h.upRight.Up(h.left2))
	return row.Or(right).Or(left)
}

func (h *hops1) flood(from sets.Set1) sets.Set1 {
	for {
		r := from
		r = r.Or(from.Up(h.row2).And(h.right)).Or(from.Down(h.row2).And(h.left))
		t := r
		r = r.Or(t.Up(h.right2).And(h.downRight)).Or(t.Down(h.right2).And(h.upLeft))
		t = r
		r = r.Or(t.Up(h.left2).And(h.downLeft)).Or(t.Down(h.left2).And(h.upRight))
		if r == from {
			return r
		}
		from = r
	}
}

// origins1 lists a seat's pieces and the cells that their chains of hops reach. Pieces of
// different classes are flooded together: round i holds the i-th piece of each class that can
// hop.
type origins1 struct {
	h     hops1
	n     int
	runs  int                      // number of rounds
	cell  [maxPieces]uint8         // cells of the pieces, ascending
	round [maxPieces]uint8         // round of each piece; idle if the piece cannot hop
	reach [maxPieces + 1]sets.Set1 // cells reached in each round; reach[idle] holds only pieces
}

func (k *kernel1) find(o *origins1, seat int, pieces bitboard.Set128, occ sets.Set1) {
	k.hops(&o.h, seat, occ)
	starts := o.h.starts()
	var count [4]uint8
	o.reach = [maxPieces + 1]sets.Set1{}
	n, runs := 0, uint8(0)
	word, base := pieces.Lo, uint8(0)
	for {
		for ; word != 0; word &= word - 1 {
			cell := (base + uint8(bits.TrailingZeros64(word))) & 127
			bit := k.bit[cell]
			class := k.classOf[cell] & 3
			one := uint8(1)
			if starts.And(bit).IsEmpty() {
				one = 0
			}
			i := count[class]
			count[class] = i + one
			runs = max(runs, i+one)
			if one == 0 {
				i = idle
			}
			o.reach[i] = o.reach[i].Or(bit)
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

// ends returns the ends of the turns of piece i of o, before the rules on illegal positions.
func (k *kernel1) ends(o *origins1, i int, seat int, occ sets.Set1) (cell uint8, to sets.Set1) {
	cell = o.cell[i] & 127
	hop := o.reach[o.round[i]].And(k.end[seat][cell])
	return cell, k.step[seat][cell].Or(hop).AndNot(occ)
}

// countOpen counts a seat's moves if a turn may end anywhere: steps by direction, and chains by
// the cells reached in each round, times the pieces that reach them.
func (k *kernel1) countOpen(seat int, own, occ sets.Set1) int {
	free, next := k.all.AndNot(occ), &k.next
	n := own.Down(k.row).And(free).And(next[Left]).Count() +
		own.Up(k.row).And(free).And(next[Right]).Count() +
		own.Down(k.right).And(free).And(next[UpLeft]).Count() +
		own.Down(k.left).And(free).And(next[UpRight]).Count() +
		own.Up(k.left).And(free).And(next[DownLeft]).Count() +
		own.Up(k.right).And(free).And(next[DownRight]).Count()
	var h hops1
	k.hops(&h, seat, occ)
	for left := h.starts().And(own); !left.IsEmpty(); {
		round := left.And(k.class[0]).First().Or(left.And(k.class[1]).First()).
			Or(left.And(k.class[2]).First()).Or(left.And(k.class[3]).First())
		left = left.AndNot(round)
		n += h.flood(round).AndNot(occ).Count()
	}
	return n
}

// appendMoves appends the moves from a cell to the ends, in the order of cell numbers.
func (k *kernel1) appendMoves(buf []game.Move, from uint8, ends sets.Set1) []game.Move {
	if k.inOrder {
		return appendMoves1(buf, ends, game.Move(from), &k.cellOf)
	}
	return appendSorted1(buf, ends, len(buf), game.Move(from), &k.cellOf)
}

type state1 struct {
	common
	k   *kernel1
	own [maxSeats]sets.Set1
	occ sets.Set1
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
		buf = k.appendMoves(buf, from, to)
	}
	if len(buf) == start && s.othersMove() {
		buf = append(buf, game.Pass)
	}
	return buf
}

// MovesWithin implements [game.RaceLister].
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
	var ends [maxPieces]sets.Set1
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
		to := any.And(ends[i])
		all = all && to == any
		buf = k.appendMoves(buf, from, to)
	}
	if len(buf) == start && all && s.othersMove() {
		buf = append(buf, game.Pass)
	}
	return buf, all
}

// IsLegal implements [game.MoveTester].
func (s *state1) IsLegal(m game.Move) bool {
	k, seat := s.k, s.seat
	from, to := uint8(m&127), k.cell[m>>7&127].bit
	if s.won >= 0 || s.own[seat].And(k.cell[from].bit).IsEmpty() || !s.occ.And(to).IsEmpty() {
		return false
	}
	if k.step[seat][from].And(to).IsEmpty() {
		if k.end[seat][from].And(to).IsEmpty() {
			return false
		}
		var h hops1
		k.hops(&h, seat, s.occ)
		if h.starts().And(k.cell[from].bit).IsEmpty() || h.flood(k.cell[from].bit).And(to).IsEmpty() {
			return false
		}
	}
	return !s.risky(seat) || !s.dropIllegal(seat, from, to).IsEmpty()
}

// reachable returns the cells of a reach of a seat; good has the good classes as bits.
func (k *kernel1) reachable(to reach, good uint8, seat int) sets.Set1 {
	switch to {
	case goodHoles:
		return k.goal[seat].And(k.classes[good&15])
	case allHoles:
		return k.goal[seat]
	case goodOrClose:
		return k.close[seat].Or(k.classes[good&15])
	}
	return k.all
}

// CountMoves implements [game.Counter].
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
		n += to.Count()
	}
	return n
}

// dropIllegal removes the ends that would make an illegal position. Only a turn that ends in the
// mover's home or leaves an apex can make one, unless a camp is blocked already.
func (s *state1) dropIllegal(seat int, from uint8, to sets.Set1) sets.Set1 {
	suspect := to
	if !s.atBlockade(int(from)) {
		suspect = to.And(s.k.home[seat])
	}
	if suspect.IsEmpty() {
		return to
	}
	return to.AndNot(s.k.padded(s.illegalEnds(seat, int(from), cells1(suspect, &s.k.cellOf))))
}

func (s *state1) Result() game.Result {
	if s.won >= 0 {
		return game.Result(s.won)
	}
	if s.canMove(s.seat) || s.othersMove() {
		return game.Ongoing
	}
	return game.Drawn
}

// canMove reports whether a seat would have a legal move if it were to move. Most positions have
// a free step.
func (s *state1) canMove(seat int) bool {
	taken := s.occ
	if s.illegal {
		taken = taken.Or(s.k.home[seat])
	}
	if !s.illegal || !s.atBlockade(-1) {
		for own := s.packed[seat]; !own.IsEmpty(); own = own.DropMin() {
			if !s.k.step[seat][own.Min()&127].AndNot(taken).IsEmpty() {
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
	to := int(m >> 7 & 127)
	if by := s.g.decides[seat][to]; by != 0 {
		s.won = s.decide(seat, to, by)
	}
}

func (s *state1) Unmake() {
	m, seat := s.retreat()
	if s.synced > len(s.history) {
		s.moveCode(m, seat) // the last synced move is taken back
		s.synced--
	}
	if m == game.Pass {
		return
	}
	s.move(m, seat)
	s.recount(seat, m>>7, m)
	s.won = -1
}

// decide returns the seat that has won after a seat moved a piece to a cell, or −1; by says
// which seats may have won.
func (s *state1) decide(seat, to int, by deciders) int {
	if by&moverWins != 0 && s.k.wins[seat].Won(s.own[seat], s.occ) {
		return seat
	}
	if by&ownerWins != 0 {
		if w := int(s.g.goalOf[to]); s.k.wins[w].Won(s.own[w], s.occ) {
			return w
		}
	}
	return -1
}

// move moves a piece of a seat, or takes the move back.
func (s *state1) move(m game.Move, seat int) {
	a, b := &s.k.cell[m&127], &s.k.cell[m>>7&127]
	x := a.bit.Xor(b.bit)
	s.own[seat] = s.own[seat].Xor(x)
	s.occ = s.occ.Xor(x)
	p := &s.packed[seat]
	p.Lo ^= a.packed.Lo ^ b.packed.Lo
	p.Hi ^= a.packed.Hi ^ b.packed.Hi
}

func (s *state1) Clone() game.State {
	s.sync()
	c := *s
	c.history, c.synced, c.self = newHistory(), 0, &c
	return &c
}
