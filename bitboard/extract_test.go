package bitboard

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfectplay/internal/impl"
)

// plainExtract and plainDeposit are the definitions, cell by cell.

func plainExtract(s, mask Set192) (r Set192) {
	j := 0
	for i := range 192 {
		if mask.Has(i) {
			if s.Has(i) {
				r = r.With(j)
			}
			j++
		}
	}
	return r
}

func plainDeposit(s, mask Set192) (r Set192) {
	j := 0
	for i := range 192 {
		if mask.Has(i) {
			if s.Has(j) {
				r = r.With(i)
			}
			j++
		}
	}
	return r
}

// checkExtract compares every single-word form with the definition, on the
// whole of s and mask and on their lower words.
func checkExtract(t testing.TB, s, mask Set192) {
	t.Helper()
	fail := func(what string, got, want any) {
		t.Helper()
		t.Fatalf("%s of %x by %x: got %x, want %x", what, s, mask, got, want)
	}
	e, d := plainExtract(s, mask), plainDeposit(s, mask)
	m := NewMask192(mask)
	if got := Extract192(s, mask); got != e {
		fail("Extract192", got, e)
	}
	if got := Deposit192(s, mask); got != d {
		fail("Deposit192", got, d)
	}
	if got := m.Extract(s); got != e {
		fail("Mask192.Extract", got, e)
	}
	if got := m.Deposit(s); got != d {
		fail("Mask192.Deposit", got, d)
	}
	if m.Set() != mask || m.Count() != mask.Count() {
		fail("Mask192.Set, Count", m.Set(), mask)
	}

	s2, mask2 := s.Low128(), mask.Low128()
	e2 := plainExtract(s2.Wide192(), mask2.Wide192()).Low128()
	d2 := plainDeposit(s2.Wide192(), mask2.Wide192()).Low128()
	m2 := NewMask128(mask2)
	if got := Extract128(s2, mask2); got != e2 {
		fail("Extract128", got, e2)
	}
	if got := Deposit128(s2, mask2); got != d2 {
		fail("Deposit128", got, d2)
	}
	if got := m2.Extract(s2); got != e2 {
		fail("Mask128.Extract", got, e2)
	}
	if got := m2.Deposit(s2); got != d2 {
		fail("Mask128.Deposit", got, d2)
	}
	if m2.Set() != mask2 || m2.Count() != mask2.Count() {
		fail("Mask128.Set, Count", m2.Set(), mask2)
	}

	x, mask1 := s.Lo, mask.Lo
	e1 := plainExtract(Set192{Lo: x}, Set192{Lo: mask1}).Lo
	d1 := plainDeposit(Set192{Lo: x}, Set192{Lo: mask1}).Lo
	m1 := NewMask64(mask1)
	if got := Extract64(x, mask1); got != e1 {
		fail("Extract64", got, e1)
	}
	if got := Deposit64(x, mask1); got != d1 {
		fail("Deposit64", got, d1)
	}
	if got := m1.Extract(x); got != e1 {
		fail("Mask64.Extract", got, e1)
	}
	if got := m1.Deposit(x); got != d1 {
		fail("Mask64.Deposit", got, d1)
	}
	if m1.Set() != mask1 {
		fail("Mask64.Set", m1.Set(), mask1)
	}
	// Compiled masks use the instructions if they can: their steps need a test
	// of their own.
	if got := m1.extract(x); got != e1 {
		fail("Mask64.extract", got, e1)
	}
	if got := m1.deposit(x); got != d1 {
		fail("Mask64.deposit", got, d1)
	}
	if got := m2.extract(s2); got != e2 {
		fail("Mask128.extract", got, e2)
	}
	if got := m2.deposit(s2); got != d2 {
		fail("Mask128.deposit", got, d2)
	}
}

// All masks and values of eight cells, on each spread, the other cells being
// outside the mask, or inside it and empty or full.
func TestExtractExhaustive(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		for i := range spreads {
			cells := &spreads[i]
			others := First192(192).AndNot(spread(255, cells))
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
					checkExtract(t, s, m)
				}
			}
		}
	})
}

func TestExtractWeird(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20000 {
			checkExtract(t, weird192(r), weird192(r))
		}
	})
}

func FuzzExtract(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		s, m := weird192(r), weird192(r)
		f.Add(s.Lo, s.Mid, s.Hi, m.Lo, m.Mid, m.Hi)
	}
	f.Fuzz(func(t *testing.T, a, b, c, ma, mb, mc uint64) {
		s, m := Set192{a, b, c}, Set192{ma, mb, mc}
		checkExtract(t, s, m)
		lo, hi := extract128Portable(a, b, ma, mb)
		if got := Extract128(s.Low128(), m.Low128()); got != (Set128{lo, hi}) {
			t.Fatalf("Extract128 %x, portable %x %x", got, lo, hi)
		}
		lo, hi = deposit128Portable(a, b, ma, mb)
		if got := Deposit128(s.Low128(), m.Low128()); got != (Set128{lo, hi}) {
			t.Fatalf("Deposit128 %x, portable %x %x", got, lo, hi)
		}
	})
}

// The slice forms at every short length, at several offsets in their buffers,
// in place and apart, with canaries on both sides of what they may write.
func TestExtractSlices(t *testing.T) {
	const canary, room = 0xfee1dead0b57ac1e, 40
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for n := range 20 {
			for from := range 4 {
				for _, inPlace := range []bool{false, true} {
					mask := weird128(r)
					name := fmt.Sprintf("n=%d from=%d inPlace=%v mask=%x", n, from, inPlace, mask)

					var dst, src [room]uint64
					for _, f := range []struct {
						name  string
						slice func(dst, src []uint64, mask uint64)
						one   func(x, mask uint64) uint64
					}{{"extract", ExtractSlice64, Extract64}, {"deposit", DepositSlice64, Deposit64}} {
						for i := range dst {
							dst[i], src[i] = canary, weird(r)
						}
						in := src[from : from+n]
						if inPlace {
							in = dst[from : from+n]
							copy(in, src[from:])
						}
						f.slice(dst[from:from+n], in, mask.Lo)
						for i, got := range dst {
							want := uint64(canary)
							if i >= from && i < from+n {
								want = f.one(src[i], mask.Lo)
							}
							if got != want {
								t.Fatalf("%s64 %s: [%d] = %x, want %x", f.name, name, i, got, want)
							}
						}
					}

					var dst2, src2 [room]Set128
					for _, f := range []struct {
						name  string
						slice func(dst, src []Set128, mask Set128)
						one   func(s, mask Set128) Set128
					}{{"extract", ExtractSlice128, Extract128}, {"deposit", DepositSlice128, Deposit128}} {
						for i := range dst2 {
							dst2[i], src2[i] = Set128{canary, canary}, weird128(r)
						}
						in := src2[from : from+n]
						if inPlace {
							in = dst2[from : from+n]
							copy(in, src2[from:])
						}
						f.slice(dst2[from:from+n], in, mask)
						for i, got := range dst2 {
							want := Set128{canary, canary}
							if i >= from && i < from+n {
								want = f.one(src2[i], mask)
							}
							if got != want {
								t.Fatalf("%s128 %s: [%d] = %x, want %x", f.name, name, i, got, want)
							}
						}
					}
				}
			}
		}
	})
}

// The portable slice forms by their own names: assembly reaches them by a jump,
// and this compares them with what is in use.
func TestExtractSlicesPortable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var src, got, want [50]Set128
	var src1, got1, want1 [50]uint64
	for range 200 {
		for i := range src {
			src[i], src1[i] = weird128(r), weird(r)
		}
		mask := weird128(r)
		ExtractSlice128(want[:], src[:], mask)
		if extractSlice128Portable(got[:], src[:], mask); got != want {
			t.Fatalf("extract %x by %x: %x, want %x", src, mask, got, want)
		}
		DepositSlice128(want[:], src[:], mask)
		if depositSlice128Portable(got[:], src[:], mask); got != want {
			t.Fatalf("deposit %x by %x: %x, want %x", src, mask, got, want)
		}
		ExtractSlice64(want1[:], src1[:], mask.Lo)
		if extractSlice64Portable(got1[:], src1[:], mask.Lo); got1 != want1 {
			t.Fatalf("extract %x by %x: %x, want %x", src1, mask.Lo, got1, want1)
		}
		DepositSlice64(want1[:], src1[:], mask.Lo)
		if depositSlice64Portable(got1[:], src1[:], mask.Lo); got1 != want1 {
			t.Fatalf("deposit %x by %x: %x, want %x", src1, mask.Lo, got1, want1)
		}
	}
}

func TestExtractSliceShortDestinationPanics(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		for name, f := range map[string]func(){
			"ExtractSlice64":  func() { ExtractSlice64(make([]uint64, 2), make([]uint64, 3), 1) },
			"DepositSlice64":  func() { DepositSlice64(make([]uint64, 2), make([]uint64, 3), 1) },
			"ExtractSlice128": func() { ExtractSlice128(make([]Set128, 2), make([]Set128, 3), Set128{}) },
			"DepositSlice128": func() { DepositSlice128(nil, make([]Set128, 3), Set128{}) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: no panic", name)
					}
				}()
				f()
			}()
		}
	})
}

var sink Set192

func TestExtractAllocatesNothing(t *testing.T) {
	impl.TestAll(t, "bitboard", func(t *testing.T) {
		s, mask := Set192{1, 2, 3}, Set192{^uint64(1), 0xff00ff, 77}
		words, sets := make([]uint64, 9), make([]Set128, 9)
		if n := testing.AllocsPerRun(100, func() {
			m := NewMask192(mask)
			sink = Extract192(Deposit192(s, mask), mask)
			sink = m.Extract(m.Deposit(sink))
			sink.Lo ^= Extract64(Deposit64(s.Lo, mask.Lo), mask.Lo)
			sink = Extract128(Deposit128(s.Low128(), mask.Low128()), mask.Low128()).Wide192()
			ExtractSlice64(words, words, mask.Lo)
			DepositSlice64(words, words, mask.Lo)
			ExtractSlice128(sets, sets, mask.Low128())
			DepositSlice128(sets, sets, mask.Low128())
		}); n != 0 {
			t.Errorf("%v allocations a run", n)
		}
	})
}
