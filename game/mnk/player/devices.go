package player

// devices say how the search looks further than its depth where a position is not quiet.
type devices struct {
	threats    bool // chains of fours at leaves and inner positions, threats at the root
	quiescence int  // plies of the quiescence search at leaves; 0 for none
	singular   bool // one ply more after a move that is better than all others by far
}

// counts are the positions in which the search had a choice of moves, those of them in
// which a threat leaves the cells of a zone only, those in which one four leaves one
// cell, the tests of singular extension, and the moves that it extended.
type counts struct{ inner, zones, blocks, tests, singular uint64 }

// quietWidth is how many moves the quiescence search looks at.
const quietWidth = 8

// quiesce is the value for player p, who is to move, after moves that make or meet fours
// and open threes only, of which so many plies follow each other; the answer to a four
// takes none of them.
func (s *search) quiesce(p, left, ply int, alpha, beta int64) int64 {
	f := s.f
	if s.spent() {
		return 0
	}
	switch {
	case f.won(1 - p):
		return int64(ply) - mate
	case f.n == f.cells:
		return 0
	case len(f.complete[p].list) > 0:
		return mate - int64(ply) - 1
	case len(f.complete[1-p].list) > 1:
		return int64(ply) + 2 - mate
	case ply >= deepest:
		return s.evaluate(p)
	case len(f.complete[1-p].list) == 1:
		f.put(f.complete[1-p].list[0], p)
		v := -s.quiesce(1-p, left, ply+1, -beta, -alpha)
		f.take()
		return v
	}
	if _, won := s.chain(p, roomLeaf, false); won {
		return mate - int64(ply) - 3
	}
	if left == 0 {
		return s.evaluate(p)
	}
	best, buf := -infinite, s.bufs[ply][:0]
	if s.menaced(p) {
		for _, c := range s.th.zone {
			buf = insert(buf, cellWorth{c, f.weigh(p, c)}, f.cells)
		}
	} else {
		if best = s.evaluate(p); best >= beta {
			return best
		}
		alpha = max(alpha, best)
		for _, c := range f.front.list {
			if two, three := f.lacks(p, c); f.cell[c] == 0 && (two > 0 || three > 1) {
				buf = insert(buf, cellWorth{c, f.weigh(p, c)}, quietWidth)
			}
		}
	}
	s.bufs[ply] = buf
	for _, m := range buf {
		f.put(m.c, p)
		v := -s.quiesce(1-p, left-1, ply+1, -beta, -alpha)
		f.take()
		if s.over {
			return 0
		}
		best = max(best, v)
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}
	return best
}

// menaced reports whether the other side would win by a chain of fours if p passed, and
// makes its zone: without threat search, by a four with two cells to complete.
func (s *search) menaced(p int) bool {
	s.th.room, s.th.collect = 1, true
	if s.threats {
		s.th.room = roomLeaf
	}
	before := s.th.nodes
	_, lost := s.th.chain(1 - p)
	s.count(before)
	return lost
}

// The bounds of singular extension.
const singularDepth = 4

// alone reports whether all moves but the first, which the table names, are worse than
// its value by a window that lacks two stones, at half the depth.
func (s *search) alone(p, depth, ply int, moves []cellWorth, first int32) bool {
	if depth < singularDepth || ply >= s.base || first < 0 || len(moves) < 2 || moves[0].c != first {
		return false
	}
	a, ok := s.th.probe(s.th.tag(kindValue, p))
	v := int64(a&(1<<valueBits-1)) - infinite
	if !ok || a>>boundShift&3 == upper || int(a>>depthShift&127) < depth-3 || v >= decided || v <= -decided {
		return false
	}
	s.counts.tests++
	v -= weight(s.f.k, s.f.k-2)
	for _, m := range moves[1:] {
		s.f.put(m.c, p)
		other := -s.value(1-p, depth/2-1, ply+1, -v, 1-v)
		s.f.take()
		if s.over || other >= v {
			return false
		}
	}
	s.counts.singular++
	return true
}
