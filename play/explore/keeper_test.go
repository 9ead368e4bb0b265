package explore

import (
	"context"
	"strings"
	"testing"

	"perfectplay/game/wing"
)

// TestKeeperPanics: a source that panics while it is made is an error, each time.
func TestKeeperPanics(t *testing.T) {
	k := newKeeper(1 << 20)
	for range 2 {
		_, err := k.get(context.Background(), "x", wing.Source{About: "a table", Memory: 1, Making: 1}, func(context.Context, *kept) (wing.Oracle, error) {
			panic("integer divide by zero")
		})
		if err == nil || !strings.Contains(err.Error(), "the source a table is broken: integer divide") {
			t.Fatal(err)
		}
	}
	if err := k.close(); err != nil {
		t.Error(err)
	}
}
