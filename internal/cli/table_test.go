package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// TestTableWidth: text is broken between words, numbers without room follow below, and only a
// wider word sticks out.
func TestTableWidth(t *testing.T) {
	words := strings.Repeat("word ", 30)
	for _, c := range []struct {
		name  string
		heads []string
		row   []any
		lines int
	}{
		{"text", []string{"key", "text"}, []any{"a", words}, 3},
		{"two texts", []string{"text", ">n", "more"}, []any{words, 12, words}, 6},
		{"numbers", []string{"key", ">a", ">b", ">c"}, []any{"x", strings.Repeat("1", 30), strings.Repeat("2", 30), strings.Repeat("3", 30)}, 5},
		{"no header", []string{"", ""}, []any{"key", words}, 2},
	} {
		table := NewTable(c.heads...)
		table.Row(c.row...)
		var b strings.Builder
		table.Write(&b)
		if n := strings.Count(b.String(), "\n"); n != c.lines {
			t.Errorf("%s: %d lines, want %d:\n%s", c.name, n, c.lines, &b)
		}
		for line := range strings.Lines(b.String()) {
			if utf8.RuneCountInString(line) > Columns+1 {
				t.Errorf("%s: too wide: %s", c.name, line)
			}
		}
		if got := strings.Count(b.String(), "word"); got != 30*strings.Count(strings.Join(c.heads, " "), "text")+30*strings.Count(strings.Join(c.heads, " "), "more") && c.heads[0] != "" {
			t.Errorf("%s: %d words", c.name, got)
		}
	}
	long := NewTable("", "")
	position := strings.Repeat("x", 150)
	long.Row("position", position)
	long.Row("text", words)
	var b strings.Builder
	if long.Write(&b); !strings.Contains(b.String(), position) {
		t.Errorf("a word is broken: %s", &b)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "word") && len(line) > Columns+1 {
			t.Errorf("beside a wide word stands a wide text: %s", line)
		}
	}
}

// TestReflow: paragraphs and lists that are too wide are broken again, all else stays.
func TestReflow(t *testing.T) {
	wide := strings.Repeat("wide ", 20) + "end"
	short := "one\ntwo\n\n  a  b\n     c"
	if got := reflow(short, Columns); got != short {
		t.Errorf("%q", got)
	}
	got := reflow(wide+"\nmore\n\n  name   "+wide+"\n         more of it\n  other  it", Columns)
	for line := range strings.Lines(got) {
		if len(line) > Columns+1 {
			t.Errorf("too wide: %s", line)
		}
	}
	if !strings.Contains(got, "end more\n\n  name   wide") || !strings.Contains(got, "\n         wide") || !strings.HasSuffix(got, "end more of it\n  other  it") {
		t.Errorf("got\n%s", got)
	}
	list := "  play MOVE...   make moves\n  undo           take one back\n  go [TIME] [depth N]\n                 " + wide + "\n  stop           end it"
	got = reflow(list, Columns)
	for _, line := range []string{"\n  undo           take one back\n  go [TIME] [depth N]\n                 wide", "\n  stop           end it"} {
		if !strings.Contains(got, line) {
			t.Errorf("a list of names with arguments becomes\n%s", got)
		}
	}
}

// TestWrapper: text written in pieces is broken like whole lines.
func TestWrapper(t *testing.T) {
	var b strings.Builder
	w := &wrapper{w: &b, room: Columns}
	text := strings.Repeat("one two ", 15) + "\nshort\nno end"
	for _, c := range []byte(text) {
		if _, err := w.Write([]byte{c}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Count(got, "\n") != 3 || strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") || !strings.HasSuffix(got, "\nno end") {
		t.Errorf("got %q", got)
	}
}

// TestRoom: a table keeps to the room of its writer, and a writer that is not a terminal has
// [Columns].
func TestRoom(t *testing.T) {
	if got := Room(new(strings.Builder)); got != Columns {
		t.Errorf("without a terminal there is room for %d", got)
	}
	table := NewTable("key", ">number", "text")
	table.Row("a", 1234567, strings.Repeat("word ", 30))
	for _, room := range []int{leastRoom, 60, Columns} {
		var b strings.Builder
		table.Write(&wrapper{w: &b, room: room})
		widest := 0
		for line := range strings.Lines(b.String()) {
			widest = max(widest, len(line)-1)
		}
		if widest > room || widest < room-5 {
			t.Errorf("a table of %d columns where there is room for %d:\n%s", widest, room, &b)
		}
		for line := range strings.Lines(reflow(strings.Repeat("much to say ", 20)+"\n", room)) {
			if len(line) > room+1 {
				t.Errorf("help of %d columns: %s", room, line)
			}
		}
	}
}

// TestHelpWidth: the help of a flag with a long text fits, too, and stands beside it.
func TestHelpWidth(t *testing.T) {
	cmd := &cobra.Command{Use: "x", Short: "x", Run: func(*cobra.Command, []string) {}}
	cmd.Flags().String("flag", "", strings.Repeat("much to say ", 20))
	HelpWidth(cmd)
	for _, room := range []int{leastRoom, 60, Columns} {
		var b strings.Builder
		cmd.SetOut(&wrapper{w: &b, room: room})
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if len(line) > room+1 || strings.Contains(line, "to") && !strings.HasPrefix(line, "      ") {
				t.Errorf("%d columns: %s", room, line)
			}
		}
	}
}
