package bitboard

import (
	"math/rand/v2"
	"slices"
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

// checkExtract compares the implementation in use and the portable code with the definition.
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

// TestExtractExhaustive tests all masks and values of eight cells, laid out in each way of spreads.
// The other cells are outside the mask, or inside it and empty or full.
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

// TestExtract128 compares with the definition, also on masks whose first word is empty or full.
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
			if got, plain := Extract128(x, mask), extract128Portable(x, mask); got != extracted || plain != extracted {
				t.Fatalf("Extract128 of %x by %x: got %x, portable %x, want %x", x, mask, got, plain, extracted)
			}
			if got, plain := Deposit128(x, mask), deposit128Portable(x, mask); got != deposited || plain != deposited {
				t.Fatalf("Deposit128 of %x by %x: got %x, portable %x, want %x", x, mask, got, plain, deposited)
			}
		}
	})
}

// plainWords returns the cells of x that mask selects.
func plainWords(x, mask []uint64) (r []uint64, n int) {
	r = make([]uint64, len(mask)+1)
	for i := range 64 * len(mask) {
		if mask[i/64]>>(i%64)&1 != 0 {
			r[n/64] |= x[i/64] >> (i % 64) & 1 << (n % 64)
			n++
		}
	}
	return r, n
}

// TestExtractWords compares extracted words with the definition, deposits them again, and checks a
// canary behind the words written.
func TestExtractWords(t *testing.T) {
	const canary = 0x5ca1ab1e
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20_000 {
			words := r.IntN(9)
			x, mask := make([]uint64, words), make([]uint64, words)
			for i := range words {
				x[i], mask[i] = weird(r), weird(r)
			}
			want, n := plainWords(x, mask)
			got := make([]uint64, words+2)
			for i := range got {
				got[i] = canary * uint64(i+1)
			}
			ExtractWords(got[:words+1], x, mask)
			portable := make([]uint64, words+1)
			extractWordsPortable(portable, x, mask)
			if rest := uint64(1)<<(n%64) - 1; !slices.Equal(portable[:n/64], want[:n/64]) || portable[n/64]&rest != want[n/64] {
				t.Fatalf("portable, %x by %x: got %x, want %x", x, mask, portable, want)
			}
			for i := range n / 64 {
				if got[i] != want[i] {
					t.Fatalf("word %d of %x by %x: got %x, want %x", i, x, mask, got[i], want[i])
				}
			}
			if rest := uint64(1)<<(n%64) - 1; got[n/64]&rest != want[n/64] {
				t.Fatalf("last word of %x by %x: got %x, want %x", x, mask, got[n/64]&rest, want[n/64])
			}
			for i := n/64 + 1; i < len(got); i++ {
				if got[i] != canary*uint64(i+1) {
					t.Fatalf("%x by %x: word %d of %d bits is written", x, mask, i, n)
				}
			}
			back, old := make([]uint64, words+1), weird(r)
			for i := range back {
				back[i] = old
			}
			DepositWords(back[:words], got[:words+1], mask)
			plain := make([]uint64, words)
			depositWordsPortable(plain, got[:words+1], mask)
			for i, x := range x {
				if plain[i] != x&mask[i] {
					t.Fatalf("portable: word %d of %x by %x and back: %x", i, x, mask[i], plain[i])
				}
				if back[i] != old|x&mask[i] {
					t.Fatalf("word %d of %x by %x and back: %x over %x", i, x, mask[i], back[i], old)
				}
			}
			if back[words] != old {
				t.Fatal("a word behind is written")
			}
		}
		buffer := make([]uint64, 9)
		if n := testing.AllocsPerRun(10, func() {
			ExtractWords(buffer, buffer[:8], buffer[:8])
			DepositWords(buffer[:8], buffer, buffer[:8])
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestExtractWordsPanics(t *testing.T) {
	x := make([]uint64, 4)
	for name, f := range map[string]func(){
		"extract to too few":   func() { ExtractWords(x[:3], x[:3], x[:3]) },
		"extract from too few": func() { ExtractWords(x, x[:2], x[:3]) },
		"deposit to too few":   func() { DepositWords(x[:2], x, x[:3]) },
		"deposit from too few": func() { DepositWords(x, x[:3], x[:3]) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}
