package prove

import (
	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// analysis64 describes a position for one player, without search. A window is open to a
// player if the other has no stone in it.
type analysis64 struct {
	open [4]bitboard.Set64 // windows open to the player, by direction
	// stones[d] counts the player's stones in every open window of direction d, in
	// binary, see mnk.Lines64. They are kept for k of 2 to 7.
	stones  [4][3]bitboard.Set64
	threats bitboard.Set64 // empty cells that complete a window
	// pairs are the empty cells of open windows that lack two stones: a stone there makes a threat.
	// doubles are the cells where a stone makes two threats or more.
	pairs, doubles bitboard.Set64
	// For c in pairs, partner[c] is a cell that completes a window after a stone on c. For c in
	// doubles, other[c] is a second such cell. more has the cells c with a third.
	partner, other [cells64]uint8
	more           bitboard.Set64

	// cells are the cells of the open windows, see reach.
	cells bitboard.Set64
	// weight is the sum over open windows of 2^stones: 2^k times the potential
	// of Erdős and Selfridge, see weigh.
	weight uint64
}

// analyse fills in the analysis of the player with stones own against other, except cells
// and weight: positions decided by threats do not need them.
func (v *analysis64) analyse(l *mnk.Lines64, own, other bitboard.Set64) {
	free := l.Cells.AndNot(own.Or(other))
	v.threats, v.pairs, v.doubles, v.more = bitboard.Set64{}, bitboard.Set64{}, bitboard.Set64{}, bitboard.Set64{}
	k := uint(l.K)
	for d := range 4 {
		open := l.Clear(other, d)
		v.open[d] = open
		if open.IsEmpty() {
			v.stones[d] = [3]bitboard.Set64{}
			continue
		}
		if !counted(l.K) {
			v.slow(l, d, own, free)
			continue
		}
		p0, p1, p2 := l.Planes(own, d)
		p0 = p0.And(open)
		p1 = p1.And(open)
		p2 = p2.And(open)
		v.stones[d] = [3]bitboard.Set64{p0, p1, p2}
		for w := exactly64(k-1, open, p0, p1, p2); !w.IsEmpty(); w = w.DropMin() {
			v.threats = v.threats.Or(l.Window(d, w.Min()).And(free))
		}
		for w := exactly64(k-2, open, p0, p1, p2); !w.IsEmpty(); w = w.DropMin() {
			v.pair(l.Window(d, w.Min()).And(free))
		}
	}
}

// reach fills in cells.
func (v *analysis64) reach(l *mnk.Lines64) {
	v.cells = bitboard.Set64{}
	for d, open := range v.open {
		if !open.IsEmpty() {
			v.cells = v.cells.Or(l.Spread(open, d))
		}
	}
}

// started returns the cells of open windows that lack at most three of the player's stones
// own. Only there may a further stone lead to a threat.
func (v *analysis64) started(l *mnk.Lines64, own bitboard.Set64) (cells bitboard.Set64) {
	for d, open := range v.open {
		if open.IsEmpty() {
			continue
		}
		if !counted(l.K) {
			for w := open; !w.IsEmpty(); w = w.DropMin() {
				if m := l.Window(d, w.Min()); l.K-m.And(own).Count() <= 3 {
					cells = cells.Or(m)
				}
			}
			continue
		}
		near := open
		for n := range uint(max(l.K-3, 0)) {
			near = near.AndNot(exactly64(n, open, v.stones[d][0], v.stones[d][1], v.stones[d][2]))
		}
		if !near.IsEmpty() {
			cells = cells.Or(l.Spread(near, d))
		}
	}
	return cells
}

// weigh fills in the weight; own are the player's stones.
func (v *analysis64) weigh(l *mnk.Lines64, own bitboard.Set64) {
	v.weight = 0
	for d, open := range v.open {
		if !counted(l.K) {
			for w := open; !w.IsEmpty(); w = w.DropMin() {
				v.weight += 1 << l.Window(d, w.Min()).And(own).Count()
			}
			continue
		}
		p0, p1, p2 := v.stones[d][0], v.stones[d][1], v.stones[d][2]
		// The sum of 2^n over windows with n stones, split by the upper binary digits of n.
		lo := open.AndNot(p1).AndNot(p2)
		v.weight += uint64(lo.Count() + lo.And(p0).Count())
		mid := p1.AndNot(p2)
		v.weight += 4 * uint64(mid.Count()+mid.And(p0).Count())
		if !p2.IsEmpty() {
			hi := p2.AndNot(p1)
			v.weight += 16 * uint64(hi.Count()+hi.And(p0).Count())
			hi = p2.And(p1)
			v.weight += 64 * uint64(hi.Count()+hi.And(p0).Count())
		}
	}
}

// exactly64 returns the windows that hold n stones.
func exactly64(n uint, open, p0, p1, p2 bitboard.Set64) bitboard.Set64 {
	if n&1 == 0 {
		p0 = p0.Not()
	}
	if n&2 == 0 {
		p1 = p1.Not()
	}
	if n&4 == 0 {
		p2 = p2.Not()
	}
	return open.And(p0).And(p1).And(p2)
}

// slow is analyse for one direction, window by window, for any k.
func (v *analysis64) slow(l *mnk.Lines64, d int, own, free bitboard.Set64) {
	for w := v.open[d]; !w.IsEmpty(); w = w.DropMin() {
		m := l.Window(d, w.Min())
		switch l.K - m.And(own).Count() {
		case 1:
			v.threats = v.threats.Or(m.And(free))
		case 2:
			v.pair(m.And(free))
		}
	}
}

// pair enters a window that lacks the two stones of m.
func (v *analysis64) pair(m bitboard.Set64) {
	a, b := uint8(m.Min()&mask64), uint8(m.Max()&mask64)
	for range 2 {
		switch {
		case !v.pairs.Has(int(a)):
			v.partner[a] = b
		case v.partner[a] == b:
		case !v.doubles.Has(int(a)):
			v.other[a] = b
			v.doubles = v.doubles.Or(bitboard.Cell64(int(a)))
		case v.other[a] != b:
			v.more = v.more.Or(bitboard.Cell64(int(a)))
		}
		a, b = b, a
	}
	v.pairs = v.pairs.Or(m)
}

// answers returns the cells where the opponent stops the double that fork returns: the double and,
// if there is no third, its two completing cells. Elsewhere only a stone that makes a threat helps.
// Other doubles do not count, since the zone has only the cells of this double.
func (v *analysis64) answers() bitboard.Set64 {
	at, cells := v.fork()
	if v.more.Has(at) {
		return bitboard.Cell64(at)
	}
	return cells
}

// fork returns a double and two cells that complete windows after it.
func (v *analysis64) fork() (at int, cells bitboard.Set64) {
	a := v.doubles.Min()
	return a, bitboard.Cell64(a).Or(bitboard.Cell64(int(v.partner[a] & mask64))).Or(bitboard.Cell64(int(v.other[a] & mask64)))
}

// guard adds empty cells to a zone until it has at least n of each window in open, or all
// of its empty cells. Windows that meet except are left out.
func (v *analysis64) guard(l *mnk.Lines64, zone, free bitboard.Set64, n int, except bitboard.Set64) bitboard.Set64 {
	for d := range 4 {
		for w := v.open[d]; !w.IsEmpty(); w = w.DropMin() {
			m := l.Window(d, w.Min())
			if m.Meets(except) {
				continue
			}
			m = m.And(free)
			in := m.And(zone).Count()
			for m = m.AndNot(zone); in < n && !m.IsEmpty(); in++ {
				zone = zone.Or(m.First())
				m = m.DropMin()
			}
		}
	}
	return zone
}
