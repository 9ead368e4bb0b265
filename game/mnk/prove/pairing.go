package prove

import (
	"math/bits"

	"perfectplay/game/mnk"
)

// pairing looks for a mixed defence: disjoint pairs of empty cells, so that the
// defender answers a stone on one cell of a pair with the other, and for the
// windows that no pair hits, weights on the cells outside the pairs. Pairs count
// as lost in those windows, so the two parts do not disturb each other.
//
// Windows are kept in classes by how many empty cells they have outside the
// pairs, as sets of windows by direction. Two cells lie in windows of at most
// one common direction, so what a pair hits is one intersection a class.
type pairing struct {
	// class[e][d] are the windows of direction d with e cells left.
	class [65][4]uint64
	// used and chosen are how many pairs the last cover has, and which.
	used  int
	pairs [32]uint64
	// gone[d] are the windows that the pairs hit.
	gone [4]uint64
	// single[c] is what through says of cell c, for the cells that best looked at.
	single [64]uint64
}

// pairTries is how many of the heaviest windows are looked at for a pair.
const pairTries = 2

// cover reports whether greedy choice finds pairs that leave a weight below limit, and
// which cells the defence uses. va is the attacker's analysis.
func (p *pairing) cover(l *mnk.Lines64, va *analysis, a, free uint64, limit uint64) (zone uint64, ok bool) {
	p.used, p.gone = 0, [4]uint64{}
	k := l.K
	clear(p.class[:k+1])
	p.sort(l, va, a)
	heaviest := 2
	for total := p.weight(k); total >= limit; {
		if p.class[1] != [4]uint64{} {
			return 0, false
		}
		for p.class[heaviest] == [4]uint64{} {
			heaviest++
		}
		x, y, change := p.best(l, free&^zone, heaviest)
		zone |= 1<<x | 1<<y
		p.pairs[p.used&31] = 1<<x | 1<<y
		p.used++
		p.take(l, x, y, heaviest)
		total += change
		heaviest = max(2, heaviest-1)
	}
	for d := range 4 {
		if left := va.open[d] &^ p.gone[d]; left != 0 {
			zone |= l.Spread(left, d) & free
		}
	}
	return zone, true
}

// sort puts the open windows into classes.
func (p *pairing) sort(l *mnk.Lines64, va *analysis, a uint64) {
	k := l.K
	for d, open := range va.open {
		if open == 0 {
			continue
		}
		if !counted(k) {
			for w := open; w != 0; w &= w - 1 {
				bit := w & -w
				p.class[k-bits.OnesCount64(l.Window(d, bits.TrailingZeros64(w))&a)][d] |= bit
			}
			continue
		}
		p0, p1, p2 := va.stones[d][0], va.stones[d][1], va.stones[d][2]
		for n := range k {
			p.class[k-n][d] = exactly(uint(n), open, p0, p1, p2)
		}
	}
}

// weight is 2^k times the potential of the windows left.
func (p *pairing) weight(k int) (total uint64) {
	for e := 1; e <= k; e++ {
		c := &p.class[e]
		if n := bits.OnesCount64(c[0]) + bits.OnesCount64(c[1]) + bits.OnesCount64(c[2]) + bits.OnesCount64(c[3]); n > 0 {
			total += uint64(n) << (k - e)
		}
	}
	return total
}

// best returns the pair in one of the heaviest windows that hits most weight, and of
// those the one whose cells hold least beside; change is what it does to the weight of
// all windows, modulo 2^64. No window has fewer than heaviest cells left.
func (p *pairing) best(l *mnk.Lines64, free uint64, heaviest int) (bestX, bestY int, change uint64) {
	var known uint64 // cells whose weight is in single
	var most, least uint64
	tried := 0
	for d := range 4 {
		for w := p.class[heaviest][d]; w != 0; w &= w - 1 {
			if tried++; tried > pairTries {
				break
			}
			m := l.Window(d, bits.TrailingZeros64(w)) & free
			for x := m; x != 0; x &= x - 1 {
				i := bits.TrailingZeros64(x)
				for y := x & (x - 1); y != 0; y &= y - 1 {
					j := bits.TrailingZeros64(y)
					both := l.Starting[i&63][d] & l.Starting[j&63][d]
					var hit uint64
					for e := heaviest; e <= l.K; e++ {
						hit += uint64(bits.OnesCount64(both&p.class[e&63][d])) << (l.K - e)
					}
					if hit < most {
						continue
					}
					for z := (x&-x | y&-y) &^ known; z != 0; z &= z - 1 {
						c := bits.TrailingZeros64(z)
						p.single[c&63] = p.through(l, c, heaviest)
					}
					known |= x&-x | y&-y
					if s := p.single[i&63] + p.single[j&63]; hit > most || s < least {
						bestX, bestY, most, least = i, j, hit, s
					}
				}
			}
		}
	}
	// What holds one of the cells alone weighs twice as much, what holds both nothing.
	return bestX, bestY, least - 3*most
}

// through is the weight of the windows left that hold cell c; none has fewer
// than from cells left.
func (p *pairing) through(l *mnk.Lines64, c, from int) (sum uint64) {
	t := &l.Starting[c&63]
	for e := from; e <= l.K; e++ {
		k := &p.class[e]
		n := bits.OnesCount64(t[0]&k[0]) + bits.OnesCount64(t[1]&k[1]) + bits.OnesCount64(t[2]&k[2]) + bits.OnesCount64(t[3]&k[3])
		sum += uint64(n) << (l.K - e)
	}
	return sum
}

// take makes x and y a pair. No window has fewer than from cells left, which are at
// least 2.
func (p *pairing) take(l *mnk.Lines64, x, y, from int) {
	tx, ty := &l.Starting[x&63], &l.Starting[y&63]
	for d := range 4 {
		hit, one := tx[d]&ty[d], tx[d]^ty[d]
		p.gone[d] |= hit
		if hit|one == 0 {
			continue
		}
		for e := from; e <= l.K; e++ {
			c := p.class[e][d] &^ hit
			down := c & one
			p.class[e][d] = c &^ down
			p.class[e-1][d] |= down
		}
	}
}
