package player

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/internal/host"
)

// TestAllThreadsWork: all threads take part in unbounded searches and in outlooks, which count
// the positions of all; only legal cells are chosen.
func TestAllThreadsWork(t *testing.T) {
	for _, sh := range [][3]int{{9, 9, 5}, {15, 15, 5}} {
		const least = 2000
		g := mustGame(t, sh[0], sh[1], sh[2])
		at := middle(g, 2)
		s := openSearch(t, g, 8<<20, 3)
		enough := func() bool {
			runtime.Gosched() // let helpers run on a machine with one processor, too
			return !slices.ContainsFunc(s.helpers, func(h *search) bool { return h.met.Load() < least })
		}
		check := func(visited uint64) {
			t.Helper()
			sum := s.nodes
			for i, h := range s.helpers {
				if sum += h.nodes; h.nodes < least || h.f.n != 2 {
					t.Errorf("%s: helper %d visits %d positions and has %d stones", g.ID(), i, h.nodes, h.f.n)
				}
			}
			if visited != sum {
				t.Errorf("%s: %d positions are counted, all visit %d", g.ID(), visited, sum)
			}
		}
		s.f.follow(at)
		var last found
		s.choose(at.Seat(), deepest, func(uint64) bool { return enough() }, func(b *found) { last = *b })
		if at.At(int(last.c)) != 0 || last.depth == 0 {
			t.Errorf("%s at %s: %+v", g.ID(), at, last)
		}
		check(s.visited())

		ctx, cancel := context.WithCancel(t.Context())
		turn := &turn{ctx: ctx, watch: host.NewWatch(false), use: endless}
		context.AfterFunc(ctx, func() { turn.stop.Store(true) })
		seen := uint64(0)
		s.look(turn, at, 0, func(v *wing.Outlook) {
			if seen = uint64(v.Nodes); v.Depth > 0 && enough() {
				cancel()
			}
		})
		cancel()
		for i, h := range s.helpers {
			if h.nodes < least || seen < h.nodes {
				t.Errorf("%s: helper %d visits %d positions of an outlook of %d", g.ID(), i, h.nodes, seen)
			}
		}

		s.limit = 1000
		s.f.follow(at)
		s.choose(at.Seat(), 2, func(uint64) bool { return false }, func(*found) {})
		if s.visited() != s.nodes {
			t.Errorf("%s: what positions bound is searched by %d, by one %d", g.ID(), s.visited(), s.nodes)
		}
	}
}

// TestThreadsWin: several threads find a chain of fours, or prove the win.
func TestThreadsWin(t *testing.T) {
	g := mustGame(t, 6, 6, 4)
	p, err := New(best, g, wing.Resources{Memory: 8 << 20, Threads: 3}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := g.Plain().Start().(*mnk.Plain)
	choice, _ := p.Move(t.Context(), s, wing.Limits{})
	if s.Make(s.Moves(nil)[choice.Move]); choice.Note != "wins by threats, within 7 plies" && choice.Note != "proved a win" {
		t.Errorf("the first player does not win 6,6,4: %s", choice.Note)
	}
}
