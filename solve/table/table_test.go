package table_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest/stranger"
	"perfectplay/internal/blocks"
	"perfectplay/solve/table"
)

// wide is a game whose keys have a given number of words. The keys are in the order of the stones
// left, but no single word distinguishes all keys.
type wide struct {
	game.Game
	words int
}

// must returns v. An error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (w wide) Start() game.State { return wideState{w.Game.Start(), w.words} }

func (w wide) Parse(text string) (game.State, error) {
	s, err := w.Game.Parse(text)
	return wideState{s, w.words}, err
}

type wideState struct {
	game.State
	words int
}

func (s wideState) KeyWords() int                            { return s.words }
func (s wideState) Clone() game.State                        { return wideState{s.State.Clone(), s.words} }
func (s wideState) Canonical(m game.Move, _ uint8) game.Move { return m }
func (s wideState) Actual(m game.Move, _ uint8) game.Move    { return m }
func (s wideState) Key(dst []uint64) uint8 {
	var key [1]uint64
	s.State.(game.Keyer).Key(key[:])
	copy(dst[:s.words], words(key[0], s.words))
	return 0
}

// words is the key of a number.
func words(n uint64, words int) []uint64 {
	key := make([]uint64, words)
	key[0] = n
	if words > 1 {
		key[0], key[words-1] = n/16, n%16
	}
	if words > 2 {
		key[0], key[words/2] = n/512, n/16%32
	}
	return key
}

// sample is a table of a heap of stones with arbitrary contents: the reader does not judge them.
type sample struct {
	stones, seats, words int // words of a key; 0 for a table by numbers
	layers, bits         int
	fromMover            bool
	tasks                []int // first block of each task; nil means a task for each block
}

func (c sample) String() string {
	return fmt.Sprintf("stones=%d,seats=%d,words=%d,layers=%d,bits=%d,from=%v,tasks=%v", c.stones, c.seats, c.words, c.layers, c.bits, c.fromMover, c.tasks)
}

func (c sample) game() game.Game {
	g := stranger.Heap{Name: "sample", Stones: c.stones, Most: 2, Players: c.seats, Keys: true, Numbers: c.words == 0}.Game()
	if c.words > 0 {
		return wide{g, c.words}
	}
	return g
}

// numbers is the count of numbers of a layer: with two seats the seat to move makes no difference.
func (c sample) numbers() uint64 {
	if c.seats == 2 {
		return uint64(c.stones + 1)
	}
	return uint64(c.seats * (c.stones + 1))
}

// says returns the sample's answer at a number in a layer.
func (c sample) says(n uint64, layer int) (v game.Value, plies int) {
	x := (n*64 + uint64(layer) + 1) * 0x9e3779b97f4a7c15 >> 20
	if v = game.Value(x % 4); v == game.Draw || v == game.Unknown || c.bits == 2 {
		return v, 0
	}
	longest := table.LongDistance
	if c.bits == 16 {
		longest = table.MaxDistance
	}
	if plies = int(x / 4 % uint64(longest+1)); x/4%16 == 0 {
		plies = longest
	}
	return v, plies
}

// at returns a position and its number.
func (c sample) at(t *testing.T, g game.Game, left, seat int) (game.State, uint64) {
	t.Helper()
	s := must(g.Parse(fmt.Sprintf("%d.%c", left, 'A'+seat)))(t)
	if c.seats == 2 {
		return s, uint64(left)
	}
	return s, uint64(left*c.seats + seat)
}

// contents returns the description and the contents of a file.
func (c sample) contents(t *testing.T, g game.Game) (table.Info, table.Numbering, table.Contents) {
	t.Helper()
	info := table.Info{Game: g.ID(), Fingerprint: game.Fingerprint(g), Seats: c.seats, Numbering: table.ByGame, Numbers: c.numbers(), Positions: c.numbers(),
		Bits: c.bits, Sets: table.Sets(c.layers), FromMover: c.fromMover, Draws: c.numbers()}
	numbering := table.Keys(info.Numbers)
	if c.words > 0 {
		info.Numbering, info.KeyWords = table.ByKeys, c.words
	} else {
		var err error
		if numbering, err = table.Numbers(g); err != nil {
			t.Fatal(err)
		}
	}
	from := table.Contents{First: c.tasks, Keys: func(block int, keys []uint64) ([]uint64, error) {
		per := uint64(numbering.Size().Largest)
		for n := uint64(block) * per; n < min(uint64(block+1)*per, info.Numbers); n++ {
			keys = append(keys, words(n, c.words)...)
		}
		return keys, nil
	}}
	size := numbering.Size()
	from.Fill = func(task int, codes [][]byte) error {
		block, end := task, task+1
		if c.tasks != nil {
			block, end = c.tasks[task], size.Blocks
			if task+1 < len(c.tasks) {
				end = c.tasks[task+1]
			}
		}
		for n := uint64(block * size.Largest); n < min(uint64(end*size.Largest), info.Numbers); n++ {
			for layer := range codes {
				v, plies := c.says(n, layer)
				code := table.Code(v, plies, c.bits > 2)
				if codes[layer] = append(codes[layer], byte(code)); c.bits == 16 {
					codes[layer] = append(codes[layer], byte(code>>8))
				}
			}
		}
		return nil
	}
	return info, numbering, from
}

// write writes the file.
func (c sample) write(t *testing.T, threads int) (name string, info table.Info) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "table")
	info, numbering, from := c.contents(t, c.game())
	share := 0.0
	info, err := table.Write(t.Context(), name, info, numbering, from, threads, func(s float64) { share = s })
	if err != nil || share != 1 {
		t.Fatalf("%v; wrote a share of %v", err, share)
	}
	return name, info
}

func opener(g game.Game) table.Opener {
	return func(table.Info) (game.Game, table.Plan, error) { return g, table.Plan{}, nil }
}

// TestReadBack writes tables of all kinds, of one block and several, and reads everything back:
// from the file, from memory, with room for all blocks and for one.
func TestReadBack(t *testing.T) {
	const blocks = 1<<17 + 70 // stones of three blocks, the last one short
	for i, c := range []sample{
		{stones: 0, seats: 2, layers: 1, bits: 2}, {stones: 2, seats: 2, layers: 1, bits: 2}, {stones: 6, seats: 2, layers: 1, bits: 8}, {stones: 9, seats: 2, layers: 2, bits: 16},
		{stones: 9, seats: 1, layers: 1, bits: 8}, {stones: 40, seats: 3, layers: 4, bits: 8}, {stones: 40, seats: 3, layers: 3, bits: 2, fromMover: true},
		{stones: 30, seats: 4, layers: 7, bits: 16, fromMover: true}, {stones: 30, seats: 4, layers: 5, bits: 16}, {stones: 30, seats: 6, layers: 32, bits: 8}, {stones: 30, seats: 6, layers: 31, bits: 8, fromMover: true},
		{stones: blocks, seats: 2, layers: 2, bits: 2}, {stones: blocks, seats: 2, layers: 1, bits: 16, tasks: []int{0, 2}}, {stones: blocks, seats: 2, layers: 2, bits: 8, tasks: []int{0, 1, 2}},
		{stones: 5, seats: 2, words: 1, layers: 1, bits: 8}, {stones: blocks, seats: 2, words: 1, layers: 1, bits: 2}, {stones: blocks, seats: 2, words: 3, layers: 2, bits: 8, tasks: []int{0, 2}},
		{stones: 1 << 16, seats: 2, words: 6, layers: 1, bits: 8}, {stones: 40, seats: 3, words: 2, layers: 3, bits: 16},
	} {
		t.Run(c.String(), func(t *testing.T) {
			g := c.game()
			name, info := c.write(t, 1+i%3)
			var open []*table.Table
			for _, memory := range []uint64{1 << 24, uint64(c.words)*8*info.Numbers + 1<<16 + 8*max(1, info.Numbers>>16+1)*uint64(c.layers)} {
				tab := must(table.Open(name, memory, opener(g)))(t)
				defer tab.Close()
				open = append(open, tab)
			}
			_, numbering, from := c.contents(t, g)
			tab := must(table.Make(t.Context(), g, info, numbering, from, 2, 1<<23, 1<<24))(t)
			defer tab.Close()
			for _, tab := range append(open, tab) {
				kind := map[bool]string{false: "values", true: "distances"}[c.bits > 2]
				if got := tab.Info(); got.Signature != info.Signature || tab.Game() != g || !got.Is(g) || got.Own() || got.Kind() != kind || got.Distances() != (c.bits > 2) {
					t.Fatalf("described as %+v, want %+v", got, info)
				}
				c.compare(t, g, tab)
				share := 0.0
				if err := tab.Check(t.Context(), 2, func(s float64) { share = s }); err != nil || share != 1 {
					t.Errorf("%v; checked a share of %v", err, share)
				}
			}
		})
	}
}

// compare asks about every position, in large tables about some, and every set of seats.
func (c sample) compare(t *testing.T, g game.Game, tab *table.Table) {
	t.Helper()
	step := 1
	if c.stones > 1000 {
		step = 509
	}
	whole := uint8(1)<<c.seats - 1
	for left := 0; left <= c.stones; left += step {
		for seat := range c.seats {
			s, n := c.at(t, g, left, seat)
			for us := uint8(1); us <= whole; us++ {
				want, in, known := game.Unknown, 0, false
				for layer := range c.layers {
					set := uint8(0)
					for i := range c.seats {
						if to := i; (2*layer+1)>>i&1 != 0 {
							if c.fromMover {
								to = (i + seat) % c.seats
							}
							set |= 1 << to
						}
					}
					if us != set && us != whole^set {
						continue
					}
					if want, in = c.says(n, layer); us>>seat&1 == 0 {
						want = want.Negate()
					}
					known = true
				}
				v, plies, err := tab.Value(s, us)
				if known != (err == nil) || v != want || plies != in {
					t.Fatalf("%s, seats %b: %v in %d, %v, want %v in %d", s, us, v, plies, err, want, in)
				}
			}
			for _, us := range []uint8{0, whole + 1} {
				if v, _, err := tab.Value(s, us); us > 0 == (us <= whole) || err == nil {
					t.Fatalf("%s, seats %b: %v", s, us, v)
				}
			}
		}
		step += left % 2
	}
	more := c
	more.stones++
	s, _ := more.at(t, more.game(), more.stones, 0)
	if _, _, err := tab.Value(s, 1); !errors.Is(err, table.ErrUnknown) {
		t.Errorf("a position that the table does not have: %v", err)
	}
}

// TestEven counts blocks and their positions one by one.
func TestEven(t *testing.T) {
	for per := 1; per < 6; per++ {
		for numbers := 1; numbers < 20; numbers++ {
			e := table.Even{Numbers: uint64(numbers), Per: per}
			var sizes []int
			for n := range numbers {
				if n%per == 0 {
					sizes = append(sizes, 0)
				}
				if at := e.At(uint64(n)); at != (table.Place{Block: len(sizes) - 1, At: sizes[len(sizes)-1]}) {
					t.Errorf("%+v: number %d at %v", e, n, at)
				}
				sizes[len(sizes)-1]++
			}
			if size := e.Size(); size != (table.Size{Numbers: e.Numbers, Blocks: len(sizes), Largest: slices.Max(sizes)}) {
				t.Errorf("%+v: %+v, blocks of %d", e, size, sizes)
			}
			for block, n := range sizes {
				if rows := e.Rows(block, []uint32{7}); !slices.Equal(rows, []uint32{7, 0, uint32(n)}) {
					t.Errorf("%+v, block %d: rows at %d, want 0 to %d", e, block, rows, n)
				}
			}
		}
	}
}

// TestWalker lists the positions of tables by numbers and by keys: each once, in its place.
func TestWalker(t *testing.T) {
	for _, c := range []sample{{stones: 1, seats: 2}, {stones: 200, seats: 2}, {stones: 62, seats: 2}, {stones: 63, seats: 2}, {stones: 64, seats: 2}, {stones: 200, seats: 2, words: 3}, {stones: 9000, seats: 2, words: 1}} {
		c.layers, c.bits = 1, 8
		g := c.game()
		name, info := c.write(t, 1)
		tab := must(table.Open(name, 1<<20, opener(g)))(t)
		defer tab.Close()
		w := tab.Numbering().(table.Lister).Walker()
		seen := map[string]bool{}
		stop := errors.New("stop")
		for i := range w.Units() {
			calls := 0
			if err := w.Unit(i, func(game.State, table.Place, uint64) error { calls++; return stop }); !errors.Is(err, stop) || calls != 1 {
				t.Errorf("%s: %v after %d calls", c, err, calls)
			}
			if err := w.Unit(i, func(s game.State, p table.Place, weight uint64) error {
				if at, err := w.Place(s); err != nil || at != p || weight != 1 {
					t.Errorf("%s: %s stands at %v, not at %v, %v", c, s, at, p, err)
				}
				text, _, _ := strings.Cut(s.String(), ".") // the seat to move makes no difference
				if seen[text] {
					t.Errorf("%s: %s is listed twice", c, s)
				}
				seen[text] = true
				return nil
			}); err != nil {
				t.Error(err)
			}
		}
		if uint64(len(seen)) != info.Numbers {
			t.Errorf("%s: %d positions listed of %d", c, len(seen), info.Numbers)
		}
	}
}

// TestDescriptions opens files with right checksums and wrong descriptions.
func TestDescriptions(t *testing.T) {
	const signature = `"signature":"`
	by, keys := sample{stones: 9, seats: 3, layers: 4, bits: 8}, sample{stones: 9, seats: 2, words: 2, layers: 1, bits: 8}
	for _, c := range []struct {
		of       sample
		old, new string
		why      string // error of Describe; "" if the description has no contradiction
		open     string // error of Open; "" if it opens
	}{
		{by, "", "", "", ""},
		{keys, "", "", "", ""},
		{by, `"game":"heap-sample"`, `"game":""`, "names no game", ""},
		{by, `"game":"heap-sample"`, `"game":"heap-other"`, "", "it is of heap-other under rules  with 3 seats"},
		{by, `"rules":""`, `"rules":"other"`, "", "under rules other"},
		{by, `"seats":3`, `"seats":0`, "0 seats", ""},
		{by, `"seats":3`, `"seats":7`, "7 seats", ""},
		{by, `"seats":3`, `"seats":6`, "", "with 6 seats"},
		{by, `"seats":3`, `"seats":2`, "4 layers of 2 seats", ""},
		{by, `"bits":8`, `"bits":4`, "4 bits", ""},
		{by, `"numbers":30`, `"numbers":0`, "of 0 numbers", ""},
		{by, `"numbers":30`, `"numbers":29`, "30 positions of 29 numbers", ""},
		{by, `"numbers":30`, `"numbers":31`, "", "31 numbers, the game has 30"},
		{by, `"numbers":30`, `"numbers":17592186044416`, "", "numbers"},
		{by, `"numbers":30`, `"numbers":17592186044417`, "of 17592186044417 numbers", ""},
		{by, `"numbering":"game"`, `"numbering":"keys"`, "keys of 0 words", ""},
		{by, `"numbering":"game"`, `"numbering":"other"`, "", `numbers by "other"`},
		{by, `"numbering":"game"`, `"key_words":1,"numbering":"game"`, "keys of 1 words", ""},
		{keys, `"key_words":2`, `"key_words":-1`, "keys of -1 words", ""},
		{keys, `"key_words":2`, `"key_words":7`, "keys of 7 words", ""},
		{keys, `"key_words":2`, `"key_words":6`, "", "keys have 6 words"},
		{keys, `"key_words":2`, `"key_words":1`, "", "keys have 1 words"},
		{keys, `"numbers":10`, `"numbers":11`, "10 positions of 11 numbers with keys", ""},
		{sample{stones: 9, seats: 2, words: 1, layers: 1, bits: 8}, `"numbers":10`, `"numbers":11`, "10 positions of 11 numbers with keys", ""},
		{keys, `"numbers":10,"positions":10`, `"numbers":9,"positions":9`, "more than the 9", ""},
		{by, `"sets":[1,3,5,7]`, `"sets":[]`, "0 layers", ""},
		{by, `"sets":[1,3,5,7]`, `"sets":[1,3,5,7,9]`, "5 layers", ""},
		{by, `"sets":[1,3,5,7]`, `"sets":[1,3,7]`, "want 101", ""},
		{by, `"sets":[1,3,5,7]`, `"sets":[1,3,5]`, "", "4 blocks, want 3"},
		{by, `"draws":30`, `"draws":29`, "not all", ""},
		{by, `"draws":30`, `"draws":31`, "more than", ""},
		{by, `"draws":30`, `"draws":30,"illegal":1`, "more than", ""},
		{by, `"wins":0,"losses":0,"draws":30`, `"wins":10,"losses":9,"draws":8,"illegal":3`, "", ""},
		{by, `"wins":0`, `"wins":31`, "more than", ""},
		{by, `"wins":0,"losses":0`, `"wins":18446744073709551615,"losses":1`, "more than", ""},
		{by, `"draws":30`, `"draws":30,"images":true`, "", ""},
		{by, `"draws":30`, `"draws":60,"images":true`, "", ""},
		{by, `"draws":30`, `"draws":61,"images":true`, "more than", ""},
		{by, `"draws":30`, `"draws":29,"images":true`, "not all", ""},
		{by, signature, signature + "0", "signature", ""},
		{by, signature, signature + "00", "signature", ""},
		{by, signature, signature + "x", "signature", ""},
		{by, `"fingerprint":"`, `"fingerprint":"0`, "", "have changed since it was written"},
	} {
		name, _ := c.of.write(t, 1)
		raw := must(os.ReadFile(name))(t)
		raw = blocks.Forge(raw, func(text []byte) []byte {
			changed := strings.Replace(string(text), c.old, c.new, 1)
			if changed == string(text) && c.old != "" {
				t.Errorf("%s has no %s", text, c.old)
			}
			return []byte(changed)
		})
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		why := func(err error, want string) {
			t.Helper()
			if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name)) {
				t.Errorf("%s as %s: %v, want an error about %q", c.old, c.new, err, want)
			}
		}
		_, err := table.Describe(name)
		why(err, c.why)
		tab, err := table.Open(name, 1<<20, opener(c.of.game()))
		if err == nil {
			tab.Close()
		}
		why(err, c.why+c.open)
	}
}

// TestRefused: blocks that contradict the description, tables larger than the memory, and
// impossible contents are refused.
func TestRefused(t *testing.T) {
	c := sample{stones: 9, seats: 2, words: 2, layers: 1, bits: 8}
	g := c.game()
	name, info := c.write(t, 1)
	need := 16*info.Numbers + 8 + 1<<16
	for _, memory := range []uint64{need - 1, need} {
		tab, err := table.Open(name, memory, opener(g))
		if (err == nil) != (memory == need) {
			t.Errorf("with %d bytes: %v", memory, err)
		}
		if err == nil {
			tab.Close()
		}
	}
	if _, err := table.Open(name, need, func(table.Info) (game.Game, table.Plan, error) { return nil, table.Plan{}, errors.New("not mine") }); err == nil || !strings.Contains(err.Error(), "not mine") {
		t.Error(err)
	}
	other := c
	other.stones = 10
	if _, err := table.Open(name, need, opener(other.game())); err == nil || !strings.Contains(err.Error(), "have changed") {
		t.Errorf("a game of other rules: %v", err)
	}
	info, numbering, from := c.contents(t, g)
	// A repeated key, and a key out of order.
	for at, key := range map[uint64]uint64{0: 1, 6: 5, 9: 8, 5: 7} {
		wrong := from
		wrong.Keys = func(block int, keys []uint64) ([]uint64, error) {
			keys, err := from.Keys(block, keys)
			if err == nil {
				copy(keys[int(at)*c.words:], words(key, c.words))
			}
			return keys, err
		}
		if _, err := table.Write(t.Context(), name, info, numbering, wrong, 1, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := table.Open(name, need, opener(g)); err == nil || !strings.Contains(err.Error(), "not in order") {
			t.Errorf("key %d as %d: %v", at, key, err)
		}
	}
	short := from
	short.Fill = func(task int, codes [][]byte) error {
		err := from.Fill(task, codes)
		codes[0] = codes[0][1:]
		return err
	}
	if _, err := table.Write(t.Context(), name, info, numbering, short, 1, nil); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "9 codes, want 10") {
		t.Errorf("too few codes: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := table.Write(cancelled, name, info, numbering, from, 1, nil); err != context.Canceled {
		t.Error(err)
	}
	whole, err := os.ReadFile(func() string { name, _ := c.write(t, 1); return name }())
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []uint64{uint64(len(whole)) - 1, uint64(len(whole))} {
		if _, err := table.Make(t.Context(), g, info, numbering, from, 1, most, need); (err == nil) != (most >= uint64(len(whole))) {
			t.Errorf("a table of %d bytes in %d: %v", len(whole), most, err)
		}
	}
}

// TestCheckSignature: Check refuses sound blocks that do not have the signature of the description.
func TestCheckSignature(t *testing.T) {
	c := sample{stones: 9, seats: 2, layers: 1, bits: 8}
	name, info := c.write(t, 1)
	raw := must(os.ReadFile(name))(t)
	other := "0" + info.Signature[1:]
	if other == info.Signature {
		other = "1" + info.Signature[1:]
	}
	raw = blocks.Forge(raw, func(text []byte) []byte { return []byte(strings.Replace(string(text), info.Signature, other, 1)) })
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	tab := must(table.Open(name, 1<<20, opener(c.game())))(t)
	defer tab.Close()
	if err := tab.Check(t.Context(), 1, nil); err == nil || !strings.Contains(err.Error(), info.Signature) || !strings.Contains(err.Error(), name) {
		t.Error(err)
	}
}

func TestIsTable(t *testing.T) {
	name, _ := sample{stones: 1, seats: 2, layers: 1, bits: 2}.write(t, 1)
	short := filepath.Join(t.TempDir(), "short")
	for text, want := range map[string]bool{"perfectplay table 3": true, "12345678perfectplay table 9\nabc": true, "12345678perfectplay b": false,
		"perfectplay t": true, "perfectplay": false, "": false, "perfectplay book 1\n": false} {
		if err := os.WriteFile(short, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if table.IsTable(short) != want {
			t.Errorf("%q begins like a table: want %v", text, want)
		}
	}
	if !table.IsTable(name) || table.IsTable(name+"-missing") {
		t.Error("a table does not begin like one, or a file that is not there does")
	}
}
