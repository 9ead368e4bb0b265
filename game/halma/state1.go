package halma

import (
	"math/bits"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// This file is the move generator for boards of one word. state2.go and
// state3.go are the same text for two and three words: see generate_test.go.

// kernel1 is a game's geometry as data for sets of one word. It is immutable.
type kernel1 struct {
	game *Game
	// row, right and left are the shifts of one step along a row and down to the
	// right and left.
	row, right, left uint
	inOrder          bool // bits ascend with cell numbers
	open             bool // a turn may end anywhere
	illegal          bool // some positions may not be moved into
	all              set1
	cellOf           cellTable
	class            [4]set1
	classOf          [128]uint8
	bit              [128]set1 // a cell as a set
	home             [maxSeats]set1
	// land[seat][d] holds the cells where a hop in direction d may land. It keeps
	// shifts from wrapping round the board, and single hops within the rules
	// where chains must obey them hole by hole.
	land [maxSeats][Dirs]set1
	// step[seat][cell] are the cells one step away where the turn may end.
	step [maxSeats][128]set1
	// end[seat][cell] are the cells where a chain from cell may end.
	end [maxSeats][128]set1
}

func newKernel1(g *Game) *kernel1 {
	b := g.board
	k := &kernel1{game: g, inOrder: b.fit.inOrder, illegal: g.rules.Illegal != NoIllegal, open: true}
	k.row, k.right, k.left = uint(b.fit.b), uint(b.fit.a), uint(b.fit.a-b.fit.b)
	for i := range b.holes {
		k.bit[i] = newSet1(b.fit.bit[i])
		k.cellOf[b.fit.bit[i]] = uint8(i)
		k.all = k.all.or(k.bit[i])
		k.classOf[i] = uint8(b.hopClass(i))
		k.class[k.classOf[i]] = k.class[k.classOf[i]].or(k.bit[i])
	}
	for s := range g.seats {
		k.home[s] = k.padded(g.home[s])
		for i := range b.holes {
			k.end[s][i] = k.padded(g.mayEnd[s][i])
			k.open = k.open && k.end[s][i] == k.all
			for d := range Dir(Dirs) {
				over := b.Next(i, d)
				if over < 0 {
					continue
				}
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
func (k *kernel1) padded(cells bitboard.Set128) (s set1) {
	for ; !cells.IsEmpty(); cells = cells.DropMin() {
		s = s.or(k.bit[cells.Min()])
	}
	return s
}

// newState returns a state at a position.
func (k *kernel1) newState(p *position) game.State {
	s := &state1{common: newCommon(k.game, p), k: k}
	for seat := range k.game.seats {
		s.own[seat] = k.padded(p.own[seat])
		s.occ = s.occ.or(s.own[seat])
	}
	return s
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
func (k *kernel1) hops(h *hops1, seat uint, occ set1) {
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

// flood adds to the cells of from all that chains of hops reach from them.
func (h *hops1) flood(from set1) set1 {
	for {
		r := from
		r = r.or(r.up(h.row2).and(h.right))
		r = r.or(r.down(h.row2).and(h.left))
		r = r.or(r.up(h.right2).and(h.downRight))
		r = r.or(r.down(h.right2).and(h.upLeft))
		r = r.or(r.up(h.left2).and(h.downLeft))
		r = r.or(r.down(h.left2).and(h.upRight))
		if r == from {
			return r
		}
		from = r
	}
}

// origins1 lists a seat's pieces with what their chains of hops reach. Chains
// never leave their class of cells, so pieces of different classes are flooded
// together: round i holds the i-th piece of each class.
type origins1 struct {
	n     int
	cell  [maxPieces]uint8 // ascending
	round [maxPieces]uint8
	reach [maxPieces]set1 // by round
	runs  int             // number of rounds
}

// find fills o for the pieces of a seat.
func (k *kernel1) find(o *origins1, seat uint, own bitboard.Set128, occ set1) {
	var count [4]uint8
	o.n, o.runs = 0, 0
	for word, base := own.Lo, 0; ; word, base = own.Hi, 64 {
		for ; word != 0; word &= word - 1 {
			cell := uint8(base + bits.TrailingZeros64(word))
			c := k.classOf[cell&127] & 3
			i := count[c]
			count[c] = i + 1
			if int(i) == o.runs {
				o.reach[i] = k.bit[cell&127]
				o.runs++
			} else {
				o.reach[i] = o.reach[i].or(k.bit[cell&127])
			}
			o.cell[o.n], o.round[o.n] = cell, i
			o.n++
		}
		if base != 0 {
			break
		}
	}
	var h hops1
	k.hops(&h, seat, occ)
	for i := range o.runs {
		o.reach[i] = h.flood(o.reach[i])
	}
}

// ends returns where the turns of piece i of o end, legal moves all but for the
// rules on illegal positions.
func (k *kernel1) ends(o *origins1, i int, seat uint, occ set1) (cell uint8, to set1) {
	cell = o.cell[i] & 127
	hop := o.reach[o.round[i]].and(k.class[k.classOf[cell]&3]).andNot(k.bit[cell]).and(k.end[seat][cell])
	return cell, k.step[seat][cell].andNot(occ).or(hop)
}

// state1 is a position in play on a board of one word.
type state1 struct {
	common
	k   *kernel1
	own [maxSeats]set1
	occ set1
}

func (s *state1) Moves(buf []game.Move) []game.Move {
	if s.won >= 0 {
		return buf
	}
	start := len(buf)
	k, seat := s.k, uint(s.seat)
	var o origins1
	k.find(&o, seat, s.packed[seat], s.occ)
	for i := range o.n {
		from, to := k.ends(&o, i, seat, s.occ)
		if k.illegal {
			to = s.dropIllegal(seat, from, to)
		}
		if to.isEmpty() {
			continue
		}
		buf = slices.Grow(buf, to.count())
		if k.inOrder {
			buf = to.appendMoves(buf, game.Move(from), &k.cellOf)
		} else {
			buf = appendMoves(buf, game.Move(from), to.cells(&k.cellOf))
		}
	}
	if len(buf) == start && s.othersMove() {
		buf = append(buf, game.Pass)
	}
	return buf
}

// CountMoves counts what Moves lists.
func (s *state1) CountMoves() int {
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
func (s *state1) count(seat uint) int {
	k := s.k
	var o origins1
	k.find(&o, seat, s.packed[seat], s.occ)
	n := 0
	if k.open && !k.illegal {
		for i := range o.runs {
			n += o.reach[i].count()
		}
		n -= o.n // the origins themselves
		for i := range o.n {
			n += k.step[seat][o.cell[i]&127].andNot(s.occ).count()
		}
		return n
	}
	for i := range o.n {
		from, to := k.ends(&o, i, seat, s.occ)
		if k.illegal {
			to = s.dropIllegal(seat, from, to)
		}
		n += to.count()
	}
	return n
}

// dropIllegal removes the ends that would make an illegal position. Without a
// camp blocked already, only turns that end in the mover's home or leave an apex
// can do so.
func (s *state1) dropIllegal(seat uint, from uint8, to set1) set1 {
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
func (s *state1) canMove(seat uint) bool {
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
func (s *state1) othersMove() bool {
	for seat := range s.g.seats {
		if seat != int(s.seat) && s.canMove(uint(seat)) {
			return true
		}
	}
	return false
}

func (s *state1) Result() game.Result {
	if s.won >= 0 {
		return game.Result(s.won)
	}
	if s.canMove(uint(s.seat)) || s.othersMove() {
		return game.Ongoing
	}
	return game.Drawn
}

func (s *state1) Make(m game.Move) {
	g, seat := s.g, uint(s.seat)
	s.history = append(s.history, m)
	if s.seat++; int(s.seat) == g.seats {
		s.seat = 0
	}
	if m == game.Pass {
		return
	}
	s.move(m, seat)
	if w := g.goalOf[m>>7&127]; w >= 0 {
		s.won = s.decide(int(seat), int(w))
	}
}

func (s *state1) Unmake() {
	last := len(s.history) - 1
	m := s.history[last]
	s.history = s.history[:last]
	if s.seat--; s.seat < 0 {
		s.seat = int8(s.g.seats - 1)
	}
	if m == game.Pass {
		return
	}
	s.move(m, uint(s.seat))
	s.won = -1
}

// move moves a piece of a seat, or takes the move back: the sets and keys
// change by exclusive or.
func (s *state1) move(m game.Move, seat uint) {
	from, to := m&127, m>>7&127
	x := s.k.bit[from].xor(s.k.bit[to])
	s.own[seat] = s.own[seat].xor(x)
	s.occ = s.occ.xor(x)
	s.packed[seat] = s.packed[seat].Xor(bitboard.Cell128(int(from))).Xor(bitboard.Cell128(int(to)))
	a, b := &s.g.keyOf[from], &s.g.keyOf[to]
	w := &s.code[seat]
	w[0] ^= a[0] ^ b[0]
	if s.g.images > 1 {
		w[1] ^= a[1] ^ b[1]
		w[2] ^= a[2] ^ b[2]
		w[3] ^= a[3] ^ b[3]
	}
}

// Clone returns a state at the same position without its history.
func (s *state1) Clone() game.State {
	c := *s
	c.history = newHistory()
	return &c
}

// ParseMove reads what MoveString prints and checks that the move is legal.
func (s *state1) ParseMove(text string) (game.Move, error) {
	return s.g.parseMove(text, s)
}
