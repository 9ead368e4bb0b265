package retro

import (
	"math"
	"math/bits"
	"slices"

	"perfectplay/game"
	"perfectplay/solve/table"
)

// A score is the worth of a position to the side of the seat to move, in a layer: 0 a draw,
// lastPly less d a win in d plies, d less lastPly a loss. Larger is better.
const (
	unsolved = math.MinInt16
	lastPly  = math.MaxInt16
)

// worth is a score as a value and plies to the end.
func worth(score int16) (game.Value, int) {
	switch {
	case score > 0:
		return game.Win, lastPly - int(score)
	case score < 0:
		return game.Loss, lastPly + int(score)
	}
	return game.Draw, 0
}

// code is a score as tables have it.
func code(score int16) uint16 {
	v, plies := worth(score)
	return table.Code(v, plies, true)
}

// scoreOf is the inverse of code.
func scoreOf(code uint16) int16 {
	switch {
	case code < 2:
		return 0
	case code&1 == 0:
		return int16(code/2-1) - lastPly
	}
	return lastPly - int16(code/2-1)
}

// replies are the scores of positions of one stage, or of some of its blocks, by their keys in
// ascending order. Keys that share their first bits are a group of about perGroup keys, and an open
// hash table has the start of each group. So replies of neighbours are near each other in memory.
type replies struct {
	words, layers int
	keys          []uint64
	scores        []int16 // scores of each key, layer by layer
	drop          int     // number of last words of a key that its group ignores
	shift         int     // number of low bits of the word before them that its group ignores, too
	index         []uint32
	slots         uint64
}

const (
	perGroup    = 8                  // least average number of keys in a group
	mostReplies = math.MaxUint32 - 1 // most positions: index has 32 bits
)

// replyBytes is the memory of the replies of a number of positions.
func replyBytes(positions uint64, words, layers int) uint64 {
	return positions*uint64(8*words+2*layers) + positions/perGroup*8 + 64
}

// reset empties r and makes room for a number of positions.
func (r *replies) reset(words, layers int, positions uint64) {
	r.words, r.layers = words, layers
	if n := int(positions) * words; n > cap(r.keys) || n < cap(r.keys)/2 {
		*r = replies{words: words, layers: layers}
		r.keys, r.scores = make([]uint64, 0, n), make([]int16, 0, int(positions)*layers)
	}
	r.keys, r.scores = r.keys[:0], r.scores[:0]
}

func (r *replies) count() int { return len(r.keys) / r.words }

// group divides the keys into groups, after all were added.
func (r *replies) group() {
	// Count neighbours by the highest bit in which they differ. If that bit counts for groups, a group
	// begins between them.
	differ := make([]int, 64*r.words+1)
	n := r.count()
	for i := r.words; i < len(r.keys); i += r.words {
		for w := range r.words {
			if x := r.keys[i+w] ^ r.keys[i-r.words+w]; x != 0 {
				differ[64*(r.words-1-w)+bits.Len64(x)]++
				break
			}
		}
	}
	groups, bit := 1, 64*r.words // keys that agree in the bits from bit on are a group
	for ; bit > 0 && groups+differ[bit] <= n/perGroup+1; bit-- {
		groups += differ[bit]
	}
	r.drop, r.shift = bit/64, bit%64
	r.slots = uint64(2*groups + 1)
	if r.slots > uint64(cap(r.index)) {
		r.index = make([]uint32, r.slots)
	}
	r.index = r.index[:r.slots]
	clear(r.index)
	for i := range n {
		key := r.key(i)
		if i > 0 && r.alike(key, r.key(i-1)) {
			continue
		}
		slot := r.home(key)
		for r.index[slot] != 0 {
			if slot++; slot == r.slots {
				slot = 0
			}
		}
		r.index[slot] = uint32(i + 1)
	}
}

func (r *replies) key(i int) []uint64 { return r.keys[i*r.words:][:r.words] }

// alike says whether keys are of one group.
func (r *replies) alike(a, b []uint64) bool {
	last := r.words - 1 - r.drop
	if last < 0 {
		return true
	}
	for i := range last {
		if a[i] != b[i] {
			return false
		}
	}
	return (a[last]^b[last])>>r.shift == 0
}

// home is the first slot for the group of a key.
func (r *replies) home(key []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	last := r.words - 1 - r.drop
	for i := range last {
		h = (h ^ key[i]) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	if last >= 0 {
		h = (h ^ key[last]>>r.shift) * 0xff51afd7ed558ccd
	}
	return h >> 32 * r.slots >> 32
}

// begin returns where the group of a key with a home slot begins, −1 without a group.
func (r *replies) begin(key []uint64, slot uint64) int {
	for {
		i := int(r.index[slot]) - 1
		if i < 0 || r.alike(key, r.key(i)) {
			return i
		}
		if slot++; slot == r.slots {
			slot = 0
		}
	}
}

// find returns the scores of a key in the group that begins at i, or nil if the key is not there.
func (r *replies) find(key []uint64, i int) []int16 {
	if i < 0 {
		return nil
	}
	n, step := r.count(), perGroup
	for i+step < n && !less(key, r.key(i+step)) {
		i += step
		step *= 2
	}
	for step /= 2; step > 0; step /= 2 {
		if i+step < n && !less(key, r.key(i+step)) {
			i += step
		}
	}
	if !slices.Equal(key, r.key(i)) {
		return nil
	}
	return r.scores[i*r.layers:][:r.layers]
}
