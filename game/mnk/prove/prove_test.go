package prove

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"perfectplay/game/mnk"
)

var method = flag.Int("method", 0, "")
var threads = flag.Int("threads", 1, "")
var mem = flag.Int64("mem", 1<<30, "")
var board = flag.String("board", "", "board to prove, as 6x6k4")

func TestBoard(t *testing.T) {
	if *board == "" {
		t.Skip("no board")
	}
	g, err := mnk.ByID("mnk-" + *board)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(g, Options{Threads: *threads, Memory: *mem, Method: Method(*method)})
	if err != nil {
		t.Fatal(err)
	}
	v, r := p.Value(context.Background())
	fmt.Printf("%s %v nodes=%d hits=%d leaves=%v fill=%.2f time=%v rate=%.2fM\n", *board, v, r.Nodes, r.Hits, r.Leaves, r.Fill, r.Elapsed, float64(r.Nodes)/r.Elapsed.Seconds()/1e6)
}
