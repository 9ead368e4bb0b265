package domino

import "math/bits"

// The sizes of the families that ranks number.
const (
	HandCount  = 1184040  // sets of 7 of 28 tiles
	BoardCount = 40000320 // sets of 14 of 28 tiles with a double among them
	SplitCount = 3432     // ways to split 14 tiles into two hands
	// DealCount counts ordered deals: a hand for each of two named players.
	DealCount = BoardCount * SplitCount
	// GameCount counts distinct games: a starter's hand and a second hand.
	GameCount = DealCount / 2
)

// binomial holds n choose k for n ≤ 28, k ≤ 15.
var binomial = func() (table [Tiles + 1][16]uint32) {
	for n := range table {
		table[n][0] = 1
		for k := 1; k <= min(n, 15); k++ {
			table[n][k] = table[n-1][k-1] + table[n-1][k]
		}
	}
	return table
}()

// rankSet is the place of s among the sets of its size in colexicographic
// order: sets are compared by their highest tile, then the next.
func rankSet(s Set) uint32 {
	var r uint32
	for k := 1; s != 0; s, k = s.DropMin(), k+1 {
		r += binomial[s.Min()][k&15]
	}
	return r
}

// unrankSet returns the set of k tiles at place r among those below tile top.
func unrankSet(r uint32, k, top int) Set {
	var s Set
	for ; k > 0; k-- {
		for top--; binomial[top][k] > r; top-- {
		}
		r -= binomial[top][k]
		s |= 1 << top
	}
	return s
}

// RankHand numbers the hands of seven tiles, 0…HandCount−1.
func RankHand(hand Set) int { return int(rankSet(hand)) }

// UnrankHand is the inverse of RankHand.
func UnrankHand(r int) Set {
	if uint(r) >= HandCount {
		panic("domino: UnrankHand: rank out of range")
	}
	return unrankSet(uint32(r), HandSize, Tiles)
}

// Next returns the set after s, which is not empty, among those of as many tiles
// in colexicographic order (for hands, that of RankHand), or 0 after the last one.
func (s Set) Next() Set {
	low := s & -s
	carry := s + low
	next := carry | (s&^carry)>>(bits.TrailingZeros32(uint32(low))+1)
	if next&^AllTiles != 0 {
		return 0
	}
	return next
}

// The sets of fourteen tiles with a double are numbered by how many doubles
// they hold, then by which, then by the other tiles.

// doubleTiles lists the seven doubles, plainTiles the 21 others: RankBoard
// compresses to their places.
var doubleTiles, plainTiles = func() (d, p []Tile) {
	for t := range Tile(Tiles) {
		if t.IsDouble() {
			d = append(d, t)
		} else {
			p = append(p, t)
		}
	}
	return d, p
}()

// compress returns the members of s among tiles, as a set of places.
func compress(s Set, tiles []Tile) Set {
	var c Set
	for i, t := range tiles {
		c |= s >> t & 1 << i
	}
	return c
}

// expand is the inverse of compress.
func expand(c Set, tiles []Tile) Set {
	var s Set
	for ; c != 0; c = c.DropMin() {
		s |= 1 << tiles[c.Min()]
	}
	return s
}

// RankBoard numbers the sets of fourteen tiles with at least one double,
// 0…BoardCount−1.
func RankBoard(dealt Set) int {
	d, p := compress(dealt, doubleTiles), compress(dealt, plainTiles)
	k := d.Len()
	if k == 0 || k+p.Len() != Dealt {
		panic("domino: RankBoard: want fourteen tiles with a double")
	}
	r := uint32(0)
	for j := 1; j < k; j++ {
		r += binomial[7][j] * binomial21(Dealt-j)
	}
	return int(r + rankSet(d)*binomial21(Dealt-k) + rankSet(p))
}

// UnrankBoard is the inverse of RankBoard.
func UnrankBoard(r int) Set {
	if uint(r) >= BoardCount {
		panic("domino: UnrankBoard: rank out of range")
	}
	left, k := uint32(r), 1
	for ; left >= binomial[7][k]*binomial21(Dealt-k); k++ {
		left -= binomial[7][k] * binomial21(Dealt-k)
	}
	d := unrankSet(left/binomial21(Dealt-k), k, 7)
	p := unrankSet(left%binomial21(Dealt-k), Dealt-k, 21)
	return expand(d, doubleTiles) | expand(p, plainTiles)
}

// binomial21 is 21 choose k.
func binomial21(k int) uint32 { return binomial[21][min(k, 21-k)] }

// Rank numbers the ordered deals of two hands with a double among them,
// 0…DealCount−1: SplitCount times the rank of the fourteen tiles plus the rank of
// the first hand among them.
func Rank(first, second Set) int64 {
	dealt := first | second
	var split Set
	for s, i := dealt, 0; s != 0; s, i = s.DropMin(), i+1 {
		split |= first >> s.Min() & 1 << i
	}
	return int64(RankBoard(dealt))*SplitCount + int64(rankSet(split))
}

// Unrank is the inverse of Rank.
func Unrank(r int64) (first, second Set) {
	dealt := UnrankBoard(int(r / SplitCount))
	split := unrankSet(uint32(r%SplitCount), HandSize, Dealt)
	for s, i := dealt, 0; s != 0; s, i = s.DropMin(), i+1 {
		if split>>i&1 != 0 {
			first = first.With(s.Min())
		}
	}
	return first, dealt &^ first
}
