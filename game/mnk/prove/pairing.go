package prove

import (
	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// pairing64 looks for a mixed defence: disjoint pairs of empty cells, so that the defender
// answers a stone on one cell of a pair with the other, and weights on the cells outside
// the pairs for the windows that no pair hits. Cells of pairs count as lost in those
// windows, so the two parts do not disturb each other.
//
// Windows are kept in classes by their number of empty cells outside the pairs, as sets of
// windows by direction. Two cells share windows of at most one direction, so the windows
// hit by a pair are one intersection a class.
type pairing64 struct {
	// class[e][d] are the windows of direction d with e cells left.
	class [cells64 + 1][4]bitboard.Set64
	// used is the number of pairs of the last cover, pairs are its pairs.
	used  int
	pairs [cells64 / 2]bitboard.Set64
	// gone[d] are the windows that the pairs hit.
	gone [4]bitboard.Set64
	// single[c] is the weight of the windows with cell c, for the cells that best looked at.
	single [cells64]uint64
}

// cover reports whether greedy choice finds pairs that leave a weight below limit, and
// returns the cells of the defence. va is the attacker's analysis.
func (p *pairing64) cover(l *mnk.Lines64, va *analysis64, a, free bitboard.Set64, limit uint64) (zone bitboard.Set64, ok bool) {
	p.used, p.gone = 0, [4]bitboard.Set64{}
	k := l.K
	clear(p.class[:k+1])
	p.sort(l, va, a)
	heaviest := 2
	for total := p.weight(k); total >= limit; {
		if !p.empty(1) {
			return bitboard.Set64{}, false
		}
		for p.empty(heaviest) {
			heaviest++
		}
		x, y, change := p.best(l, free.AndNot(zone), heaviest)
		zone = zone.Or(bitboard.Cell64(x).Or(bitboard.Cell64(y)))
		p.pairs[p.used&(mask64/2)] = bitboard.Cell64(x).Or(bitboard.Cell64(y))
		p.used++
		p.take(l, x, y, heaviest)
		total += change
		heaviest = max(2, heaviest-1)
	}
	for d := range 4 {
		if left := va.open[d].AndNot(p.gone[d]); !left.IsEmpty() {
			zone = zone.Or(l.Spread(left, d).And(free))
		}
	}
	return zone, true
}

// sort puts the open windows into classes.
func (p *pairing64) sort(l *mnk.Lines64, va *analysis64, a bitboard.Set64) {
	for d, open := range va.open {
		for w := open; !w.IsEmpty(); w = w.DropMin() {
			c := &p.class[l.K-l.Window(d, w.Min()).And(a).Count()][d]
			*c = c.Or(w.First())
		}
	}
}

// weight is 2^k times the potential of the windows left.
func (p *pairing64) weight(k int) (total uint64) {
	for e := 1; e <= k; e++ {
		c := &p.class[e]
		if n := c[0].Count() + c[1].Count() + c[2].Count() + c[3].Count(); n > 0 {
			total += uint64(n) << (k - e)
		}
	}
	return total
}

// empty reports whether no window has e cells left.
func (p *pairing64) empty(e int) bool {
	c := &p.class[e]
	return c[0].Or(c[1]).Or(c[2]).Or(c[3]).IsEmpty()
}

// best returns the pair in one of the heaviest windows that hits the most weight. Of equal pairs it
// takes the pair whose cells lie in windows of the least weight. change is the change of the weight
// of all windows, modulo 2^64. No window has fewer than heaviest cells left.
func (p *pairing64) best(l *mnk.Lines64, free bitboard.Set64, heaviest int) (bestX, bestY int, change uint64) {
	var known bitboard.Set64 // cells whose weight is in single
	var most, least uint64
	tried := 0
	for d := range 4 {
		for w := p.class[heaviest][d]; !w.IsEmpty(); w = w.DropMin() {
			if tried++; tried > pairTries {
				break
			}
			m := l.Window(d, w.Min()).And(free)
			for x := m; !x.IsEmpty(); x = x.DropMin() {
				i := x.Min()
				for y := x.DropMin(); !y.IsEmpty(); y = y.DropMin() {
					j := y.Min()
					both := l.Starting[i&mask64][d].And(l.Starting[j&mask64][d])
					var hit uint64
					for e := heaviest; e <= l.K; e++ {
						hit += uint64(both.And(p.class[e&mask64][d]).Count()) << (l.K - e)
					}
					if hit < most {
						continue
					}
					for z := x.First().Or(y.First()).AndNot(known); !z.IsEmpty(); z = z.DropMin() {
						c := z.Min()
						p.single[c&mask64] = p.through(l, c, heaviest)
					}
					known = known.Or(x.First().Or(y.First()))
					if s := p.single[i&mask64] + p.single[j&mask64]; hit > most || s < least {
						bestX, bestY, most, least = i, j, hit, s
					}
				}
			}
		}
	}
	// Windows with one of the two cells then weigh twice as much, windows with both
	// nothing.
	return bestX, bestY, least - 3*most
}

// through is the weight of the remaining windows with cell c. No window has fewer than from
// cells left.
func (p *pairing64) through(l *mnk.Lines64, c, from int) (sum uint64) {
	t := &l.Starting[c&mask64]
	for e := from; e <= l.K; e++ {
		k := &p.class[e]
		n := t[0].And(k[0]).Count() + t[1].And(k[1]).Count() + t[2].And(k[2]).Count() + t[3].And(k[3]).Count()
		sum += uint64(n) << (l.K - e)
	}
	return sum
}

// take makes x and y a pair. No window has fewer than from cells left; from is at least 2.
func (p *pairing64) take(l *mnk.Lines64, x, y, from int) {
	tx, ty := &l.Starting[x&mask64], &l.Starting[y&mask64]
	for d := range 4 {
		hit, one := tx[d].And(ty[d]), tx[d].Xor(ty[d])
		p.gone[d] = p.gone[d].Or(hit)
		if hit.Or(one).IsEmpty() {
			continue
		}
		for e := from; e <= l.K; e++ {
			c := p.class[e][d].AndNot(hit)
			down := c.And(one)
			p.class[e][d] = c.AndNot(down)
			p.class[e-1][d] = p.class[e-1][d].Or(down)
		}
	}
}
