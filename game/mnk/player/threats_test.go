package player

import (
	"math/rand/v2"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
)

// walk plays random moves near each other until n stones are put or the game is over.
func walk(g *mnk.Game, rng *rand.Rand, n int) *mnk.Plain {
	s := g.Plain().Start().(*mnk.Plain)
	l := search{f: newField(g, 2)}
	for range n {
		l.f.follow(s)
		cells := l.moves(s.Seat(), 0, 6, -1)
		s.Make(game.Move(cells[rng.IntN(len(cells))].c))
		if s.Result() != game.Ongoing {
			s.Unmake()
			break
		}
	}
	return s
}

// TestThreatsAreProved: a side that wins by threats wins by the prover, too, which shares
// nothing with this search; and the first cell keeps the win.
func TestThreatsAreProved(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sh := range [][3]int{{5, 5, 4}, {6, 6, 4}, {7, 7, 5}, {8, 8, 5}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		p, err := prove.New(g, prove.Options{Memory: 16 << 20, Threads: 1, Nodes: 200_000})
		if err != nil {
			t.Fatal(err)
		}
		s := openSearch(t, g, 1<<20, 1)
		claims, quietly := 0, 0
		for range 400 {
			at := walk(g, rng, 4+rng.IntN(g.Cells()*2/3))
			me := at.Seat()
			s.f.follow(at)
			s.stop, s.over = func(uint64) bool { return false }, false
			c, quiet, won := s.threaten(me, 3000)
			if !won {
				continue
			}
			claims++
			if quiet > 0 {
				quietly++
			}
			var x [2]bitboard.Set128
			for c := range g.Cells() {
				if who := at.At(c); who > 0 {
					x[who-1] = x[who-1].With(c)
				}
			}
			x[me] = x[me].With(int(c))
			if at.Make(game.Move(c)); at.Result() != game.Ongoing {
				continue
			}
			if r := p.CanWin(t.Context(), x[0], x[1], 1-me, me); r.Known && !r.Won {
				t.Fatalf("%s: %s is not won by threats", g.ID(), at)
			}
		}
		if claims < 30 || quietly < 1 {
			t.Errorf("%s: %d claims, %d of them with quiet threats: too few", g.ID(), claims, quietly)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestZone: in a won chain of fours, a stone of the loser outside of the zone changes
// nothing.
func TestZone(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	chains := 0
	for _, sh := range [][3]int{{6, 6, 4}, {9, 9, 5}, {15, 15, 5}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		s := openSearch(t, g, 1<<20, 1)
		for range 200 {
			at := walk(g, rng, 6+rng.IntN(24))
			me := at.Seat()
			s.f.follow(at)
			if len(s.f.complete[0].list)+len(s.f.complete[1].list) > 0 {
				continue
			}
			zone := s.th.zoneOf(me)
			if zone == nil {
				continue
			}
			chains++
			for c := range int32(g.Cells()) {
				if s.f.cell[c] != 0 || zone[c] {
					continue
				}
				s.t.Clear()
				s.f.put(c, 1-me)
				s.th.room, s.th.collect = 1<<20, false
				if _, won := s.th.chain(me); !won {
					t.Fatalf("%s: %s: a stone on %s outside of the zone stops the chain", g.ID(), at, g.CellName(int(c)))
				}
				s.f.take()
			}
		}
	}
	if chains < 20 {
		t.Errorf("%d chains: too few", chains)
	}
}

// zoneOf is the zone of a chain of p, nil if there is none.
func (s *threats) zoneOf(p int) map[int32]bool {
	s.room, s.collect = 1<<20, true
	if _, won := s.chain(p); !won {
		return nil
	}
	zone := map[int32]bool{}
	for _, c := range s.zone {
		zone[c] = true
	}
	return zone
}

// TestSearchDoesNotAllocate: a search allocates nothing once its buffers have grown.
func TestSearchDoesNotAllocate(t *testing.T) {
	g := mustGame(t, 15, 15, 5)
	s := openSearch(t, g, 4<<20, 1)
	s.f.follow(middle(g, 9))
	p := s.f.n & 1
	never, nobody := func(uint64) bool { return false }, func(*found) {}
	s.choose(p, 4, never, nobody)
	if n := testing.AllocsPerRun(3, func() {
		s.t.Clear()
		for d := 1; d <= 4; d++ {
			s.value(p, d, 0, -infinite, infinite)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestBeatsOneStone: the player that looks one stone ahead loses to levels that look
// further, and to the strongest player with as many positions, from both sides.
func TestBeatsOneStone(t *testing.T) {
	for _, side := range []int{15, 19} {
		g := mustGame(t, side, side, 5)
		for _, name := range []string{"level-7", best} {
			for seat := range 2 {
				pair := [2]*clocked{mustPlayer(t, "level-3", g, 7), mustPlayer(t, "level-3", g, 7)}
				pair[seat] = mustPlayer(t, name, g, 1)
				if w, moves := contest(t, g, pair, 3200, g.Cells()); w != seat {
					t.Errorf("%s: %s in seat %d: winner %d: %s", g.ID(), name, seat, w, moves)
				}
			}
		}
	}
}

// TestQuiescence: at a leaf, two open threes of the other side are a loss, whichever of them is
// met, and a single one is not. A position without threats has the value of its evaluation.
func TestQuiescence(t *testing.T) {
	g := mustGame(t, 12, 12, 5)
	for _, c := range []struct {
		x, o        string
		lost, still bool
	}{
		{x: "a1 a5 a9 l1", o: "c4 d4 e4 h9 i9 j9", lost: true},
		{x: "a1 a5 a9 l1", o: "c4 d4 e4 h9 l12 l8"},
		{x: "a1 a5", o: "h8", still: true},
	} {
		s := openSearch(t, g, 1<<20, 1)
		s.stop = func(uint64) bool { return false }
		set(t, s.f, c.x, c.o)
		stand, v := s.evaluate(0), s.value(0, 0, 1, -infinite, infinite)
		if (v <= -decided) != c.lost || v >= decided || c.still && v != stand {
			t.Errorf("x %s, o %s: %d, evaluated %d", c.x, c.o, v, stand)
		}
	}
}
