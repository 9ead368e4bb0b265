package thesis2025

import (
	"math"
	"slices"
)

// tiny searches model Base on the star of 13 holes with one piece for each of
// up to four seats. There are few placements, so the moves of each, in the
// program's order, are written into a table before the search; what is looked
// up in a node is its list of children. The nodes are those of [direct], each
// visited but for the last plies, which are counted for the same reasons.
type tiny struct {
	*grid
	*watch
	Counts
	node  []tinyNode
	child []uint32 // the lists of children
	start uint32
}

// tinyNode is a placement with the seat to move. Its index is the placement,
// in base 13 by turn order, times the number of seats, plus the index of the
// seat to move.
type tinyNode struct {
	first   uint32 // index of the first child
	pass    uint32 // the node with the same placement and the next seat to move
	n       uint8  // number of children
	seat    uint8  // seat to move
	winner  uint8  // the seat that moved last, if it has won
	winning uint8  // number of children that are won
	least   uint8  // least number of children of a child, at most 255
}

// fitsTiny says whether a configuration is one for the tiny engine.
func fitsTiny(c Config) bool { return c.Model == Base && c.Pieces == 1 && c.Players <= 4 }

func newTiny(g *grid, w *watch) *tiny {
	k := len(g.seats)
	weight := make([]int, k)
	size := k
	for i := k - 1; i >= 0; i-- {
		weight[i] = size
		size *= len(g.at)
	}
	e := &tiny{grid: g, watch: w, node: make([]tinyNode, size)}
	p := g.start
	for i, seat := range g.seats {
		at := p.piece[seat][0]
		p.cell[at] = empty
		e.start += uint32(int(g.hole[at]) * weight[i])
	}
	// Every placement, one piece after the other.
	var list [maxDestinations]place
	var put func(i, index int)
	put = func(i, index int) {
		if i < k {
			seat := g.seats[i]
			for h, at := range g.at {
				if p.cell[at] == empty {
					p.piece[seat][0], p.cell[at] = at, stones[seat]
					put(i+1, index+h*weight[i])
					p.cell[at] = empty
				}
			}
			return
		}
		for j, seat := range g.seats {
			pass, last := index+(j+1)%k, g.seats[(j+k-1)%k]
			n := tinyNode{seat: uint8(seat), first: uint32(len(e.child)), pass: uint32(pass)}
			if int(g.tipAt[p.piece[last][0]]) == opposite[last] {
				n.winner = uint8(last)
			}
			from := p.piece[seat][0]
			for _, to := range p.generate(g, seat, seat, 0, list[:0]) {
				e.child = append(e.child, uint32(pass+(int(g.hole[to])-int(g.hole[from]))*weight[j]))
				n.n++
			}
			e.node[index+j] = n
		}
	}
	put(0, 0)
	for i := range e.node {
		n := &e.node[i]
		n.least = math.MaxUint8
		for _, c := range e.children(n) {
			n.least = min(n.least, e.node[c].n)
			if e.node[c].winner != 0 {
				n.winning++
			}
		}
	}
	return e
}

func (e *tiny) free() error { return nil }

func (e *tiny) children(n *tinyNode) []uint32 {
	return e.child[n.first : n.first+uint32(n.n)]
}

// bounded is [reference.bounded].
func (e *tiny) bounded(index uint32, limit, alpha, beta int) int {
	n := &e.node[index]
	e.Nodes++
	if limit == 0 {
		return 0
	}
	if n.winner != 0 {
		e.Terminals++
		return e.score(int(n.winner))
	}
	maximise := n.seat == 1
	if limit == 1 {
		if !closes(maximise, alpha, beta) {
			e.Nodes += uint64(n.n)
		} else if n.n > 0 {
			e.Nodes++
			e.Cutoffs++
		}
		return 0
	}
	if limit > 4 {
		e.check(&e.Counts)
	}
	for n.n == 0 { // a pass, as in reference.turn
		n = &e.node[n.pass]
		if limit--; limit == 0 {
			return 0
		}
	}
	list := e.children(n)
	if limit == 2 && n.winning == 0 && n.least > 0 && !closes(maximise, alpha, beta) &&
		(maximise && alpha >= 0 || !maximise && beta <= 0) { // see direct
		m := uint64(len(list))
		if closes(e.node[list[0]].seat == 1, alpha, beta) {
			e.Nodes += 2 * m
			e.Cutoffs += m
			return 0
		}
		for _, c := range list {
			m += uint64(e.node[c].n)
		}
		e.Nodes += m
		return 0
	}
	best := open
	for _, c := range list {
		v := e.bounded(c, limit-1, alpha, beta)
		best, alpha, beta = fold(e.paranoid, maximise, v, best, alpha, beta)
		if beta <= alpha {
			e.Cutoffs++
			break
		}
	}
	return e.report(best)
}

// maxn is [reference.maxn].
func (e *tiny) maxn(index uint32, limit int) int {
	n := &e.node[index]
	e.Nodes++
	switch {
	case limit == 0:
		return 0
	case n.winner != 0:
		e.Terminals++
		return int(n.winner)
	case limit == 1:
		e.Nodes += uint64(n.n)
		return 0
	case limit > 4:
		e.check(&e.Counts)
	}
	for n.n == 0 {
		n = &e.node[n.pass]
		if limit--; limit == 0 {
			return 0
		}
	}
	list := e.children(n)
	if limit == 2 && n.winning == 0 {
		m := uint64(len(list))
		for _, c := range list {
			m += uint64(e.node[c].n)
		}
		e.Nodes += m
		return 0
	}
	best, seat := 0, int(n.seat)
	for _, c := range list {
		w := e.maxn(c, limit-1)
		if w > 0 && best == 0 || w == seat {
			best = w
		}
		if best == seat {
			e.Cutoffs++
			break
		}
	}
	return best
}

// run searches after an opening and returns the winner.
func (e *tiny) run(m opening) int {
	var buf [maxDestinations]place
	list := e.grid.start.generate(e.grid, 1, 1, 0, buf[:0])
	at := e.children(&e.node[e.start])[slices.Index(list, m.to)]
	if e.Algorithm == MaxN {
		return e.maxn(at, e.Limit)
	}
	return winnerOf(e.Algorithm, e.bounded(at, e.Limit, math.MinInt32, math.MaxInt32))
}
