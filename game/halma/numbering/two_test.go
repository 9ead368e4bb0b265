package numbering

import (
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
)

// line is a made-up game: a row of cells, mirrored end to end.
func line(cells, pieces int, mirror bool) *halma.TwoArmy {
	t := &halma.TwoArmy{ID: "line", Rules: "none", Cells: cells, Pieces: pieces, Closed: []int{1, cells - 2}}
	if mirror {
		for c := range cells {
			t.Mirror = append(t.Mirror, uint8(cells-1-c))
		}
	}
	return t
}

func mirrored(t *halma.TwoArmy, s bitboard.Set128) (image bitboard.Set128) {
	for c, to := range t.Mirror {
		if s.Has(c) {
			image = image.With(int(to))
		}
	}
	return image
}

func position(n *Two, index uint64) (mover, other bitboard.Set128) {
	n.walk(index, 1, func(_ int, m, o bitboard.Set128) { mover, other = m, o })
	return mover, other
}

func TestNumbering(t *testing.T) {
	for _, spec := range []*halma.TwoArmy{line(9, 2, true), line(10, 3, true), line(9, 1, false), line(11, 2, false), line(36, 2, true), line(70, 1, true), line(100, 1, false), line(127, 1, true), line(128, 1, true)} {
		info, n, err := TwoInfo(spec, true, "test")
		if err != nil {
			t.Fatal(err)
		}
		if spec.Cells == 36 && testing.Short() {
			continue
		}
		next := uint64(0)
		n.walk(0, int(n.Numbers), func(i int, mover, other bitboard.Set128) {
			if i%97 != 0 && spec.Cells == 36 {
				next++
				return
			}
			m, o := position(n, uint64(i))
			if m != mover || o != other || uint64(i) != next {
				t.Fatalf("position %d: %x %x walked, %x %x by number", i, mover, other, m, o)
			}
			next++
			images := [][2]bitboard.Set128{{mover, other}}
			// If the mover's army is its own image, both positions of a pair have numbers of
			// their own.
			if spec.Mirror != nil && mirrored(spec, mover) != mover {
				images = append(images, [2]bitboard.Set128{mirrored(spec, mover), mirrored(spec, other)})
			}
			for _, p := range images {
				if got, err := n.Index(p[0], p[1]); err != nil || got != uint64(i) {
					t.Fatalf("position %d has number %d, %v", i, got, err)
				}
			}
		})
		if next != info.Numbers {
			t.Errorf("%d positions, want %d", next, info.Numbers)
		}
	}
}

func TestNumberingRefuses(t *testing.T) {
	_, n, err := TwoInfo(line(9, 2, true), true, "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range [][2]uint64{{0b101, 0b1000}, {0b101, 0b101}, {0b110, 0b101000}, {0b101, 1<<20 | 1<<8}, {0, 0}} {
		if i, err := n.Index(bitboard.Set128{Lo: p[0]}, bitboard.Set128{Lo: p[1]}); err == nil {
			t.Errorf("position %b %b has number %d", p[0], p[1], i)
		}
	}
	for _, places := range [][]int{{3, 2, 1, 0}, {0, 1, 2, 128}, {-1, 0, 1, 2}, {0}} {
		if _, err := newTwo(places, 1, nil); err == nil {
			t.Errorf("places %v are accepted", places)
		}
	}
	if _, err := newTwo([]int{0, 1, 2, 3}, 2, []uint8{1, 2, 3, 0}); err == nil {
		t.Error("a rotation is accepted as a mirror")
	}
	if _, err := newTwo([]int{0, 5}, 1, []uint8{5}); err == nil {
		t.Error("a mirror to a cell that it does not map is accepted")
	}
}

// BenchmarkNumbering times the numbering in writing (walk) and probing (index) a table.
func BenchmarkNumbering(b *testing.B) {
	for _, c := range []struct {
		name          string
		cells, pieces int
	}{{"game=39cells", 39, 3}, {"game=27cells", 27, 4}} {
		_, n, err := TwoInfo(line(c.cells, c.pieces, true), true, "test")
		if err != nil {
			b.Fatal(err)
		}
		const count = 1 << 12
		var positions [count][2]bitboard.Set128
		from := n.Numbers / 3
		b.Run(c.name+"/op=walk", func(b *testing.B) {
			for b.Loop() {
				n.walk(from, count, func(i int, mover, other bitboard.Set128) { positions[i] = [2]bitboard.Set128{mover, other} })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/op")
		})
		b.Run(c.name+"/op=index", func(b *testing.B) {
			for b.Loop() {
				for i, p := range positions {
					if got, err := n.Index(p[0], p[1]); err != nil || got != from+uint64(i) {
						b.Fatalf("position %d has number %d, %v", from+uint64(i), got, err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/op")
		})
	}
}
