package census

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/internal/blocks"
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
	file := filepath.Join(t.TempDir(), "forged")
	if err := c.Save(file); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Hands are changed before the file is written, the rest in its description.
	forge := func(change func(c *Census), ofHands bool) {
		if ofHands {
			c, err := Load(file)
			if err != nil {
				t.Fatal(err)
			}
			change(c)
			if err := c.Save(file); err != nil {
				t.Fatal(err)
			}
			return
		}
		text := blocks.Forge(good, func(text []byte) []byte {
			var d description
			if err := json.Unmarshal(text, &d); err != nil {
				t.Fatal(err)
			}
			c := &Census{d.Part, d.Parts, d.Done, &d.Tally}
			change(c)
			d.Done = c.Done
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			return text
		})
		if err := os.WriteFile(file, text, 0o600); err != nil {
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
		if err := os.WriteFile(file, good, 0o600); err != nil {
			t.Fatal(err)
		}
		forge(f.change, strings.HasPrefix(name, "a hand"))
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "damaged: ") || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: %v, want %q", name, err, f.want)
		}
		if testing.Short() {
			continue // a census of one part is read as Load reads it
		}
		if _, err := Merge([]string{file}); err == nil {
			t.Errorf("%s: added up", name)
		}
	}
}

// FuzzHands: no column makes the reader panic, and an accepted one is written again unchanged but for
// the length of numbers.
func FuzzHands(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, domino.HandCount))
	f.Add(append([]byte{0x81, 0}, make([]byte, domino.HandCount-1)...))
	f.Add(bytes.Repeat([]byte{0x80}, 11))
	hands := new(Hands) // inputs run one after the other
	f.Fuzz(func(t *testing.T, column []byte) {
		if hands.read(0, column) != nil {
			return
		}
		if again := hands.column(0, nil); hands.read(0, again) != nil || !bytes.Equal(hands.column(0, nil), again) {
			t.Fatal("a column reads otherwise")
		}
	})
}
