package strong

import "sync/atomic"

// grid has a word for each row and 32 columns; see solver for the halves of a word. Words of 64
// neighbouring rows for the same columns are neighbours, since the positions found from one row lie
// in one column of many other rows. Pages where nothing is decided take no memory.
type grid struct {
	rows   int
	blocks [][]uint64
}

const (
	blockRows = 64
	// partWords is about the number of words of one allocation. The runtime clears reused
	// memory by whole allocations, and so takes all of their pages.
	partWords = 1 << 19
)

const half = 1<<32 - 1

func newGrid(l *layout) grid {
	t := grid{l.rows, make([][]uint64, (l.rows+blockRows-1)/blockRows)}
	var left []uint64
	for i := range t.blocks {
		n := 2 * l.words * t.height(blockRows*i)
		if len(left) < n {
			left = make([]uint64, max(partWords/n, 1)*n)
		}
		t.blocks[i], left = left[:n:n], left[n:]
	}
	return t
}

func (t *grid) height(row int) int { return min(blockRows, t.rows-row&^(blockRows-1)) }

func (t *grid) word(row, col int) *uint64 {
	return &t.blocks[row/blockRows][col>>5*t.height(row)+row%blockRows]
}

// halves returns the lower and the upper halves of a row's words for the j-th 64 columns.
func (t *grid) halves(row, j int) (lower, upper uint64) {
	low, high := atomic.LoadUint64(t.word(row, 64*j)), atomic.LoadUint64(t.word(row, 64*j+32))
	return low&half | high<<32, low>>32 | high&^half
}
