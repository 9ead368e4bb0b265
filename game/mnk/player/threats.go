package player

import (
	"context"

	"perfectplay/internal/table"
)

// Forced play. A four is a stone after which a window lacks one stone. A four has one answer, or no
// answer if two cells complete windows.
//
// A chain of fours is a win in which the loser has no choice (threat-space search, Allis,
// van den Herik and Huntjens, "Go-Moku solved by new search techniques", 1996; λ-search of
// the first order, Thomsen 2000). If the loser may put one stone before the chain begins,
// only two kinds of stones can disturb it: on a cell of the chain, or in a window of the loser
// that lacks two stones at some time of the chain. These cells are the zone of the chain.
//
// A threat of the second order (an open three) is a stone after which the winner has a
// chain if the loser passes. The replies are the cells of that chain's zone, each tried in
// the position as it is, so that every win found is forced. Positions are known by 128 bits
// of a hash, and the table holds failures only: two positions with one hash can hide a win,
// and cannot make one.

// chains is the largest number of fours in a chain, quiets the largest number of threats of the
// second order in a row.
const (
	chains = 40
	quiets = 12
	// restPolls is the number of positions between two looks at a context.
	restPolls = 256
)

// threats searches for forced wins. It belongs to one goroutine.
type threats struct {
	f     *field
	t     *table.Table
	room  int64  // positions that it may still visit
	nodes uint64 // positions visited so far
	// When ctx, if not nil, ends, room becomes 0. yield, if not nil, is called now and then.
	ctx   context.Context
	yield func()

	// most bounds the fours of a chain. If it is less than chains, the table is not used, since
	// its failures stand for chains of any length.
	most    int
	collect bool
	zone    []int32 // zone of the last chain, if collect is set
	marks   []uint32
	mark    uint32

	bufs  [chains + 2][]cellWorth
	outer [quiets + 2][]cellWorth
	zones [quiets + 2][]cellWorth
}

type cellWorth struct {
	c int32
	v int64
}

func newThreats(f *field, t *table.Table) *threats {
	return &threats{f: f, t: t, most: chains, marks: make([]uint32, f.cells)}
}

// insert adds a cell to a list of at most width, the best first, and equal cells by number.
func insert(list []cellWorth, m cellWorth, width int) []cellWorth {
	if len(list) < width {
		list = append(list, m)
	} else if last := list[width-1]; m.v < last.v || m.v == last.v && m.c > last.c {
		return list
	}
	i := len(list) - 1
	for ; i > 0 && (list[i-1].v < m.v || list[i-1].v == m.v && list[i-1].c > m.c); i-- {
		list[i] = list[i-1]
	}
	list[i] = m
	return list
}

// The kinds of entries of the table that all searches of a player share. A key contains its
// kind and the player whom the entry is about.
const (
	kindShift = 53
	kindValue = iota << kindShift // entries of the alpha-beta search
	kindChain
	kindThreat
	kindMask = 7 << kindShift
	freshBit = 1 << 56 // always set, so that no payload is zero
)

func (s *threats) tag(kind uint64, p int) uint64 { return kind<<1 | uint64(p)<<kindShift }

func (s *threats) probe(tag uint64) (a uint64, ok bool) {
	x, ok := s.t.Probe(s.f.key[:], s.t.Hash(s.f.key[:]), tag)
	return x.A, ok
}

func (s *threats) store(tag, a uint64, effort int) {
	s.t.Store(s.f.key[:], s.t.Hash(s.f.key[:]), table.Payload{A: a | tag | freshBit}, min(effort, table.MaxEffort))
}

// chain reports whether player p, to move, wins by a chain of fours. Nobody has won.
// first is its first cell.
func (s *threats) chain(p int) (first int32, won bool) {
	if s.collect {
		s.zone = s.zone[:0]
		s.mark++
	}
	return s.fours(p, 0)
}

// shortest finds the shortest chain of fours of player p, who is to move and has a chain:
// its first cell, and the number of fours before the stone that completes a window. ok is
// false if the budget does not suffice.
func (s *threats) shortest(p int) (first int32, fours int, ok bool) {
	s.collect = false
	defer func() { s.most = chains }()
	for s.most = 0; s.most < chains && s.room > 0; s.most++ {
		if first, ok = s.chain(p); ok {
			return first, s.most, true
		}
	}
	return -1, 0, false
}

// note puts a cell into the zone.
func (s *threats) note(c int32) {
	if s.marks[c] != s.mark {
		s.marks[c] = s.mark
		s.zone = append(s.zone, c)
	}
}

// disturbing puts into the zone the cells that leave player q one stone short of a window.
func (s *threats) disturbing(q int) {
	for _, c := range s.f.front.list {
		if two, _ := s.f.lacks(q, c); two > 0 && s.f.cell[c] == 0 {
			s.note(c)
		}
	}
}

func (s *threats) fours(p, depth int) (first int32, won bool) {
	f := s.f
	if list := f.complete[p].list; len(list) > 0 {
		if s.collect {
			s.note(list[0])
		}
		return list[0], true
	}
	foes := f.complete[1-p].list
	if len(foes) > 1 || depth >= s.most || f.open[p][max(f.k-2, 0)] == 0 || s.room <= 0 {
		return -1, false
	}
	s.room--
	if s.nodes++; s.nodes%restPolls == 0 && s.ctx != nil {
		s.poll()
	}
	tag, whole := s.tag(kindChain, p), s.most == chains
	if whole {
		if _, ok := s.probe(tag); ok { // only failures are stored
			return -1, false
		}
	}
	buf := s.bufs[depth][:0]
	for _, c := range f.front.list {
		if two, _ := f.lacks(p, c); two > 0 && f.cell[c] == 0 && (len(foes) == 0 || c == foes[0]) {
			buf = insert(buf, cellWorth{c, f.sum[p][c]}, len(f.cell))
		}
	}
	s.bufs[depth] = buf
	for _, m := range buf {
		f.put(m.c, p)
		won := false
		e, e2 := int32(-1), int32(-1)
		switch list := f.complete[p].list; len(list) {
		case 0:
		case 1:
			e = list[0]
			f.put(e, 1-p)
			_, won = s.fours(p, depth+1)
			f.take()
		default:
			e, e2, won = list[0], list[1], true
		}
		f.take()
		if won {
			if s.collect {
				s.disturbing(1 - p)
				s.note(m.c)
				s.note(e)
				if e2 >= 0 {
					s.note(e2)
				}
			}
			return m.c, true
		}
	}
	if whole && s.room > 0 {
		s.store(tag, 0, 1)
	}
	return -1, false
}

// poll lets others work, and ends the search when the context ends.
func (s *threats) poll() {
	if s.yield != nil {
		s.yield()
	}
	if s.ctx.Err() != nil {
		s.room = 0
	}
}

// threaten reports whether player p, to move, wins by threats, at most left of them quiet
// in any line. Nobody has won.
func (s *threats) threaten(p, left, depth int) (first int32, won bool) {
	s.collect = false
	if first, won = s.chain(p); won || left == 0 || s.room <= 0 {
		return first, won
	}
	f := s.f
	foes := f.complete[1-p].list
	if len(foes) > 1 {
		return -1, false
	}
	tag := s.tag(kindThreat, p)
	a, known := s.probe(tag)
	if known && int(a>>40&63) >= left { // a search with at least as many quiet threats failed
		return -1, false
	}
	const width = 16
	buf := s.outer[depth][:0]
	for _, c := range f.front.list {
		if f.cell[c] != 0 || len(foes) == 1 && c != foes[0] {
			continue
		}
		if two, three := f.lacks(p, c); two > 0 || three > 0 || len(foes) == 1 {
			buf = insert(buf, cellWorth{c, f.sum[p][c]&weightMask*2 + f.sum[1-p][c]&weightMask}, width)
		}
	}
	s.outer[depth] = buf
	for _, m := range buf {
		f.put(m.c, p)
		won := s.answered(p, left-1, depth)
		f.take()
		if won {
			return m.c, true
		}
		if s.room <= 0 {
			return -1, false
		}
	}
	s.store(tag, uint64(left)<<40, 2*left)
	return -1, false
}

// answered reports whether player p, who has just put a stone, wins against any reply.
func (s *threats) answered(p, left, depth int) bool {
	f, q := s.f, 1-p
	if f.won(p) {
		return true
	}
	if len(f.complete[q].list) > 0 || f.n == f.cells {
		return false
	}
	if list := f.complete[p].list; len(list) > 1 {
		return true
	} else if len(list) == 1 {
		f.put(list[0], q)
		_, won := s.threaten(p, left, depth+1)
		f.take()
		return won
	}
	s.collect = true
	_, won := s.chain(p)
	s.collect = false
	if !won {
		return false
	}
	zone := s.disturbers(q, s.zones[depth][:0])
	s.zones[depth] = zone
	for _, m := range zone {
		f.put(m.c, q)
		_, won := s.threaten(p, left, depth+1)
		f.take()
		if !won {
			return false
		}
	}
	return true
}

// disturbers appends the cells of the zone, the likeliest first. Only on these cells player p can
// stop the chain found last.
func (s *threats) disturbers(p int, buf []cellWorth) []cellWorth {
	for _, c := range s.zone {
		buf = insert(buf, cellWorth{c, s.f.weigh(p, c)}, s.f.cells)
	}
	return buf
}
