package bitboard

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// checkPerm checks every compiled form of p on s against the reference.
func checkPerm(t testing.TB, p Perm, c64 *Perm64, c128 *Perm128, s Set128) {
	t.Helper()
	want := p.Apply(s)
	if got := c128.Apply(s); got != want {
		t.Fatalf("Perm128 %v of %x: %x, want %x", p, s, got, want)
	}
	if got := c128.ApplyFew(s); got != want {
		t.Fatalf("ApplyFew %v of %x: %x, want %x", p, s, got, want)
	}
	if got := c128.byChunk(s); got != want {
		t.Fatalf("by chunk %v of %x: %x, want %x", p, s, got, want)
	}
	if c64 != nil {
		if got := c64.Apply(s.Lo); got != want.Lo {
			t.Fatalf("Perm64 %v of %x: %x, want %x", p, s.Lo, got, want.Lo)
		}
	}
}

func compile(t testing.TB, p Perm) (*Perm64, *Perm128) {
	t.Helper()
	c128, err := p.Compile128()
	if err != nil {
		t.Fatal(err)
	}
	c64, err := p.Compile64()
	if (err == nil) != (len(p) <= 64) {
		t.Fatalf("Compile64 of %d cells: %v", len(p), err)
	}
	return c64, c128
}

// All permutations of up to 5 cells on all sets, with cells beyond set too.
func TestPermExhaustive(t *testing.T) {
	for n := range 6 {
		p := Identity(n)
		var rec func(k int)
		rec = func(k int) {
			if k == n {
				c64, c128 := compile(t, p)
				for x := range uint64(64) {
					checkPerm(t, p, c64, c128, Set128{Lo: x})
				}
				return
			}
			for i := k; i < n; i++ {
				p[k], p[i] = p[i], p[k]
				rec(k + 1)
				p[k], p[i] = p[i], p[k]
			}
		}
		rec(0)
	}
}

// Every size, the special shapes and a random permutation, on weird sets.
func TestPermWeird(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 129 {
		mixed := Identity(n)
		r.Shuffle(n, func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		for _, p := range []Perm{Identity(n), Reversal(n), mixed} {
			c64, c128 := compile(t, p)
			for range 100 {
				checkPerm(t, p, c64, c128, weird128(r))
			}
			if q := p.Then(p.Inverse()); !slices.Equal(q, Identity(n)) {
				t.Fatalf("%v then its inverse: %v", p, q)
			}
			q := mixed.Then(p)
			s := weird128(r)
			if got, want := q.Apply(s), p.Apply(mixed.Apply(s)); got != want {
				t.Fatalf("Then: %x, want %x", got, want)
			}
		}
	}
}

func TestPermShape(t *testing.T) {
	for _, c := range []struct {
		p    Perm
		want shape
	}{
		{nil, identity}, {Perm{0}, identity}, {Perm{1, 0}, reversal}, {Perm{0, 1, 2}, identity},
		{Reversal(121), reversal}, {Perm{1, 0, 2}, general},
	} {
		if got := c.p.shape(); got != c.want {
			t.Errorf("shape of %v: %d, want %d", c.p, got, c.want)
		}
	}
}

func TestPermErrors(t *testing.T) {
	for _, p := range []Perm{{0, 0}, {1}, {0, 3, 1}, {255}, Identity(129)} {
		if p.Check() == nil {
			t.Errorf("%v passes", p)
		}
		if c, err := p.Compile64(); c != nil || err == nil {
			t.Errorf("%v compiles to 64", p)
		}
		if c, err := p.Compile128(); c != nil || err == nil {
			t.Errorf("%v compiles to 128", p)
		}
	}
}

func TestPermAllocatesNothing(t *testing.T) {
	p := Perm{2, 0, 1}
	c64, c128 := compile(t, p)
	if n := testing.AllocsPerRun(100, func() {
		sink.Lo = c64.Apply(5)
		sink = c128.Apply(p.Apply(Set128{3, 0})).Wide192()
	}); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

func FuzzPerm(f *testing.F) {
	f.Add(uint8(121), uint64(1), uint64(5), uint64(7))
	f.Fuzz(func(t *testing.T, n uint8, seed, lo, hi uint64) {
		p := Identity(int(n % 129))
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		c64, c128 := compile(t, p)
		s := Set128{lo, hi}
		checkPerm(t, p, c64, c128, s)
		if got := p.Inverse().Apply(c128.Apply(s)); got != s.And(First128(len(p))) {
			t.Fatalf("inverse: %x, want %x", got, s)
		}
	})
}
