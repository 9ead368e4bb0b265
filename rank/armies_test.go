package rank

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"perfectplay/bitboard"
	"perfectplay/internal/impl"
)

// indexPlain is the definition of the index: cells are renumbered one by one
// and the digits added up with their strides.
func (a *Armies) indexPlain(sets []uint64) (index uint64) {
	free := a.all
	for i, s := range sets {
		var packed bitboard.Set128
		j := 0
		for c := range (bitboard.Set128{Lo: free}).Cells() {
			if s>>c&1 != 0 {
				packed = packed.With(j)
			}
			j++
		}
		index += rankPlain(packed).Uint64() * a.stride[i]
		free &^= s
	}
	return index
}

// check compares all that is known of the position sets with its index.
func (a *Armies) check(t interface{ Fatalf(string, ...any) }, sets []uint64, index uint64) {
	if got := a.Index64(sets); got != index {
		t.Fatalf("cells %x: Index64(%x) = %d, want %d", a.all, sets, got, index)
	}
	if got := a.indexPlain(sets); got != index {
		t.Fatalf("cells %x: indexPlain(%x) = %d, want %d", a.all, sets, got, index)
	}
	dst := make([]uint64, len(sets))
	a.Sets64(dst, index)
	if !slices.Equal(dst, sets) {
		t.Fatalf("cells %x: Sets64(%d) = %x, want %x", a.all, index, dst, sets)
	}
}

// All positions of several armies on a few cells, in the order of their
// indices: by the first army, then the second, and so on.
func TestArmiesExhaustive(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		for _, c := range [][]int{{0}, {5}, {5, 0}, {5, 5}, {6, 2}, {6, 2, 2}, {6, 1, 2, 3}, {6, 3, 0, 1}, {7, 1, 1, 1, 1},
			{8, 3, 2}, {8, 1, 1, 1, 1, 1, 1}, {9, 2, 3}, {63, 1, 1}, {64, 0, 2}} {
			n, sizes := c[0], c[1:]
			a, err := NewArmies(n, sizes...)
			if err != nil {
				t.Fatal(err)
			}
			index := uint64(0)
			sets := make([]uint64, len(sizes))
			var place func(i int, free uint64)
			place = func(i int, free uint64) {
				if i == len(sizes) {
					a.check(t, sets, index)
					index++
					return
				}
				for _, x := range subsets(t, n, sizes[i]).all() {
					if x.Lo&^free == 0 {
						sets[i] = x.Lo
						place(i+1, free&^x.Lo)
					}
				}
			}
			place(0, a.all)
			if index != a.Size() {
				t.Errorf("%v on %d cells: %d positions, size %d", sizes, n, index, a.Size())
			}
		}
	})
}

func TestArmiesProperties(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 64).Draw(t, "n")
			var sizes []int
			left := n
			for range rapid.IntRange(0, 6).Draw(t, "armies") {
				k := rapid.IntRange(0, min(left, 10)).Draw(t, "size")
				sizes = append(sizes, k)
				left -= k
			}
			a, err := NewArmies(n, sizes...)
			for errors.Is(err, errOverflow) {
				sizes = sizes[1:]
				a, err = NewArmies(n, sizes...)
			}
			if err != nil {
				t.Fatal(err)
			}
			cells := drawCells(t, n)
			sets := make([]uint64, len(sizes))
			for i, k := range sizes {
				for _, c := range cells[:k] {
					sets[i] |= 1 << c
				}
				cells = cells[k:]
			}
			index := a.Index64(sets)
			if index >= a.Size() {
				t.Fatalf("%v on %d cells: index %d of %x, size %d", sizes, n, index, sets, a.Size())
			}
			a.check(t, sets, index)
		})
	})
}

func FuzzArmies(f *testing.F) {
	f.Add(uint8(49), uint8(3), uint8(3), uint8(0), uint64(123456789))
	f.Add(uint8(64), uint8(10), uint8(2), uint8(1), uint64(1)<<62)
	f.Fuzz(func(t *testing.T, n, k1, k2, k3 uint8, index uint64) {
		a, err := NewArmies(int(n), int(k1), int(k2), int(k3))
		if err != nil {
			if ok := int(n) <= 64 && int(k1)+int(k2)+int(k3) <= int(n); ok != errors.Is(err, errOverflow) {
				t.Fatal(err)
			}
			return
		}
		sets := make([]uint64, 3)
		a.Sets64(sets, index%a.Size())
		a.check(t, sets, index%a.Size())
	})
}

func TestArmiesErrors(t *testing.T) {
	for _, c := range []struct {
		n        int
		sizes    []int
		overflow bool
	}{
		{-1, nil, false}, {65, nil, false}, {5, []int{3, 3}, false}, {5, []int{-1}, false},
		{37, []int{3, 3, 3, 3, 3, 3}, true}, {64, []int{32, 16}, true},
	} {
		a, err := NewArmies(c.n, c.sizes...)
		if a != nil || err == nil || errors.Is(err, errOverflow) != c.overflow {
			t.Errorf("%v on %d cells: %v", c.sizes, c.n, err)
		}
	}
	// The largest that fit.
	for _, c := range [][]int{{37, 3, 3, 3, 3, 3}, {49, 6, 6}, {64, 32}} {
		if _, err := NewArmies(c[0], c[1:]...); err != nil {
			t.Error(err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Sets64 of Size does not panic")
		}
	}()
	a, _ := NewArmies(9, 2, 2)
	a.Sets64(make([]uint64, 2), a.Size())
}

var sink uint64

func TestNothingAllocates(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		s := subsets(t, 121, 10)
		s64 := subsets(t, 49, 3)
		a, err := NewArmies(49, 3, 3)
		if err != nil {
			t.Fatal(err)
		}
		var l Lift
		if n := testing.AllocsPerRun(100, func() {
			x := s.Unrank(12345678901)
			sink += s.Rank(x) + s64.Rank64(s64.Unrank64(777)) + Next64(x.Lo)
			s.Lift(&l, x.DropMin())
			sink += l.Rank(9)
			var w [2]uint64
			a.Sets64(w[:], 99999)
			sink += a.Index64(w[:])
		}); n != 0 {
			t.Errorf("%v allocations a run", n)
		}
	})
}

func ExampleArmies() {
	// Two armies of two on five cells: 10 sets for the first, and for each of
	// them 3 for the second.
	a, _ := NewArmies(5, 2, 2)
	sets := []uint64{0b01001, 0b10100}
	index := a.Index64(sets)
	fmt.Println(index, "of", a.Size())
	a.Sets64(sets, index+1)
	fmt.Printf("%05b\n", sets)
	// Output:
	// 11 of 30
	// [01010 00101]
}
