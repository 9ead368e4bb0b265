package cli

import (
	"strings"
	"testing"
	"time"
)

type shown struct {
	Name  string  `json:"name"`
	Nodes uint64  `json:"nodes"`
	Plies *int    `json:"max_plies"`
	Share float64 `json:"share"`
	Wins  int     `json:"wins"`
	inner
	Took Seconds `json:"seconds"`
	Line []string
	Note string `json:"-"`
}

type inner struct {
	Kind time.Weekday `json:"kind"`
}

// Columns are headed and aligned by their descriptions and types, and an absent cell is a dash.
func TestGrid(t *testing.T) {
	five := 5
	records := []shown{
		{Name: "a", Nodes: 1234567, Plies: &five, Share: 0.5, Wins: 3, Took: Seconds(1500 * time.Millisecond), Line: []string{"x", "y"}},
		{Name: "bcd", Nodes: 8, inner: inner{time.Friday}, Note: "n"},
	}
	var b strings.Builder
	Grid[shown]("name", "nodes", "max_plies", "share=share:%.1f %%", "wins=wins?", "of=wins,nodes:%d of %s",
		"part=wins/nodes", "day=kind", "took=seconds", "line=Line", "note=Note?")(&b, records)
	want := `
name      nodes  max plies  share  wins  of                  part  day     took
a     1,234,567          5  0.5 %     3  3 of 1,234,567  0.0002 %  Sunday  1.5s
bcd           8          -  0.0 %     -  0 of 8          0.0000 %  Friday    0s

name  line  note
a     x y   -
bcd         n
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A block leaves out absent fields, and an empty line stands between two blocks.
func TestFields(t *testing.T) {
	var b strings.Builder
	Fields[*shown]("what=name", "nodes=nodes:%s of them", "plies=max_plies", "note=Note?")(&b, []*shown{{Name: "a", Nodes: 1000}, {Note: "n"}})
	const want = "what   a\nnodes  1,000 of them\n\nwhat\nnodes  0 of them\nnote   n\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a key that the record does not have is accepted")
		}
	}()
	Fields[shown]("nodez")
}
