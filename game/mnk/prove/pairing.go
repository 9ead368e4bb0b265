package prove

import (
	"math/bits"

	"perfectplay/game/mnk"
)

// pairing looks for a mixed defence: disjoint pairs of empty cells, so that the
// defender answers a stone on one cell of a pair with the other, and for the
// windows that no pair hits, weights on the cells outside the pairs. Pairs count
// as lost in those windows, so the two parts do not disturb each other.
type pairing struct {
	line [224]uint64 // empty cells outside the pairs, of windows not hit yet
	n    int
	// pairs are those of the last cover.
	pairs [32]uint64
	used  int
}

// cover reports whether greedy choice finds pairs that leave a weight below
// limit, and which cells the defence uses. va is the attacker's look.
func (p *pairing) cover(l *mnk.Lines64, va *look, a, free uint64, limit uint64) (zone uint64, ok bool) {
	p.n, p.used = 0, 0
	k := l.K
	var total uint64
	for d := range 4 {
		for w := va.open[d]; w != 0; w &= w - 1 {
			m := l.Window(d, bits.TrailingZeros64(w)) & free
			p.line[p.n] = m
			p.n++
			total += 1 << (k - bits.OnesCount64(m))
		}
	}
	for total >= limit {
		// The heaviest windows first: a pair that hits one of them.
		heaviest := 65
		for _, m := range p.line[:p.n] {
			heaviest = min(heaviest, bits.OnesCount64(m))
		}
		if heaviest < 2 {
			return 0, false
		}
		bestGain, bestPair := int64(-1<<62), uint64(0)
		tried := 0
		for _, m := range p.line[:p.n] {
			if bits.OnesCount64(m) != heaviest {
				continue
			}
			if tried++; tried > 6 {
				break
			}
			for x := m; x != 0; x &= x - 1 {
				for y := x & (x - 1); y != 0; y &= y - 1 {
					pr := x&-x | y&-y
					var gain int64
					for _, o := range p.line[:p.n] {
						switch t := o & pr; {
						case t == pr:
							gain += 1 << (k - bits.OnesCount64(o))
						case t != 0:
							gain -= 1 << (k - bits.OnesCount64(o))
						}
					}
					if gain > bestGain {
						bestGain, bestPair = gain, pr
					}
				}
			}
		}
		if bestGain <= 0 && heaviest > 2 {
			return 0, false
		}
		zone |= bestPair
		p.pairs[p.used&31] = bestPair
		p.used++
		j := 0
		total = 0
		for _, o := range p.line[:p.n] {
			if o&bestPair == bestPair {
				continue
			}
			o &^= bestPair
			if o == 0 {
				return 0, false
			}
			p.line[j] = o
			j++
			total += 1 << (k - bits.OnesCount64(o))
		}
		p.n = j
	}
	for _, m := range p.line[:p.n] {
		zone |= m
	}
	return zone, true
}
