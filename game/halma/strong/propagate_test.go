package strong

import (
	"runtime"
	"testing"

	"perfectplay/internal/host"
)

// TestPassWhileLost looks at the position after a pass again and again while
// another worker finds that it is lost: it must never read as won.
func TestPassWhileLost(t *testing.T) {
	l, err := newLayout(ruled(diamond(3, 1), "fi"))
	if err != nil {
		t.Fatal(err)
	}
	s := newSolver(l, Options{Threads: 2})
	s.space = new(host.Space)
	if err := s.makePlanes(); err != nil {
		t.Fatal(err)
	}
	const row, col = 0, 1
	if l.kernel.illegal(row, col) {
		t.Fatal("the position after the pass is illegal")
	}
	at, bit := l.at64(row, col), uint64(1)<<row
	reader, writer := newWorker(s), newWorker(s)
	for range 2_000 {
		s.win[at], s.loss[at] = 0, 0
		stored := make(chan struct{})
		go func() {
			defer close(stored)
			writer.known[row] = 0
			writer.decide(row, 1<<(col&63), writer.losses)
			writer.store(col / 64)
		}()
		for i := 1; reader.wins[col]|reader.losses[col] == 0; i++ {
			reader.pass(row, col, bit)
			if i%(1<<14) == 0 {
				runtime.Gosched()
			}
		}
		<-stored
		wins, losses := reader.wins[col], reader.losses[col]
		reader.wins[col], reader.losses[col], reader.known[col] = 0, 0, 0
		if wins != bit || losses != 0 {
			t.Fatalf("wins %b, losses %b before the pass: want a win", wins, losses)
		}
	}
}
