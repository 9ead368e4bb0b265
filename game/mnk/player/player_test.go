package player

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/game/wing"
)

func mustGame(t testing.TB, m, n, k int) *mnk.Game {
	t.Helper()
	g, err := mnk.New(m, n, k)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mustPlayer(t testing.TB, name string, g *mnk.Game, seed uint64) *clocked {
	t.Helper()
	p, err := New(name, g, wing.Resources{Memory: 8 << 20}, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*clocked)
}

// choose lets a player choose with a limit of positions instead of a clock.
func choose(t testing.TB, p *clocked, s *mnk.Plain, limit uint64) *answer {
	th := &turn{ctx: t.Context(), limit: limit}
	p.th.choose(th, s.Clone().(*mnk.Plain))
	return th.best.Load()
}

// openSearch returns a search, and closes it when the test ends.
func openSearch(t testing.TB, g *mnk.Game, memory int64, threads int) *search {
	t.Helper()
	s, err := newSearch(g, memory, threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestField compares the counters after random stones put and taken with the counters of a new
// field.
func TestField(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, sh := range [][3]int{{3, 3, 3}, {5, 4, 4}, {1, 8, 3}, {9, 1, 2}, {12, 11, 5}, {20, 20, 10}, {3, 3, 1}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		f := newField(g, 2)
		s := g.Plain().Start().(*mnk.Plain)
		for step := range 300 {
			if moves := s.Moves(nil); len(moves) == 0 || f.n > 0 && rng.IntN(3) == 0 {
				f.take()
				s.Unmake()
			} else {
				m := moves[rng.IntN(len(moves))]
				f.put(int32(m), s.Seat())
				s.Make(m)
			}
			if step%10 != 0 {
				continue
			}
			fresh := newField(g, 2)
			fresh.follow(s)
			for p := range 2 {
				if f.total[p] != fresh.total[p] {
					t.Fatalf("%s at %s: total %d, want %d", g.ID(), s, f.total[p], fresh.total[p])
				}
				for c := range f.cells {
					if f.sum[p][c] != fresh.sum[p][c] || f.near[c] != fresh.near[c] || f.key != fresh.key {
						t.Fatalf("%s at %s: cell %d differs", g.ID(), s, c)
					}
				}
				w, ok := s.Result().Winner()
				if f.won(p) != (ok && w == p) {
					t.Fatalf("%s at %s: won(%d) is %v", g.ID(), s, p, f.won(p))
				}
				// The field and the rules must agree on the cells that complete a window.
				if p != s.Seat() || s.Result() != game.Ongoing {
					continue
				}
				for _, c := range s.Moves(nil) {
					s.Make(c)
					w, over := s.Result().Winner()
					s.Unmake()
					if slices.Contains(f.complete[p].list, int32(c)) != (over && w == p) {
						t.Fatalf("%s at %s: cell %d completes or not", g.ID(), s, c)
					}
				}
			}
		}
	}
}

func TestFieldDoesNotAllocate(t *testing.T) {
	f := newField(mustGame(t, 10, 10, 5), 2)
	f.put(0, 0)
	f.take()
	if n := testing.AllocsPerRun(10, func() {
		for c := range int32(50) {
			f.put(c, int(c)&1)
		}
		for range 50 {
			f.take()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestPlane: any nine cells side by side hold a pair, and pairs are mutual.
func TestPlane(t *testing.T) {
	g := mustGame(t, 24, 25, PlaneK)
	pairs := PlanePairs(g)
	if err := prove.CheckPairs(g, func(cell int) int { return pairs[cell] }); err != nil {
		t.Error(err)
	}
}

// contest plays a game between choosers that may call over a limited number of times at
// each move, instead of watching a clock; provers are not interrupted. After some plies the
// game is a draw.
func contest(t *testing.T, g *mnk.Game, seats [2]*clocked, limit uint64, plies int) (winner int, transcript string) {
	t.Helper()
	s := g.Plain().Start().(*mnk.Plain)
	for n := 0; s.Result() == game.Ongoing && n < plies; n++ {
		c := choose(t, seats[s.Seat()], s, limit).cell
		if s.At(c) != 0 {
			t.Fatalf("%s: seat %d takes a taken cell at %s", g.ID(), s.Seat(), s)
		}
		transcript += " " + g.CellName(c)
		s.Make(game.Move(c))
	}
	winner = -1
	if w, ok := s.Result().Winner(); ok {
		winner = w
	}
	return winner, transcript
}

// TestGames plays the strongest player against all others on boards that it can prove: as
// first player it wins if theory says so, and as second it loses only then.
func TestGames(t *testing.T) {
	for _, c := range []struct {
		m, n, k   int
		firstWins bool
	}{{3, 3, 3, false}, {4, 3, 3, true}, {4, 4, 4, false}, {5, 5, 4, false}, {6, 5, 4, true}, {6, 6, 4, true}, {6, 6, 5, false}, {7, 7, 4, true}, {8, 8, 8, false}} {
		t.Run(fmt.Sprintf("board=%dx%dk%d", c.m, c.n, c.k), func(t *testing.T) {
			g := mustGame(t, c.m, c.n, c.k)
			for _, name := range []string{"monkey", "sufferingdoge", "level-1", "level-3"} {
				for seat := range 2 {
					pair := [2]*clocked{mustPlayer(t, name, g, 2), mustPlayer(t, name, g, 2)}
					pair[seat] = mustPlayer(t, best, g, 1)
					w, moves := contest(t, g, pair, 3000, g.Cells())
					switch {
					case w == 1-seat && (seat == 0 || !c.firstWins):
						t.Errorf("%s: lost to %s in seat %d: %s", g.ID(), name, seat, moves)
					case c.firstWins && seat == 0 && w != 0:
						t.Errorf("%s: not won against %s as first: %s", g.ID(), name, moves)
					}
				}
			}
		})
	}
}

// TestLargeBoards: where a pairing of the plane exists the strongest player never loses,
// and beats a random player. On 10,10,5 it loses to neither opponent.
func TestLargeBoards(t *testing.T) {
	for _, sh := range [][3]int{{10, 10, 5}, {12, 30, 9}, {50, 50, 10}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		for _, name := range []string{"monkey", "sufferingdoge", "level-1", "level-3"} {
			for seat := range 2 {
				pair := [2]*clocked{mustPlayer(t, name, g, 2), mustPlayer(t, name, g, 2)}
				pair[seat] = mustPlayer(t, best, g, 1)
				w, moves := contest(t, g, pair, 150, 60)
				if w == 1-seat || name == "level-1" && w != seat {
					t.Errorf("%s: seat %d against %s: winner %d: %s", g.ID(), seat, name, w, moves)
				}
			}
		}
	}
}
