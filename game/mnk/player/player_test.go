package player

import (
	"context"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

func mustGame(t testing.TB, m, n, k int) *mnk.Game {
	t.Helper()
	g, err := mnk.New(m, n, k)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mustPlayer(t testing.TB, name string, g *mnk.Game, seed uint64) Player {
	t.Helper()
	p, err := New(name, g, Options{Memory: 8 << 20, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestConfigs compares the list with the published file.
func TestConfigs(t *testing.T) {
	in, err := os.Open("../testdata/mnk_tournament_configs.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows)-1 != len(Configs()) {
		t.Fatalf("%d configurations, want %d", len(Configs()), len(rows)-1)
	}
	for i, c := range Configs() {
		for j, v := range c {
			if rows[i+1][j] != strconv.Itoa(v) {
				t.Errorf("configuration %d: %v, want %v", i, c, rows[i+1])
			}
		}
	}
}

// TestField compares the counters after random stones put and taken with those
// of a new field.
func TestField(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, sh := range [][3]int{{3, 3, 3}, {5, 4, 4}, {1, 8, 3}, {9, 1, 2}, {12, 11, 5}, {20, 20, 10}, {3, 3, 1}} {
		g := mustGame(t, sh[0], sh[1], sh[2])
		f := newField(g)
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
			fresh := newField(g)
			fresh.follow(s)
			for p := range 2 {
				if f.total[p] != fresh.total[p] {
					t.Fatalf("%s at %s: total %d, want %d", g.ID(), s, f.total[p], fresh.total[p])
				}
				for c := range f.cells {
					if f.value[p][c] != fresh.value[p][c] || f.hot[p][c] != fresh.hot[p][c] || f.near[c] != fresh.near[c] {
						t.Fatalf("%s at %s: cell %d differs", g.ID(), s, c)
					}
				}
				w, ok := s.Result().Winner()
				if f.won(p) != (ok && w == p) {
					t.Fatalf("%s at %s: won(%d) is %v", g.ID(), s, p, f.won(p))
				}
				// A cell that completes does so by the rules.
				if c, _ := f.completes(p); c >= 0 && p == s.Seat() && s.Result() == game.Ongoing {
					s.Make(game.Move(c))
					if w, ok := s.Result().Winner(); !ok || w != p {
						t.Fatalf("%s at %s: cell %d does not complete", g.ID(), s, c)
					}
					s.Unmake()
				}
			}
		}
	}
}

func TestFieldDoesNotAllocate(t *testing.T) {
	f := newField(mustGame(t, 10, 10, 5))
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

// TestPlane checks that any nine cells side by side hold a pair, and that pairs
// are mutual.
func TestPlane(t *testing.T) {
	p := NewPlane()
	for r := range 16 {
		for c := range 16 {
			if r2, c2 := p.Partner(r+8, c+8); true {
				if r3, c3 := p.Partner(r2, c2); r3 != r+8 || c3 != c+8 {
					t.Fatalf("the partner of %d,%d is %d,%d, whose partner is %d,%d", r+8, c+8, r2, c2, r3, c3)
				}
			}
			for _, d := range fourWays {
				hit := false
				in := map[[2]int]bool{}
				for i := range PlaneK {
					in[[2]int{r + 16 + i*d[0], c + 16 + i*d[1]}] = true
				}
				for x := range in {
					r2, c2 := p.Partner(x[0], x[1])
					hit = hit || in[[2]int{r2, c2}]
				}
				if !hit {
					t.Fatalf("nine cells from %d,%d along %v hold no pair", r, c, d)
				}
			}
		}
	}
}

// TestGames plays short games between all players: every move is legal and in
// time, and ours loses none and wins what theory says is won.
func TestGames(t *testing.T) {
	// The grace is ample: the test is about play, and the machine may be busy.
	clock := Clock{Move: 60 * time.Millisecond, Grace: time.Minute, Plies: 60}
	for _, c := range []struct {
		m, n, k   int
		firstWins bool
	}{{3, 3, 3, false}, {4, 3, 3, true}, {5, 5, 4, false}, {6, 5, 4, true}, {6, 6, 4, true}, {7, 7, 4, true}, {6, 6, 5, false}, {10, 10, 5, false}, {20, 20, 10, false}} {
		g := mustGame(t, c.m, c.n, c.k)
		for _, name := range Names()[1:] {
			for seat := range 2 {
				us := mustPlayer(t, "perfect", g, 1)
				them := mustPlayer(t, name, g, 2)
				pair := [2]Player{us, them}
				if seat == 1 {
					pair = [2]Player{them, us}
				}
				r := Play(context.Background(), g, pair, clock)
				if r.Ending == ByIllegal || r.Ending == ByTime {
					t.Errorf("%s, %s against us in seat %d: %s", g.ID(), name, seat, r.Ending)
				}
				if r.Winner == 1-seat && g.Cells() < 100 && !c.firstWins {
					t.Errorf("%s: we lose to %s in seat %d: %s", g.ID(), name, seat, r.Transcript(g))
				}
				if c.firstWins && seat == 0 && r.Winner != 0 {
					t.Errorf("%s: we do not win against %s as first: %s %v", g.ID(), name, r.Transcript(g), r.Notes)
				}
			}
		}
	}
}

// TestPoints checks the scoring, case by case.
func TestPoints(t *testing.T) {
	for _, c := range []struct {
		p    Played
		want [2]int
	}{
		{Played{Winner: -1, Ending: ByFullBoard}, [2]int{1, 1}},
		{Played{Winner: 0, Ending: ByLine}, [2]int{2, 0}},
		{Played{Winner: 1, Ending: ByLine}, [2]int{0, 3}},
		{Played{Winner: 1, Ending: ByTime}, [2]int{0, 2}},
		{Played{Winner: 0, Ending: ByIllegal}, [2]int{2, 0}},
		{Played{Winner: -1, Ending: ByStop}, [2]int{0, 0}},
	} {
		if got := c.p.Points(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.p, got, c.want)
		}
	}
}
