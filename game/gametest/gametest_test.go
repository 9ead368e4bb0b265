package gametest

import (
	"strings"
	"testing"
)

func TestReadPerft(t *testing.T) {
	got, err := ReadPerft(strings.NewReader("# comment\n\nhalma-star37-2p house start 3 120 this program\nx - p 0 1 by hand\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []PerftLine{
		{"halma-star37-2p", "house", "start", 3, 120, "this program", 3},
		{"x", "", "p", 0, 1, "by hand", 4},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, bad := range []string{"a b c 1 2", "a b c x 2 s", "a b c -1 2 s", "a b c 1 -2 s"} {
		if _, err := ReadPerft(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
