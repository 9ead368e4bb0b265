package census

import (
	"math/bits"
	"slices"

	"perfectplay/game/domino"
	"perfectplay/game/domino/exact"
)

// A program computes the scores of one graph for a block of labelings. It works on slots, rows of
// blockLanes bytes. Scores are kept as
//
//	pips left to the second player + pips the starter has played after the first tile
//
// which is the score plus the pips of the starter's six tiles, the base of a labeling. These are at
// least 0 and at most 112, the pips of thirteen tiles. So they fit seven bits, sums never carry
// into the next byte, and comparisons may borrow the eighth bit.
//
// Leaves are sums of rows of pips. A node is the maximum or the minimum of the slots of its moves;
// a node with one move shares the slot of the next node.
//
// Code is a list of operations, each
//
//	kind<<16 + number of sources, byte offset of the target slot, byte offsets of the sources
//
// The sources of a sum are rows of pips, all others are slots. The word opEnd<<16 ends the code.
type program struct {
	code  []uint32
	slots int    // slots used
	value uint32 // byte offsets of the results
	low   uint32
	high  uint32
	base  uint32

	slotOf  []uint32 // byte offset by node
	sources []uint32
}

// The kinds of operations.
const (
	opSum = iota
	opMax
	opMin
	opEnd
)

func (p *program) compile(g *exact.Graph, starter, second domino.Set) {
	var row [16]uint32 // byte offset of the pips by local tile
	n := 0
	for _, hand := range [2]domino.Set{starter, second} {
		for ; hand != 0; hand = hand.DropMin() {
			row[n] = uint32(hand.Min()) * blockLanes
			n++
		}
	}
	p.code, p.slots = p.code[:0], 0
	p.sources = append(p.sources[:0], row[:6]...)
	p.base = p.emit(opSum)
	if need := g.Nodes(); len(p.slotOf) < need {
		p.slotOf = make([]uint32, 2*need)
	}
	ends := g.Ends()
	for _, end := range ends {
		_, left, _ := g.Node(int(end))
		p.sources = p.sources[:0]
		// The pips of the starter's tiles count if played. The pips of the second player's tiles
		// count if left.
		for s := uint(left ^ exact.StarterTiles); s != 0; s &= s - 1 {
			p.sources = append(p.sources, row[bits.TrailingZeros(s)&15])
		}
		p.slotOf[end] = p.emit(opSum)
	}
	p.low, p.high = p.slotOf[ends[0]], p.slotOf[ends[0]]
	if len(ends) > 1 {
		p.sources = p.sources[:0]
		for _, end := range ends {
			p.sources = append(p.sources, p.slotOf[end])
		}
		p.low = p.emit(opMin)
		p.high = p.emit(opMax)
	}

	for i := g.Nodes() - 1; i >= 0; i-- {
		mover, _, moves := g.Node(i)
		if mover == exact.End {
			continue
		}
		p.sources = p.sources[:0]
		for _, to := range moves {
			if slot := p.slotOf[to]; !slices.Contains(p.sources, slot) {
				p.sources = append(p.sources, slot)
			}
		}
		switch {
		case len(p.sources) == 1:
			p.slotOf[i] = p.sources[0]
		case mover == domino.Starter:
			p.slotOf[i] = p.emit(opMax)
		default:
			p.slotOf[i] = p.emit(opMin)
		}
	}
	p.value = p.slotOf[0]
	p.code = append(p.code, opEnd<<16)
}

// emit appends an operation on the sources and returns its target. A sum without sources is zero.
func (p *program) emit(kind uint32) uint32 {
	target := uint32(p.slots) * blockLanes
	p.slots++
	p.code = append(p.code, kind<<16+uint32(len(p.sources)), target)
	p.code = append(p.code, p.sources...)
	return target
}

// words is the size of a slot in words of the portable kernel, eight labelings each.
const words = blockLanes / 8

// runPortable executes code on the slots with the pips of a block. The other kernels do the same.
func runPortable(code []uint32, slots []uint64, pips []uint64) {
	const high = 0x8080808080808080
	for {
		kind, n := code[0]>>16, int(code[0]&0xffff)
		if kind == opEnd {
			return
		}
		target := slots[code[1]/8:][:words]
		sources := code[2:][:n]
		code = code[2+n:]
		for w := 0; w < words; w += 4 {
			var a0, a1, a2, a3 uint64
			switch kind {
			case opSum:
				for _, s := range sources {
					x := pips[int(s/8)+w:][:4]
					a0 += x[0]
					a1 += x[1]
					a2 += x[2]
					a3 += x[3]
				}
			case opMax:
				for _, s := range sources {
					x := slots[int(s/8)+w:][:4]
					a0 += excess(x[0], a0)
					a1 += excess(x[1], a1)
					a2 += excess(x[2], a2)
					a3 += excess(x[3], a3)
				}
			default:
				a0, a1, a2, a3 = ^uint64(high), ^uint64(high), ^uint64(high), ^uint64(high)
				for _, s := range sources {
					x := slots[int(s/8)+w:][:4]
					a0 -= excess(a0, x[0])
					a1 -= excess(a1, x[1])
					a2 -= excess(a2, x[2])
					a3 -= excess(a3, x[3])
				}
			}
			t := target[w:][:4]
			t[0], t[1], t[2], t[3] = a0, a1, a2, a3
		}
	}
}

// excess returns max(x−y, 0) in each byte; bytes are below 128.
func excess(x, y uint64) uint64 {
	const high = 0x8080808080808080
	d := (x | high) - y // the high bit stays if x ≥ y
	m := d & high
	return d & (m - m>>7)
}
