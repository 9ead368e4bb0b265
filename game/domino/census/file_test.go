package census

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfectplay/game/domino"
)

// TestForged refuses parts with a right checksum and impossible counts, also in a merge.
func TestForged(t *testing.T) {
	c, err := New(7, 60000)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.run(context.Background(), common(), Options{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	var good bytes.Buffer
	if err := c.Write(&good); err != nil {
		t.Fatal(err)
	}
	_, hands, err := parseHeader(good.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "forged")
	try := func(change func(c *Census), ofHands bool) {
		if c, err = New(7, 60000); err != nil {
			t.Fatal(err)
		}
		h, _, err := parseHeader(good.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		c.Done, h.Hands = h.Done, c.Tally.Hands
		*c.Tally = h.Tally
		if ofHands {
			if err := parseHands(hands, c.Tally.Hands); err != nil {
				t.Fatal(err)
			}
			change(c)
			if err := c.Save(file); err != nil {
				t.Fatal(err)
			}
			return
		}
		change(c)
		text, err := json.Marshal(header{c.Part, c.Parts, Units, c.Done, *c.Tally})
		if err != nil {
			t.Fatal(err)
		}
		forged := binary.LittleEndian.AppendUint32([]byte(fileMagic), uint32(len(text)))
		forged = append(append(forged, text...), hands...)
		sum := sha256.Sum256(forged)
		if err := os.WriteFile(file, append(forged, sum[:]...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hand := func(c *Census, role int) *Role {
		for h := range c.Tally.Hands {
			if r := &c.Tally.Hands[h][role]; r.Games > 0 {
				return r
			}
		}
		t.Fatal("no hand")
		return nil
	}
	six := func(c *Census) *Counts { return &c.Tally.ByDouble[6] }
	for name, f := range map[string]struct {
		change func(c *Census)
		want   string
	}{
		"more games":       {func(c *Census) { six(c).Games = 1 << 62 }, "games that start with 6|6: 4611686018427387904, want 0 to"},
		"negative games":   {func(c *Census) { six(c).Games = -1 }, "games that start with 6|6: -1, want 0 to"},
		"a value":          {func(c *Census) { six(c).Values[0]++ }, "games that start with 6|6, by value: "},
		"a negative value": {func(c *Census) { six(c).Values[0] = -1; six(c).Values[1]++ }, "by value: a count is not within 0 to"},
		"a sign":           {func(c *Census) { six(c).Signs[1]++ }, "by sign: "},
		"lines":            {func(c *Census) { six(c).Leaves[1] = 1 << 62 }, "by lines: a count is not within"},
		"no line": {func(c *Census) {
			six(c).Leaves[0]++
			six(c).Leaves[slices.Index(six(c).Leaves, slices.Max(six(c).Leaves))]--
		}, "no line: 1, want 0"},
		"too many lines": {func(c *Census) { six(c).growLeaves(1 << 20) }, "kinds of lines: 1048577, want 0 to"},
		"one tile":       {func(c *Census) { six(c).OneTile = 1 << 40 }, "one tile: 1099511627776, want 0 to"},
		"blocked":        {func(c *Census) { six(c).Blocked = -5 }, "blocked lines: -5, want 0 to"},
		"most lines":     {func(c *Census) { c.Tally.MostLeaves++ }, "most lines of a game: "},
		"no example":     {func(c *Census) { c.Tally.Widest = nil }, "examples of deals: 0, want 1 to 256"},
		"another example": {func(c *Census) {
			c.Tally.Widest[0] = domino.Deal{Starter: 1 | 1<<27 | 1<<26 | 1<<25 | 1<<24 | 1<<23 | 1<<22, Second: 0xfe}
		}, "lines of "},
		"no deal":        {func(c *Census) { c.Tally.Widest[0].Starter = 1 }, "there is no deal "},
		"classes":        {func(c *Census) { c.Tally.Classes = -1 }, "what was solved: -1, want 0 to"},
		"nothing done":   {func(c *Census) { c.Done = 0 }, "games of no unit"},
		"a hand's games": {func(c *Census) { hand(c, 0).Games = 1 << 61 }, "figures of hand "},
		"a hand's wins":  {func(c *Census) { hand(c, 0).Wins = 1 << 20 }, "figures of hand "},
		"a hand's score": {func(c *Census) { hand(c, 1).Score = math.MinInt64 }, "figures of hand "},
		"a hand's lines": {func(c *Census) { hand(c, 1).Leaves++ }, "lines by second hand: "},
		"a hand more":    {func(c *Census) { hand(c, 0).Games--; hand(c, 0).Wins, hand(c, 0).Draws, hand(c, 0).Score = 0, 0, 0 }, "games by starter's hand: "},
	} {
		try(f.change, strings.HasPrefix(name, "a hand"))
		if _, err := Load(file); err == nil || !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: %v, want %q", name, err, f.want)
		}
		if _, err := Merge([]string{file}); err == nil {
			t.Errorf("%s: added up", name)
		}
	}
}

// FuzzParse: no file with a right checksum makes the reader panic, and an accepted header is
// written and read again unchanged.
func FuzzParse(f *testing.F) {
	c, err := New(2, 3)
	if err != nil {
		f.Fatal(err)
	}
	c.Tally.widest(domino.Deal{Starter: domino.UnrankHand(7), Second: domino.UnrankHand(domino.HandCount - 1)})
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		f.Fatal(err)
	}
	header := binary.LittleEndian.Uint32(file.Bytes()[len(fileMagic):])
	f.Add(file.Bytes()[:len(fileMagic)+4+int(header)+40]) // without most of the hands, which take a second
	f.Add([]byte(fileMagic))
	f.Add([]byte(fileMagic + "\xff\xff\xff\xff" + strings.Repeat("x", 64)))
	f.Add([]byte(fileMagic + "\x02\x00\x00\x00{}"))
	f.Add([]byte(fileMagic + "\x29\x00\x00\x00" + `{"Part":2,"Parts":3,"Units":874,"Done":5}` + "\x28\xb5\x2f\xfd"))
	hands := new(Hands) // inputs run one after the other
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parse(data); err == nil {
			t.Fatal("accepted without a checksum")
		}
		sum := sha256.Sum256(data)
		h, compressed, err := parseHeader(append(slices.Clone(data), sum[:]...))
		if err != nil {
			return
		}
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		again := binary.LittleEndian.AppendUint32([]byte(fileMagic), uint32(len(text)))
		again = append(append(again, text...), compressed...)
		sum = sha256.Sum256(again)
		if back, rest, err := parseHeader(append(again, sum[:]...)); err != nil || !reflect.DeepEqual(back, h) || !bytes.Equal(rest, compressed) {
			t.Fatalf("%s reads otherwise: %v", text, err)
		}
		if err := parseHands(compressed, hands); err != nil && !errors.Is(err, errDamaged) {
			t.Fatalf("%v is not about damage", err)
		}
	})
}
