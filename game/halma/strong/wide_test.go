package strong

import (
	"bytes"
	"context"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"perfectplay/game/halma"
)

// layouts returns the layout of a game in the fewest words, and in more.
func layouts(t testing.TB, spec *halma.TwoArmy) (list []*layout) {
	t.Helper()
	e, words, err := embed(spec)
	if err != nil {
		t.Fatal(err)
	}
	for ; words <= words3; words++ {
		l, err := newLayoutIn(spec, &e, words)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	return list
}

// fewer leaves the first cells of the camps, and as many pieces.
func fewer(t *halma.TwoArmy, pieces int) *halma.TwoArmy {
	t.Pieces, t.Home, t.Goal = pieces, t.Home[:pieces], t.Goal[:pieces]
	if pieces == 2 {
		t.Mirror = nil
	}
	return t
}

// TestWords solves boards of one word in two and three: planes, distances, counts,
// what can be reached, and table files are the same.
func TestWords(t *testing.T) {
	specs := []*halma.TwoArmy{
		ruled(diamond(3, 3), "i"), ruled(diamond(4, 3), "fi"), blockaded(ruled(diamond(4, 6), "fi")),
		ruled(star(1, false), ""), ruled(diamond(4, 2), "fgo"),
	}
	if *long {
		specs = append(specs, ruled(star(2, true), "fgoC"), ruled(star(2, true), "foGH"))
	}
	ctx := context.Background()
	for _, spec := range specs {
		t.Run(name(spec), func(t *testing.T) {
			t.Parallel()
			for _, distances := range []bool{false, true} {
				o := Options{Distances: distances, Threads: 2}
				plan, err := NewPlan(spec, o)
				if err != nil {
					t.Fatal(err)
				}
				var first *Solution
				var reached Reachable
				var file []byte
				for i, l := range layouts(t, spec) {
					s, err := solveLayout(ctx, l, plan, o)
					if err != nil {
						t.Fatal(err)
					}
					r, err := s.Reachable(ctx)
					if err != nil {
						t.Fatal(err)
					}
					table := filepath.Join(t.TempDir(), "table")
					if _, err := Save(ctx, table, spec, s, "test", 1, nil); err != nil {
						t.Fatal(err)
					}
					text, err := os.ReadFile(table)
					if err != nil {
						t.Fatal(err)
					}
					if i == 0 {
						first, reached, file = s, r, text
						continue
					}
					if !slices.Equal(s.win, first.win) || !slices.Equal(s.loss, first.loss) || !slices.Equal(s.dist, first.dist) {
						t.Errorf("%d words, distances %v: other planes", i+1, distances)
					}
					if s.Counts() != first.Counts() || r != reached || !bytes.Equal(text, file) {
						t.Errorf("%d words, distances %v: counts %+v, reachable %+v, want %+v, %+v", i+1, distances, s.Counts(), r, first.Counts(), reached)
					}
				}
			}
		})
	}
}

// TestWideBoards compares boards of more than 64 cells, in two words and three, with
// the reference.
func TestWideBoards(t *testing.T) {
	specs := []*halma.TwoArmy{ruled(diamond(8, 1), "fg"), ruled(fewer(star(3, true), 1), "fgo")}
	if !testing.Short() {
		specs = append(specs,
			ruled(diamond(9, 1), "fi"), ruled(diamond(10, 1), "fi"), ruled(diamond(11, 1), ""), ruled(fewer(star(4, true), 1), "fgoC"))
	}
	for _, spec := range specs {
		t.Run(name(spec), func(t *testing.T) {
			t.Parallel()
			comparePlain(t, spec)
		})
	}
}

// TestSets compares operations on sets of two and three words with lists of bits.
func TestSets(t *testing.T) {
	list2 := func(s set2) []uint64 { return []uint64{s.a, s.b} }
	list3 := func(s set3) []uint64 { return []uint64{s.a, s.b, s.c} }
	words := []uint64{0, 1, 1 << 63, 3 << 62, 0x8000_0000_0000_0001, 0x5a5a_0000_ffff_1234, ^uint64(0)}
	shifted := func(s []uint64, by int) []uint64 {
		out := make([]uint64, len(s))
		for i := range 64 * len(s) {
			if to := i + by; s[i/64]>>(i%64)&1 != 0 && to >= 0 && to < 64*len(s) {
				out[to/64] |= 1 << (to % 64)
			}
		}
		return out
	}
	lowest := func(s []uint64) int {
		for i, w := range s {
			if w != 0 {
				return 64*i + bits.TrailingZeros64(w)
			}
		}
		return -1
	}
	check := func(what string, s, got, want []uint64) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s of %x: %x, want %x", what, s, got, want)
		}
	}
	above := func(s, t []uint64) []uint64 {
		out := slices.Clone(s)
		for i := range out {
			higher := false
			for _, w := range t[i+1:] {
				higher = higher || w != 0
			}
			if higher {
				out[i] = 0
			} else {
				out[i] &^= 1<<bits.Len64(t[i]) - 1
			}
		}
		return out
	}
	for _, a := range words {
		for _, b := range words {
			s := set2{a, b}
			for _, n := range []uint{1, 7, 31, 62, 63} {
				check("up", list2(s), list2(s.up(n)), shifted(list2(s), int(n)))
				check("down", list2(s), list2(s.down(n)), shifted(list2(s), -int(n)))
			}
			check("above", list2(s), list2(s.above(set2{b, a & 8})), above(list2(s), []uint64{b, a & 8}))
			if !s.isEmpty() {
				if int(s.min()) != lowest(list2(s)) || s.first() != only2(s.min()) || s.dropMin() != s.andNot(s.first()) {
					t.Errorf("%x: lowest bit %d, alone %x, without %x", s, s.min(), s.first(), s.dropMin())
				}
			}
			for _, c := range words {
				s := set3{a, b, c}
				for _, n := range []uint{1, 7, 31, 62, 63} {
					check("up", list3(s), list3(s.up(n)), shifted(list3(s), int(n)))
					check("down", list3(s), list3(s.down(n)), shifted(list3(s), -int(n)))
				}
				check("above", list3(s), list3(s.above(set3{c, b & 4, a & 8})), above(list3(s), []uint64{c, b & 4, a & 8}))
				if !s.isEmpty() {
					if int(s.min()) != lowest(list3(s)) || s.first() != only3(s.min()) || s.dropMin() != s.andNot(s.first()) {
						t.Errorf("%x: lowest bit %d, alone %x, without %x", s, s.min(), s.first(), s.dropMin())
					}
				}
			}
		}
	}
}
