package bitboard

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// A set as tests see it: one bool a cell.
type cells [192]bool

func plain(s Set192) (c cells) {
	for i := range c {
		c[i] = [3]uint64{s.Lo, s.Mid, s.Hi}[i/64]>>(i%64)&1 != 0
	}
	return c
}

// shifted moves every cell by n, which may be negative, within size cells.
func (c cells) shifted(n, size int) (r cells) {
	for i := range size {
		if j := i + n; c[i] && j >= 0 && j < size {
			r[j] = true
		}
	}
	return r
}

func (c cells) list() (l []int) {
	for i, in := range c {
		if in {
			l = append(l, i)
		}
	}
	return l
}

// checkSets compares every method with its meaning on single cells, n being a
// shift count and, folded into range, a cell.
func checkSets(t testing.TB, s, u Set192, n uint) {
	t.Helper()
	eq := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Fatalf("%s, s=%v u=%v n=%d: got %v, want %v", what, s, u, n, got, want)
		}
	}
	a, b := plain(s), plain(u)
	merge := func(a, b cells, f func(x, y bool) bool) (r cells) {
		for i := range r {
			r[i] = f(a[i], b[i])
		}
		return r
	}
	and := func(x, y bool) bool { return x && y }
	or := func(x, y bool) bool { return x || y }
	xor := func(x, y bool) bool { return x != y }
	andNot := func(x, y bool) bool { return x && !y }
	eq("And", plain(s.And(u)), merge(a, b, and))
	eq("Or", plain(s.Or(u)), merge(a, b, or))
	eq("Xor", plain(s.Xor(u)), merge(a, b, xor))
	eq("AndNot", plain(s.AndNot(u)), merge(a, b, andNot))
	by := int(min(n, 1000))
	eq("Shl", plain(s.Shl(n)), a.shifted(by, 192))
	eq("Shr", plain(s.Shr(n)), a.shifted(-by, 192))
	i := int(n % 192)
	eq("Has", s.Has(i), a[i])
	with, without := a, a
	with[i], without[i] = true, false
	eq("With", plain(s.With(i)), with)
	eq("Without", plain(s.Without(i)), without)
	eq("Cell192", plain(Cell192(i)), merge(with, without, xor))
	l := a.list()
	eq("IsEmpty", s.IsEmpty(), len(l) == 0)
	eq("Count", s.Count(), len(l))
	lowest, highest, rest := 192, -1, a
	if len(l) > 0 {
		lowest, highest = l[0], l[len(l)-1]
		rest[lowest] = false
	}
	eq("Min", s.Min(), lowest)
	eq("Max", s.Max(), highest)
	eq("DropMin", plain(s.DropMin()), rest)
	eq("Cells", slices.Equal(slices.Collect(s.Cells()), l), true)
	eq("Of192", Of192(l...), s)
	order := slices.Compare([]uint64{s.Hi, s.Mid, s.Lo}, []uint64{u.Hi, u.Mid, u.Lo})
	eq("Compare", s.Compare(u), order)
	eq("Compare back", u.Compare(s), -order)
	eq("Compare self", s.Compare(s), 0)

	// The same for the lower two words.
	s2, u2 := s.Low128(), u.Low128()
	wide := func(s Set128) cells { return plain(s.Wide192()) }
	a, b = wide(s2), wide(u2)
	eq("128.And", wide(s2.And(u2)), merge(a, b, and))
	eq("128.Or", wide(s2.Or(u2)), merge(a, b, or))
	eq("128.Xor", wide(s2.Xor(u2)), merge(a, b, xor))
	eq("128.AndNot", wide(s2.AndNot(u2)), merge(a, b, andNot))
	eq("128.Shl", wide(s2.Shl(n)), a.shifted(by, 128))
	eq("128.Shr", wide(s2.Shr(n)), a.shifted(-by, 128))
	i = int(n % 128)
	eq("128.Has", s2.Has(i), a[i])
	with, without = a, a
	with[i], without[i] = true, false
	eq("128.With", wide(s2.With(i)), with)
	eq("128.Without", wide(s2.Without(i)), without)
	eq("Cell128", wide(Cell128(i)), merge(with, without, xor))
	l = a.list()
	eq("128.IsEmpty", s2.IsEmpty(), len(l) == 0)
	eq("128.Count", s2.Count(), len(l))
	lowest, highest, rest = 128, -1, a
	if len(l) > 0 {
		lowest, highest = l[0], l[len(l)-1]
		rest[lowest] = false
	}
	eq("128.Min", s2.Min(), lowest)
	eq("128.Max", s2.Max(), highest)
	eq("128.DropMin", wide(s2.DropMin()), rest)
	eq("128.Cells", slices.Equal(slices.Collect(s2.Cells()), l), true)
	eq("Of128", Of128(l...), s2)
	eq("128.Compare", s2.Compare(u2), slices.Compare([]uint64{s2.Hi, s2.Lo}, []uint64{u2.Hi, u2.Lo}))
	eq("Cells64", len(slices.Collect(Cells64(s.Lo))), bits.OnesCount64(s.Lo))
}

// Every subset of eight cells, laid out in several ways, with every shift that
// can matter in turn.
func TestSetsExhaustive(t *testing.T) {
	n := uint(0)
	for i := range spreads {
		for v := range 256 {
			checkSets(t, spread(v, &spreads[i]), spread(v*37%256, &spreads[i]), n%200)
			n++
		}
	}
	for n := range uint(260) {
		checkSets(t, First192(192), Set192{5, 6, 7}, n)
	}
	for _, n := range []uint{1 << 20, ^uint(0)>>1 + 1, ^uint(0), ^uint(0) - 63, ^uint(0) - 127} {
		checkSets(t, First192(192), Set192{}, n)
	}
}

func TestSetsWeird(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		s := weird192(r)
		u := s // equal words make Compare look further
		if r.IntN(2) == 0 {
			u.Lo = weird(r)
		}
		if r.IntN(2) == 0 {
			u.Mid = weird(r)
		}
		if r.IntN(2) == 0 {
			u.Hi = weird(r)
		}
		checkSets(t, s, u, r.UintN(200))
	}
}

func FuzzSets(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(3), uint64(4), uint64(5), uint64(6), uint(64))
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g uint64, n uint) {
		checkSets(t, Set192{a, b, c}, Set192{d, e, g}, n)
	})
}

func TestFirst(t *testing.T) {
	for n := range 193 {
		if got := First192(n); got.Count() != n || got.Max() != n-1 {
			t.Errorf("First192(%d) = %v", n, got)
		}
		if n > 128 {
			continue
		}
		if got := First128(n); got.Count() != n || got.Max() != n-1 {
			t.Errorf("First128(%d) = %v", n, got)
		}
	}
}

func TestWalksStop(t *testing.T) {
	n := 0
	for range Cells64(7) {
		n++
		break
	}
	for range First128(70).Cells() {
		n++
		break
	}
	for range First192(170).Cells() {
		n++
		break
	}
	if n != 3 {
		t.Error(n)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Set128{}.String(), "{}"},
		{Of128(0, 3, 127).String(), "{0 3 127}"},
		{Of192(64, 170).String(), "{64 170}"},
		{Of128(0, 4, 5, 6).Draw(3, 8), "#..\n.##\n#.\n"},
		{Of192(190).Draw(192, 0), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
