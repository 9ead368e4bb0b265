package retro_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/armies"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/numbering"
	"perfectplay/game/halma/strong"
	"perfectplay/game/mnk"
	"perfectplay/internal/blocks"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

// forged is the number of tables that TestHostile forges; with the flag it also flips every bit.
var forged = flag.Int("forged", 0, "forge `N` files of each numbering, and flip all bits (default: a few)")

// target is a table to attack: its file, and the true answers.
type target struct {
	name   string
	game   game.Game
	data   []byte
	states []game.State
	worth  []outcome
}

// outcome is the result that the seat to move can force.
type outcome struct {
	value game.Value
	plies int
}

// open opens a file as the command does, within a budget.
func (a *target) open(name string) (*table.Table, error) {
	return table.Open(name, budget, func(i table.Info) (game.Game, table.Plan, error) {
		if !i.Is(a.game) {
			return nil, table.Plan{}, fmt.Errorf("another game")
		}
		if i.Own() {
			p, err := numbering.Of(a.game, i)
			return a.game, p, err
		}
		return a.game, table.Plan{}, nil
	})
}

// targets makes tables of all numberings, with values and distances, for one to three seats.
func targets(t testing.TB) (list []*target) {
	t.Helper()
	dir := t.TempDir()
	add := func(g game.Game, distances bool, save func(name string) error) {
		a := &target{name: fmt.Sprintf("%s, distances %t", g.ID(), distances), game: g}
		name := filepath.Join(dir, fmt.Sprint(len(list)))
		if err := save(name); err != nil {
			t.Fatal(err)
		}
		var err error
		if a.data, err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
		tab, err := a.open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer tab.Close()
		rng := rand.New(rand.NewPCG(1, uint64(len(list))))
		for s := g.Start(); len(a.states) < 60; {
			v, d, err := tab.Value(s, 1<<s.Seat())
			if err != nil {
				t.Fatal(err)
			}
			a.states, a.worth = append(a.states, s.Clone()), append(a.worth, outcome{v, d})
			if moves := s.Moves(nil); s.Result() == game.Ongoing {
				s.Make(moves[rng.IntN(len(moves))])
			} else {
				s = g.Start()
			}
		}
		list = append(list, a)
	}
	for _, distances := range []bool{true, false} {
		g, spec := halmatest.Race("halma-3x3p2", "sturtevant")
		s, err := strong.Solve(t.Context(), spec, strong.Options{Distances: distances})
		if err != nil {
			t.Fatal(err)
		}
		add(g, distances, func(name string) error {
			_, err := strong.Save(t.Context(), name, spec, s, "test", 1, nil)
			return err
		})
	}
	three, err := halma.ByID("halma-star13-3p", "liou")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := three.Armies()
	if err != nil {
		t.Fatal(err)
	}
	several, err := armies.Solve(t.Context(), spec, armies.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer several.Close()
	add(three, true, func(name string) error {
		info, n, from, err := several.Describe("test", nil)
		if err == nil {
			_, err = table.Write(t.Context(), name, info, n, from, 1, nil)
		}
		return err
	})
	ttt, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []game.Game{unnumbered{ttt}, numbered{newToy(rand.New(rand.NewPCG(5, 27)), 3, 400, 3)}} {
		s, err := retro.Solve(t.Context(), g, retro.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		add(g, true, func(name string) error {
			_, err := s.Save(t.Context(), name, "test", quiet)
			return err
		})
	}
	return list
}

// budget is the memory for a table that is opened, checked and asked.
const budget = 1 << 20

// attack opens a file as the commands do, and asks it: answers must be true, or, if a block was
// changed, the check must find that. It returns whether the file was accepted and the check found
// nothing.
func (a *target) attack(t *testing.T, name, what string, data []byte, blockChanged bool) (opened, sound bool) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tab, err := a.open(name)
	runtime.ReadMemStats(&after)
	// Besides its blocks: the decoder, buffers, the parts of the description.
	if took := after.TotalAlloc - before.TotalAlloc; took > 2*budget {
		t.Fatalf("%s, %s: opening allocates %d bytes", a.name, what, took)
	}
	if err != nil {
		if !strings.Contains(err.Error(), name) {
			t.Fatalf("%s, %s: the error does not name the file: %v", a.name, what, err)
		}
		return false, false
	}
	defer tab.Close()
	wrong := false
	for i, s := range a.states {
		v, d, err := tab.Value(s, 1<<s.Seat())
		if err != nil || (outcome{v, d}) == a.worth[i] {
			continue
		}
		if wrong = true; !blockChanged {
			t.Fatalf("%s, %s: position %s is said to be %v in %d, it is %+v", a.name, what, s, v, d, a.worth[i])
		}
	}
	if sound = tab.Check(context.Background(), 2, nil) == nil; sound && wrong {
		t.Fatalf("%s, %s: answers are wrong, and the check finds nothing", a.name, what)
	}
	return true, sound
}

// TestHostile flips bits of tables of all numberings, cuts them off, and forges descriptions and
// blocks with right checksums: no file causes a panic, a large allocation or a false
// answer.
func TestHostile(t *testing.T) {
	n, step := 300, 61
	if *forged > 0 {
		n, step = *forged, 1
	}
	name := filepath.Join(t.TempDir(), "hostile")
	for _, a := range targets(t) {
		if opened, sound := a.attack(t, name, "untouched", a.data, false); !opened || !sound {
			t.Fatalf("%s: the true table is refused", a.name)
		}
		described := bytes.Index(a.data, a.text()) - 8 // begin of the frame
		var flipped, cut, opened, sound int
		for bit := 0; bit < 8*len(a.data); bit += step {
			bad := bytes.Clone(a.data)
			bad[bit/8] ^= 1 << (bit % 8)
			// The head of a frame has two forms of the same meaning.
			if _, sound := a.attack(t, name, fmt.Sprintf("bit %d", bit), bad, false); sound && (bit/8 < 28 || bit/8 >= described) {
				t.Fatalf("%s: bit %d is flipped, and nothing is found", a.name, bit)
			}
			flipped++
		}
		for size := 0; size < len(a.data); size += step {
			if opened, _ := a.attack(t, name, fmt.Sprintf("%d bytes", size), a.data[:size], false); opened {
				t.Fatalf("%s: a file cut off after %d bytes is opened", a.name, size)
			}
			cut++
		}
		r := rand.New(rand.NewPCG(3, uint64(len(a.data))))
		for i := range n {
			data, blockChanged := a.forge(t, r)
			o, s := a.attack(t, name, fmt.Sprintf("forged %d", i), data, blockChanged)
			if o {
				opened++
			}
			if s {
				sound++
			}
		}
		if *forged > 0 {
			t.Logf("%s: a table of %d bytes: %d bits flipped, %d truncations; %d forged, of which %d opened and %d found sound; %d positions asked each time",
				a.name, len(a.data), flipped, cut, n, opened, sound, len(a.states))
		}
	}
}

// number is a value for a description: mostly a bad one, such as a size that overflows or a text
// that is not a number.
func number(r *rand.Rand) any {
	return []any{
		0, 1, 2, 3, 7, 8, 9, 16, 63, 64, 65, 81, 1 << 20, uint64(1) << 40, uint64(1) << 63, uint64(2305843009213693952), uint64(2049638230412172402), uint64(1<<64 - 1),
		-1, 0.5, "x", "game", "keys", "armies", "mirror-colex", nil, true, []int{1}, map[string]int{"rows": 1}, json.Number("1e400"),
	}[r.IntN(30)]
}

// change changes a value of a description, at any depth.
func change(r *rand.Rand, of map[string]any) {
	fields := slices.Sorted(maps.Keys(of))
	f := fields[r.IntN(len(fields))]
	switch v := of[f].(type) {
	case map[string]any:
		v = maps.Clone(v)
		change(r, v)
		of[f] = v
	case []any:
		if list := slices.Clone(v); len(list) == 0 || r.IntN(4) == 0 {
			of[f] = append(list, number(r))
		} else if inner, ok := list[0].([]any); ok && r.IntN(2) == 0 {
			list[0] = append(slices.Clone(inner[1:]), number(r))
			of[f] = list
		} else if r.IntN(4) == 0 {
			of[f] = list[:r.IntN(len(list))]
		} else {
			i, j := r.IntN(len(list)), r.IntN(len(list))
			if list[i], list[j] = list[j], list[i]; r.IntN(2) == 0 {
				list[i] = number(r)
			}
			of[f] = list
		}
	default:
		if of[f] = number(r); r.IntN(3) == 0 {
			of["bits"] = []int{2, 8, 16}[r.IntN(3)]
		}
	}
}

// forge changes the description or a block, and makes all checksums right. blockChanged says that
// answers may differ: only the signature and the rules can reveal it. (TestForged of package blocks
// forges indexes.)
func (a *target) forge(t *testing.T, r *rand.Rand) (data []byte, blockChanged bool) {
	data = a.data
	if blockChanged = r.IntN(4) == 0; blockChanged {
		data = a.otherBlock(t, r)
	}
	for range 1 + r.IntN(2) {
		data = blocks.Forge(data, func(text []byte) []byte {
			var info map[string]any
			if err := json.Unmarshal(text, &info); err != nil {
				return text
			}
			change(r, info)
			if text, err := json.Marshal(info); err == nil {
				return text
			}
			return []byte(`{"numbers":1e400}`)
		})
	}
	return data, blockChanged
}

// otherBlock returns the table with a byte of a block changed.
func (a *target) otherBlock(t *testing.T, r *rand.Rand) []byte {
	t.Helper()
	var out bytes.Buffer
	format := blocks.Format{Magic: "perfectplay table 4\n", MaxBlock: 1 << 20, MaxDescription: 1 << 16}
	old, err := blocks.Read(bytes.NewReader(a.data), uint64(len(a.data)), format)
	if err != nil {
		t.Fatal(err)
	}
	w, err := blocks.NewWriter(&out, format)
	changed := r.IntN(old.Blocks())
	for n := 0; n < old.Blocks() && err == nil; n++ {
		var block []byte
		if block, err = old.Block(n, 1<<20, nil); err == nil && n == changed {
			var raw []byte
			if raw, err = blocks.NewDecoder(1<<20).DecodeAll(block, nil); len(raw) > 0 {
				raw[r.IntN(len(raw))] ^= byte(1 + r.IntN(255))
				block = blocks.NewEncoder(1, len(raw), zstd.SpeedFastest).EncodeAll(raw, nil)
			}
		}
		err = errors.Join(err, w.Append(block))
	}
	if err = errors.Join(err, w.Close(json.RawMessage(a.text()))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// text is the description.
func (a *target) text() (text []byte) {
	blocks.Forge(a.data, func(description []byte) []byte {
		text = bytes.Clone(description)
		return description
	})
	return text
}

// FuzzTable: no description with right checksums makes the reader of any numbering panic or take
// memory without bound.
func FuzzTable(f *testing.F) {
	list := targets(f)
	for i, a := range list {
		f.Add(uint8(i), a.text())
	}
	f.Fuzz(func(t *testing.T, i uint8, text []byte) {
		a := list[int(i)%len(list)]
		name := filepath.Join(t.TempDir(), "t")
		if err := os.WriteFile(name, blocks.Forge(a.data, func([]byte) []byte { return text }), 0o600); err != nil {
			t.Fatal(err)
		}
		tab, err := a.open(name)
		if err != nil {
			return
		}
		defer tab.Close()
		for _, s := range a.states {
			_, _, _ = tab.Value(s, 1<<s.Seat())
		}
		_ = tab.Check(t.Context(), 1, nil)
	})
}
