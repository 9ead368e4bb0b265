package thesis2025

import (
	"context"
	"fmt"
	"math/bits"
	"runtime/debug"
	"time"
)

// merged finds the counts of a max^n search of model Base without visiting all
// its nodes: it searches equal subtrees once and adds their counts as often as
// they occur. It is kept apart from the engines that visit the published tree,
// and no speed is claimed for it in nodes.
//
// In model Base nothing but the position decides a subtree: there is no set of
// visited boards, and max^n with immediate pruning passes no bounds down. So
// the counts and the winner below a node are a function of the lists of pieces,
// the seat to move and the limit that is left.
//
// If no node of the subtree is won, they are the same for every order of the
// lists: the order decides in which sequence children are searched, but all are
// worth a draw, none cuts, and so all of them are searched. Such a quiet
// subtree is filed under the sets of holes that the seats occupy, any other
// under the lists.
//
// A node that seat s moved to is won or not whatever came before it, and the
// seat that moved last is the one before the seat to move, passes included
// (they happen inside a node). So the key holds what matters.
type merged struct {
	*direct
	*keys
	slots []mergedSlot
	order [7]uint // shift of a seat's order of pieces in the key
}

// mergedSlot is a subtree that has been searched.
type mergedSlot struct {
	key    [3]uint64 // sets of holes; and the mark, or 0 if the slot is free
	counts Counts
	winner int
	effort int // limit: what it costs to search again grows with it
}

const (
	// mergedBucket is the number of neighbouring slots a key can be in. The one
	// of the smallest limit gives way, unless all are of larger limits.
	mergedBucket = 4
	// mergedLimit is the smallest limit filed: below it a search takes no
	// longer than a look into the table.
	mergedLimit = 3
	slotBytes   = 3*8 + 5*8 + 2*8
)

// RunMerged returns what [Run] would, for max^n of model Base only, with the
// counts found by merging equal subtrees. MemoryBytes bounds its table; less
// memory only means more work.
func RunMerged(ctx context.Context, c Config, progress func(Progress)) (row Row, err error) {
	if err := c.Validate(); err != nil {
		return Row{}, err
	}
	if c.Model != Base || c.Algorithm != MaxN {
		return Row{}, fmt.Errorf("thesis2025: merged search is for max^n of model Base, not %v of %v", c.Algorithm, c.Model)
	}
	start := time.Now()
	g := newGrid(c)
	m, err := g.opening(c)
	if err != nil {
		return Row{}, err
	}
	e, err := newMerged(g, c, &watch{ctx: ctx, progress: progress, told: start})
	if err != nil {
		return Row{}, err
	}
	row, err = finish(g, c, m, e, start)
	e.slots = nil
	debug.FreeOSMemory() // or the next run's table would come on top of it
	return row, err
}

func newMerged(g *grid, c Config, w *watch) (*merged, error) {
	e := &merged{direct: newDirect(g, c, w), keys: newKeys(g)}
	if e.width > 2 {
		return nil, fmt.Errorf("thesis2025: merged search of %d seats with %d pieces: positions do not fit its keys", c.Players, c.Pieces)
	}
	size := uint(bits.Len(uint(factorial(c.Pieces) - 1)))
	for i, seat := range g.seats {
		e.order[seat] = mergedOrderShift + uint(i)*size
	}
	memory := c.MemoryBytes
	if memory == 0 {
		memory = DefaultMemory
	}
	n := memory / slotBytes / mergedBucket * mergedBucket
	if n < mergedBucket {
		return nil, fmt.Errorf("thesis2025: merged search in %d bytes: %w", memory, ErrMemory)
	}
	e.slots = make([]mergedSlot, min(n, 1<<25))
	return e, nil
}

// The third word of a key: bit 0 marks a taken slot, bit 1 one filed under the
// lists; then the limit, the seat to move and the orders of the lists.
const (
	mergedTaken      = 1
	mergedByList     = 2
	mergedLimitShift = 2
	mergedSeatShift  = 12
	mergedOrderShift = 15
)

func factorial(n int) int {
	f := 1
	for i := 2; i <= n; i++ {
		f *= i
	}
	return f
}

// keysOf returns the keys of a node: by sets, and by lists.
func (e *merged) keysOf(seat, limit int) (bySets, byLists [3]uint64) {
	bySets[2] = mergedTaken | uint64(limit)<<mergedLimitShift | uint64(seat)<<mergedSeatShift
	orders := uint64(mergedByList)
	for _, s := range e.seats {
		var set [2]uint64
		list := e.piece[s][:e.pieces]
		order := uint64(0)
		for i, at := range list {
			h := e.hole[at]
			set[h>>6&1] |= 1 << (h & 63)
			later := 0 // pieces further on that stand on lower holes
			for _, other := range list[i+1:] {
				if e.hole[other] < h {
					later++
				}
			}
			order = order*uint64(len(list)-i) + uint64(later)
		}
		bySets[e.word[s]] += e.rank(set[0], set[1]) << e.shift[s]
		orders |= order << e.order[s]
	}
	byLists = bySets
	byLists[2] |= orders
	return bySets, byLists
}

// bucket returns the slots that a key can be in.
func (e *merged) bucket(key *[3]uint64) []mergedSlot {
	i, _ := bits.Mul64(hashBoard(key[:]), uint64(len(e.slots)/mergedBucket))
	return e.slots[i*mergedBucket:][:mergedBucket]
}

func (e *merged) find(key *[3]uint64) *mergedSlot {
	b := e.bucket(key)
	for i := range b {
		if b[i].key == *key {
			return &b[i]
		}
	}
	return nil
}

func (e *merged) file(key *[3]uint64, counts Counts, winner, limit int) {
	b := e.bucket(key)
	victim := &b[0]
	for i := range b {
		if b[i].effort < victim.effort {
			victim = &b[i]
		}
	}
	if victim.effort <= limit {
		*victim = mergedSlot{*key, counts, winner, limit}
	}
}

// maxn is [direct.maxn].
func (e *merged) maxn(seat, last, limit int) int {
	if limit < mergedLimit || e.won(last) {
		return e.direct.maxn(seat, last, limit)
	}
	bySets, byLists := e.keysOf(seat, limit)
	for _, key := range []*[3]uint64{&bySets, &byLists} {
		if s := e.find(key); s != nil {
			e.Nodes += s.counts.Nodes
			e.Terminals += s.counts.Terminals
			e.Cutoffs += s.counts.Cutoffs
			return s.winner
		}
	}
	before := e.Counts
	e.Nodes++
	winner := e.expand(seat, limit)
	below := Counts{
		Nodes:     e.Nodes - before.Nodes,
		Terminals: e.Terminals - before.Terminals,
		Cutoffs:   e.Cutoffs - before.Cutoffs,
	}
	if below.Terminals == 0 {
		e.file(&bySets, below, winner, limit)
	} else {
		e.file(&byLists, below, winner, limit)
	}
	return winner
}

// expand searches the children of a node.
func (e *merged) expand(seat, limit int) int {
	e.check(&e.Counts)
	best := 0
	for {
		base, moved := e.top, false
		for piece := range e.pieces {
			from := e.piece[seat][piece]
			for _, to := range e.destinations(seat, piece) {
				moved = true
				e.move(seat, piece, to)
				w := e.maxn(e.grid.next[seat], seat, limit-1)
				e.move(seat, piece, from)
				if w > 0 && best == 0 || w == seat {
					best = w
				}
				if best == seat {
					e.Cutoffs++
					e.top = base
					return best
				}
			}
			e.top = base
		}
		if moved {
			return best
		}
		seat = e.grid.next[seat]
		if limit--; limit == 0 {
			return 0
		}
	}
}

func (e *merged) run(m opening) int {
	from := e.piece[1][m.piece]
	e.move(1, m.piece, m.to)
	defer e.move(1, m.piece, from)
	return e.maxn(e.grid.next[1], 1, e.limit)
}
