package rank

import (
	"errors"
	"iter"
	"math/big"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"perfectplay/bitboard"
)

func TestBinomial(t *testing.T) {
	limit := new(big.Int).Lsh(big.NewInt(1), 64)
	for n := range 200 {
		for k := range 205 {
			want := new(big.Int).Binomial(int64(n), int64(k))
			got, err := Binomial(n, k)
			if want.Cmp(limit) >= 0 {
				if !errors.Is(err, errOverflow) || got != 0 {
					t.Fatalf("C(%d,%d) = %d, %v, want an overflow", n, k, got, err)
				}
				continue
			}
			if err != nil || got != want.Uint64() || Choose(n, k) != got {
				t.Fatalf("C(%d,%d) = %d, %v, by Choose %d, want %d", n, k, got, err, Choose(n, k), want)
			}
		}
	}
	for _, a := range [][2]int{{-1, 0}, {0, -1}, {-3, -2}} {
		if _, err := Binomial(a[0], a[1]); err == nil || errors.Is(err, errOverflow) || Choose(a[0], a[1]) != 0 {
			t.Errorf("C(%d,%d): %v, by Choose %d", a[0], a[1], err, Choose(a[0], a[1]))
		}
	}
}

func TestPlacements(t *testing.T) {
	limit := new(big.Int).Lsh(big.NewInt(1), 64)
	for n := range 130 {
		for k := range 12 {
			for l := range 12 {
				want := new(big.Int).Binomial(int64(n), int64(k))
				want.Mul(want, new(big.Int).Binomial(int64(max(n-k, 0)), int64(l)))
				got, err := Placements(n, k, l)
				if want.Cmp(limit) >= 0 {
					if !errors.Is(err, errOverflow) {
						t.Fatalf("%d and %d on %d cells: %d, %v, want an overflow", k, l, n, got, err)
					}
				} else if err != nil || got != want.Uint64() {
					t.Fatalf("%d and %d on %d cells: %d, %v, want %d", k, l, n, got, err, want)
				}
			}
		}
	}
	for _, a := range [][2]int{{-1, 0}, {5, -1}} {
		if n, err := Placements(a[0], a[1]); err == nil {
			t.Errorf("%d pieces on %d cells: %d placements", a[1], a[0], n)
		}
	}
}

// subsets returns the numbering, or nil if it does not fit.
func subsets(t testing.TB, n, k int) *Subsets {
	t.Helper()
	s, err := NewSubsets(n, k)
	if want, e := Binomial(n, k); e == nil && (err != nil || s.Size() != want || s.N() != n || s.K() != k) {
		t.Fatalf("%d of %d: %v, size %d", k, n, err, s.Size())
	} else if e != nil && (s != nil || !errors.Is(err, errOverflow)) {
		t.Fatalf("%d of %d: %v, want an overflow", k, n, err)
	}
	return s
}

// rankPlain is the definition of the rank, on integers of any size.
func rankPlain(x bitboard.Set128) *big.Int {
	sum, i := new(big.Int), int64(0)
	for c := range x.Cells() {
		i++
		sum.Add(sum, new(big.Int).Binomial(int64(c), i))
	}
	return sum
}

// unrankPlain tries cells downwards for each piece from the highest, until the term fits.
func (s *Subsets) unrankPlain(r uint64) (x bitboard.Set128) {
	c := s.n
	for i := s.k; i > 0; i-- {
		for c--; s.t.at(i-1, c) > r; c-- {
		}
		r -= s.t.at(i-1, c)
		x = x.With(c)
	}
	return x
}

func (s *Subsets) last() bitboard.Set128 {
	return bitboard.First128(s.n).AndNot(bitboard.First128(s.n - s.k))
}

// next128 is the reference for Next128: the lowest run of cells gives its top one to the cell
// above it, and the others go down to the bottom.
func next128(x bitboard.Set128) (next bitboard.Set128) {
	run := 0
	for c := range x.Cells() {
		if !x.Has(c+1) || c == 127 {
			if c == 127 {
				return bitboard.Set128{}
			}
			return x.AndNot(bitboard.First128(c + 1)).Or(bitboard.First128(run)).With(c + 1)
		}
		run++
	}
	return next
}

func (s *Subsets) all() iter.Seq2[uint64, bitboard.Set128] {
	return func(yield func(uint64, bitboard.Set128) bool) {
		for r, x := uint64(0), bitboard.First128(s.k); r < s.size; r, x = r+1, next128(x) {
			if !yield(r, x) {
				return
			}
		}
	}
}

func (s *Subsets) check(t interface{ Fatalf(string, ...any) }, r uint64, x bitboard.Set128) {
	next := next128(x)
	if got := Next128(x); got != next {
		t.Fatalf("%x follows %x, want %x", got, x, next)
	}
	if got := s.Rank(x); got != r {
		t.Fatalf("%d of %d: Rank(%v) = %d, want %d", s.k, s.n, x, got, r)
	}
	if got := s.Unrank(r); got != x {
		t.Fatalf("%d of %d: Unrank(%d) = %v, want %v", s.k, s.n, r, got, x)
	}
	if got := s.unrankPlain(r); got != x {
		t.Fatalf("%d of %d: unrankPlain(%d) = %v, want %v", s.k, s.n, r, got, x)
	}
	if s.n <= 64 {
		if next.Hi != 0 {
			next.Lo = 0
		}
		if got := Next64(x.Lo); got != next.Lo {
			t.Fatalf("%x follows %x, want %x", got, x, next.Lo)
		}
		if got := s.Rank64(x.Lo); got != r {
			t.Fatalf("%d of %d: Rank64(%v) = %d, want %d", s.k, s.n, x, got, r)
		}
		if got := s.Unrank64(r); got != x.Lo {
			t.Fatalf("%d of %d: Unrank64(%d) = %x, want %v", s.k, s.n, r, got, x)
		}
	}
}

// TestSubsetsExhaustive visits all sets of up to 14 cells, then all sets of a few, or of nearly
// all, of many cells.
func TestSubsetsExhaustive(t *testing.T) {
	for n := range 15 {
		for k := range n + 1 {
			s := subsets(t, n, k)
			r := uint64(0)
			for x := range uint64(1) << n {
				if bits.OnesCount64(x) == k {
					s.check(t, r, bitboard.Set128{Lo: x})
					r++
				}
			}
			if r != s.Size() {
				t.Fatalf("%d of %d: %d sets, size %d", k, n, r, s.Size())
			}
		}
	}
	for _, c := range [][2]int{{37, 3}, {49, 3}, {63, 2}, {64, 2}, {64, 62}, {64, 64}, {65, 2}, {66, 3}, {70, 68}, {81, 3},
		{100, 2}, {121, 1}, {121, 2}, {127, 125}, {128, 0}, {128, 1}, {128, 2}, {128, 126}, {128, 127}, {128, 128}} {
		s := subsets(t, c[0], c[1])
		var last bitboard.Set128
		n := uint64(0)
		for r, x := range s.all() {
			if r != n || x.Count() != s.k || !x.AndNot(bitboard.First128(s.n)).IsEmpty() || r > 0 && x.Compare(last) <= 0 {
				t.Fatalf("%d of %d: set %d is %v after %v", s.k, s.n, r, x, last)
			}
			s.check(t, r, x)
			last = x
			n++
		}
		if n != s.Size() {
			t.Fatalf("%d of %d: %d sets, size %d", s.k, s.n, n, s.Size())
		}
	}
}

// TestSubsetsEnds checks the first and last ranks of every numbering.
func TestSubsetsEnds(t *testing.T) {
	count := 0
	for n := range 129 {
		for k := range n + 1 {
			s := subsets(t, n, k)
			if s == nil {
				continue
			}
			count++
			s.check(t, 0, bitboard.First128(k))
			s.check(t, s.Size()-1, s.last())
			if s.Size() > 2 {
				s.check(t, 1, next128(bitboard.First128(k)))
				x := s.Unrank(s.Size() - 2)
				s.check(t, s.Size()-2, x)
				if next := next128(x); next != s.last() {
					t.Fatalf("%d of %d: after %x comes %x", k, n, x, next)
				}
			}
		}
	}
	t.Logf("%d numberings fit 64 bits", count)
}

func drawCells(t *rapid.T, n int) []int {
	cells := make([]int, n)
	for i := range cells {
		cells[i] = i
	}
	return rapid.Permutation(cells).Draw(t, "cells")
}

func drawSubsets(t *rapid.T) (*Subsets, bitboard.Set128) {
	n := rapid.IntRange(1, 128).Draw(t, "n")
	k := rapid.IntRange(0, n).Draw(t, "k")
	for _, err := Binomial(n, k); err != nil; _, err = Binomial(n, k) {
		k--
	}
	s, err := NewSubsets(n, k)
	if err != nil {
		t.Fatal(err)
	}
	cells := drawCells(t, n)
	var x bitboard.Set128
	for _, c := range cells[:k] {
		x = x.With(c)
	}
	return s, x
}

func TestSubsetsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := drawSubsets(t)
		r := s.Rank(x)
		if want := rankPlain(x); !want.IsUint64() || want.Uint64() != r || r >= s.size {
			t.Fatalf("Rank(%v) = %d, want %d, size %d", x, r, want, s.size)
		}
		s.check(t, r, x)
	})
}

func FuzzSubsets(f *testing.F) {
	f.Add(uint8(121), uint8(10), uint64(12345678901234))
	f.Add(uint8(64), uint8(32), uint64(1)<<60)
	f.Fuzz(func(t *testing.T, n, k uint8, r uint64) {
		n %= 129
		k %= n + 1
		s := subsets(t, int(n), int(k))
		if s == nil {
			return
		}
		r %= s.size
		x := s.Unrank(r)
		if x.Count() != s.k || !x.AndNot(bitboard.First128(s.n)).IsEmpty() {
			t.Fatalf("%d of %d: Unrank(%d) = %v", k, n, r, x)
		}
		s.check(t, r, x)
		if r+1 < s.size {
			s.check(t, r+1, next128(x))
		}
	})
}

func TestSubsetsErrors(t *testing.T) {
	for _, c := range [][2]int{{-1, 0}, {3, 4}, {3, -1}, {129, 1}, {1 << 30, 1}} {
		if s, err := NewSubsets(c[0], c[1]); s != nil || err == nil || errors.Is(err, errOverflow) {
			t.Errorf("%d of %d: %v", c[1], c[0], err)
		}
	}
	if _, err := NewSubsets(128, 64); !errors.Is(err, errOverflow) {
		t.Errorf("64 of 128: %v", err)
	}
	s := subsets(t, 49, 3)
	for name, f := range map[string]func(){
		"Unrank":   func() { s.Unrank(s.Size()) },
		"Unrank64": func() { s.Unrank64(s.Size()) },
		"Choose":   func() { Choose(200, 100) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s beyond its range does not panic", name)
				}
			}()
			f()
		}()
	}
}

// TestSubsetsForeignSets breaks the contract: methods must not panic.
func TestSubsetsForeignSets(t *testing.T) {
	all := bitboard.First128(128)
	var l Lift
	for _, s := range []*Subsets{subsets(t, 0, 0), subsets(t, 5, 2), subsets(t, 128, 1)} {
		s.Rank(all)
		s.Rank64(all.Lo)
		s.Lift(&l, all)
		for b := range 128 {
			l.Rank(b)
		}
	}
}
