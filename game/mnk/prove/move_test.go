package prove

import (
	"context"
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// TestMove checks the move of a result at random positions: after the attacker's move the
// defender cannot stop the win, and after the defender's the attacker cannot win, both by a
// search without cuts. The table is large enough to lose nothing, so a move is there
// whenever it should be.
func TestMove(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(31, 7))
	for _, sh := range [][3]int{{3, 3, 3}, {4, 3, 3}, {4, 4, 3}, {4, 4, 4}, {5, 4, 4}} {
		g := gameOf(t, mnk.ID(sh[0], sh[1], sh[2]))
		plain := openProver(t, g, Options{Threads: 1, Memory: 4 << 20, Cuts: Cuts{NoWeight: true, NoPairing: true, NoZone: true, NoForks: true, NoLambda: true}})
		moves := [2]int{}
		rounds := 300
		if testing.Short() {
			rounds = 60
		}
		for round := range rounds {
			p, err := New(g, Options{Threads: 1, Memory: 1 << 20, Method: Method(round % len(Methods()))})
			if err != nil {
				t.Fatal(err)
			}
			s := g.Start().(*mnk.State64)
			for range rng.IntN(g.Cells()) {
				if m := s.Moves(nil); len(m) > 0 {
					s.Make(m[rng.IntN(len(m))])
				}
			}
			x, o := s.Stones()
			if len(s.Moves(nil)) == 0 {
				p.Close()
				continue
			}
			seat := s.Seat()
			for attacker := range 2 {
				r := p.CanWin(ctx, x, o, seat, attacker)
				switch {
				case !r.Known:
					t.Fatalf("%s at %s: not decided", g.ID(), s)
				case r.Won != (seat == attacker):
					if r.Move != -1 {
						t.Fatalf("%s at %s, attacker %d: %+v", g.ID(), s, attacker, r)
					}
					continue
				case r.Move < 0 || x.Or(o).Has(r.Move) || r.Move >= g.Cells():
					t.Fatalf("%s at %s, attacker %d: move %d", g.ID(), s, attacker, r.Move)
				}
				after := [2]bitboard.Set128{x, o}
				after[seat] = after[seat].With(r.Move)
				won := g.Lines64().Won(narrow64(after[seat]))
				if !won && after[0].Or(after[1]).Count() < g.Cells() {
					won = plain.CanWin(ctx, after[0], after[1], 1-seat, attacker).Won
				} else if won {
					won = seat == attacker
				}
				if won != r.Won {
					t.Fatalf("%s at %s, attacker %d, won %v: %s does not do it", g.ID(), s, attacker, r.Won, g.CellName(r.Move))
				}
				moves[attacker^seat]++
			}
			p.Close()
		}
		if moves[0] == 0 || moves[1] == 0 {
			t.Errorf("%s: %v moves of attackers and defenders", g.ID(), moves)
		}
	}
}

// TestValueAt compares the values after all first moves of small boards with the complete
// solution, and checks first moves that lose although the board is won or drawn.
func TestValueAt(t *testing.T) {
	ctx := context.Background()
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-5x3k3", "mnk-3x5k3", "mnk-4x4k4"} {
		g := gameOf(t, id)
		if testing.Short() && g.Cells() > 15 {
			continue // it takes a second to solve
		}
		p, strong := openProver(t, g, Options{Threads: 1, Memory: 64 << 20}), solved(t, g)
		s := g.Start().(*mnk.State64)
		for _, m := range s.Moves(nil) {
			s.Make(m)
			want, _ := strong(s)
			if got, r := p.ValueAt(ctx, low(1<<m), none, 1); got != want || r.Won != (want == game.Win) || r.Nodes == 0 {
				t.Errorf("%s after %s: %v, want %v (%+v)", id, g.CellName(int(m)), got, want, r)
			}
			s.Unmake()
		}
	}
	for id, lost := range map[string][]string{"mnk-4x3k3": {"b4"}, "mnk-5x3k3": {"b5"}, "mnk-3x5k3": {"a2"}, "mnk-6x5k4": {"c6"}, "mnk-6x6k4": {"a6"}, "mnk-7x5k4": {"a7", "c7"}} {
		g := gameOf(t, id)
		if testing.Short() && g.Cells() > 30 {
			continue // they take seconds, and smaller boards are lost, too
		}
		p := openProver(t, g, Options{Threads: 1, Memory: 64 << 20})
		for _, cell := range lost {
			c, err := g.ParseCell(cell)
			if err != nil {
				t.Fatal(err)
			}
			v, r := p.ValueAt(ctx, low(1<<c), none, 1)
			if v != game.Win || r.Move < 0 {
				t.Fatalf("%s after %s: %v with %+v, want a win for the second player", id, cell, v, r)
			}
			if after := p.CanWin(ctx, low(1<<c), low(1<<r.Move), 0, 1); !after.Won {
				t.Errorf("%s: %s does not refute %s", id, g.CellName(r.Move), cell)
			}
		}
	}
}
