package prove

import (
	"perfectplay/bitboard"
)

// frame64 is an inner position of the proof-number search.
type frame64 struct {
	children [cells64]child
	n        int
}

// inner tries to decide a position by a leaf. If v is open, it returns the position's moves and key.
func (s *searcher64) inner(a, d bitboard.Set64, attack bool, ply int) (v verdict, moves bitboard.Set64, k place64) {
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, moves := s.leaf(a, d, attack, va, vd)
	if v != open {
		return v, moves, k
	}
	if kind == leafThreat {
		va.reach(s.l)
		vd.reach(s.l)
	}
	return v, moves, s.key(a, d, attack, va, vd)
}

// numbers returns the proof and disproof number of a child position, from the
// table or from its analysis.
func (s *searcher64) numbers(a, d bitboard.Set64, attack bool) (phi, del uint32) {
	s.nodes++
	v, moves, k := s.inner(a, d, attack, lastPly64)
	if v != open {
		return settled(v)
	}
	if f, ok := s.load(k); ok && f.verdict != limited {
		if f.verdict.proof() {
			s.byCut[leafTable]++
			return settled(f.verdict)
		}
		return f.numbers()
	}
	// Each further move is one more to prove; heavier positions are closer to a win.
	n := uint32(moves.Count())
	if attack {
		return 1, n
	}
	return n, 1
}

// proofNumbers searches until the proof number reaches maxPhi or the disproof
// number maxDel, and returns both.
func (s *searcher64) proofNumbers(a, d bitboard.Set64, attack bool, maxPhi, maxDel uint32, ply int) (phi, del uint32) {
	if s.count() {
		return 1, 1
	}
	v, moves, k := s.inner(a, d, attack, ply)
	if v != open {
		return settled(v)
	}
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	free := s.l.Cells.AndNot(a.Or(d))
	zone := va.cells.Or(vd.cells).And(free)
	start := s.nodes
	if va.threats.Or(vd.threats).IsEmpty() {
		if z, ok := s.paired(a, free, attack, ply, va); ok {
			s.store(k, fact64{verdict: refuted, move: noMove64, word: z}, 1)
			return infinitePN, 0
		}
	}
	if s.frames[ply] == nil {
		s.frames[ply] = new(frame64)
	}
	f := s.frames[ply]
	var order [cells64]int32
	f.n = s.scored(moves, a, d, k.side, va, vd, &order)
	sorted(order[:f.n])
	for i := range f.n {
		c := &f.children[i]
		c.cell = uint8(order[i] & mask64)
		na, nd := after64(a, d, bitboard.Cell64(int(c.cell&mask64)), attack)
		c.phi, c.del = s.numbers(na, nd, !attack)
		if attack && c.phi == 0 || !attack && c.del == 0 {
			break
		}
	}
	for {
		var best int
		var second uint32
		best, second, phi, del = f.numbers(attack)
		cell := f.children[max(best, 0)].cell
		switch {
		case phi == 0 || del == 0:
			v := won
			if phi > 0 {
				v = refuted
			}
			known, nodes := fact64{verdict: v, move: cell, word: zone}, s.nodes-start
			s.store(k, known, nodes)
			if nodes >= s.dear {
				s.t.learn(a, d, attack, known, nodes)
			}
			return phi, del
		case phi >= maxPhi || del >= maxDel || s.over():
			s.store(k, openFact64(phi, del, cell), s.nodes-start)
			return phi, del
		}
		c := &f.children[best]
		own := second + max(1, second/4)
		forPhi, forDel := min(maxPhi, own), min(maxDel-del+c.del, infinitePN)
		if !attack {
			forPhi, forDel = min(maxPhi-phi+c.phi, infinitePN), min(maxDel, own)
		}
		na, nd := after64(a, d, bitboard.Cell64(int(c.cell&mask64)), attack)
		c.phi, c.del = s.proofNumbers(na, nd, !attack, forPhi, forDel, ply+1)
	}
}

// numbers returns the child to search, the second-best number for the side to move, and the
// numbers of the parent that follow from those of the children.
func (f *frame64) numbers(attack bool) (best int, second, phi, del uint32) {
	best, second = -1, infinitePN
	// up is the number for the side to move, down the other.
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
	return best, second, phi, del
}
