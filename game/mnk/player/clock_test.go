package player

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/internal/host"
)

// stubborn gives one cell and then works for a given time, like a phase that cannot be
// interrupted.
type stubborn struct {
	cell int
	busy time.Duration
}

func (p *stubborn) choose(t *turn, _ *mnk.Plain) {
	t.propose(p.cell, "said early")
	time.Sleep(p.busy)
	t.propose(p.cell+1, "said late")
}

// polite gives one cell after another until its time is over.
type polite struct {
	step time.Duration
	said int
}

func (p *polite) choose(t *turn, _ *mnk.Plain) {
	for p.said = 0; !t.over(); p.said++ {
		t.propose(p.said%9, "answer %d", p.said)
		time.Sleep(p.step)
	}
}

// TestClockedMovesInTime runs in a bubble of synthetic time: a move is made in the middle
// of the reserve whatever the chooser does, and earlier if it is ready.
func TestClockedMovesInTime(t *testing.T) {
	g := mustGame(t, 3, 3, 3)
	s := g.Plain().Start().(*mnk.Plain)
	for _, budget := range []time.Duration{time.Millisecond, 100 * time.Millisecond, time.Second, 10 * time.Second} {
		hard := budget - host.Reserve(budget, 0)/2
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			p := newClocked(g, &stubborn{2, 10 * budget})
			begin := time.Now()
			if c, _ := p.Move(ctx, s, wing.Limits{Time: budget}); c.Move != 2 || c.Note != "said early" {
				t.Errorf("budget %v: cell %d (%s), want what was said in time", budget, c.Move, c.Note)
			}
			if took := time.Since(begin); took != hard {
				t.Errorf("budget %v: took %v, want %v", budget, took, hard)
			}
			// The chooser is still busy, and the next move is on time.
			begin = time.Now()
			if c, _ := p.Move(ctx, s, wing.Limits{Time: budget}); c.Move != 4 {
				t.Errorf("budget %v: cell %d without a search, want the centre", budget, c.Move)
			}
			if took := time.Since(begin); took != hard {
				t.Errorf("budget %v: took %v behind another search, want %v", budget, took, hard)
			}
			p.Rest()
			if c, _ := p.Move(ctx, s, wing.Limits{Time: 20 * budget}); c.Move != 3 {
				t.Errorf("budget %v: cell %d, want the last one said", budget, c.Move)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			// A chooser that asks whether its time is over ends when the reserve begins, give
			// or take 16 questions: over looks at the time at each 16th.
			th := &polite{step: budget / 1000}
			p := newClocked(g, th)
			begin := time.Now()
			c, _ := p.Move(t.Context(), s, wing.Limits{Time: budget})
			soft := budget - host.Reserve(budget, 0)
			if took := time.Since(begin); took < soft-timePolls*th.step || took > soft+timePolls*th.step {
				t.Errorf("budget %v: a polite chooser took %v, want %v", budget, took, soft)
			}
			if !strings.HasPrefix(c.Note, "answer ") {
				t.Errorf("note %q", c.Note)
			}
		})
	}
}

// TestClockedStopsWithItsContext: the end of the context ends a move at once.
func TestClockedStopsWithItsContext(t *testing.T) {
	g := mustGame(t, 3, 3, 3)
	s := g.Plain().Start().(*mnk.Plain)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		p := newClocked(g, &stubborn{2, time.Hour})
		begin := time.Now()
		if c, _ := p.Move(ctx, s, wing.Limits{Time: time.Minute}); c.Move != 2 || time.Since(begin) != 3*time.Second {
			t.Errorf("cell %d after %v", c.Move, time.Since(begin))
		}
		if c, _ := p.Move(ctx, s, wing.Limits{Time: time.Minute}); s.At(int(c.Move)) != 0 || time.Since(begin) != 3*time.Second {
			t.Errorf("after the end: cell %d after %v", c.Move, time.Since(begin))
		}
		p.Rest()
	})
}

// TestChoosersAskOften checks that a chooser visits at most one position between two calls of over,
// by counting the calls. So a limit of calls limits positions. With the smallest limit a chooser
// still has an answer.
func TestChoosersAskOften(t *testing.T) {
	for _, sh := range [][3]int{{3, 3, 3}, {7, 7, 5}, {10, 10, 5}, {11, 12, 4}, {50, 50, 10}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		for _, name := range append(Opponents(), best) {
			for _, limit := range []uint64{1, 2, 100, 3000} {
				p := mustPlayer(t, name, g, 1)
				s := g.Plain().Start().(*mnk.Plain)
				for i := range 3 {
					s.Make(game.Move(g.Cells()/2 - 2 + i))
				}
				ctx, cancel := context.WithCancel(t.Context())
				if name == best {
					cancel() // the prover counts its own positions
				}
				th := &turn{ctx: ctx, limit: limit}
				p.th.choose(th, s)
				cancel()
				a := th.best.Load()
				if a == nil || s.At(a.cell) != 0 {
					t.Fatalf("%s %s, %d questions: answer %+v", g.ID(), name, limit, a)
				}
				if most, nodes := limit+firstRoom, nodesOf(p.th); name != best && nodes > limit+1 || nodes > most {
					t.Errorf("%s %s: %d positions with %d questions", g.ID(), name, nodes, limit)
				}
			}
		}
	}
}
