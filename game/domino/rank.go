package domino

import (
	"iter"
	"math/rand/v2"
	"sync"

	"perfectplay/bitboard"
	"perfectplay/rank"
)

// The numbers of hands, boards, deals and games.
const (
	HandCount  = 1184040  // sets of 7 of 28 tiles
	BoardCount = 40000320 // sets of 14 of 28 tiles with a double among them
	SplitCount = 3432     // ways to split 14 tiles into two hands
	DealCount  = BoardCount * SplitCount
	GameCount  = DealCount / 2
)

// numbering numbers sets of tiles in colexicographic order: by highest tile, then the next.
type numbering struct {
	hands, splits  *rank.Subsets
	doubles, plain [Numbers + 1]*rank.Subsets // numberings of boards, by the number of doubles
}

var numbers = sync.OnceValue(func() *numbering {
	subsets := func(n, k int) *rank.Subsets {
		s, err := rank.NewSubsets(n, k)
		if err != nil {
			panic("domino: " + err.Error())
		}
		return s
	}
	n := &numbering{hands: subsets(Tiles, HandSize), splits: subsets(Dealt, HandSize)}
	for k := 1; k <= Numbers; k++ {
		n.doubles[k], n.plain[k] = subsets(Numbers, k), subsets(Tiles-Numbers, Dealt-k)
	}
	return n
})

// RankHand numbers the hands of seven tiles, 0…HandCount−1.
func RankHand(hand Set) int { return int(numbers().hands.Rank64(uint64(hand))) }

// UnrankHand is the inverse of RankHand.
func UnrankHand(r int) Set {
	if uint(r) >= HandCount {
		panic("domino: UnrankHand: rank out of range")
	}
	return Set(numbers().hands.Unrank64(uint64(r)))
}

// Next returns the next set of the size of s in colexicographic order, or 0 after the last one. s
// must not be empty. Hands come in the order of RankHand.
func (s Set) Next() Set {
	next := rank.Next64(uint64(s))
	if next > uint64(AllTiles) {
		return 0
	}
	return Set(next)
}

// Subsets yields the sets of k tiles of s in colexicographic order.
func (s Set) Subsets(k int) iter.Seq[Set] {
	return func(yield func(Set) bool) {
		places := Set(1)<<k - 1
		for places < 1<<s.Len() && yield(Set(bitboard.Deposit64(uint64(places), uint64(s)))) {
			if places = places.Next(); places == 0 {
				return
			}
		}
	}
}

// Unrank returns the two hands of a deal to two named players by its number, 0…DealCount−1:
// SplitCount times the number of the board, plus the number of the first hand on that board. Boards
// are in the order of their number of doubles, then the set of doubles, then the other tiles.
func Unrank(r int64) (first, second Set) {
	if uint64(r) >= DealCount {
		panic("domino: Unrank: rank out of range")
	}
	n := numbers()
	board, k := uint64(r/SplitCount), 1
	for ; board >= n.doubles[k].Size()*n.plain[k].Size(); k++ {
		board -= n.doubles[k].Size() * n.plain[k].Size()
	}
	doubles := n.doubles[k].Unrank64(board / n.plain[k].Size())
	plain := n.plain[k].Unrank64(board % n.plain[k].Size())
	dealt := bitboard.Deposit64(doubles, uint64(Doubles)) | bitboard.Deposit64(plain, uint64(AllTiles&^Doubles))
	return split(Set(dealt), r%SplitCount)
}

// split deals a board by a number, 0…SplitCount−1.
func split(board Set, r int64) (first, second Set) {
	first = Set(bitboard.Deposit64(numbers().splits.Unrank64(uint64(r)), uint64(board)))
	return first, board &^ first
}

// RandomDeal draws a deal to two named players, each equally likely. swapped reports that the
// second one starts.
func RandomDeal(r *rand.Rand) (d Deal, swapped bool) {
	return mustDeal(Unrank(r.Int64N(DealCount)))
}

// RandomSplit deals the fourteen tiles of a board, which holds a double, each way equally likely.
func RandomSplit(r *rand.Rand, board Set) (d Deal, swapped bool) {
	return mustDeal(split(board, r.Int64N(SplitCount)))
}

// mustDeal is NewDeal for hands known to make a deal.
func mustDeal(a, b Set) (Deal, bool) {
	d, swapped, err := NewDeal(a, b)
	if err != nil {
		panic(err)
	}
	return d, swapped
}
