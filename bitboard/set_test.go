package bitboard

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// cells is a set as one bool a cell.
type cells [128]bool

func plain(s Set128) (c cells) {
	for i := range c {
		c[i] = [2]uint64{s.Lo, s.Hi}[i/64]>>(i%64)&1 != 0
	}
	return c
}

// checkSets compares every method with its meaning on single cells; n is a shift count and,
// folded into range, a cell.
func checkSets(t testing.TB, s, u Set128, n uint) {
	t.Helper()
	eq := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Fatalf("%s, s=%x u=%x n=%d: got %v, want %v", what, s, u, n, got, want)
		}
	}
	a, b := plain(s), plain(u)
	merge := func(a, b cells, f func(x, y bool) bool) (r cells) {
		for i := range r {
			r[i] = f(a[i], b[i])
		}
		return r
	}
	xor := func(x, y bool) bool { return x != y }
	eq("And", plain(s.And(u)), merge(a, b, func(x, y bool) bool { return x && y }))
	eq("Or", plain(s.Or(u)), merge(a, b, func(x, y bool) bool { return x || y }))
	eq("Xor", plain(s.Xor(u)), merge(a, b, xor))
	eq("AndNot", plain(s.AndNot(u)), merge(a, b, func(x, y bool) bool { return x && !y }))
	eq("Not", plain(s.Not()), merge(a, b, func(x, _ bool) bool { return !x }))
	var down, up cells
	for i := range down {
		if by := min(n, 128); i+int(by) < 128 {
			down[i], up[i+int(by)] = a[i+int(by)], a[i]
		}
	}
	eq("Shl", plain(s.Shl(n)), up)
	eq("Shr", plain(s.Shr(n)), down)
	i := int(n % 128)
	eq("Has", s.Has(i), a[i])
	with, without := a, a
	with[i], without[i] = true, false
	eq("With", plain(s.With(i)), with)
	eq("Without", plain(s.Without(i)), without)
	eq("Cell128", plain(Cell128(i)), merge(with, without, xor))
	var list []int
	for i, in := range a {
		if in {
			list = append(list, i)
		}
	}
	eq("IsEmpty", s.IsEmpty(), len(list) == 0)
	eq("Count", s.Count(), len(list))
	lowest, highest, rest := 128, -1, a
	if len(list) > 0 {
		lowest, highest = list[0], list[len(list)-1]
		rest[lowest] = false
	}
	eq("Max", s.Max(), highest)
	eq("First", plain(s.First()), merge(a, rest, xor))
	eq("Min", s.Min(), lowest)
	eq("DropMin", plain(s.DropMin()), rest)
	eq("Cells", slices.Equal(slices.Collect(s.Cells()), list), true)
	order := slices.Compare([]uint64{s.Hi, s.Lo}, []uint64{u.Hi, u.Lo})
	eq("Compare", s.Compare(u), order)
	eq("Compare back", u.Compare(s), -order)
	eq("Compare self", s.Compare(s), 0)
	if s.Hi|u.Hi == 0 {
		checkNarrow(t, Set64{s.Lo}, Set64{u.Lo}, n)
	}
}

// checkNarrow compares every method of sets of one word with the same method of sets of two words.
func checkNarrow(t testing.TB, s, u Set64, n uint) {
	t.Helper()
	x, y, all := Set128{Lo: s.Lo}, Set128{Lo: u.Lo}, First128(64)
	for what, sets := range map[string][2]Set128{
		"And": {{Lo: s.And(u).Lo}, x.And(y)}, "Or": {{Lo: s.Or(u).Lo}, x.Or(y)}, "Xor": {{Lo: s.Xor(u).Lo}, x.Xor(y)},
		"AndNot": {{Lo: s.AndNot(u).Lo}, x.AndNot(y)}, "Not": {{Lo: s.Not().Lo}, all.AndNot(x)}, "First": {{Lo: s.First().Lo}, x.First()},
		"Shl": {{Lo: s.Shl(n).Lo}, x.Shl(n).And(all)}, "Shr": {{Lo: s.Shr(n).Lo}, x.Shr(n)}, "DropMin": {{Lo: s.DropMin().Lo}, x.DropMin()},
		"Cell64": {{Lo: Cell64(int(n % 64)).Lo}, Cell128(int(n % 64))}, "First64": {{Lo: First64(int(n % 65)).Lo}, First128(int(n % 65))},
	} {
		if sets[0] != sets[1] {
			t.Fatalf("Set64 %s, s=%x u=%x n=%d: got %x, want %x", what, s, u, n, sets[0], sets[1])
		}
	}
	for what, numbers := range map[string][2]int{
		"Count": {s.Count(), x.Count()}, "Min": {s.Min(), min(64, x.Min())}, "Max": {s.Max(), x.Max()}, "Compare": {s.Compare(u), x.Compare(y)},
	} {
		if numbers[0] != numbers[1] {
			t.Fatalf("Set64 %s, s=%x u=%x: got %d, want %d", what, s, u, numbers[0], numbers[1])
		}
	}
	if c := int(n % 64); s.Has(c) != x.Has(c) || s.IsEmpty() != x.IsEmpty() {
		t.Fatalf("Set64 s=%x: Has(%d) is %t, IsEmpty %t", s, c, s.Has(c), s.IsEmpty())
	}
}

// TestSetsExhaustive takes every subset of eight cells, laid out in several ways, with every
// shift.
func TestSetsExhaustive(t *testing.T) {
	n := uint(0)
	for i := range spreads {
		for v := range 256 {
			checkSets(t, spread(v, &spreads[i]), spread(v*37%256, &spreads[i]), n%140)
			n++
		}
	}
	for n := range uint(260) {
		checkSets(t, First128(128), Set128{5, 6}, n)
	}
	for _, n := range []uint{1 << 20, ^uint(0)>>1 + 1, ^uint(0), ^uint(0) - 63, ^uint(0) - 127} {
		checkSets(t, First128(128), Set128{}, n)
	}
}

func TestSetsWeird(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		s := weird128(r)
		u := s // if a word stays equal, Compare must look at the other
		if r.IntN(2) == 0 {
			u.Lo = weird(r)
		}
		if r.IntN(2) == 0 {
			u.Hi = weird(r)
		}
		if r.IntN(4) == 0 {
			s.Hi, u.Hi = 0, 0 // also compare sets of one word
		}
		checkSets(t, s, u, r.UintN(140))
	}
}

func FuzzSets(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(4), uint64(5), uint(64))
	f.Fuzz(func(t *testing.T, a, b, c, d uint64, n uint) {
		checkSets(t, Set128{a, b}, Set128{c, d}, n)
	})
}

func TestFirst(t *testing.T) {
	for n := range 129 {
		want := cells{}
		for i := range n {
			want[i] = true
		}
		if got := First128(n); plain(got) != want {
			t.Errorf("First128(%d) = %x", n, got)
		}
	}
}

func TestWalkStops(t *testing.T) {
	n := 0
	for range First128(70).Cells() {
		n++
		break
	}
	if n != 1 {
		t.Error(n)
	}
}
