package rank

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"perfectplay/bitboard"
)

// Kind is a set of pieces that can take each other's places. All stay in the game, on cells or
// in hands.
type Kind struct {
	Pieces int
	// Forms is the number of ways in which a piece can stand on a cell: 2 for two owners, 4 for
	// two owners and two sides.
	Forms int
	// Hands is the number of places beside the board, each for any number of pieces: hands of
	// players, or one for captured pieces. Without hands all pieces are on cells.
	Hands int
}

// Board describes positions for [NewPositions]: pieces of several kinds on cells and in hands.
type Board struct {
	Cells int // number of cells, 1…64
	Kinds []Kind
	// Lead is the number of kinds, from the first on, whose places are numbered up to symmetry,
	// by a table with an entry for each place.
	Lead int
	// Symmetries are the permutations of cells that make positions equivalent, a group without
	// its identity.
	Symmetries []bitboard.Perm
	// Allowed reports whether the leading pieces may stand on the cells on[form]. Symmetric
	// places must all be allowed, or none. Nil allows all.
	Allowed func(on []uint64) bool
	// Material reports whether positions may have these numbers of pieces, of each form on cells
	// and in each hand. Nil allows all.
	Material func(on, held []int) bool
}

// Positions numbers the positions of a [Board], symmetric ones once. A position is a set of cells
// for each form and a number of pieces for each hand, with the hands of the first kind first.
//
// Positions with equal numbers of pieces of each form and in each hand are a class, with
// consecutive numbers. Classes with fewer pieces on cells come first: if captured pieces never
// return, a capture leads to an earlier class. Within a class, the places of the leading pieces
// come first, then the cells of the other forms, each among the cells left.
//
// Some numbers have no position: if a symmetry leaves the leading pieces in place, only one of
// its equivalent positions has a number. Positions is immutable and safe for concurrent use. Its
// methods do not allocate.
type Positions struct {
	size    uint64
	cells   uint64
	kinds   []kind
	onCells []uint64           // by form: the amount that a piece on a cell adds to the counts
	inHands []uint64           // by hand: the amount that a piece in the hand adds to the counts
	lead    int                // forms of the leading kinds
	turns   []*bitboard.Perm64 // the identity, then the symmetries
	order   []int32            // class of the codes of all kinds, or −1
	classes []class            // the classes, then one that begins after the last number
	find    []int32            // class of the lowest number with the same high bits
	low     int                // number of low bits that find leaves out
	subsets map[[2]int]digit   // digits, by the number of free cells and the number of pieces
}

// kind is the part of a position's counts that belongs to a kind: a number with a digit for each
// form and hand, at bits of a word. codes maps it to dense codes.
type kind struct {
	shift int
	mask  uint64
	codes []int32
}

type class struct {
	first uint64
	each  uint64 // count of numbers for each place of the leading pieces
	lead  *lead
	rest  []digit
	held  []uint8
}

// digit is the part of a number for the cells of one form: the rank of its set among free cells,
// times unit.
type digit struct {
	form int
	unit uint64
	sets *Subsets
	few  *few // nil if there are many cells
}

// few numbers the sets of a few cells by tables.
type few struct {
	rank [1 << fewCells]uint16
	set  [1 << fewCells]uint16
}

const fewCells = 12

func (d *digit) rank(x, free uint64) uint64 {
	x = bitboard.Extract64(x, free)
	if d.few != nil {
		return d.unit * uint64(d.few.rank[x%(1<<fewCells)])
	}
	return d.unit * d.sets.Rank64(x)
}

func (d *digit) unrank(r, free uint64) uint64 {
	if d.few != nil {
		return bitboard.Deposit64(uint64(d.few.set[r%(1<<fewCells)]), free)
	}
	return bitboard.Deposit64(d.sets.Unrank64(r), free)
}

type lead struct {
	digits []digit
	ranked []place  // places of the leading pieces, by rank
	sets   []uint64 // cells of each form, by number
	taken  []uint64 // cells of all forms, by number
	same   []uint64 // symmetries that leave the cells of each form as they are, by number
}

// place is the number of a place up to symmetry, and a bit for each symmetry that leads to the
// place with this number in lead.sets.
type place struct {
	number uint32
	by     uint64
}

const most = 1 << 22

// NewPositions returns the numbering of a board's positions. It is an error if the board
// contradicts itself, or if a table or the numbers become too large.
func NewPositions(b Board) (*Positions, error) {
	if b.Cells < 1 || b.Cells > 64 || b.Lead < 0 || b.Lead > len(b.Kinds) {
		return nil, fmt.Errorf("rank: board: %d cells, %d of %d kinds lead: want 1 to 64 cells, and no more kinds to lead than there are", b.Cells, b.Lead, len(b.Kinds))
	}
	p := &Positions{cells: bitboard.First64(b.Cells).Lo, subsets: map[[2]int]digit{}}
	if err := p.turn(b); err != nil {
		return nil, err
	}
	counts, all, leads := make([][][]int, len(b.Kinds)), 1, 1 // ways to divide the pieces of each kind, of all, and of the leading ones
	shift := 0
	for i, k := range b.Kinds {
		if k.Pieces < 0 || k.Pieces > 64 || k.Forms < 1 || k.Hands < 0 {
			return nil, fmt.Errorf("rank: board: kind %d has %d pieces, %d forms, %d hands: want 0 to 64 pieces, at least one form, and no negative number", i, k.Pieces, k.Forms, k.Hands)
		}
		parts, size := k.Forms+k.Hands, 1
		for part := range parts {
			step := uint64(size) << shift
			if part < k.Forms {
				p.onCells = append(p.onCells, step)
			} else {
				p.inHands = append(p.inHands, step)
			}
			if size *= k.Pieces + 1; size > most {
				return nil, fmt.Errorf("rank: board: kind %d has too many forms and hands for its %d pieces", i, k.Pieces)
			}
		}
		width := bits.Len(uint(size - 1))
		codes := make([]int32, 1<<width)
		counts[i] = divide(k.Pieces, parts)
		for code, list := range counts[i] {
			sum, unit := 0, 1
			for _, c := range list {
				sum += c * unit
				unit *= k.Pieces + 1
			}
			codes[sum] = int32(code * all)
		}
		p.kinds = append(p.kinds, kind{shift, 1<<width - 1, codes})
		if shift += width; shift > 64 {
			return nil, errors.New("rank: board: too many kinds, forms and hands")
		}
		if all *= len(counts[i]); all > most {
			return nil, fmt.Errorf("rank: board: more than %d ways to divide the pieces among forms and hands", most)
		}
		if i < b.Lead {
			p.lead, leads = p.lead+k.Forms, all
		}
	}
	return p, p.classify(b, counts, all, leads)
}

func divide(n, parts int) (list [][]int) {
	if parts == 1 {
		return [][]int{{n}}
	}
	for first := range n + 1 {
		for _, rest := range divide(n-first, parts-1) {
			list = append(list, append([]int{first}, rest...))
		}
	}
	return list
}

// turn compiles the symmetries.
func (p *Positions) turn(b Board) error {
	identity := make(bitboard.Perm, b.Cells)
	for c := range identity {
		identity[c] = uint8(c)
	}
	group := append([]bitboard.Perm{identity}, b.Symmetries...)
	if len(group) > 64 {
		return fmt.Errorf("rank: board: %d symmetries: at most 63 are possible", len(group)-1)
	}
	for i, g := range group {
		turn, err := g.Compile64()
		if err != nil || len(g) != b.Cells {
			return fmt.Errorf("rank: board: symmetry %d, %v, is no permutation of the %d cells", i, g, b.Cells)
		}
		p.turns = append(p.turns, turn)
		if slices.ContainsFunc(group[:i], func(h bitboard.Perm) bool { return slices.Equal(g, h) }) {
			return fmt.Errorf("rank: board: symmetry %d is there twice, or is the identity", i)
		}
	}
	for i, g := range group {
		for j, h := range group {
			both := make(bitboard.Perm, b.Cells)
			for c := range both {
				both[c] = h[g[c]]
			}
			if !slices.ContainsFunc(group, func(g bitboard.Perm) bool { return slices.Equal(g, both) }) {
				return fmt.Errorf("rank: board: symmetries %d and %d together give a permutation that is not in the list", i, j)
			}
		}
	}
	return nil
}

// classify makes the classes of all ways to divide the pieces; leads is the number of ways to
// divide the leading pieces.
func (p *Positions) classify(b Board, counts [][][]int, all, leads int) error {
	type material struct {
		code     int
		on, held []int
		pieces   int
	}
	var list []material
	for code := range all {
		m, rest := material{code: code, on: make([]int, 0, len(p.onCells)), held: make([]int, 0, len(p.inHands))}, code
		for i, k := range b.Kinds {
			parts := counts[i][rest%len(counts[i])]
			rest /= len(counts[i])
			m.on, m.held = append(m.on, parts[:k.Forms]...), append(m.held, parts[k.Forms:]...)
		}
		for _, c := range m.on {
			m.pieces += c
		}
		if m.pieces <= b.Cells && (b.Material == nil || b.Material(m.on, m.held)) {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b material) int { return cmp.Compare(a.pieces, b.pieces) })
	p.order = slices.Repeat([]int32{-1}, all)
	places := make([]*lead, leads)
	for i, m := range list {
		p.order[m.code] = int32(i)
		c, free := class{first: p.size, lead: places[m.code%leads]}, b.Cells
		var err error
		if c.lead == nil {
			if c.lead, err = p.places(b, m.on[:p.lead]); err != nil {
				return err
			}
			places[m.code%leads] = c.lead
		}
		for _, k := range m.on[:p.lead] {
			free -= k
		}
		if c.rest, c.each, err = p.digits(m.on[p.lead:], p.lead, free); err != nil {
			return err
		}
		for _, k := range m.held {
			c.held = append(c.held, uint8(k))
		}
		hi, size := bits.Mul64(c.each, uint64(len(c.lead.same)))
		if p.size += size; hi > 0 || size > 1<<62 || p.size > 1<<62 {
			return fmt.Errorf("rank: board: number of positions: %w", errOverflow)
		}
		p.classes = append(p.classes, c)
	}
	p.classes = append(p.classes, class{first: p.size})
	p.low = max(bits.Len64(p.size)-12, 0)
	for i, n := 0, uint64(0); n < p.size; n += 1 << p.low {
		for p.classes[i+1].first <= n {
			i++
		}
		p.find = append(p.find, int32(i))
	}
	return nil
}

// digits returns the digits of the forms from on, with the given numbers of pieces among free
// cells, and the count of numbers that the digits make.
func (p *Positions) digits(counts []int, from, free int) (list []digit, size uint64, err error) {
	if size, err = Placements(free, counts...); err != nil {
		return nil, 0, err
	}
	unit := size
	list = make([]digit, 0, len(counts))
	for i, k := range counts {
		if k == 0 || size == 0 {
			continue
		}
		d := p.subsets[[2]int{free, k}]
		if d.sets == nil {
			if d.sets, err = NewSubsets(free, k); err != nil {
				return nil, 0, err
			}
			if free <= fewCells {
				d.few = new(few)
				for r := range d.sets.size {
					x := d.sets.Unrank64(r)
					d.few.rank[x], d.few.set[r] = uint16(r), uint16(x)
				}
			}
			p.subsets[[2]int{free, k}] = d
		}
		unit /= d.sets.size
		d.form, d.unit = from+i, unit
		list = append(list, d)
		free -= k
	}
	return list, size, nil
}

func (p *Positions) places(b Board, counts []int) (*lead, error) {
	list, size, err := p.digits(counts, 0, b.Cells)
	if err != nil || size > most {
		return nil, fmt.Errorf("rank: board: the leading pieces %v have more than %d places", counts, most)
	}
	l := &lead{digits: list, ranked: make([]place, size)}
	on, alike, back := make([]uint64, p.lead), make([]uint64, p.lead), make([]uint64, p.lead)
	for r := range size {
		unrankAll(list, r, on, p.cells)
		if l.ranked[r].by != 0 || b.Allowed != nil && !b.Allowed(on) {
			continue
		}
		for _, turn := range p.turns {
			apply(turn, on, alike)
			if b.Allowed != nil && !b.Allowed(alike) {
				return nil, fmt.Errorf("rank: board: Allowed is true of the cells %b, and false of %b, which are alike", on, alike)
			}
			at := &l.ranked[rankAll(list, alike, p.cells)]
			at.number, at.by = uint32(len(l.same)), 0
			for s, turn := range p.turns {
				if apply(turn, alike, back); slices.Equal(on, back) {
					at.by |= 1 << s
				}
			}
		}
		taken := uint64(0)
		for _, x := range on {
			taken |= x
		}
		l.sets, l.taken, l.same = append(l.sets, on...), append(l.taken, taken), append(l.same, l.ranked[r].by)
	}
	return l, nil
}

func apply(turn *bitboard.Perm64, from, to []uint64) {
	for i, x := range from {
		to[i] = turn.Apply(bitboard.Set64{Lo: x}).Lo
	}
}

// rankAll is the number of the cells of digits among free cells, unrankAll its inverse.
func rankAll(list []digit, on []uint64, free uint64) (n uint64) {
	for i := range list {
		d := &list[i]
		x := on[d.form]
		if d.sets.k == 1 { // a form with a single piece, as most leading forms
			n += d.unit * uint64(bits.OnesCount64(free&(x-1)))
		} else {
			n += d.rank(x, free)
		}
		free &^= x
	}
	return n
}

func unrankAll(list []digit, n uint64, on []uint64, free uint64) {
	clear(on)
	for i := range list {
		d := &list[i]
		r := n / d.unit
		n -= r * d.unit
		x := d.unrank(r, free)
		on[d.form] = x
		free &^= x
	}
}

// Size bounds the numbers: they are 0…Size−1.
func (p *Positions) Size() uint64 { return p.size }

// Number returns the number of a position with the board's pieces, Size if it is not allowed.
// symmetry leads to the position of this number: 0 for the identity, else one more than its
// index in [Board]. alike is the number of symmetries, with the identity, that leave the
// position as it is.
func (p *Positions) Number(on []uint64, held []uint8) (n uint64, symmetry, alike int) {
	counts, code := uint64(0), int32(0)
	for i, step := range p.onCells {
		counts += step * uint64(bits.OnesCount64(on[i]))
	}
	for i, step := range p.inHands {
		counts += step * uint64(held[i])
	}
	for i := range p.kinds {
		k := &p.kinds[i]
		code += k.codes[counts>>(k.shift&63)&k.mask]
	}
	order := p.order[code]
	if order < 0 {
		return p.size, 0, 0
	}
	c := &p.classes[order]
	at := c.lead.ranked[rankAll(c.lead.digits, on, p.cells)]
	if at.by == 0 {
		return p.size, 0, 0
	}
	n = c.first + uint64(at.number)*c.each
	symmetry = bits.TrailingZeros64(at.by)
	least := p.rest(c, on, symmetry)
	for alike = 1; ; {
		if at.by &= at.by - 1; at.by == 0 {
			return n + least, symmetry, alike
		}
		s := bits.TrailingZeros64(at.by)
		switch r := p.rest(c, on, s); {
		case r < least:
			least, symmetry, alike = r, s, 1
		case r == least:
			alike++
		}
	}
}

// rest is the number of the other forms' cells after a symmetry.
func (p *Positions) rest(c *class, on []uint64, symmetry int) (n uint64) {
	turn, free := p.turns[symmetry], p.cells
	for i := range c.lead.digits {
		free &^= on[c.lead.digits[i].form]
	}
	free = turn.Apply(bitboard.Set64{Lo: free}).Lo
	for i := range c.rest {
		d := &c.rest[i]
		x := turn.Apply(bitboard.Set64{Lo: on[d.form]}).Lo
		n += d.rank(x, free)
		free &^= x
	}
	return n
}

// At sets on and held to the position of a number, and returns false if the number has none. It
// panics if the number is not below Size.
func (p *Positions) At(n uint64, on []uint64, held []uint8) bool {
	if n >= p.size {
		panic("rank: At: number beyond the last position")
	}
	i := p.find[n>>p.low]
	for p.classes[i+1].first <= n {
		i++
	}
	c := &p.classes[i]
	n -= c.first
	at := n / c.each
	unrankAll(c.rest, n%c.each, on, p.cells&^c.lead.taken[at])
	copy(on, c.lead.sets[int(at)*p.lead:][:p.lead])
	copy(held, c.held)
	for same := c.lead.same[at] &^ 1; same != 0; same &= same - 1 {
		if p.rest(c, on, bits.TrailingZeros64(same)) < n%c.each {
			return false
		}
	}
	return true
}

// Before makes a list of the numbers before a position, one for each move that leads to this
// position or to an equivalent one. list has the number of each position from which a move leads to
// this one. If k symmetries leave such a position as it is, its number occurs k times. alike is the
// number of symmetries that leave this position as it is. Before sorts the list and returns a part
// of it.
func Before(list []uint64, alike int) []uint64 {
	if alike < 2 { // 0 at a position that has no number
		return list
	}
	slices.Sort(list)
	kept := list[:0]
	for i := 0; i < len(list); i += alike {
		kept = append(kept, list[i])
	}
	return kept
}
