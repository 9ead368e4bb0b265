package armies

// layout maps the positions of seats of one kind to bits. A position is the ranks r0, r1, … of the
// armies in turn order from the seat to move: bit r(n−1) of row (r0, …, r(n−2)). Rows are numbered
// with the last rank fastest. A slab holds the rows that differ only in the last of their ranks. A
// group holds the slabs that are packed together.
type layout struct {
	dims      []int // placements of army i
	words     int   // words of a row
	rows      int
	slabRows  int
	slabs     int
	tile      int // slabs in a tile of a table
	group     int // slabs in a group, which consists of whole tiles
	groups    int
	beyond    uint64 // bits of a row's last word that belong to no army
	wordBits  int    // bits used of a word: fewer than 64 if a row is one word
	wordBytes int    // bytes of a word in a chunk
}

func (b *board) layout(kind int) layout {
	l := layout{rows: 1}
	for i := range b.n {
		k := &b.kinds[(kind+i)%b.period]
		l.dims = append(l.dims, k.size)
		l.words = k.words
	}
	for _, d := range l.dims[:b.n-1] {
		l.rows *= d
	}
	l.slabRows = l.dims[b.n-2]
	l.slabs = l.rows / l.slabRows
	l.wordBits = 64
	if l.words == 1 {
		l.wordBits = l.dims[b.n-1]
	}
	l.wordBytes = (l.wordBits + 7) / 8
	l.tile = min(max(1, tileWords/l.slabWords()), l.slabs)
	l.group = min(l.tile*(64/l.wordBits), l.slabs)
	l.groups = (l.slabs + l.group - 1) / l.group
	if last := l.dims[b.n-1] & 63; last != 0 {
		l.beyond = ^uint64(0) << last
	}
	return l
}

// tileWords is the size of a tile of small slabs, in words. A group has as many tiles as fit into
// tileWords words of 64 used bits.
const tileWords = 1 << 11

// span returns the first slab of a group and its number of slabs.
func (l *layout) span(group int) (first, n int) {
	first = group * l.group
	return first, min(l.group, l.slabs-first)
}

// isArmies reports whether all bits of word i of a slab belong to armies. Only forged layers have
// other bits.
func (l *layout) isArmies(i int, x uint64) bool { return x&l.beyond == 0 || i%l.words != l.words-1 }

func (l *layout) slabWords() int { return l.slabRows * l.words }

// row returns the row and the bit of a position by its ranks.
func (l *layout) row(ranks []int) (row, bit int) {
	last := len(ranks) - 1
	for i, rank := range ranks[:last] {
		row = row*l.dims[i] + rank
	}
	return row, ranks[last]
}

// prefix writes the ranks of the slab's n−2 armies to dst.
func (l *layout) prefix(dst []int, slab int) {
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i], slab = slab%l.dims[i], slab/l.dims[i]
	}
}

// block reads side×side bits of rows of width words, from row i and word j on, with zeros behind the
// last row, and reports whether any bit is set.
func block(words []uint64, width int, dst *[64]uint64, side, i, j int) bool {
	any := uint64(0)
	n := min(side, len(words)/width-i)
	for r := range n {
		x := words[(i+r)*width+j]
		dst[r] = x
		any |= x
	}
	clear(dst[n:side])
	return any != 0
}
