package equilibrium

import (
	"math/bits"

	"perfectplay/game/domino"
	"perfectplay/rank"
)

type real interface{ float32 | float64 }

// A vector over the hands of k of m tiles is in colexicographic order, as rank.Subsets: by highest
// tile, then the next. So the hands with highest tile j are a block that begins at C(j,k). Within
// the block their other tiles are in the order of the vector for k−1.

// binomials[k][m] is C(m,k).
type binomials [maxTiles + 1][domino.Tiles + 2]int32

var binomial = func() (t binomials) {
	for k := range t {
		for m := range t[k] {
			if c := rank.Choose(m, k); c < 1<<31 {
				t[k][m] = int32(c)
			}
		}
	}
	return t
}()

// places holds, by the place of a tile, the ranks of the hands that contain the tile, and of the
// hands that do not.
type places struct{ with, without [][]int32 }

// tables are the places of hands of k of m tiles, made when first needed. Trees share them.
type tables [maxTiles + 1][domino.Tiles + 1]*places

func newPlaces(m, k int) *places {
	p := &places{make([][]int32, m), make([][]int32, m)}
	for i := range m {
		with, without := make([]int32, 0, binomial[k-1][m-1]), make([]int32, 0, binomial[k][m-1])
		for r, hand := int32(0), uint64(1)<<k-1; r < binomial[k][m]; r, hand = r+1, rank.Next64(hand) {
			if hand>>i&1 != 0 {
				with = append(with, r)
			} else {
				without = append(without, r)
			}
		}
		p.with[i], p.without[i] = with, without
	}
	return p
}

// at is the number of tiles of a set below a tile.
func at(s domino.Set, t domino.Tile) int {
	return bits.OnesCount32(uint32(s) & (1<<t - 1))
}

// peak is the size of the longest vector over hands of up to k of m tiles, as [spread] needs it.
func peak(m, k int) int {
	if k > m/2 {
		k = m / 2
	}
	return max(int(binomial[k][m]), m)
}

// spread fills dst, of capacity [peak], with a number for each hand of k tiles: the sum of the
// numbers of its tiles.
func spread[V real](dst, number []V, k int) []V {
	copy(dst, number)
	for size := 2; size <= k; size++ {
		// Work in place from the end, so that every number is read before it is overwritten.
		for j := len(number) - 1; j >= size-1; j-- {
			from, n, add := int(binomial[size][j]), int(binomial[size-1][j]), number[j]
			for c := n - 1; c >= 0; c-- {
				dst[from+c] = dst[c] + add
			}
		}
	}
	return dst[:binomial[k][len(number)]]
}

// kept returns the ranks, among all hands of k tiles, of the hands whose tiles all have the given
// places. Places ascend. It computes in place, as spread does.
func kept(dst []int32, places []int32, k int) []int32 {
	copy(dst, places)
	for size := 2; size <= k; size++ {
		for j := len(places) - 1; j >= size-1; j-- {
			from, n, add := int(binomial[size][j]), int(binomial[size-1][j]), binomial[size][places[j]]
			for c := n - 1; c >= 0; c-- {
				dst[from+c] = dst[c] + add
			}
		}
	}
	return dst[:binomial[k][len(places)]]
}
