package cli

import (
	"bytes"
	"encoding/json"
	"testing"
)

type innerLists struct {
	Words []string `json:"words"`
}

type lists struct {
	innerLists
	Counts []uint64        `json:"counts"`
	Left   []uint64        `json:"left,omitempty"`
	Inside []innerLists    `json:"inside"`
	At     *innerLists     `json:"at"`
	None   *innerLists     `json:"none"`
	Pair   [2][]int        `json:"pair"`
	Table  [][]int         `json:"table"`
	Raw    json.RawMessage `json:"raw,omitempty"`

	hidden []int
}

// TestLists: no list of a record is null in JSON, wherever it stands.
func TestLists(t *testing.T) {
	var b bytes.Buffer
	put, err := encoder[*lists](&Output{json: true}, nil, &b)
	if err != nil {
		t.Fatal(err)
	}
	r := lists{Inside: []innerLists{{}, {[]string{"x"}}}, At: &innerLists{}, Table: [][]int{nil, {1}}}
	if err := put(&r); err != nil {
		t.Fatal(err)
	}
	const want = `{"words":[],"counts":[],"inside":[{"words":[]},{"words":["x"]}],"at":{"words":[]},"none":null,"pair":[[],[]],"table":[[],[1]]}` + "\n"
	if b.String() != want || r.hidden != nil {
		t.Errorf("%s, want %s", b.String(), want)
	}
}
