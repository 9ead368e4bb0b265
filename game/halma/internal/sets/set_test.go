package sets

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSets compares operations on sets of two and three words with lists of bits.
func TestSets(t *testing.T) {
	list2 := func(s Set2) []uint64 { return []uint64{s.A, s.B} }
	list3 := func(s Set3) []uint64 { return []uint64{s.A, s.B, s.C} }
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
			s := Set2{a, b}
			for _, n := range []uint{1, 7, 31, 62, 63} {
				check("up", list2(s), list2(s.Up(n)), shifted(list2(s), int(n)))
				check("down", list2(s), list2(s.Down(n)), shifted(list2(s), -int(n)))
			}
			check("above", list2(s), list2(s.Above(Set2{b, a & 8})), above(list2(s), []uint64{b, a & 8}))
			if want := bits.OnesCount64(a) + bits.OnesCount64(b); s.Count() != want {
				t.Errorf("%x has %d bits, want %d", s, s.Count(), want)
			}
			if !s.IsEmpty() {
				if int(s.Min()) != lowest(list2(s)) || s.First() != Only2(s.Min()) || s.DropMin() != s.AndNot(s.First()) {
					t.Errorf("%x: lowest bit %d, alone %x, without %x", s, s.Min(), s.First(), s.DropMin())
				}
			}
			for _, c := range words {
				s := Set3{a, b, c}
				for _, n := range []uint{1, 7, 31, 62, 63} {
					check("up", list3(s), list3(s.Up(n)), shifted(list3(s), int(n)))
					check("down", list3(s), list3(s.Down(n)), shifted(list3(s), -int(n)))
				}
				if want := bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c); s.Count() != want {
					t.Errorf("%x has %d bits, want %d", s, s.Count(), want)
				}
				check("above", list3(s), list3(s.Above(Set3{c, b & 4, a & 8})), above(list3(s), []uint64{c, b & 4, a & 8}))
				if !s.IsEmpty() {
					if int(s.Min()) != lowest(list3(s)) || s.First() != Only3(s.Min()) || s.DropMin() != s.AndNot(s.First()) {
						t.Errorf("%x: lowest bit %d, alone %x, without %x", s, s.Min(), s.First(), s.DropMin())
					}
				}
			}
		}
	}
}

// TestFlood compares floods of one word with hops followed one by one, and with floods of wider
// sets.
func TestFlood(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	shifts := [3]uint{1, 7, 8}
	a2 := [3]uint{2, 14, 16}
	longest := 0
	for range 20_000 {
		var e1 Edges1
		var e2 Edges2
		var e3 Edges3
		for i := range 3 {
			up, down := rng.Uint64()&rng.Uint64(), rng.Uint64()&rng.Uint64()
			e1.Up[i], e1.Down[i] = Set1{up}, Set1{down}
			e2.Up[i], e2.Down[i] = Set2{A: up}, Set2{A: down}
			e3.Up[i], e3.Down[i] = Set3{A: up}, Set3{A: down}
		}
		seen := rng.Uint64() & rng.Uint64()
		s := seen & rng.Uint64()
		all, entered := seen, uint64(0)
		todo := []int{}
		for i := range 64 {
			if s>>i&1 != 0 {
				todo = append(todo, i)
			}
		}
		for n := 0; n < len(todo); n++ {
			for i, by := range shifts {
				for _, to := range []int{todo[n] + 2*int(by), todo[n] - 2*int(by)} {
					edges := e1.Up[i].A
					if to < todo[n] {
						edges = e1.Down[i].A
					}
					if to < 0 || to > 63 || edges>>to&1 == 0 {
						continue
					}
					entered |= 1 << to
					if all>>to&1 == 0 {
						all |= 1 << to
						todo = append(todo, to)
					}
				}
			}
		}
		longest = max(longest, bits.OnesCount64(all&^seen))
		f1, n1 := e1.Flood(&a2, Set1{s}, Set1{seen})
		f2, n2 := e2.Flood(&a2, Set2{A: s}, Set2{A: seen})
		f3, n3 := e3.Flood(&a2, Set3{A: s}, Set3{A: seen})
		low := Set1{all}
		if f1 != low || n1 != (Set1{entered}) || f2.A != all || n2.A != entered || f3.A != all || n3.A != entered {
			t.Fatalf("from %x, seen %x: %x and %x, %x and %x, %x and %x, want %x and %x", s, seen, f1, n1, f2, n2, f3, n3, all, entered)
		}
	}
	if longest < 8 {
		t.Errorf("no flood reached more than %d new cells", longest)
	}
}
