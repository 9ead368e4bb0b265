package armies

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/internal/host"
)

// solver answers the questions of one orbit, ply by ply.
type solver struct {
	*board
	nodes   []node
	layouts []layout
	// yes are the positions answered yes, by node. fresh are the positions that the current ply
	// adds to one node.
	yes   [][]uint64
	fresh []uint64
	space *host.Space // memory of the planes
	files bool        // the planes are in files
	// touched says which groups of fresh have new bits.
	touched []atomic.Bool
	// Transposed blocks have side×side bits. side is 64, or less if every seat has few placements.
	side    int
	workers []*worker
	pause   func() // called now and then to let other goroutines work
}

// worker is the scratch space of a goroutine.
type worker struct {
	*solver
	hands           []hand // one hand for each kind
	packer          *packer
	in, out, known  []uint64 // planes of one slab
	ranks           []int
	mask, unclaimed []uint64
}

// newSolver allocates the planes of an orbit.
func newSolver(b *board, nodes []node, threads int, space *host.Space) (*solver, error) {
	s := &solver{board: b, nodes: nodes, space: space, files: space.InFiles(), side: 64}
	fresh, groups, most, packed, width := 0, 0, 0, 0, 0
	placements := 0
	for _, k := range b.kinds {
		placements = max(placements, k.size)
	}
	for s.side > 8 && s.side/2 >= placements {
		s.side /= 2
	}
	for _, at := range nodes {
		l := b.layout(at.kind)
		s.layouts = append(s.layouts, l)
		yes, err := space.Words(l.rows * l.words)
		if err != nil {
			return nil, fmt.Errorf("armies: %w", err)
		}
		s.yes = append(s.yes, yes)
		fresh, groups = max(fresh, l.rows*l.words), max(groups, l.groups)
		most, packed, width = max(most, l.slabWords()), max(packed, l.group*l.slabWords()), max(width, l.words)
	}
	var err error
	if s.fresh, err = space.Words(fresh); err != nil {
		return nil, fmt.Errorf("armies: %w", err)
	}
	s.touched = make([]atomic.Bool, groups)
	for range threads {
		w := &worker{solver: s, in: make([]uint64, packed), out: make([]uint64, most), known: make([]uint64, most),
			ranks: make([]int, b.n), mask: make([]uint64, width), unclaimed: make([]uint64, width)}
		for i := range b.kinds {
			w.hands = append(w.hands, b.kernel.newHand(i))
		}
		w.packer = newPacker(packed)
		s.workers = append(s.workers, w)
	}
	return s, nil
}

// ply finds the positions that a ply adds to a node, and packs them group by group. Ply 0 has the
// positions that are over; before is the layer of the ply before.
func (s *solver) ply(ctx context.Context, i int, before *layer) (chunks [][]byte, count uint64, err error) {
	l := &s.layouts[i]
	next := (i + 1) % len(s.nodes)
	from := &s.layouts[next]
	err = host.Parallel(ctx, s.workers, from.groups, func(w *worker, group int) error {
		first, n := from.span(group)
		if before == nil {
			for slab := range n {
				w.pause()
				w.finished(i, first+slab)
			}
			return nil
		}
		w.pause()
		size, some := from.slabWords(), false
		clear(w.in[:n*size])
		err := w.packer.read(before, next, group, from, func(i int, x uint64) { w.in[i], some = x, true })
		if err != nil || !some {
			return err
		}
		for slab := range n {
			if in := w.in[slab*size : (slab+1)*size]; !empty(in) {
				w.pause()
				if err := w.expand(i, first+slab, in); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	var sum atomic.Uint64
	chunks = make([][]byte, l.groups)
	err = host.Parallel(ctx, s.workers, l.groups, func(w *worker, group int) error {
		if !s.touched[group].Swap(false) {
			return nil
		}
		first, slabs := l.span(group)
		size := l.slabWords()
		fresh, yes := s.fresh[first*size:(first+slabs)*size], s.yes[i][first*size:(first+slabs)*size]
		s.space.Charge(2 * 8 * len(fresh))
		n := 0
		for j, x := range fresh {
			n += bits.OnesCount64(x)
			yes[j] |= x
		}
		sum.Add(uint64(n))
		chunks[group] = w.packer.pack(fresh, l)
		clear(fresh)
		return nil
	})
	return chunks, sum.Load(), err
}

// source prepares a hand for the rows of a slab of the node after node i. In these rows two armies
// vary: the army of the seat to move and the army of the seat before it. The others lie still;
// source reports whether they are disjoint.
func (w *worker) source(i, slab int) (h hand, ok bool) {
	h = w.hands[w.nodes[i].kind]
	ranks := w.ranks[:w.n-2]
	w.layouts[(i+1)%len(w.nodes)].prefix(ranks, slab)
	return h, h.lie(ranks)
}

// finished marks the positions of node i that are over with the answer yes, for the rows of a slab
// of the next node.
func (w *worker) finished(i, slab int) {
	h, ok := w.source(i, slab)
	if !ok {
		return
	}
	l := &w.layouts[(i+1)%len(w.nodes)]
	for c := range l.slabRows {
		if h.begin(c) {
			h.won(w.nodes[i].Wins, w.out[c*l.words:(c+1)*l.words], w.unclaimed[:l.words], w.mask[:l.words])
		}
	}
	w.deliver(i, slab)
}

// expand finds the positions of node i that one ply adds and that lead into a slab of the next
// node. in are the positions of that slab answered yes one ply ago.
func (w *worker) expand(i, slab int, in []uint64) error {
	at, next := w.nodes[i], (i+1)%len(w.nodes)
	l := &w.layouts[next]
	size, width := l.slabWords(), l.words
	h, ok := w.source(i, slab)
	if !ok {
		return fmt.Errorf("slab %d holds an impossible position", slab)
	}
	ours := at.Ours&1 != 0
	answers := w.yes[next][slab*size : (slab+1)*size]
	w.space.Charge(8 * size)
	// If many positions are new, the answers known so far save work, but reading them takes time.
	fetched := false
	if !ours && nonempty(in, width) > l.slabRows/fetchShare {
		w.fetch(i, slab, w.yes[i])
		fetched = true
	}
	mask := w.mask[:width]
	for c := range l.slabRows {
		fresh := in[c*width : (c+1)*width]
		if empty(fresh) {
			continue
		}
		if !h.begin(c) {
			return fmt.Errorf("slab %d row %d holds an impossible position", slab, c)
		}
		clear(mask)
		if h.over(mask) {
			continue
		}
		out := w.out[c*width : (c+1)*width]
		if ours {
			h.some(fresh, out)
		} else {
			known := w.known[c*width : (c+1)*width]
			if !fetched {
				clear(known)
			}
			h.all(fresh, answers[c*width:(c+1)*width], known, out)
		}
		for j, x := range mask {
			out[j] &^= x
		}
	}
	w.deliver(i, slab)
	return nil
}

// Fetching the known answers pays if more than one row in fetchShare is new.
const fetchShare = 8

func nonempty(words []uint64, width int) (n int) {
	for ; len(words) > 0; words = words[width:] {
		if !empty(words[:width]) {
			n++
		}
	}
	return n
}

func empty(row []uint64) bool {
	for _, x := range row {
		if x != 0 {
			return false
		}
	}
	return true
}

// fetch reads a plane of node i into known, in the rows of a slab of the next node. It reports
// whether any bit is set.
func (w *worker) fetch(i, slab int, plane []uint64) (some bool) {
	next := (i + 1) % len(w.nodes)
	l, from := &w.layouts[i], &w.layouts[next]
	stride := from.slabs
	w.touchRows(i, 1)
	if w.files {
		for a := range l.dims[0] {
			w.space.FaultIn(&plane[(a*stride+slab)*l.words])
		}
	}
	var m [64]uint64
	for a := 0; a < l.dims[0]; a += 64 {
		for j := range l.words {
			any := uint64(0)
			for r := range w.side {
				m[r] = 0
				if a+r < l.dims[0] {
					m[r] = plane[((a+r)*stride+slab)*l.words+j]
					any |= m[r]
				}
			}
			if any != 0 {
				bitboard.Transpose(&m, w.side)
				some = true
			}
			for r := 0; r < w.side && j*64+r < from.slabRows; r++ {
				w.known[(j*64+r)*from.words+a>>6] = m[r]
			}
		}
	}
	return some
}

// touchRows counts the memory that one slab of the next node touches in some planes of node i: a
// row for each army of the seat to move, and at least a page for each row. Neighbouring slabs share
// these pages.
func (w *worker) touchRows(i, planes int) {
	if w.files {
		l := &w.layouts[i]
		w.space.Charge(planes * l.dims[0] * (8*l.words + host.PageSize))
	}
}

// deliver moves the positions in out to fresh of node i, except positions answered before. All of
// them lead into the rows of a slab of the next node.
func (w *worker) deliver(i, slab int) {
	next := (i + 1) % len(w.nodes)
	l, from := &w.layouts[i], &w.layouts[next]
	yes, stride := w.yes[i], from.slabs
	w.touchRows(i, 2)
	out := w.out[:from.slabWords()]
	var m [64]uint64
	for c := 0; c < from.slabRows; c += 64 {
		for j := range from.words {
			if !block(out, from.words, &m, w.side, c, j) {
				continue
			}
			bitboard.Transpose(&m, w.side)
			for r, x := range m[:w.side] {
				if x == 0 {
					continue
				}
				row := (j*64+r)*stride + slab
				at := row*l.words + c>>6
				if w.files {
					w.space.FaultIn(&yes[at])
				}
				if x &^= yes[at]; x != 0 {
					w.fresh[at] = x
					if t := &w.touched[row/l.slabRows/l.group]; !t.Load() {
						t.Store(true)
					}
				}
			}
		}
	}
	clear(out)
}
