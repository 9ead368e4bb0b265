package match

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
)

func mustGame(t testing.TB, m, n, k int) *mnk.Game {
	t.Helper()
	g, err := mnk.New(m, n, k)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mustPlayer(t testing.TB, name string, g *mnk.Game, seed uint64) player.Player {
	t.Helper()
	p, err := player.New(name, g, player.Options{Memory: 8 << 20, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPlayTime holds moves against the clock, in a bubble.
func TestPlayTime(t *testing.T) {
	g := mustGame(t, 3, 3, 3)
	quick := func() player.Player { return mustPlayer(t, "random", g, 1) }
	for _, c := range []struct {
		took, grace time.Duration
		ending      Ending
	}{
		{time.Second, 0, ByFullBoard},
		{time.Second + 1, 0, ByTime},
		{1200 * time.Millisecond, 200 * time.Millisecond, ByFullBoard},
		{1200*time.Millisecond + 1, 200 * time.Millisecond, ByTime},
	} {
		for seat := range 2 {
			synctest.Test(t, func(t *testing.T) {
				seats := [2]player.Player{quick(), quick()}
				seats[seat] = &slow{took: c.took}
				r := Play(t.Context(), g, seats, Clock{Move: time.Second, Grace: c.grace})
				if c.ending == ByTime && (r.Ending != ByTime || r.Winner != 1-seat) || c.ending != ByTime && r.Ending == ByTime {
					t.Errorf("%v with grace %v: %s, winner %d", c.took, c.grace, r.Ending, r.Winner)
				}
				if s := r.Spent[seat]; s.Longest != c.took || s.Late != max(0, c.took-time.Second) || s.All < c.took {
					t.Errorf("%v: %+v", c.took, s)
				}
				if s := r.Spent[1-seat]; s.Late != 0 {
					t.Errorf("the other one: %+v", s)
				}
			})
		}
	}
}

// slow plays the first empty cell after a time.
type slow struct{ took time.Duration }

func (p *slow) Name() string { return "slow" }
func (p *slow) Note() string { return "" }
func (p *slow) Rest()        {}
func (p *slow) Close() error { return nil }
func (p *slow) Move(_ context.Context, s *mnk.Plain, _ time.Duration) int {
	time.Sleep(p.took)
	return int(s.Moves(nil)[0])
}

// TestPlayStops: an interrupted game says so, an illegal move loses, and a
// limit of plies ends a game as a draw.
func TestPlayStops(t *testing.T) {
	g := mustGame(t, 3, 3, 3)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		if r := Play(ctx, g, [2]player.Player{&slow{time.Second}, &slow{time.Second}}, Clock{Move: time.Minute}); r.Ending != ByStop || len(r.Moves) != 2 {
			t.Errorf("%+v", r)
		}
		r := Play(t.Context(), g, [2]player.Player{&slow{0}, &slow{0}}, Clock{Move: time.Minute, Plies: 4})
		if r.Ending != ByLength || r.Winner >= 0 || len(r.Moves) != 4 {
			t.Errorf("%+v", r)
		}
		r = Play(t.Context(), g, [2]player.Player{&slow{0}, &taken{}}, Clock{Move: time.Minute})
		if r.Ending != ByIllegal || r.Winner != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// taken plays a cell that is taken.
type taken struct{ slow }

func (*taken) Move(context.Context, *mnk.Plain, time.Duration) int { return 0 }

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
