package armies

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// sheet has the answers of all plies for one group of slabs. It belongs to one goroutine.
type sheet struct {
	s      *Solution
	packer *packer
	hands  []hand // one hand for each kind
	kind   int
	group  int
	l      layout
	words  int
	free   []uint64 // the places that are positions, as bits
	// yes are the positions answered yes, by question read. spare are unused planes for the next
	// questions.
	yes   map[Question][]uint64
	spare [][]uint64
	codes []uint16 // codes of the places, see encode
}

func (s *Solution) newSheet() *sheet {
	w := &sheet{s: s, packer: s.b.packer(), yes: map[Question][]uint64{}}
	for kind := range s.b.period {
		w.hands = append(w.hands, s.b.kernel.newHand(kind))
	}
	return w
}

func (w *sheet) open(kind, group int) {
	b := w.s.b
	for q, plane := range w.yes {
		w.spare = append(w.spare, plane)
		delete(w.yes, q)
	}
	w.kind, w.group, w.l = kind, group, b.layout(kind)
	first, slabs := w.l.span(group)
	w.words = slabs * w.l.slabWords()
	w.free = slices.Grow(w.free[:0], w.words)[:w.words]
	// The last army in turn order is the army in the hand. The others lie still: the slab fixes all
	// of them but one, and each row fixes that one.
	h := w.hands[(kind+b.n-1)%b.period]
	ranks := make([]int, b.n-2)
	for slab := range slabs {
		w.l.prefix(ranks, first+slab)
		real := h.lie(ranks)
		for r := range w.l.slabRows {
			row := w.free[(slab*w.l.slabRows+r)*w.l.words:][:w.l.words]
			if real && h.begin(r) {
				h.free(row)
			} else {
				clear(row)
			}
		}
	}
}

// read returns the positions where the answer to a question is yes. If first is not 0 it also
// enters first + 2·plies into the codes of these places.
func (w *sheet) read(q Question, first uint16) ([]uint64, error) {
	plane, ok := w.yes[q]
	if ok && first == 0 {
		return plane, nil
	}
	if n := len(w.spare); n > 0 {
		plane, w.spare = w.spare[n-1], w.spare[:n-1]
	}
	plane = slices.Grow(plane[:0], w.words)[:w.words]
	clear(plane)
	err := w.s.answers(w.packer, q, w.kind, w.group, func(ply, i int, x uint64) {
		plane[i] |= x
		if first == 0 {
			return
		}
		codes := (*[64]uint16)(w.codes[i*64:])
		for ; x != 0; x &= x - 1 {
			codes[bits.TrailingZeros64(x)&63] = first + 2*uint16(ply)
		}
	})
	if err == nil {
		w.yes[q] = plane
	}
	return plane, err
}

// encode appends the codes of the positions for a set of seats, see package table, each of width
// bytes.
func (w *sheet) encode(set uint8, width int, dst []byte) ([]byte, error) {
	w.codes = slices.Grow(w.codes[:0], 64*w.words)[:64*w.words]
	for i := range w.codes {
		w.codes[i] = 1
	}
	if _, err := w.read(Coalition(set), 3); err != nil {
		return nil, err
	}
	if _, err := w.read(Coalition(uint8(1<<w.s.b.n-1)&^set), 2); err != nil {
		return nil, err
	}
	for i, x := range w.free {
		codes := (*[64]uint16)(w.codes[i*64:])
		for ; x != 0; x &= x - 1 {
			code := codes[bits.TrailingZeros64(x)&63]
			if width == 1 {
				dst = append(dst, byte(code))
			} else {
				dst = binary.LittleEndian.AppendUint16(dst, code)
			}
		}
	}
	return dst, nil
}
