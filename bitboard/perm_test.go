package bitboard

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func identityOf(n int) Perm {
	p := make(Perm, n)
	for i := range p {
		p[i] = uint8(i)
	}
	return p
}

func reversalOf(n int) Perm {
	p := identityOf(n)
	slices.Reverse(p)
	return p
}

// apply is the reference, cell by cell.
func (p Perm) apply(s Set128) (r Set128) {
	for i, c := range p {
		if s.Has(i) {
			r = r.With(int(c))
		}
	}
	return r
}

func checkPerm(t testing.TB, p Perm, c64 *Perm64, c128 *Perm128, s Set128) {
	t.Helper()
	want := p.apply(s)
	if got := c128.Apply(s); got != want {
		t.Fatalf("Perm128 %v of %x: %x, want %x", p, s, got, want)
	}
	if got := c128.byCell(s); got != want {
		t.Fatalf("by cell %v of %x: %x, want %x", p, s, got, want)
	}
	if got := c128.byChunk(s); got != want {
		t.Fatalf("by chunk %v of %x: %x, want %x", p, s, got, want)
	}
	if c64 != nil {
		if got := c64.Apply(Set64{s.Lo}); got.Lo != want.Lo {
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

// TestPermExhaustive takes all permutations of up to 5 cells on all sets, with cells beyond
// TestPermExhaustive applies all permutations of up to 5 cells to all sets, also to sets with
// further cells.
func TestPermExhaustive(t *testing.T) {
	for n := range 6 {
		p := identityOf(n)
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

func TestPermWeird(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 129 {
		mixed := identityOf(n)
		r.Shuffle(n, func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		for _, p := range []Perm{identityOf(n), reversalOf(n), mixed} {
			c64, c128 := compile(t, p)
			for range 100 {
				checkPerm(t, p, c64, c128, weird128(r))
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
		{reversalOf(121), reversal}, {Perm{1, 0, 2}, general},
	} {
		if got := c.p.shape(); got != c.want {
			t.Errorf("shape of %v: %d, want %d", c.p, got, c.want)
		}
	}
}

func TestPermErrors(t *testing.T) {
	for _, p := range []Perm{{0, 0}, {1}, {0, 3, 1}, {255}, identityOf(129)} {
		if p.check() == nil {
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
		sink = c64.Apply(Set64{5}).Lo ^ c128.Apply(Set128{3, 0}).Lo
	}); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

func FuzzPerm(f *testing.F) {
	f.Add(uint8(121), uint64(1), uint64(5), uint64(7))
	f.Fuzz(func(t *testing.T, n uint8, seed, lo, hi uint64) {
		p := identityOf(int(n % 129))
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		c64, c128 := compile(t, p)
		checkPerm(t, p, c64, c128, Set128{lo, hi})
	})
}
