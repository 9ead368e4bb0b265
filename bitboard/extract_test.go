package bitboard

import (
	"math/rand/v2"
	"testing"

	"perfectplay/internal/impl"
)

// plainExtract and plainDeposit are the definitions, cell by cell.

func plainExtract(x, mask uint64) (r uint64) {
	j := 0
	for i := range 64 {
		if mask>>i&1 != 0 {
			r |= x >> i & 1 << j
			j++
		}
	}
	return r
}

func plainDeposit(x, mask uint64) (r uint64) {
	j := 0
	for i := range 64 {
		if mask>>i&1 != 0 {
			r |= x >> j & 1 << i
			j++
		}
	}
	return r
}

// checkExtract compares what is in use and the portable code with the definition.
func checkExtract(t testing.TB, x, mask uint64) {
	t.Helper()
	e, d := plainExtract(x, mask), plainDeposit(x, mask)
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"Extract64", Extract64(x, mask), e}, {"extract64Portable", extract64Portable(x, mask), e},
		{"Deposit64", Deposit64(x, mask), d}, {"deposit64Portable", deposit64Portable(x, mask), d},
	} {
		if c.got != c.want {
			t.Fatalf("%s of %x by %x: got %x, want %x", c.name, x, mask, c.got, c.want)
		}
	}
}

// All masks and values of eight cells, on each spread, the other cells being
// outside the mask, or inside it and empty or full; both words of a spread.
func TestExtractExhaustive(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		for i := range spreads {
			cells := &spreads[i]
			others := First128(128).AndNot(spread(255, cells))
			n := 0
			for mask := range 256 {
				for v := range 256 {
					if n++; n%step != 0 {
						continue
					}
					m, s := spread(mask, cells), spread(v, cells)
					switch (mask + v) % 3 {
					case 1:
						m = m.Or(others)
					case 2:
						m, s = m.Or(others), s.Or(others)
					}
					checkExtract(t, s.Lo, m.Lo)
					checkExtract(t, s.Hi, m.Hi)
				}
			}
		}
	})
}

func TestExtractWeird(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20000 {
			checkExtract(t, weird(r), weird(r))
		}
	})
}

func FuzzExtract(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(weird(r), weird(r))
	}
	f.Fuzz(func(t *testing.T, x, mask uint64) { checkExtract(t, x, mask) })
}

var sink uint64

func TestExtractAllocatesNothing(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		if n := testing.AllocsPerRun(100, func() {
			sink ^= Extract64(Deposit64(sink, 0xff00ff), 0xff00ff)
		}); n != 0 {
			t.Errorf("%v allocations a run", n)
		}
	})
}

// TestExtract128 compares with the definition on random sets, sparse and dense, and on
// masks whose first word is empty or full.
func TestExtract128(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	word := func() uint64 {
		switch x, y := random.Uint64(), random.Uint64(); random.IntN(5) {
		case 0:
			return 0
		case 1:
			return ^uint64(0)
		case 2:
			return x & y
		case 3:
			return x | y
		default:
			return x
		}
	}
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		for range 20_000 {
			x, mask := Set128{word(), word()}, Set128{word(), word()}
			var extracted, deposited Set128
			j := 0
			for i := range mask.Cells() {
				if x.Has(i) {
					extracted = extracted.With(j)
				}
				if x.Has(j) {
					deposited = deposited.With(i)
				}
				j++
			}
			if got := Extract128(x, mask); got != extracted {
				t.Fatalf("Extract128 of %x by %x: got %x, want %x", x, mask, got, extracted)
			}
			if got := Deposit128(x, mask); got != deposited {
				t.Fatalf("Deposit128 of %x by %x: got %x, want %x", x, mask, got, deposited)
			}
		}
	})
}
