package explore_test

import (
	"encoding/json"
	"strings"
	"testing"

	"perfectplay/play/explore"
)

// TestDecode: refused questions in JSON, and the place of each error.
func TestDecode(t *testing.T) {
	type question struct {
		explore.Query
		ID json.RawMessage `json:"id"`
	}
	for text, want := range map[string]string{
		`{"game":"a","moves":["b","b"],"id":{"x":[{"y":1},{"y":1}],"y":{}}}`: "",
		` {} `:                                  "",
		`{"game":"a","game":"b"}`:               `at byte 18: the key "game" is given twice`,
		`{"game":"a","GAME":"a"}`:               `the key "GAME" is given twice`,
		`{"g\u0061me":"a","game":"a"}`:          `the key "game" is given twice`,
		`{"id":[{"x":1,"y":{"x":1},"x":2}]}`:    `the key "x" is given twice`,
		`{"game":"a","moves":[],"moves":["a"]}`: `the key "moves" is given twice`,
		`{"games":"a"}`:                         `unknown field "games"`,
		`{"game":1}`:                            "cannot unmarshal number",
		`{} {}`:                                 "more than one value",
		`{}]`:                                   "more than one value",
		``:                                      "unexpected EOF",
		`{"game":`:                              "unexpected EOF",
	} {
		var q question
		if err := explore.Decode([]byte(text), &q); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzDecode: a decoded value that is encoded again decodes to itself.
func FuzzDecode(f *testing.F) {
	f.Add(`{"game":"a","rules":"b","position":"c","moves":["d"],"limit":1,"seconds":0.5}`)
	f.Add(`{"game":"a","Game":"b"}`)
	f.Add(`[[{"a":{}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var q, again explore.Query
		if explore.Decode([]byte(text), &q) != nil {
			return
		}
		encoded, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if err := explore.Decode(encoded, &again); err != nil || again.Game != q.Game || again.Seconds != q.Seconds || len(again.Moves) != len(q.Moves) {
			t.Errorf("%q: %+v, then %+v, %v", text, q, again, err)
		}
	})
}
