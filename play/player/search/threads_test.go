package search

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
)

// shared returns a search on three threads whose clock shows a millisecond for every 64 positions
// of the first. The clock stands until each other thread has visited least positions.
func shared(t *testing.T, g game.Game, least int64) *Search {
	t.Helper()
	now := time.Unix(0, 0)
	var w *Search
	w = newSearchBy(t, g, Options{Memory: 8 << 20, Seed: 1, Threads: 3, Now: func() time.Time {
		runtime.Gosched() // for machines of one processor
		if w != nil && !slices.ContainsFunc(w.helpers, func(h *Search) bool { return h.told.Load() < least }) {
			now = now.Add(time.Millisecond)
		}
		return now
	}})
	return w
}

// TestAllThreadsWork: every thread takes part in a search, which counts the positions of all,
// and in an outlook. A bound on positions leaves one thread.
func TestAllThreadsWork(t *testing.T) {
	mnks, err := mnk.ByID("mnk-9x9k5")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []game.Game{board(t, "halma-star73-2p", "base"), board(t, "halma-star37-3p", "house"), mnks} {
		t.Run("game="+g.ID(), func(t *testing.T) {
			const least = 2000
			w := shared(t, g, least)
			s := g.Start()
			moves := s.Moves(nil)
			check := func(nodes int64) {
				t.Helper()
				sum := w.nodes
				for i, h := range w.helpers {
					if h.nodes < least || h.ply != 0 || h.s.String() != s.String() {
						t.Errorf("helper %d visits %d positions and stands at %s, %d plies from %s", i, h.nodes, h.s, h.ply, s)
					}
					sum += h.nodes
				}
				if nodes != sum {
					t.Errorf("%d positions are counted, all visit %d", nodes, sum)
				}
			}
			a := w.Best(t.Context(), s, moves, Limits{Time: 50 * time.Millisecond})
			if !slices.Contains(moves, a.Move) || a.Value != game.Unknown {
				t.Errorf("move %d, %v", a.Move, a.Value)
			}
			check(a.Nodes)
			if b := w.Best(t.Context(), s, moves, Limits{Nodes: 3000}); b.Nodes > 3100 {
				t.Errorf("%d positions, 3,000 were allowed", b.Nodes)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			seen := int64(0)
			w.Look(ctx, s, Limits{}, func(o *wing.Outlook) {
				seen = max(seen, o.Nodes)
				if !slices.ContainsFunc(w.helpers, func(h *Search) bool { return h.told.Load() < least }) {
					cancel()
				}
			})
			for i, h := range w.helpers {
				if n := h.nodes; n < least || seen < n {
					t.Errorf("helper %d visits %d positions of an outlook of %d", i, n, seen)
				}
			}
		})
	}
}

// brittle panics on the goroutine of a helper, which copies its state once more.
type brittle struct {
	game.State
	game.Keyer
	copies, moves int
}

func (b *brittle) Clone() game.State {
	s := b.State.Clone()
	return &brittle{s, s.(game.Keyer), b.copies + 1, 0}
}

func (b *brittle) Make(m game.Move) {
	if b.moves++; b.copies > 1 && b.moves > 20 {
		panic("brittle")
	}
	b.State.Make(m)
}

type brittleGame struct{ game.Game }

func (g brittleGame) Start() game.State {
	s := g.Game.Start()
	return &brittle{s, s.(game.Keyer), 0, 0}
}

// TestHelperPanics: a panic of the game on a helper's goroutine becomes a fault for the caller,
// and all threads end.
func TestHelperPanics(t *testing.T) {
	g, err := mnk.ByID("mnk-9x9k5")
	if err != nil {
		t.Fatal(err)
	}
	w := shared(t, brittleGame{g}, 10)
	s := w.g.Start()
	err = func() (err error) {
		defer game.Guard(&err, w.g, s)
		w.Best(t.Context(), s, s.Moves(nil), Limits{Time: 50 * time.Millisecond})
		return nil
	}()
	if f := new(game.Fault); !errors.As(err, &f) || !strings.Contains(f.Error(), ": brittle") {
		t.Errorf("error %v", err)
	}
}
