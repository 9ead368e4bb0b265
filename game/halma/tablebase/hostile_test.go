package tablebase_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/tablebase"
	"perfectplay/game/halma/tablebase/verify"
)

// forged is how many tables TestHostile forges; then it flips all bits, too.
var forged = flag.Int("forged", 0, "forge `N` files, and flip all bits (default: a few)")

// target is a table that is attacked: its file, and what is true.
type target struct {
	g        *halma.Game
	data     []byte
	from     int // the description
	position [][2]bitboard.Set128
	value    []game.Value
	distance []int
}

func newTarget(t *testing.T, id string, distances bool) *target {
	t.Helper()
	g, spec := halmatest.Race(id, "sturtevant")
	s, err := strong.Solve(context.Background(), spec, strong.Options{Distances: distances})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "table")
	if _, err := strong.Save(context.Background(), name, spec, s, "test", 1, nil); err != nil {
		t.Fatal(err)
	}
	a := &target{g: g}
	if a.data, err = os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	a.from = int(binary.LittleEndian.Uint64(a.data[len(a.data)-32:]))
	_, n, err := tablebase.NewInfo(spec, distances, "")
	if err != nil {
		t.Fatal(err)
	}
	// Neighbours share a mover's army: steps reach all rows and columns.
	for i := uint64(0); i < n.Size(); i += 1 + n.Size()/97 {
		n.Walk(i, 1, func(_ int, mover, other bitboard.Set128) {
			v, d := s.Value(mover, other)
			a.position = append(a.position, [2]bitboard.Set128{mover, other})
			a.value, a.distance = append(a.value, v), append(a.distance, d)
		})
	}
	return a
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// budget is what a table may take that is opened, checked and asked.
const budget = 1 << 20

// attack opens a file as the commands do, and asks it: answers must be true, or,
// where a block was changed, its check must find that. It returns whether the file was accepted and whether its check found nothing.
func (a *target) attack(t *testing.T, name, what string, data []byte, blockChanged bool) (opened, sound bool) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := tablebase.Open(name, budget, func(info tablebase.Info) error {
		if info.Game != a.g.ID() || info.Rules != a.g.Rules() {
			return fmt.Errorf("another game")
		}
		return verify.CheckBoard(a.g, info)
	})
	runtime.ReadMemStats(&after)
	// Besides what it holds: the decoder, buffers, the parts of the description.
	if took := after.TotalAlloc - before.TotalAlloc; took > 2*budget {
		t.Fatalf("%s: opening allocates %d bytes", what, took)
	}
	if err != nil {
		if !strings.Contains(err.Error(), name) {
			t.Fatalf("%s: the error does not name the file: %v", what, err)
		}
		return false, false
	}
	defer table.Close()
	wrong := false
	for i, p := range a.position {
		v, d, err := table.Value(p[0], p[1])
		if err != nil || v == a.value[i] && d == a.distance[i] {
			continue
		}
		if wrong = true; !blockChanged {
			t.Fatalf("%s: position %x %x is said to be %v in %d, it is %v in %d", what, p[0], p[1], v, d, a.value[i], a.distance[i])
		}
	}
	if sound = table.Check(nil) == nil; sound && wrong {
		t.Fatalf("%s: answers are wrong, and the check finds nothing", what)
	}
	return true, sound
}

// TestHostile flips the bits of tables, cuts them off, and forges descriptions
// and indexes with the right checksums: none panics, allocates out of proportion,
// or answers anything but the truth.
func TestHostile(t *testing.T) {
	n, step := 400, 61
	if *forged > 0 {
		n, step = *forged, 1
	}
	name := filepath.Join(t.TempDir(), "hostile")
	for _, c := range []struct {
		id        string
		distances bool
		bits      bool // flip all: a small file
	}{{"halma-3x3p2", true, true}, {"halma-3x3p3", false, true}, {"halma-4x4p3", true, false}} {
		a := newTarget(t, c.id, c.distances)
		if opened, sound := a.attack(t, name, "untouched", a.data, false); !opened || !sound {
			t.Fatalf("%s: the true table is refused", c.id)
		}
		var flipped, cut, opened, sound int
		for bit := 0; c.bits && bit < 8*len(a.data); bit += step {
			bad := bytes.Clone(a.data)
			bad[bit/8] ^= 1 << (bit % 8)
			if _, sound := a.attack(t, name, fmt.Sprintf("%s: bit %d", c.id, bit), bad, false); sound {
				t.Fatalf("%s: bit %d is flipped, and nothing is found", c.id, bit)
			}
			flipped++
		}
		for size := 0; c.bits && size < len(a.data); size += step {
			if opened, _ := a.attack(t, name, fmt.Sprintf("%s: %d bytes", c.id, size), a.data[:size], false); opened {
				t.Fatalf("%s: a file cut off after %d bytes is opened", c.id, size)
			}
			cut++
		}
		r := rand.New(rand.NewPCG(3, uint64(len(c.id))))
		for i := range n {
			data, blockChanged := a.forge(t, r)
			o, s := a.attack(t, name, fmt.Sprintf("%s: forged %d", c.id, i), data, blockChanged)
			if o {
				opened++
			}
			if s {
				sound++
			}
		}
		if *forged > 0 {
			t.Logf("%s: a table of %d bytes: %d bits flipped, %d truncations; %d forged, of which %d opened and %d found sound; %d positions asked each time",
				c.id, len(a.data), flipped, cut, n, opened, sound, len(a.position))
		}
	}
}

// forge changes the description, the index, the trailer or a block, and makes all
// checksums right. blockChanged says that answers may differ: only the signature
// and the rules tell.
func (a *target) forge(t *testing.T, r *rand.Rand) (data []byte, blockChanged bool) {
	end := len(a.data) - 40
	index := int(binary.LittleEndian.Uint64(a.data[end:]))
	var info map[string]any
	if err := json.Unmarshal(a.data[a.from:end], &info); err != nil {
		t.Fatal(err)
	}
	blocks, entries := a.data[:index], bytes.Clone(a.data[index:a.from])
	trailer := bytes.Clone(a.data[end : end+20])
	fields := make([]string, 0, len(info))
	for f := range info {
		fields = append(fields, f)
	}
	slices.Sort(fields)
	number := func() any {
		return []any{0, 1, 2, 3, 9, 63, 64, 65, 1 << 20, uint64(1) << 63, -1, 0.5, "x", nil, true, []int{1}, json.Number("1e400")}[r.IntN(17)]
	}
	repaired := true
	for range 1 + r.IntN(2) {
		switch r.IntN(7) {
		case 0: // a byte of the index
			entries[r.IntN(len(entries))] = byte(r.Uint32())
		case 1: // a byte of the trailer
			trailer[r.IntN(len(trailer))] = byte(r.Uint32())
			repaired = false
		case 2: // a block: a valid frame of anything, or not
			blocks = bytes.Clone(blocks)
			e := entries[16*r.IntN(len(entries)/16):]
			from, size := binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint32(e[8:])
			if from+uint64(size) > uint64(len(blocks)) || size == 0 {
				continue // changed before
			}
			block := blocks[from : from+uint64(size)]
			block[r.IntN(len(block))] ^= byte(1 + r.IntN(255))
			binary.LittleEndian.PutUint32(e[12:], crc32.Checksum(block, castagnoli))
			blockChanged = true
		default:
			f := fields[r.IntN(len(fields))]
			list, ok := info[f].([]any)
			switch {
			case !ok:
				if info[f] = number(); r.IntN(3) == 0 {
					info["kind"] = []string{"values", "distances"}[r.IntN(2)]
				}
			case r.IntN(4) == 0:
				info[f] = append(slices.Clone(list), number())
			case r.IntN(4) == 0:
				info[f] = list[:r.IntN(len(list))]
			default:
				list = slices.Clone(list)
				i, j := r.IntN(len(list)), r.IntN(len(list))
				if list[i], list[j] = list[j], list[i]; r.IntN(2) == 0 {
					list[i] = number()
				}
				info[f] = list
			}
		}
	}
	text, err := json.Marshal(info)
	if err != nil {
		text = []byte(`{"positions":1e400}`)
	}
	if repaired {
		binary.LittleEndian.PutUint32(trailer[20-4:], uint32(len(entries)/16))
	}
	trailer = binary.LittleEndian.AppendUint32(trailer, uint32(len(text)))
	sum := func(b ...[]byte) uint32 { return crc32.Checksum(slices.Concat(b...), castagnoli) }
	trailer = binary.LittleEndian.AppendUint32(trailer, sum(entries, text))
	trailer = binary.LittleEndian.AppendUint32(trailer, sum(trailer))
	return slices.Concat(blocks, entries, text, trailer, []byte("tb1 end\n")), blockChanged
}
