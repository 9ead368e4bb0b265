package prove

import "math/bits"

// Depth-first proof-number search (Nagai, "Df-pn algorithm for searching
// AND/OR trees and its applications", 2002), on the same question, leaves, keys
// and table as the depth-first search. It finds wins that need the right moves
// in the right order; refutations by zones are the other search's strength.
//
// Sums of proof numbers count a position once per way to it, so they are
// weakened to the largest term plus the number of other terms (Ueda, Hashimoto,
// Hashimoto, Iida, "Weak proof-number search", 2008).

// infinitePN is the number of a proof that cannot be found.
const infinitePN = 1 << 30

// child is a move of an inner position with its numbers, for the side that
// attacks at that position: phi to prove the position's own side right.
type child struct {
	cell     uint8
	phi, del uint32 // proof and disproof number of the attacker's win
}

// frame is an inner position of the proof-number search.
type frame struct {
	children [64]child
	n        int
}

// settled returns the numbers of a decided position.
func settled(v verdict) (phi, del uint32) {
	if v == won {
		return 0, infinitePN
	}
	return infinitePN, 0
}

// numbers returns the proof and disproof number of a child position, from the
// table or from its analysis.
func (s *searcher) numbers(a, d uint64, attack bool) (phi, del uint32) {
	s.nodes++
	va, vd := &s.analyses[lastPly][0], &s.analyses[lastPly][1]
	v, kind, moves := s.leaf(a, d, attack, va, vd)
	if v != open {
		return settled(v)
	}
	if kind == leafThreat {
		va.reach(s.l)
		vd.reach(s.l)
	}
	side := turn(attack)
	x, y, sym := s.key(a, d, va, vd)
	if f, ok := s.load(x, y, side, sym); ok && f.verdict != limited {
		if f.verdict.proof() {
			s.byCut[leafTable]++
			return settled(f.verdict)
		}
		return f.numbers()
	}
	// One move more is one more to prove; heavier positions are
	// closer to a win.
	n := uint32(bits.OnesCount64(moves))
	if attack {
		return 1, n
	}
	return n, 1
}

// after returns the stones after one more on a cell.
func after(a, d uint64, cell uint8, attack bool) (uint64, uint64) {
	if attack {
		return a | 1<<(cell&63), d
	}
	return a, d | 1<<(cell&63)
}

// proofNumbers searches until the proof number reaches maxPhi or the disproof
// number maxDel, and returns both.
func (s *searcher) proofNumbers(a, d uint64, attack bool, maxPhi, maxDel uint32, ply int) (phi, del uint32) {
	if s.count() {
		return 1, 1
	}
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, moves := s.leaf(a, d, attack, va, vd)
	if v != open {
		return settled(v)
	}
	if kind == leafThreat {
		va.reach(s.l)
		vd.reach(s.l)
	}
	side := turn(attack)
	x, y, sym := s.key(a, d, va, vd)
	zone := (va.cells | vd.cells) &^ (a | d)
	start := s.nodes
	free := s.l.Cells &^ (a | d)
	if va.threats|vd.threats == 0 {
		if z, ok := s.paired(a, free, attack, va); ok {
			s.store(x, y, side, sym, fact{verdict: refuted, move: noMove, word: z}, 1)
			return infinitePN, 0
		}
	}
	if s.frames[ply] == nil {
		s.frames[ply] = new(frame)
	}
	f := s.frames[ply]
	var order [64]int32
	f.n = s.scored(moves, a, d, side, va, vd, &order)
	sorted(order[:f.n])
	for i := range f.n {
		c := &f.children[i]
		c.cell = uint8(order[i] & 63)
		na, nd := after(a, d, c.cell, attack)
		c.phi, c.del = s.numbers(na, nd, !attack)
		if attack && c.phi == 0 || !attack && c.del == 0 {
			break
		}
	}
	for {
		best, second := -1, uint32(infinitePN)
		// Seen from the side to move, up is the number of its own proof.
		lowest, sum, largest := uint32(infinitePN), uint32(0), uint32(0)
		for i := range f.n {
			c := &f.children[i]
			up, down := c.phi, c.del
			if !attack {
				up, down = down, up
			}
			if up < lowest || best < 0 {
				second, lowest, best = lowest, up, i
			} else if up < second {
				second = up
			}
			if down > largest {
				largest = down
			}
			if down > 0 {
				sum++
			}
			if up == 0 {
				best, lowest = i, 0
				break
			}
		}
		total := largest
		if sum > 0 && largest < infinitePN {
			total = min(largest+sum-1, infinitePN-1)
		}
		phi, del = lowest, total
		if lowest == 0 {
			del = infinitePN
		} else if lowest >= infinitePN {
			phi, del = infinitePN, 0
		}
		if !attack {
			phi, del = del, phi
		}
		cell := f.children[max(best, 0)].cell
		switch {
		case phi == 0 || del == 0:
			v := won
			if phi > 0 {
				v = refuted
			}
			known, nodes := fact{verdict: v, move: cell, word: zone}, s.nodes-start
			s.store(x, y, side, sym, known, nodes)
			if nodes >= s.dear {
				s.t.learn(a, d, attack, known, nodes)
			}
			return phi, del
		case phi >= maxPhi || del >= maxDel || s.over():
			s.store(x, y, side, sym, openFact(phi, del, cell), s.nodes-start)
			return phi, del
		}
		c := &f.children[best]
		own := second + max(1, second/4)
		forPhi, forDel := min(maxPhi, own), min(maxDel-del+c.del, infinitePN)
		if !attack {
			forPhi, forDel = min(maxPhi-phi+c.phi, infinitePN), min(maxDel, own)
		}
		na, nd := after(a, d, c.cell, attack)
		c.phi, c.del = s.proofNumbers(na, nd, !attack, forPhi, forDel, ply+1)
	}
}
