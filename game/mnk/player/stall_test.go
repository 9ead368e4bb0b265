package player

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"perfectplay/game/mnk"
	"perfectplay/internal/host"
)

// TestStall stops the process for a while before each of the first questions to the provers, in a
// drawn position of 8,8,5 in which four cells keep the draw. In the bubble nothing else takes time.
// When the player says that the opponent cannot win, that is true; and it plays the cell proved
// before the stall.
func TestStall(t *testing.T) {
	g := mustGame(t, 8, 8, 5)
	s, err := g.Plain().Parse("1oxxxoox.ooxox1ox.1xoooxxx.1xxxoxox.xoooxoxo.x1oox1xo.x1oxox1o.1o2oxxo")
	if err != nil {
		t.Fatal(err)
	}
	holds := []string{"a1", "a5", "a6", "b2"}
	const use = 800 * time.Millisecond
	claims := 0
	for at := 1; at <= 12; at++ {
		for share := 0.05; share < 1; share += 0.05 {
			p := mustPlayer(t, best, g, 1)
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				th := &turn{ctx: t.Context(), watch: host.NewWatch(false), use: use}
				th.stall = func() {
					if asked++; asked == at {
						time.Sleep(time.Duration(share * float64(use)))
					}
				}
				p.th.choose(th, s.Clone().(*mnk.Plain))
				a := th.best.Load()
				cell := g.CellName(a.cell)
				if strings.Contains(a.note, "cannot win") {
					claims++
					if !slices.Contains(holds, cell) {
						t.Errorf("stalled for %.2f of the time before question %d: plays %s, which loses: %s", share, at, cell, a.note)
					}
				}
				if at > 2 && !slices.Contains(holds, cell) {
					t.Errorf("stalled for %.2f of the time before question %d, after the draw was proved: plays %s (%s)", share, at, cell, a.note)
				}
			})
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if claims == 0 {
		t.Error("nothing was ever proved")
	}
}

// TestFirstStone: on a large empty board the first stone stands by the centre.
func TestFirstStone(t *testing.T) {
	for _, sh := range [][3]int{{70, 70, 10}, {70, 70, 6}, {15, 15, 5}, {9, 40, 9}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		c := choose(t, mustPlayer(t, best, g, 1), g.Plain().Start().(*mnk.Plain), 2000).cell
		if r, q := c/sh[1]-(sh[0]-1)/2, c%sh[1]-(sh[1]-1)/2; max(r, -r) > 1 || max(q, -q) > 1 {
			t.Errorf("%s: the first stone is on %s", g.ID(), g.CellName(c))
		}
	}
}
