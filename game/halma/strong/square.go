package strong

import (
	"sync/atomic"

	"perfectplay/bitboard"
)

// In a square layout all positions found from a row are in the row's own column. So the known
// positions before 64 neighbouring rows are one word of columns in every other row, and a second
// word for their mirror images. Solves of values alone transpose these words instead of keeping a
// plane of known positions. Solves for distances keep the plane: they visit rows more often, and
// without it they would take a fifth longer.
//
//	             64 columns of the same numbers
//	          ┌──┬────────────────────────┐
//	          │re│                        │
//	          │ad│                        │
//	64 rows   ├──┼────────────────────────┤
//	          │  │ known                  │
//	          └──┴────────────────────────┘

// block has the known positions before 64 neighbouring rows. It belongs to one goroutine.
type block struct {
	at    int      // number of the block, −1 at first
	known []uint64 // known positions by row, as in row.known
}

func newBlock(l *layout) *block { return &block{at: -1, known: make([]uint64, blockRows*l.words)} }

// knownBefore returns the decided or illegal positions before a row. They are read for all rows of
// a block at once: only work on a row decides a position before it.
func (s *solver) knownBefore(b *block, row int) []uint64 {
	at := row / blockRows
	if b.at != at {
		b.at = at
		s.readBlock(b)
	}
	return b.known[row%blockRows*s.words:][:s.words]
}

func (s *solver) readBlock(b *block) {
	// An army that is its own mirror image has one column, others have two.
	two := ^uint64(0)
	if n := s.pairs - blockRows*b.at; n < blockRows {
		two = 1<<max(n, 0) - 1
	}
	var own, image [64]uint64
	for j := range (s.rows + blockRows - 1) / blockRows {
		s.decidedIn(&own, j, blockRows*b.at)
		if blockRows*j < s.pairs {
			clear(image[:])
			if two != 0 {
				s.decidedIn(&image, j, s.images+blockRows*b.at)
			}
			for i, x := range own {
				image[i] = image[i]&two | x&^two
			}
			s.turn(b, s.images/64+j, &image)
		}
		s.turn(b, j, &own)
	}
}

// turn enters 64 columns, given one by one, into a block.
func (s *solver) turn(b *block, word int, columns *[64]uint64) {
	any := uint64(0)
	for _, x := range columns {
		any |= x
	}
	if any != 0 {
		bitboard.Transpose(columns, 64)
	}
	mask := s.columnMask(word)
	for i, x := range columns {
		b.known[i*s.words+word] = x & mask
	}
}

// decidedIn reads the decided or illegal positions in the j-th block of rows, for the word of
// columns that begins at col.
func (s *solver) decidedIn(to *[64]uint64, j, col int) {
	n := s.table.height(blockRows * j)
	words := s.table.blocks[j][col>>5*n:]
	lower, upper := words[:n], words[n:2*n]
	clear(to[n:])
	for i := range lower {
		low, high := atomic.LoadUint64(&lower[i]), atomic.LoadUint64(&upper[i])
		to[i] = (low|low>>32)&half | (high|high<<32)&^half
	}
}
