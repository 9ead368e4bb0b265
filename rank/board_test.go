package rank

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"perfectplay/bitboard"
)

// grid returns the symmetries of a rectangular board: mirrors and the half turn, of squares all
// seven.
func grid(columns, rows int) (group []bitboard.Perm) {
	for s := range 8 { // 0 is the identity
		g := make(bitboard.Perm, columns*rows)
		for c := range g {
			x, y := c%columns, c/columns
			if s&1 != 0 {
				x = columns - 1 - x
			}
			if s&2 != 0 {
				y = rows - 1 - y
			}
			if s&4 != 0 {
				x, y = y, x
			}
			g[c] = uint8(y*columns + x)
		}
		if s&4 != 0 && rows != columns || slices.ContainsFunc(group, func(h bitboard.Perm) bool { return slices.Equal(g, h) }) {
			continue
		}
		group = append(group, g)
	}
	return group[1:]
}

// positions visits all positions of a board, one cell after the other.
func positions(b Board, visit func(on []uint64, held []uint8)) {
	var kindOf []int // kind of each form
	var held [][]uint8
	for i, k := range b.Kinds {
		kindOf = append(kindOf, slices.Repeat([]int{i}, k.Forms)...)
	}
	on, left := make([]uint64, len(kindOf)), make([]int, len(b.Kinds))
	for i, k := range b.Kinds {
		left[i] = k.Pieces
	}
	counts := func(sets []uint64, hands []uint8) (a, b []int) {
		for _, x := range sets {
			a = append(a, bits.OnesCount64(x))
		}
		for _, h := range hands {
			b = append(b, int(h))
		}
		return a, b
	}
	lead := 0
	for _, k := range b.Kinds[:b.Lead] {
		lead += k.Forms
	}
	var put func(cell int)
	put = func(cell int) {
		if cell < b.Cells {
			put(cell + 1)
			for f := range on {
				if k := kindOf[f]; left[k] > 0 {
					on[f] |= 1 << cell
					left[k]--
					put(cell + 1)
					left[k]++
					on[f] &^= 1 << cell
				}
			}
			return
		}
		if b.Allowed != nil && !b.Allowed(on[:lead]) {
			return
		}
		held = [][]uint8{nil}
		for i, k := range b.Kinds {
			var longer [][]uint8
			for _, h := range held {
				for n := range pow(left[i]+1, k.Hands) {
					parts, sum := slices.Clone(h), 0
					for range k.Hands {
						parts, sum, n = append(parts, uint8(n%(left[i]+1))), sum+n%(left[i]+1), n/(left[i]+1)
					}
					if sum == left[i] {
						longer = append(longer, parts)
					}
				}
			}
			held = longer
		}
		for _, h := range held {
			if a, c := counts(on, h); b.Material == nil || b.Material(a, c) {
				visit(on, h)
			}
		}
	}
	put(0)
}

func pow(n, k int) int {
	p := 1
	for range k {
		p *= n
	}
	return p
}

// checkBoard compares the numbers of all positions of a board with classes of symmetric
// positions.
func checkBoard(t rapid.TB, b Board) {
	p, err := NewPositions(b)
	if err != nil {
		t.Fatalf("%+v: %v", b, err)
	}
	var turns []*bitboard.Perm64
	for _, g := range b.Symmetries {
		turn, err := g.Compile64()
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	numbers := map[string]uint64{}
	var back, image []uint64
	var backHeld []uint8
	positions(b, func(on []uint64, held []uint8) {
		name, same := fmt.Sprintf("%06x", on), 1
		names := []string{name}
		for _, turn := range turns {
			image = image[:0]
			for _, x := range on {
				image = append(image, turn.Apply(bitboard.Set64{Lo: x}).Lo)
			}
			if names = append(names, fmt.Sprintf("%06x", image)); names[len(names)-1] == name {
				same++
			}
		}
		n, s, alike := p.Number(on, held)
		if n >= p.Size() || s > len(turns) || alike != same {
			t.Fatalf("%x %v has number %d of %d by symmetry %d, and %d symmetries keep it, want %d", on, held, n, p.Size(), s, alike, same)
		}
		back, backHeld = slices.Repeat([]uint64{^uint64(0)}, len(on)), make([]uint8, len(held))
		if !p.At(n, back, backHeld) || fmt.Sprintf("%06x", back) != names[s] || !slices.Equal(held, backHeld) {
			t.Fatalf("%x %v has number %d by symmetry %d, which is of %x %v", on, held, n, s, back, backHeld)
		}
		class := fmt.Sprint(slices.Min(names), held)
		if other, ok := numbers[class]; ok && other != n {
			t.Fatalf("%x %v has number %d, an alike position has %d", on, held, n, other)
		}
		numbers[class] = n
	})
	// Fewer pieces on cells come first; a number without a position has leading pieces that a
	// symmetry keeps.
	with, pieces := 0, 0
	for n := range p.Size() {
		ok := p.At(n, back, backHeld)
		now := 0
		for _, x := range back {
			now += bits.OnesCount64(x)
		}
		if now < pieces {
			t.Fatalf("number %d has %d pieces on cells, one before has %d", n, now, pieces)
		}
		pieces = now
		if ok {
			with++
		} else if i := slices.IndexFunc(turns, func(turn *bitboard.Perm64) bool {
			image = image[:0]
			for _, x := range back[:p.lead] {
				image = append(image, turn.Apply(bitboard.Set64{Lo: x}).Lo)
			}
			return slices.Equal(image, back[:p.lead])
		}); i < 0 {
			t.Fatalf("number %d has no position", n)
		}
	}
	different := map[uint64]bool{}
	for _, n := range numbers {
		different[n] = true
	}
	if len(different) != len(numbers) || with != len(numbers) {
		t.Fatalf("%d classes of alike positions have %d numbers, %d numbers have positions", len(numbers), len(different), with)
	}
}

// TestBoards visits all positions of random boards of up to seven cells.
func TestBoards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([][2]int{{1, 1}, {3, 1}, {2, 2}, {2, 3}, {5, 1}}).Draw(t, "size")
		b := Board{Cells: size[0] * size[1]}
		forms := 0
		for range rapid.IntRange(1, 4).Draw(t, "kinds") {
			k := Kind{rapid.IntRange(0, 2).Draw(t, "pieces"), rapid.IntRange(1, 3).Draw(t, "forms"), rapid.IntRange(0, 2).Draw(t, "hands")}
			if forms += k.Forms; forms > 5 {
				break
			}
			b.Kinds = append(b.Kinds, k)
		}
		b.Lead = rapid.IntRange(0, len(b.Kinds)).Draw(t, "lead")
		if rapid.Bool().Draw(t, "symmetric") {
			b.Symmetries = grid(size[0], size[1])
		}
		// Only numbers of cells count, so that symmetric places are alike.
		if rapid.Bool().Draw(t, "few") {
			b.Allowed = func(on []uint64) bool { return len(on) == 0 || bits.OnesCount64(on[0]) != 1 }
			b.Material = func(on, _ []int) bool { return on[0] <= 2 && (len(on) < 2 || on[1] != 1) }
		}
		checkBoard(t, b)
	})
}

// TestSquare has a group of eight, with leading pieces that two symmetries keep.
func TestSquare(t *testing.T) {
	for lead := 1; lead <= 3; lead++ {
		checkBoard(t, Board{Cells: 9, Kinds: []Kind{{1, 1, 1}, {2, 1, 0}, {1, 2, 1}}, Lead: lead, Symmetries: grid(3, 3)})
	}
}

// TestBefore compares moves found backwards with moves: a piece goes to any empty cell.
func TestBefore(t *testing.T) {
	p, err := NewPositions(Board{Cells: 9, Kinds: []Kind{{2, 1, 0}, {1, 1, 0}}, Lead: 1, Symmetries: grid(3, 3)})
	if err != nil {
		t.Fatal(err)
	}
	type move struct{ from, to uint64 }
	moves, before := map[move]int{}, map[move]int{}
	on, held := make([]uint64, 2), []uint8{}
	for n := range p.Size() {
		if !p.At(n, on, held) {
			continue
		}
		_, _, alike := p.Number(on, held)
		var list []uint64
		for form := range on {
			for x, was := on[form], on[form]; x != 0; x &= x - 1 {
				for free := p.cells &^ (on[0] | on[1]); free != 0; free &= free - 1 {
					on[form] = was&^(x&-x) | free&-free
					to, _, keep := p.Number(on, held)
					moves[move{n, to}]++
					list = append(list, slices.Repeat([]uint64{to}, keep)...)
					on[form] = was
				}
			}
		}
		for _, from := range Before(list, alike) {
			before[move{from, n}]++
		}
	}
	if list := []uint64{3, 2}; !slices.Equal(Before(list, 0), list) {
		t.Error("numbers before a position without a number get lost")
	}
	if len(moves) < 400 || !maps.Equal(moves, before) {
		t.Errorf("%d pairs of positions have moves, by their ends %d", len(moves), len(before))
	}
}

func TestBoardLimits(t *testing.T) {
	none, err := NewPositions(Board{Cells: 3})
	if err != nil || none.Size() != 1 {
		t.Errorf("no pieces: %d positions, %v", none.Size(), err)
	}
	full, err := NewPositions(Board{Cells: 2, Kinds: []Kind{{3, 1, 0}}})
	if err != nil || full.Size() != 0 {
		t.Errorf("three pieces on two cells: %d positions, %v", full.Size(), err)
	}
	large, err := NewPositions(Board{Cells: 64, Kinds: []Kind{{16, 1, 1}}})
	want := uint64(0)
	for k := range 17 {
		want += Choose(64, k)
	}
	if err != nil || large.Size() != want {
		t.Errorf("up to 16 pieces of 64 cells: %d positions, want %d, %v", large.Size(), want, err)
	}
	on, held := make([]uint64, 1), make([]uint8, 1)
	for n := range uint64(1000) {
		n *= want / 1000
		if !large.At(n, on, held) {
			t.Fatalf("number %d has no position", n)
		}
		if back, _, _ := large.Number(on, held); back != n {
			t.Fatalf("number %d is that of %x, whose number is %d", n, on, back)
		}
	}
	mirror := grid(3, 1)
	for want, b := range map[string]Board{
		"1 to 64 cells":          {Cells: 65},
		"no permutation":         {Cells: 2, Symmetries: []bitboard.Perm{{0, 0}}},
		"no more kinds to lead":  {Cells: 3, Lead: 1},
		"at least one form":      {Cells: 3, Kinds: []Kind{{1, 0, 1}}},
		"too many forms":         {Cells: 9, Kinds: []Kind{{9, 9, 9}}},
		"ways to divide":         {Cells: 9, Kinds: slices.Repeat([]Kind{{4, 3, 2}}, 5)},
		"of the 4 cells":         {Cells: 4, Symmetries: mirror},
		"is there twice":         {Cells: 3, Symmetries: append(mirror, mirror...)},
		"is not in the list":     {Cells: 3, Symmetries: []bitboard.Perm{{1, 2, 0}}},
		"which are alike":        {Cells: 3, Kinds: []Kind{{1, 1, 0}}, Lead: 1, Symmetries: mirror, Allowed: func(on []uint64) bool { return on[0] == 1 }},
		"places":                 {Cells: 64, Kinds: []Kind{{8, 1, 0}}, Lead: 1},
		"more than 64 bits":      {Cells: 64, Kinds: []Kind{{32, 1, 0}, {32, 2, 0}}},
		"too many kinds":         {Cells: 3, Kinds: slices.Repeat([]Kind{{1, 1, 0}}, 65)},
		"64 symmetries: at most": {Cells: 64, Symmetries: make([]bitboard.Perm, 64)},
	} {
		if _, err := NewPositions(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want an error about %q", err, want)
		}
	}
	if testing.AllocsPerRun(100, func() { large.At(large.Size()-1, on, held); large.Number(on, held) }) != 0 {
		t.Error("numbers allocate")
	}
	defer func() {
		if recover() == nil {
			t.Error("At takes a number beyond the last")
		}
	}()
	large.At(large.Size(), on, held)
}
