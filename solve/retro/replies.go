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
// ascending order. The first bits of a key's first word, less the least, choose a group of keys. So
// replies of neighbours are near each other in memory.
type replies struct {
	words, layers int
	keys          []uint64
	scores        []int16  // scores of each key, layer by layer
	least         uint64   // least first word
	shift         int      // number of bits of the first word that do not choose
	index         []uint32 // number of keys before each group, and of all keys
}

const (
	perGroup    = 8                  // average number of keys in a group, if keys are spread evenly
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
	n, spread := r.count(), uint64(0)
	if n > 0 {
		r.least, spread = r.keys[0], r.keys[len(r.keys)-r.words]-r.keys[0]
	}
	r.shift = max(bits.Len64(spread)-bits.Len(uint(n/perGroup)), 0)
	r.index = slices.Grow(r.index[:0], int(spread>>r.shift)+2)
	for i := range n {
		for group := r.groupOf(r.key(i)); uint64(len(r.index)) <= group; {
			r.index = append(r.index, uint32(i))
		}
	}
	r.index = append(r.index, uint32(n))
}

func (r *replies) groupOf(key []uint64) uint64 { return (key[0] - r.least) >> r.shift }

func (r *replies) key(i int) []uint64 { return r.keys[i*r.words:][:r.words] }

// begin returns the number of keys before a key's group. It is the number of all keys if there is no
// such group.
func (r *replies) begin(key []uint64) int {
	return int(r.index[min(r.groupOf(key), uint64(len(r.index)-1))])
}

// find returns the scores of a key in the group that begins at i, or nil if the key is not there.
func (r *replies) find(key []uint64, i int) []int16 {
	n, step := r.count(), perGroup
	if i == n {
		return nil
	}
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
