package domino

import (
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
)

// rankDeal is the inverse of Unrank, written from its comment.
func rankDeal(first, second Set) int64 {
	n, dealt := numbers(), uint64(first|second)
	doubles := bitboard.Extract64(dealt, uint64(Doubles))
	plain := bitboard.Extract64(dealt, uint64(AllTiles&^Doubles))
	k := Set(doubles).Len()
	board := n.doubles[k].Rank64(doubles)*n.plain[k].Size() + n.plain[k].Rank64(plain)
	for ; k > 1; k-- {
		board += n.doubles[k-1].Size() * n.plain[k-1].Size()
	}
	return int64(board)*SplitCount + int64(n.splits.Rank64(bitboard.Extract64(uint64(first), dealt)))
}

func TestRankHandIsDense(t *testing.T) {
	hand := UnrankHand(0)
	for r := range HandCount {
		if got := RankHand(hand); got != r {
			t.Fatalf("rank of %v is %d, want %d", hand, got, r)
		}
		if r%997 == 0 && UnrankHand(r) != hand {
			t.Fatalf("hand %d is %v, want %v", r, UnrankHand(r), hand)
		}
		next := hand.Next()
		if (next == 0) != (r == HandCount-1) || next != 0 && next.Len() != HandSize {
			t.Fatalf("after %v comes %v", hand, next)
		}
		hand = next
	}
}

func TestRankDeal(t *testing.T) {
	check := func(r int64) {
		a, b := Unrank(r)
		if a.Len() != HandSize || b.Len() != HandSize || a&b != 0 || (a|b)&Doubles == 0 {
			t.Fatalf("rank %d: %v / %v is no deal", r, a, b)
		}
		if got := rankDeal(a, b); got != r {
			t.Fatalf("%v / %v: rank %d, want %d", a, b, got, r)
		}
	}
	check(0)
	check(DealCount - 1)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		check(rnd.Int64N(DealCount))
	}
	// These steps reach boards of every number of doubles.
	for r := int64(0); r < BoardCount; r += 40009 {
		check(r * SplitCount)
	}
	// Boards are all sets of fourteen tiles with a double.
	if all := 40116600 - 116280; all != BoardCount || DealCount != 137281098240 || GameCount != 68640549120 {
		t.Fatal("counts do not add up")
	}
}
