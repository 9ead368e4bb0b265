package strong

import (
	"math/bits"
	"strings"
	"testing"

	"perfectplay/game/halma"
)

// TestRun2019 explains the difference between sturtevant-2019-run and sturtevant on the 5×5 board:
// 156,156 positions to either mover, all with a blockade and no piece of the mover in its camps,
// are illegal under sturtevant only. In each of them the mover must pass, since every turn leaves
// the blockade to an opponent with pieces in its camp, which is illegal under both.
func TestRun2019(t *testing.T) {
	g, err := halma.ByID("halma-5x5p6", "sturtevant-2019-run")
	if err != nil {
		t.Fatal(err)
	}
	const (
		middle   = 1<<19 - 1<<6 // cells outside both camps
		blockade = 1<<1 | 1<<2 | 1<<3 | 1<<5
		apex     = 1 << 0
	)
	positions := 0
	subsets(middle, 6, func(mover uint32) {
		subsets((1<<25-1)&^(mover|blockade|apex), 2, func(rest uint32) {
			positions++
			if testing.Short() && positions%100 != 0 {
				return
			}
			s, err := g.Parse(diamondText(mover, blockade|rest))
			if err != nil {
				t.Fatal(err)
			}
			if moves := s.Moves(nil); len(moves) != 1 || s.MoveString(moves[0]) != "pass" {
				t.Fatalf("%s has %d moves, %s first", s, len(moves), s.MoveString(moves[0]))
			}
		})
	})
	// positions counts one player to move. The difference of the two printed counts, of smallgames
	// and of 2019, counts both.
	if want := (64_173_018 - 63_860_706) / 2; positions != want {
		t.Errorf("%d positions, want %d", positions, want)
	}
}

// subsets calls f for every subset of k elements of a set.
func subsets(set uint32, k int, f func(uint32)) {
	var grow func(chosen, rest uint32, k int)
	grow = func(chosen, rest uint32, k int) {
		if k == 0 {
			f(chosen)
			return
		}
		for bits.OnesCount32(rest) >= k {
			low := rest & -rest
			rest ^= low
			grow(chosen|low, rest, k-1)
		}
	}
	grow(0, set, k)
}

// diamondText writes a position of the 5×5 diamond with the first seat to move.
func diamondText(mover, other uint32) string {
	var b strings.Builder
	for row := range 9 {
		if row > 0 {
			b.WriteByte('.')
		}
		for range min(row, 8-row) + 1 {
			switch {
			case mover&1 != 0:
				b.WriteByte('1')
			case other&1 != 0:
				b.WriteByte('2')
			default:
				b.WriteByte('_')
			}
			mover, other = mover>>1, other>>1
		}
	}
	return b.String() + "-1"
}
