package prove

import (
	"math/bits"

	"perfectplay/game/mnk"
)

// analysis is what a position says about one player without search. A window is
// open to a player if the other has no stone in it.
type analysis struct {
	open [4]uint64 // windows open to the player, by direction
	// stones[d] counts the player's stones in every open window of direction d, in
	// binary, see mnk.Lines64. They are kept for k of 2 to 7.
	stones  [4][3]uint64
	threats uint64 // empty cells that complete a window
	// pairs are the empty cells of open windows that lack two stones: a stone
	// there makes a threat. doubles are those where it makes two or more.
	pairs, doubles uint64
	// partner[c] is, for c in pairs, a cell that completes after a stone on c;
	// other[c] a second one for c in doubles; more says there is a third.
	partner, other [64]uint8
	more           uint64

	// cells are the cells of the open windows, see reach.
	cells uint64
	// weight is the sum over open windows of 2^stones: 2^k times the potential
	// of Erdős and Selfridge, see weigh.
	weight uint64
}

// counted reports whether analyses count stones by planes.
func counted(k int) bool { return k >= 2 && k <= 7 }

// analyse fills in the analysis of the player with stones own against other, but for
// cells and weight, which positions that threats decide do not need.
func (v *analysis) analyse(l *mnk.Lines64, own, other uint64) {
	free := l.Cells &^ (own | other)
	v.threats, v.pairs, v.doubles, v.more = 0, 0, 0, 0
	k := uint(l.K)
	for d := range 4 {
		open := l.Clear(other, d)
		v.open[d] = open
		if open == 0 {
			v.stones[d] = [3]uint64{}
			continue
		}
		if !counted(l.K) {
			v.slow(l, d, own, free)
			continue
		}
		p0, p1, p2 := l.Planes(own, d)
		p0 &= open
		p1 &= open
		p2 &= open
		v.stones[d] = [3]uint64{p0, p1, p2}
		for w := exactly(k-1, open, p0, p1, p2); w != 0; w &= w - 1 {
			v.threats |= l.Window(d, bits.TrailingZeros64(w)) & free
		}
		for w := exactly(k-2, open, p0, p1, p2); w != 0; w &= w - 1 {
			v.pair(l.Window(d, bits.TrailingZeros64(w)) & free)
		}
	}
}

// reach fills in the cells.
func (v *analysis) reach(l *mnk.Lines64) {
	v.cells = 0
	for d, open := range v.open {
		if open != 0 {
			v.cells |= l.Spread(open, d)
		}
	}
}

// started returns the cells of the open windows that lack at most three of the player's
// stones, which are own: those where one more may lead to a threat.
func (v *analysis) started(l *mnk.Lines64, own uint64) (cells uint64) {
	for d, open := range v.open {
		if open == 0 {
			continue
		}
		if !counted(l.K) {
			for w := open; w != 0; w &= w - 1 {
				if m := l.Window(d, bits.TrailingZeros64(w)); l.K-bits.OnesCount64(m&own) <= 3 {
					cells |= m
				}
			}
			continue
		}
		near := open
		for n := range uint(max(l.K-3, 0)) {
			near &^= exactly(n, open, v.stones[d][0], v.stones[d][1], v.stones[d][2])
		}
		if near != 0 {
			cells |= l.Spread(near, d)
		}
	}
	return cells
}

// weigh fills in the weight; own are the player's stones.
func (v *analysis) weigh(l *mnk.Lines64, own uint64) {
	v.weight = 0
	for d, open := range v.open {
		if !counted(l.K) {
			for w := open; w != 0; w &= w - 1 {
				v.weight += 1 << bits.OnesCount64(l.Window(d, bits.TrailingZeros64(w))&own)
			}
			continue
		}
		p0, p1, p2 := v.stones[d][0], v.stones[d][1], v.stones[d][2]
		// Sum of 2^n over windows, n in binary: split by the upper digits.
		lo := open &^ p1 &^ p2
		v.weight += uint64(bits.OnesCount64(lo) + bits.OnesCount64(lo&p0))
		mid := p1 &^ p2
		v.weight += 4 * uint64(bits.OnesCount64(mid)+bits.OnesCount64(mid&p0))
		if p2 != 0 {
			hi := p2 &^ p1
			v.weight += 16 * uint64(bits.OnesCount64(hi)+bits.OnesCount64(hi&p0))
			hi = p2 & p1
			v.weight += 64 * uint64(bits.OnesCount64(hi)+bits.OnesCount64(hi&p0))
		}
	}
}

// exactly returns the windows that hold n stones.
func exactly(n uint, open, p0, p1, p2 uint64) uint64 {
	if n&1 == 0 {
		p0 = ^p0
	}
	if n&2 == 0 {
		p1 = ^p1
	}
	if n&4 == 0 {
		p2 = ^p2
	}
	return open & p0 & p1 & p2
}

// slow is the same for one direction, window by window, for any k.
func (v *analysis) slow(l *mnk.Lines64, d int, own, free uint64) {
	for w := v.open[d]; w != 0; w &= w - 1 {
		m := l.Window(d, bits.TrailingZeros64(w))
		switch l.K - bits.OnesCount64(m&own) {
		case 1:
			v.threats |= m & free
		case 2:
			v.pair(m & free)
		}
	}
}

// pair notes a window that lacks the two stones of m.
func (v *analysis) pair(m uint64) {
	a, b := uint8(bits.TrailingZeros64(m)), uint8(63-bits.LeadingZeros64(m))
	v.partners(a, b)
	v.partners(b, a)
	v.pairs |= m
}

func (v *analysis) partners(a, b uint8) {
	bit := uint64(1) << (a & 63)
	switch {
	case v.pairs&bit == 0:
		v.partner[a&63] = b
	case v.partner[a&63] == b:
	case v.doubles&bit == 0:
		v.other[a&63] = b
		v.doubles |= bit
	case v.other[a&63] != b:
		v.more |= bit
	}
}

// answers returns where the opponent of a player with doubles must put a stone that
// makes no threat of its own: on the double that fork returns, or on one of its two
// completing cells if it has no third. Other doubles are left to the search, since
// what refutes a stone must be in the zone of the refutation.
func (v *analysis) answers() uint64 {
	at, cells := v.fork()
	if v.more>>at&1 != 0 {
		return 1 << at
	}
	return cells
}

// fork returns a double and two cells that complete after it.
func (v *analysis) fork() (at int, cells uint64) {
	a := bits.TrailingZeros64(v.doubles)
	return a, 1<<a | 1<<(v.partner[a]&63) | 1<<(v.other[a]&63)
}

// guard adds to a zone, for every window in open, cells of its empty ones until
// it has at least n of them in the zone, or all.
func (v *analysis) guard(l *mnk.Lines64, zone, free uint64, n int, except uint64) uint64 {
	for d := range 4 {
		for w := v.open[d]; w != 0; w &= w - 1 {
			m := l.Window(d, bits.TrailingZeros64(w))
			if m&except != 0 {
				continue
			}
			m &= free
			in := bits.OnesCount64(m & zone)
			for m &^= zone; in < n && m != 0; in++ {
				zone |= m & -m
				m &= m - 1
			}
		}
	}
	return zone
}
