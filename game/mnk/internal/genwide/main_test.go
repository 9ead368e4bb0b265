package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProducts compares the committed products with what the sources make.
func TestProducts(t *testing.T) {
	for dir, file := range map[string]string{"../..": "lines64.go", "../../prove": "width.go"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(`(?m)^//go:generate .*genwide (.*)$`).FindSubmatch(text)
		if line == nil {
			t.Fatalf("%s does not say what to generate", file)
		}
		products, err := generate(dir, strings.Fields(string(line[1])))
		if err != nil {
			t.Fatal(err)
		}
		there, err := filepath.Glob(filepath.Join(dir, prefix+"*128.go"))
		if err != nil || len(there) != len(products) {
			t.Errorf("%s has %d products, want %d: %v", dir, len(there), len(products), err)
		}
		for name, want := range products {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what its source makes: run go generate in %s", name, dir)
			}
		}
	}
}

// made returns what a source of a few lines, after the types that hold sets, becomes.
func made(t *testing.T, source string) (string, error) {
	dir := t.TempDir()
	const types = "package p\n\nimport \"math/bits\"\n\ntype Board64 struct{ Cells uint64 }\n\ntype Board128 struct{}\n\nvar _ = bits.Len64\n\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(types+source), 0o666); err != nil {
		t.Fatal(err)
	}
	products, err := generate(dir, []string{"p.go"})
	_, text, _ := strings.Cut(string(products["zp128.go"]), ")\n\n")
	return strings.TrimSpace(text), err
}

// TestForms says what becomes of each form that sources use.
func TestForms(t *testing.T) {
	for _, c := range [][2]string{
		{"func f(b *Board64, x uint64) uint64 { return b.Cells &^ (x | x<<3) }", "func f128(b *Board128, x bitboard.Set128) bitboard.Set128 { return b.Cells.AndNot(x.Or(x.Shl(3))) }"},
		{"func f(b *Board64, n uint64) uint64 { n += uint64(bits.OnesCount64(b.Cells)); return n }", "func f128(b *Board128, n uint64) uint64 { n += uint64(b.Cells.Count()); return n }"},
		{"func f(b *Board64) (n int) {\n\tfor x := b.Cells; x != 0; x &= x - 1 {\n\t\tn += bits.TrailingZeros64(x) & 63\n\t}\n\treturn n\n}",
			"func f128(b *Board128) (n int) {\n\tfor x := b.Cells; !x.IsEmpty(); x = x.DropMin() {\n\t\tn += x.Min() & 127\n\t}\n\treturn n\n}"},
		{"func f(b *Board64, c uint8) bool { return b.Cells>>c&1 == 0 }", "func f128(b *Board128, c uint8) bool { return !b.Cells.Has(int(c)) }"},
		{"func f(b *Board64) uint64 { return b.Cells&-b.Cells | 1<<63 }", "func f128(b *Board128) bitboard.Set128 { return b.Cells.First().Or(bitboard.Cell128(63)) }"},
		{"func f(x uint64) int { return 63 - bits.LeadingZeros64(x) }", "func f128(x bitboard.Set128) int { return x.Max() }"},
		{"func f(b *Board64) (list [64]uint64) { list[3] = ^b.Cells; return list }", "func f128(b *Board128) (list [128]bitboard.Set128) { list[3] = b.Cells.Not(); return list }"},
		{"func f(b *Board64, x uint64) bool { return x > b.Cells }", "func f128(b *Board128, x bitboard.Set128) bool { return x.Compare(b.Cells) > 0 }"},
		{"func f(b *Board64) (uint64, bool) { return 0, b.Cells == 0 }\n\nfunc g(n uint64) uint64 { return n + 1 }", "func f128(b *Board128) (uint64, bool) { return 0, b.Cells.IsEmpty() }"},
	} {
		if got, err := made(t, c[0]); err != nil || got != c[1] {
			t.Errorf("%s\nbecomes\n%s\nwant\n%s\n%v", c[0], got, c[1], err)
		}
	}
}

// TestRefused says what has no wide form.
func TestRefused(t *testing.T) {
	for source, want := range map[string]string{
		"func f(b *Board64) uint64 { return b.Cells + 2 }":                                             "a number, while",
		"func f(b *Board64, c int) bool { return b.Cells != 0 && c < 64 }":                             "what 64 counts is not known",
		"func f(b *Board64, x, n uint64) uint64 { n++; return n * uint64(len(\"\")) + (b.Cells & x) }": "a number, while",
		"func f(b *Board64, x, n uint64) (uint64, uint64) { n++; return b.Cells & x, n }":              "declared apart",
		"func f(b *Board64) uint64 { return b.Cells & 5 }":                                             "a set that is this number",
	} {
		if got, err := made(t, source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nbecomes %s: %v, want %q", source, got, err, want)
		}
	}
}
