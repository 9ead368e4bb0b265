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
func (a *Armies) indexPlain(sets []bitboard.Set128) (index uint64) {
	free := bitboard.First128(a.n)
	for i, s := range sets {
		var packed bitboard.Set128
		j := 0
		for c := range free.Cells() {
			if s.Has(c) {
				packed = packed.With(j)
			}
			j++
		}
		index += a.army[i].Rank(packed) * a.stride[i]
		free = free.AndNot(s)
	}
	return index
}

func words(sets []bitboard.Set128) (w []uint64) {
	for _, s := range sets {
		w = append(w, s.Lo)
	}
	return w
}

// check compares all that is known of the position sets with its index.
func (a *Armies) check(t interface{ Fatalf(string, ...any) }, sets []bitboard.Set128, index uint64) {
	if got := a.Index(sets); got != index {
		t.Fatalf("%d cells: Index(%v) = %d, want %d", a.n, sets, got, index)
	}
	if got := a.indexPlain(sets); got != index {
		t.Fatalf("%d cells: indexPlain(%v) = %d, want %d", a.n, sets, got, index)
	}
	dst := make([]bitboard.Set128, len(sets))
	a.Sets(dst, index)
	if !slices.Equal(dst, sets) {
		t.Fatalf("%d cells: Sets(%d) = %v, want %v", a.n, index, dst, sets)
	}
	if a.n > 64 {
		return
	}
	if got := a.Index64(words(sets)); got != index {
		t.Fatalf("%d cells: Index64(%v) = %d, want %d", a.n, sets, got, index)
	}
	dst64 := make([]uint64, len(sets))
	a.Sets64(dst64, index)
	if !slices.Equal(dst64, words(sets)) {
		t.Fatalf("%d cells: Sets64(%d) = %x, want %v", a.n, index, dst64, sets)
	}
}

// checkLift compares every move of every piece with a fresh index.
func (a *Armies) checkLift(t interface{ Fatalf(string, ...any) }, l *ArmyLift, sets []bitboard.Set128) {
	var taken bitboard.Set128
	for _, s := range sets {
		taken = taken.Or(s)
	}
	for i := range sets {
		for from := range sets[i].Cells() {
			a.Lift(l, sets, i, from)
			for b := range bitboard.First128(a.n).AndNot(taken).With(from).Cells() {
				moved := slices.Clone(sets)
				moved[i] = moved[i].Without(from).With(b)
				if got, want := l.Index(b), a.Index(moved); got != want {
					t.Fatalf("%d cells: %v, army %d from %d to %d: %d, want %d", a.n, sets, i, from, b, got, want)
				}
			}
		}
	}
}

// All positions of several armies on a few cells, in the order of their
// indices: by the first army, then the second, and so on.
func TestArmiesExhaustive(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		var l ArmyLift
		for _, c := range [][]int{{0}, {5}, {5, 0}, {5, 5}, {6, 2}, {6, 2, 2}, {6, 1, 2, 3}, {6, 3, 0, 1}, {7, 1, 1, 1, 1},
			{8, 3, 2}, {8, 1, 1, 1, 1, 1, 1}, {9, 2, 3}, {66, 1, 1}, {70, 0, 2}} {
			n, sizes := c[0], c[1:]
			a, err := NewArmies(n, sizes...)
			if err != nil {
				t.Fatal(err)
			}
			index := uint64(0)
			sets := make([]bitboard.Set128, len(sizes))
			var place func(i int, free bitboard.Set128)
			place = func(i int, free bitboard.Set128) {
				if i == len(sizes) {
					a.check(t, sets, index)
					if index%7 == 0 || n < 8 {
						a.checkLift(t, &l, sets)
					}
					index++
					return
				}
				for x, k := bitboard.First128(sizes[i]), 0; k == 0 || !x.IsEmpty() && x.Max() < n; x, k = Next128(x), k+1 {
					if x.AndNot(free).IsEmpty() {
						sets[i] = x
						place(i+1, free.AndNot(x))
					}
				}
			}
			place(0, bitboard.First128(n))
			if index != a.Size() || a.N() != n || a.Len() != len(sizes) {
				t.Errorf("%v on %d cells: %d positions, size %d", sizes, n, index, a.Size())
			}
			for i, s := range sizes {
				if a.Army(i).K() != s || a.Stride(i)*a.Army(i).Size() > a.Size() {
					t.Errorf("%v on %d cells: army %d: %d cells, stride %d", sizes, n, i, a.Army(i).K(), a.Stride(i))
				}
			}
		}
	})
}

func TestArmiesProperties(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		var l ArmyLift
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 128).Draw(t, "n")
			var sizes []int
			left := n
			for range rapid.IntRange(0, 6).Draw(t, "armies") {
				k := rapid.IntRange(0, min(left, 10)).Draw(t, "size")
				sizes = append(sizes, k)
				left -= k
			}
			a, err := NewArmies(n, sizes...)
			for errors.Is(err, ErrOverflow) {
				sizes = sizes[1:]
				a, err = NewArmies(n, sizes...)
			}
			if err != nil {
				t.Fatal(err)
			}
			cells := rapid.Permutation(bitboard.Identity(n)).Draw(t, "cells")
			sets := make([]bitboard.Set128, len(sizes))
			for i, k := range sizes {
				for _, c := range cells[:k] {
					sets[i] = sets[i].With(int(c))
				}
				cells = cells[k:]
			}
			index := a.Index(sets)
			if index >= a.Size() {
				t.Fatalf("%v on %d cells: index %d of %v, size %d", sizes, n, index, sets, a.Size())
			}
			a.check(t, sets, index)
			a.checkLift(t, &l, sets)
		})
	})
}

func FuzzArmies(f *testing.F) {
	f.Add(uint8(49), uint8(3), uint8(3), uint8(0), uint64(123456789))
	f.Add(uint8(121), uint8(10), uint8(2), uint8(1), uint64(1)<<62)
	f.Fuzz(func(t *testing.T, n, k1, k2, k3 uint8, index uint64) {
		a, err := NewArmies(int(n), int(k1), int(k2), int(k3))
		if err != nil {
			if ok := int(n) <= 128 && int(k1)+int(k2)+int(k3) <= int(n); ok != errors.Is(err, ErrOverflow) {
				t.Fatal(err)
			}
			return
		}
		sets := make([]bitboard.Set128, 3)
		a.Sets(sets, index%a.Size())
		a.check(t, sets, index%a.Size())
	})
}

func TestArmiesErrors(t *testing.T) {
	for _, c := range []struct {
		n        int
		sizes    []int
		overflow bool
	}{
		{-1, nil, false}, {129, nil, false}, {5, []int{3, 3}, false}, {5, []int{-1}, false},
		{119, []int{46, 100}, false}, // too many to count, and to place
		{121, []int{10, 10}, true}, {37, []int{3, 3, 3, 3, 3, 3}, true}, {128, []int{64}, true},
	} {
		a, err := NewArmies(c.n, c.sizes...)
		if a != nil || err == nil || errors.Is(err, ErrOverflow) != c.overflow {
			t.Errorf("%v on %d cells: %v", c.sizes, c.n, err)
		}
	}
	// The largest that fit.
	for _, c := range [][]int{{121, 10}, {121, 6, 6}, {37, 3, 3, 3, 3, 3}, {49, 6, 6}, {128, 3, 3, 3}} {
		if _, err := NewArmies(c[0], c[1:]...); err != nil {
			t.Error(err)
		}
	}
	a, _ := NewArmies(9, 2, 2)
	for name, f := range map[string]func(){
		"Sets":   func() { a.Sets(make([]bitboard.Set128, 2), a.Size()) },
		"Sets64": func() { a.Sets64(make([]uint64, 2), a.Size()) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of Size does not panic", name)
				}
			}()
			f()
		}()
	}
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
		var al ArmyLift
		if n := testing.AllocsPerRun(100, func() {
			x := s.Unrank(12345678901)
			x, _ = s.Next(Next128(x))
			sink += s.Rank(x) + s64.Rank64(s64.Unrank64(777)) + Next64(x.Lo)
			s.Lift(&l, x.DropMin())
			s64.Lift64(&l, 6)
			sink += l.Rank(9) + l.Rank64(9)
			var sets [2]bitboard.Set128
			a.Sets(sets[:], 99999)
			sink += a.Index(sets[:])
			a.Lift(&al, sets[:], 0, sets[0].Min())
			sink += al.Index(sets[0].Min())
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
	sets := []bitboard.Set128{bitboard.Of128(0, 3), bitboard.Of128(2, 4)}
	index := a.Index(sets)
	fmt.Println(index, "of", a.Size())
	a.Sets(sets, index+1)
	fmt.Println(sets)
	// Output:
	// 11 of 30
	// [{1 3} {0 2}]
}
