package rows

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

type inner struct {
	Nodes uint64 `json:"nodes"`
}

type flat struct {
	Name string `json:"name"`
	inner
	Share  float64 `json:"share"`
	Plies  *int    `json:"plies"`
	Proved bool    `json:"proved"`
	_      int
	Left   int8 `json:"-"`
}

// Records survive CSV, with quotes, absent values and numbers that other formats would write
// with an exponent.
func TestCSV(t *testing.T) {
	seven := 7
	want := []flat{
		{Name: "a, \"b\"\nc", inner: inner{1 << 63}, Share: 1e-9, Plies: &seven, Proved: true},
		{Share: 1e22},
	}
	var b bytes.Buffer
	c := NewWriter[flat](&b)
	if err := c.Header(); err != nil {
		t.Fatal(err)
	}
	for _, r := range want {
		if err := c.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	text := "name,nodes,share,plies,proved\n" +
		"\"a, \"\"b\"\"\nc\",9223372036854775808,0.000000001,7,true\n" +
		",0,10000000000000000000000,,false\n"
	if b.String() != text {
		t.Errorf("got\n%s\nwant\n%s", b.String(), text)
	}
	var got []flat
	if err := Read(&b, func(r flat) { got = append(got, r) }); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, wrote %+v", got, want)
	}
}

// A file of other rows is refused with the place of the error.
func TestReadRefuses(t *testing.T) {
	const header = "name,nodes,share,plies,proved\n"
	for text, want := range map[string]string{
		"":                              "no header",
		"name,nodes\n":                  "2 columns",
		"name,nodes,share,ply,proved\n": `"ply"`,
		header + "a,-1,0,,true\n":       "line 2, column nodes",
		header + "a,1,0,,true\nb,1\n":   "line 3",
		header + "a,1,0,300x,true\n":    "column plies",
	} {
		err := Read(strings.NewReader(text), func(flat) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestNested: lists and records within records have no column.
func TestNested(t *testing.T) {
	type inner struct{ A int }
	var b strings.Builder
	w := NewWriter[struct {
		A    int    `json:"a"`
		List []int  `json:"list"`
		In   *inner `json:"in"`
		B    *int   `json:"b"`
	}](&b)
	if err := w.Header(); err != nil || b.String() != "a,b\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
