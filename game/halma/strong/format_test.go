package strong_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"math/big"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
)

// document reads table files by FORMAT.md of package solve/table alone.
type document struct {
	Numbering string
	Board     struct {
		Pieces, Cells  int
		Places, Mirror []int
	}
	Bits       int
	Numbers    int
	Wins       uint64
	Losses     uint64
	Draws      uint64
	Illegal    uint64
	Signature  string
	codes      []byte // unpacked, one for each position
	represents []int  // by rank of an army: the representatives of lower rank; −1 if the army is not a representative
}

func readDocument(t *testing.T, name string) *document {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	frame := func(magic uint32, at uint64) []byte { // a frame that decoders skip
		if at+8 > uint64(len(data)) || le.Uint32(data[at:]) != magic || at+8+uint64(le.Uint32(data[at+4:])) > uint64(len(data)) {
			t.Fatalf("%s: no frame at byte %d", name, at)
		}
		return data[at+8 : at+8+uint64(le.Uint32(data[at+4:]))]
	}
	foot := data[len(data)-9:]
	frames := int(le.Uint32(foot))
	index := uint64(len(data) - 9 - 8*frames - 8)
	entries := frame(0x184D2A5E, index)
	description := index - uint64(le.Uint32(entries[8*frames-8:]))
	text := frame(0x184D2A50, description)
	first := frame(0x184D2A50, 0)
	sum := crc32.Checksum(slices.Concat(data[description:index-4], data[index:]), crc32.MakeTable(crc32.Castagnoli))
	if string(first) != "perfectplay table 4\n" || foot[4] != 0 || le.Uint32(foot[5:]) != 0x8F92EAB1 || index+8+uint64(len(entries)) != uint64(len(data)) ||
		le.Uint32(text[len(text)-4:]) != sum {
		t.Fatalf("%s: first frame, index or checksum are not as described", name)
	}
	d := new(document)
	if err := json.Unmarshal(text[:len(text)-4], d); err != nil {
		t.Fatal(err)
	}
	if d.Numbering != "mirror-colex" {
		t.Fatalf("numbering %q", d.Numbering)
	}
	unzip, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unzip.Close()
	signature := sha256.New()
	at, blocks := uint64(8+len(first)), frames-2
	for b := range blocks {
		entry := entries[8*(b+1):]
		size := uint64(le.Uint32(entry))
		raw, err := unzip.DecodeAll(data[at:at+size], nil)
		if err != nil {
			t.Fatal(err)
		}
		at += size
		if b < blocks-1 && len(raw) != 65536 || len(raw) != int(le.Uint32(entry[4:])) {
			t.Fatalf("block %d has %d bytes", b, len(raw))
		}
		signature.Write(raw)
		perBlock := 65536 * 8 / d.Bits
		for i := range min(perBlock, d.Numbers-b*perBlock) {
			if d.Bits == 2 {
				d.codes = append(d.codes, raw[i/4]>>(2*(i%4))&3)
			} else {
				d.codes = append(d.codes, raw[i])
			}
		}
	}
	if at != description || len(d.codes) != d.Numbers || hex.EncodeToString(signature.Sum(nil)) != d.Signature {
		t.Fatalf("%d positions of %d, or gaps, or another signature", len(d.codes), d.Numbers)
	}
	lower := 0
	for set := uint64(1)<<d.Board.Pieces - 1; set < 1<<len(d.Board.Places); set++ {
		if bits.OnesCount64(set) != d.Board.Pieces {
			continue
		}
		// Sets in the order of their ranks ascend as numbers.
		if r := rankOf(set); rankOf(d.flip(set)) < r {
			d.represents = append(d.represents, -1)
		} else {
			d.represents = append(d.represents, lower)
			lower++
		}
	}
	return d
}

func choose(n, k int) int { return int(new(big.Int).Binomial(int64(n), int64(k)).Int64()) }

// rankOf is C(p₀,1) + C(p₁,2) + … of a set of place numbers.
func rankOf(set uint64) (r int) {
	for i := 1; set != 0; i, set = i+1, set&(set-1) {
		r += choose(bits.TrailingZeros64(set), i)
	}
	return r
}

// flip mirrors a set of place numbers.
func (d *document) flip(set uint64) (image uint64) {
	if d.Board.Mirror == nil {
		return set
	}
	for i, c := range d.Board.Places {
		for j, to := range d.Board.Places {
			if set>>i&1 != 0 && to == d.Board.Mirror[c] {
				image |= 1 << j
			}
		}
	}
	return image
}

// value looks a position up; armies are sets of place numbers.
func (d *document) value(mover, other uint64) (game.Value, int) {
	if d.represents[rankOf(mover)] < 0 {
		mover, other = d.flip(mover), d.flip(other)
	}
	squeezed, n := uint64(0), 0
	for i := range d.Board.Places {
		if mover>>i&1 == 0 {
			squeezed |= other >> i & 1 << n
			n++
		}
	}
	code := d.codes[d.represents[rankOf(mover)]*choose(n, d.Board.Pieces)+rankOf(squeezed)]
	if d.Bits == 2 {
		return []game.Value{game.Unknown, game.Loss, game.Draw, game.Win}[code], 0
	}
	switch {
	case code == 0:
		return game.Unknown, 0
	case code == 1:
		return game.Draw, 0
	case code%2 == 0:
		return game.Loss, int(code-2) / 2
	}
	return game.Win, int(code-3) / 2
}

// TestDocument reads whole tables by the document and compares every position, mirror images
// included, with the solution they were written from.
func TestDocument(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		distances bool
	}{
		{"halma-4x4p3", "sturtevant", true}, {"halma-4x4p3", "sturtevant", false}, {"halma-4x4p2", "sturtevant", true},
		{"halma-star13-2p", "house-code", true}, {"halma-star13-2p", "base", false},
	} {
		_, spec := halmatest.Race(c.id, c.rules)
		solved, err := strong.Solve(context.Background(), spec, strong.Options{Distances: c.distances})
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "table")
		if _, err := strong.Save(context.Background(), name, spec, solved, "test", 0, nil); err != nil {
			t.Fatal(err)
		}
		d := readDocument(t, name)
		cells := func(places uint64) (set bitboard.Set128) {
			for ; places != 0; places &= places - 1 {
				set = set.With(d.Board.Places[bits.TrailingZeros64(places)])
			}
			return set
		}
		var counts [4]uint64
		var armies []uint64
		for set := range uint64(1) << len(d.Board.Places) {
			if bits.OnesCount64(set) == d.Board.Pieces {
				armies = append(armies, set)
			}
		}
		for _, mover := range armies {
			for _, other := range armies {
				if mover&other != 0 {
					continue
				}
				want, in := solved.Value(cells(mover), cells(other))
				if v, n := d.value(mover, other); v != want || c.distances && n != in {
					t.Fatalf("%s: mover %x other %x: %v in %d, want %v in %d", c.id, cells(mover), cells(other), v, n, want, in)
				}
				counts[want]++
			}
		}
		if counts != [4]uint64{game.Unknown: d.Illegal, game.Loss: d.Losses, game.Draw: d.Draws, game.Win: d.Wins} {
			t.Errorf("%s: counted %v, described %+v", c.id, counts, d.Wins)
		}
	}
}
