package retro

// ranges divides numbers into blocks of 1<<bits.
type ranges struct {
	size  uint64
	bits  int // bits of a number within its block
	count int
}

// A block's cells fit the second-level cache. There are at most mostBlocks blocks, so that a
// worker's pending messages fit, too, unless there are billions of numbers.
const (
	leastBits  = 16
	mostBlocks = 1 << 11
)

func newRanges(size uint64) ranges {
	b := leastBits
	for size>>b >= mostBlocks {
		b++
	}
	return ranges{size, b, int((size + 1<<b - 1) >> b)}
}

func (b ranges) bounds(i int) (from, to uint64) {
	return uint64(i) << b.bits, min(uint64(i+1)<<b.bits, b.size)
}

// mail carries messages of one goroutine to blocks of numbers. Messages to the same block are
// delivered together, while its cells are in the cache.
type mail struct {
	room     uint32   // messages that may wait for a block, a power of two
	messages []uint32 // waiting messages: room places for each block
	next     []uint32 // by block: index of the next message
	deliver  func(block int, messages []uint32)
}

// Messages that may wait for a block: bucket if memory allows, so that each cache line of cells serves
// two of them; fewer in little memory; more if planes are in files, where a page costs more.
const (
	bucket      = 2048
	leastBucket = 64
	mostBucket  = 1 << 13
)

// newMails returns mail for each goroutine; the caller sets deliver.
func newMails(threads, blocks, room int) []*mail {
	list := make([]*mail, threads)
	for i := range list {
		m := &mail{room: uint32(room), messages: make([]uint32, blocks*room), next: make([]uint32, blocks)}
		m.clear()
		list[i] = m
	}
	return list
}

// clear drops pending messages.
func (m *mail) clear() {
	for b := range m.next {
		m.next[b] = uint32(b) * m.room
	}
}

// put adds a message to a block. If it returns true the block is full, and the caller must call
// hand. (Go would not inline one function that does both.)
func (m *mail) put(block int, message uint32) (full bool) {
	i := m.next[block]
	m.messages[i] = message
	m.next[block] = i + 1
	return (i+1)&(m.room-1) == 0
}

// hand delivers the pending messages of a block.
func (m *mail) hand(block int) {
	from, to := uint32(block)*m.room, m.next[block]
	m.next[block] = from
	m.deliver(block, m.messages[from:to])
}

// empty delivers all pending messages.
func (m *mail) empty() {
	for block, to := range m.next {
		if to > uint32(block)*m.room {
			m.hand(block)
		}
	}
}
