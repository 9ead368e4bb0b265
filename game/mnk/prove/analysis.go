package prove

import (
	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// analysis64 describes a position for one player, without search. A window is open to a
// player if the other has no stone in it.
type analysis64 struct {
	open    [4]bitboard.Set64 // windows open to the player, by direction
	threats bitboard.Set64    // empty cells that complete a window
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
	// of Erdős and Selfridge.
	weight uint64
}

// analyse fills in the analysis of the player with stones own against other, except cells:
// positions decided by threats do not need them.
func (v *analysis64) analyse(l *mnk.Lines64, own, other bitboard.Set64) {
	free := l.Cells.AndNot(own.Or(other))
	v.threats, v.pairs, v.doubles, v.more, v.weight = bitboard.Set64{}, bitboard.Set64{}, bitboard.Set64{}, bitboard.Set64{}, 0
	for d := range 4 {
		v.open[d] = l.Clear(other, d)
		for w := v.open[d]; !w.IsEmpty(); w = w.DropMin() {
			left := l.Window(d, w.Min()).And(free)
			n := left.Count()
			v.weight += 1 << uint((l.K-n)&63)
			switch n {
			case 1:
				v.threats = v.threats.Or(left)
			case 2:
				v.pair(left)
			}
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
		for w := open; !w.IsEmpty(); w = w.DropMin() {
			if m := l.Window(d, w.Min()); l.K-m.And(own).Count() <= 3 {
				cells = cells.Or(m)
			}
		}
	}
	return cells
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
