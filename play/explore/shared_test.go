package explore_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
)

// counted is tic-tac-toe with a source that counts its calls.
type counted struct {
	opened, open, most atomic.Int32
	hold               chan struct{} // Open waits until it is closed
}

// ids of the counted game: the fake source does not care which board it is.
var countedIDs = []string{"mnk-3x3k3", "mnk-4x4k4", "mnk-5x5k5", "mnk-6x6k6", "mnk-7x7k7", "mnk-8x8k8"}

func (c *counted) wing(memory int64) wing.Wing {
	return wing.Wing{
		Name: "mnk", IDs: func() []string { return countedIDs },
		Open:    func(id, _ string) (game.Game, error) { return mnk.ByID(id) },
		Picture: func(game.Game, game.State) wing.Picture { return wing.Picture{} },
		Trace:   func(game.Game, game.State, game.Move) wing.Trace { return wing.Trace{} },
		Ending:  func(game.Game, game.State) string { return "over" },
		Sources: func(game.Game) []wing.Source {
			return []wing.Source{{Kind: wing.BySolution, Memory: memory, Making: memory, Open: func(ctx context.Context, _ wing.Resources) (wing.Oracle, error) {
				c.opened.Add(1)
				select {
				case <-c.hold:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
				n := c.open.Add(1)
				for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
				}
				return c, nil
			}}}
		},
	}
}

func (c *counted) Worth(context.Context, game.State) (wing.Worth, error) {
	return wing.Worth{Value: game.Draw, Distance: -1}, nil
}

func (c *counted) Close() error {
	c.open.Add(-1)
	return nil
}

func (c *counted) service(t *testing.T, memory int64) *explore.Service {
	t.Helper()
	s, err := explore.New(explore.Options{Wings: []wing.Wing{c.wing(memory)}, Memory: explore.MinMemory})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOneMaking lets many clients want one source.
func TestOneMaking(t *testing.T) {
	c := &counted{hold: make(chan struct{})}
	s := c.service(t, 1<<20)
	var clients sync.WaitGroup
	for range 50 {
		clients.Go(func() {
			a, err := s.Ask(context.Background(), explore.Query{Game: "mnk-8x8k8", Position: "start", Seconds: patient})
			if err != nil || a.Source.Kind != wing.BySolution || a.Value != explore.Draw {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	time.AfterFunc(20*time.Millisecond, func() { close(c.hold) })
	clients.Wait()
	if n := c.opened.Load(); n != 1 {
		t.Errorf("the source was made %d times", n)
	}
	if err := s.Close(); err != nil || c.open.Load() != 0 {
		t.Errorf("%d sources are left open, %v", c.open.Load(), err)
	}
}

// TestSourcesWithinMemory asks for more sources than fit together.
func TestSourcesWithinMemory(t *testing.T) {
	c := &counted{hold: make(chan struct{})}
	close(c.hold)
	s := c.service(t, explore.MinMemory/2/3) // three sources fit into their half of the memory
	var clients sync.WaitGroup
	for i := range 60 {
		clients.Go(func() {
			q := explore.Query{Game: countedIDs[i%len(countedIDs)], Position: "start", Seconds: patient}
			if a, err := s.Ask(context.Background(), q); err != nil || a.Source.Kind != wing.BySolution {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	clients.Wait()
	if most := c.most.Load(); most > 3 {
		t.Errorf("%d sources were open at once, three fit", most)
	}
	if n := int(c.opened.Load()); n < len(countedIDs) {
		t.Errorf("%d sources were made for %d games", n, len(countedIDs))
	}
	if err := s.Close(); err != nil || c.open.Load() != 0 {
		t.Errorf("%d sources are left open, %v", c.open.Load(), err)
	}
	// A source larger than the memory is skipped.
	c = &counted{hold: make(chan struct{})}
	s = c.service(t, explore.MinMemory)
	defer s.Close()
	a, err := s.Ask(context.Background(), explore.Query{Game: "mnk-3x3k3", Position: "start", Seconds: patient})
	if err != nil || a.Source.Kind != wing.BySearch || a.Value != explore.Draw || c.opened.Load() != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestCancelled ends questions early: the client's context counts, and nothing stays behind.
func TestCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	c := &counted{hold: make(chan struct{})}
	s := c.service(t, 1<<20)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := s.Ask(ctx, explore.Query{Game: "mnk-8x8k8", Position: "start", Seconds: patient}); !errors.Is(err, context.Canceled) {
		t.Errorf("Ask: %v", err)
	}
	if err := s.Close(); err != nil { // its source is still being made
		t.Error(err)
	}

	s = newService(t, explore.Options{Memory: explore.MinMemory})
	for _, id := range []string{"halma-star121-6p", "halma-star73-2p", "mnk-8x8k5", "mnk-30x30k8"} {
		ctx, cancel := context.WithCancel(context.Background())
		var last *explore.Answer
		err := s.Analyse(ctx, explore.Query{Game: id, Position: "start"}, func(a *explore.Answer) error {
			last = a
			if a.Progress != nil && (a.Progress.Depth > 2 || id == "mnk-30x30k8") {
				cancel()
			}
			return nil
		})
		if err != nil || last == nil || last.Progress == nil || !last.Progress.Done || last.Progress.Why != "stopped" || last.Value != explore.Open {
			t.Errorf("%s: %+v, %v", id, last, err)
		}
		cancel()
	}
	// A client stops an analysis by an error of its report.
	enough := errors.New("enough")
	err := s.Analyse(context.Background(), explore.Query{Game: "halma-star121-2p", Position: "start"}, func(*explore.Answer) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("Analyse: %v", err)
	}
	for wait := time.Millisecond; runtime.NumGoroutine() > before && wait < 10*time.Second; wait *= 2 {
		time.Sleep(wait)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// TestStream checks that reports never lose facts, and end with Done.
func TestStream(t *testing.T) {
	s := newService(t, explore.Options{})
	ids := []string{"mnk-5x5k4", "halma-star73-2p", "halma-star37-3p"}
	if testing.Short() {
		ids = ids[:2] // an unsolved board takes its second
	}
	for _, id := range ids {
		depth, reports, done := -1, 0, false
		known := map[string]explore.Worth{}
		err := s.Analyse(context.Background(), explore.Query{Game: id, Position: "start", Seconds: 1}, func(a *explore.Answer) error {
			if done {
				t.Errorf("%s: a report after the last", id)
			}
			reports++
			p := a.Progress
			if p == nil {
				t.Fatalf("%s: no progress", id)
			}
			done = p.Done
			if n := number(a.NotWithin); n >= 0 && a.Value == explore.Open {
				if n < depth {
					t.Errorf("%s: nothing within %d plies, before within %d", id, n, depth)
				}
				depth = n
			}
			for _, m := range a.Moves {
				if old := known[m.Move]; old.Final && (!m.Final || old.Value != m.Value || old.Distance != nil && *old.Distance != number(m.Distance)) {
					t.Errorf("%s: move %s was %+v, is %+v", id, m.Move, old, m.Worth)
				}
				known[m.Move] = m.Worth
			}
			return nil
		})
		if err != nil || !done || reports < 2 {
			t.Errorf("%s: %d reports, done %v, %v", id, reports, done, err)
		}
	}
}

// TestFair asks quick questions beside endless analyses: each gets its turn, and all analyses
// progress with room for a few only.
func TestFair(t *testing.T) {
	s := newService(t, explore.Options{Memory: explore.MinMemory, Threads: 1})
	ctx, cancel := context.WithCancel(context.Background())
	var clients sync.WaitGroup
	var deep [6]atomic.Int32
	for i, id := range []string{"halma-star121-2p", "halma-star73-2p", "halma-8x8p6", "halma-star73-3p", "halma-9x9p10", "halma-star121-4p"} {
		clients.Go(func() {
			err := s.Analyse(ctx, explore.Query{Game: id, Position: "start"}, func(a *explore.Answer) error {
				if a.Progress != nil {
					deep[i].Store(int32(max(a.Progress.Depth, int(deep[i].Load()))))
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", id, err)
			}
		})
	}
	for range 3 {
		a := ask(t, s, explore.Query{Game: "mnk-4x4k4", Position: "start"})
		if a.Value != explore.Draw {
			t.Errorf("%+v", a)
		}
		if a := ask(t, s, explore.Query{Game: "halma-5x5p3", Position: "start"}); a.Value != explore.Draw || a.Source.Kind != wing.BySolution {
			t.Errorf("%+v", a)
		}
	}
	began := func() (n int) {
		for i := range deep {
			if deep[i].Load() > 0 {
				n++
			}
		}
		return n
	}
	for wait := time.Millisecond; began() < 2 && wait < time.Minute; wait *= 2 {
		time.Sleep(wait)
	}
	cancel()
	clients.Wait()
	if began() < 2 {
		t.Errorf("%d of the analyses ran", began())
	}
}

// TestOptions asks for services with wrong options.
func TestOptions(t *testing.T) {
	all := []wing.Wing{(&counted{}).wing(0)}
	for _, c := range []struct {
		o    explore.Options
		text string
	}{
		{explore.Options{}, "no games"},
		{explore.Options{Wings: all, Memory: 1 << 20}, "memory of 1048576 bytes: at least 67108864 are needed"},
		{explore.Options{Wings: all, Threads: -1}, "-1 threads"},
	} {
		if _, err := explore.New(c.o); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}
