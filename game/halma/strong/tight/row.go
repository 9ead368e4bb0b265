package tight

import (
	"encoding/binary"
	"math/bits"

	"perfectplay/bitboard"
)

// row is the work on one row: from what has become known of the positions of the
// row, to the positions one turn before, which are those against the row's army. It
// belongs to one goroutine.
//
// Columns stand for both: in the row for the army of the other player after its turn,
// in what is found for its army before it.
type row struct {
	*layout
	army uint64 // of the player to move in the row
	free uint64 // cells that it leaves
	back back
	// over are the patterns that an army meets before its turn if the position may be
	// over then.
	over []pattern
	// ending are the columns that meet them, valid for work on all columns.
	ending []uint64
	// An army with a cell of roomy has a step, since fewer pieces are left than steps
	// lead from that cell; the turns of one that lacks two cells or more of each of
	// risks lead to no illegal position. Both among the free cells.
	roomy uint64
	risks []uint64

	// What the caller has to fill in, a bit for each column: all wins of the row; of
	// those the new ones; new losses.
	win, newWin, newLoss []uint64
	// known are the positions before that are known to be won: where the caller keeps
	// them from visit to visit they are not found again. scratch has room for them where
	// it does not.
	known, scratch []uint64
	// tried are known, and those found not to be lost in this visit.
	tried []uint64
	// open is 1 for each column that the row does not win, valid where opened is set.
	open   []uint8
	opened bool
	// What is found: columns of positions before that are won, and lost.
	wins, losses []uint32

	// By partial army, the cells of the piece in the hand: fresh are those of new
	// wins or losses; from a cell of safe every turn leads to a position won for the
	// opponent. safe is valid where stamp is visit.
	fresh, safe []uint64
	stamp       []uint32
	visit       uint32
	touched     []uint32 // partial armies where fresh is not empty
	marks       [fetched + 1]mark
	ahead       uint64

	// For work on 64 partial armies at once: see dense.go.
	lane, packed []uint64
	found, sure  []uint64 // by column
	steps, hops  []line
	oneWay       []line // hops that rules forbid the other way
	ends         []ends
	dense        int // cells that hops pass through
	word         laneWord
	wide         *wideWord // nil until it is used
	isWide       bool      // the row prepared is worked on with it
	denseShare   int       // as one of the constants, but for tests
}

func newRow(l *layout) *row {
	n := len(l.partial)
	share := denseShare
	if l.b.mayWiden() {
		share = wideShare
	}
	r := &row{layout: l, denseShare: share, back: newBack(l), open: make([]uint8, 64*l.words),
		fresh: make([]uint64, n), safe: make([]uint64, n), stamp: make([]uint32, n)}
	for _, columns := range []*[]uint64{&r.win, &r.newWin, &r.newLoss, &r.tried, &r.scratch, &r.ending} {
		*columns = make([]uint64, l.words)
	}
	lanes := l.slicing.lanes
	r.lane, r.packed = make([]uint64, (l.n-l.k)*lanes), make([]uint64, max(l.words, lanes)+1)
	r.found, r.sure = make([]uint64, l.words), make([]uint64, l.words)
	return r
}

// propagate finds what follows from what is new in a row.
func (r *row) propagate(i int) {
	r.army = r.layout.army[i]
	r.free = r.b.open &^ r.army
	r.over = r.b.overIfMover(r.over[:0], r.army)
	r.opened = false
	r.findRoomy()
	r.wins, r.losses = r.wins[:0], r.losses[:0]
	if r.visit++; r.visit == 0 {
		clear(r.stamp)
		r.visit = 1
	}
	losses, wins := r.isDense(r.newLoss), r.isDense(r.newWin)
	if losses || wins {
		r.prepareDense()
	}
	if losses {
		r.propagateDenseLosses()
	} else {
		r.propagateLosses()
	}
	if wins {
		r.propagateDenseWins()
	} else {
		r.propagateWins()
	}
	r.back.prepare(r.army, len(r.wins)+len(r.losses))
}

// isDense says whether so many columns are new that work on all is faster.
func (r *row) isDense(columns []uint64) bool {
	n := 0
	for _, x := range columns {
		n += bits.OnesCount64(x)
	}
	return n*r.denseShare > r.cols
}

// denseShare is the share of the columns of a row that is worked on by dense.go if it is
// new, found by measurement: between 1/20 and 1/100 it makes no difference. wideShare is
// that for wide words: between 1/160 and 1/1000 it makes none.
const denseShare, wideShare = 40, 160

// touch gathers the partial armies of new columns, and decides the positions before
// whose mover cannot move and passes.
func (r *row) touch(columns []uint64, passed *[]uint32) {
	touched, fresh, k := r.touched[:0], r.fresh, r.k
	for i, x := range columns {
		for ; x != 0; x &= x - 1 {
			c := i<<6 | bits.TrailingZeros64(x)
			for _, lift := range r.lifts[c*k : c*k+k] {
				p := lift >> 6
				if fresh[p] == 0 {
					touched = append(touched, p)
				}
				fresh[p] |= 1 << (lift & 63)
			}
			if r.set[c]&r.roomy != 0 && !r.risky(r.set[c]) {
				continue
			}
			if !r.mobile(c) && !r.isOver(c) {
				*passed = append(*passed, uint32(c))
			}
		}
	}
	r.touched = touched
}

// findRoomy finds what tells quickly that an army has a legal turn.
func (r *row) findRoomy() {
	b := r.b
	r.roomy, r.risks = 0, r.risks[:0]
	for x := r.free; x != 0; x &= x - 1 {
		if cell := x & -x; bits.OnesCount64(b.stepRuled(cell, &b.forth)&^r.army) >= r.k {
			r.roomy |= cell
		}
	}
	r.roomy = bitboard.Extract64(r.roomy, r.free)
	risk := func(set uint64) {
		if taken := set & r.army; taken&(taken-1) == 0 {
			r.risks = append(r.risks, bitboard.Extract64(set&^taken, r.free))
		}
	}
	if b.spec.MoverWonIllegal {
		if b.spec.Filled {
			risk(b.goal &^ r.army)
		} else if r.army&^b.goal == 0 {
			r.roomy = 0
		}
	}
	for _, p := range b.blockades {
		if !p.byMover {
			risk(p.held)
		} else if p.held&^r.army == 0 {
			r.roomy = 0
		}
	}
}

// risky says whether some turn of an army might lead to an illegal position.
func (r *row) risky(set uint64) bool {
	for _, s := range r.risks {
		if missing := s &^ set; missing&(missing-1) == 0 {
			return true
		}
	}
	return false
}

// mobile says whether the army of a column has a legal turn.
func (r *row) mobile(c int) bool {
	return r.b.mobile(bitboard.Deposit64(r.set[c], r.free), r.army)
}

// isOver says whether the position before with the army of a column is over or
// illegal.
func (r *row) isOver(c int) bool {
	army := bitboard.Deposit64(r.set[c], r.free)
	return meets(r.over, army) && r.b.state(r.b.turn(army), r.b.turn(r.army)) != ongoing
}

// propagateLosses finds the positions from which some turn leads to a new loss.
func (r *row) propagateLosses() {
	r.touch(r.newLoss, &r.wins)
	for _, c := range r.wins {
		r.known[c>>6] |= 1 << (c & 63)
	}
	b, known := r.b, r.known
	var e edges
	for _, p := range r.touched {
		b.edges(&e, r.army|bitboard.Deposit64(r.partial[p], r.free))
		empty := e.empty & b.open
		near := b.reach(&e, bitboard.Deposit64(r.fresh[p], empty))
		r.fresh[p] = 0
		columns := r.column[int(p)*r.m : int(p)*r.m+r.m]
		for x := bitboard.Extract64(near, empty); x != 0; x &= x - 1 {
			c := columns[bits.TrailingZeros64(x)]
			word, bit := c>>6, uint64(1)<<(c&63)
			if known[word]&bit == 0 {
				known[word] |= bit
				if len(r.over) == 0 || !r.isOver(int(c)) {
					r.wins = append(r.wins, c)
				}
			}
		}
	}
}

// propagateWins finds the positions from which some turn leads to a new win, and
// every turn to a win.
func (r *row) propagateWins() {
	r.touch(r.newWin, &r.losses)
	copy(r.tried, r.known)
	b := r.b
	var e edges
	for _, p := range r.touched {
		b.edges(&e, r.army|bitboard.Deposit64(r.partial[p], r.free))
		empty := e.empty & b.open
		fresh := r.fresh[p]
		r.fresh[p] = 0
		columns := r.column[int(p)*r.m : int(p)*r.m+r.m]
		safe := empty
		if r.stamp[p] == r.visit {
			safe = bitboard.Deposit64(r.safe[p], empty)
		} else {
			other := bitboard.Deposit64(r.notWon(columns), empty)
			// Most are not safe by a step already, which is known without any hop.
			if safe &^= b.stepRuled(other, &b.back); safe == 0 {
				continue
			}
			safe &^= b.reach(&e, other)
			r.safe[p] = bitboard.Extract64(safe, empty)
			r.stamp[p] = r.visit
		}
		if safe == 0 {
			continue
		}
		x := bitboard.Extract64(safe&b.reach(&e, bitboard.Deposit64(fresh, empty)), empty)
		for ; x != 0; x &= x - 1 {
			c := columns[bits.TrailingZeros64(x)]
			word, bit := c>>6, uint64(1)<<(c&63)
			if r.tried[word]&bit != 0 {
				continue
			}
			r.tried[word] |= bit
			if r.allSafe(int(c)) && !r.isOver(int(c)) {
				r.known[word] |= bit
				r.losses = append(r.losses, c)
			}
		}
	}
}

// notWon returns the cells of the piece in the hand, among those free of a partial
// army, with which the row is not won; columns are those of the partial army.
func (r *row) notWon(columns []uint32) (x uint64) {
	if !r.opened {
		r.findOpen()
	}
	open := r.open
	for j := len(columns) - 1; j >= 0; j-- {
		x = x<<1 | uint64(open[columns[j]])
	}
	return x
}

// findOpen finds the columns that the row does not win.
func (r *row) findOpen() {
	for i, x := range r.win {
		open := r.open[64*i : 64*i+64]
		x = ^x
		for j := 0; j < 64; j += 8 {
			// Eight copies of eight bits, of each copy one bit, moved to the lowest of its byte.
			y := x >> j & 0xff * 0x0101010101010101 & 0x8040201008040201
			binary.LittleEndian.PutUint64(open[j:j+8], (y+0x7f7f7f7f7f7f7f7f|y)>>7&0x0101010101010101)
		}
	}
	r.opened = true
}

// allSafe says whether all turns of the army of a column lead to wins.
func (r *row) allSafe(c int) bool {
	for _, lift := range r.lifts[c*r.k : c*r.k+r.k] {
		p := lift >> 6
		if r.stamp[p] != r.visit {
			r.findSafe(p)
		}
		if r.safe[p]>>(lift&63)&1 == 0 {
			return false
		}
	}
	return true
}

// findSafe finds the safe cells of a partial army.
func (r *row) findSafe(p uint32) {
	var e edges
	b := r.b
	b.edges(&e, r.army|bitboard.Deposit64(r.partial[p], r.free))
	empty := e.empty & b.open
	other := bitboard.Deposit64(r.notWon(r.column[int(p)*r.m:int(p)*r.m+r.m]), empty)
	r.safe[p] = bitboard.Extract64(empty&^b.reach(&e, other), empty)
	r.stamp[p] = r.visit
}
