package match

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/internal/journal"
	"perfectplay/play/engine"
	"perfectplay/play/player"
)

// chance plays any move by its seed.
type chance struct{ rng *rand.Rand }

// must returns v. An error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (chance) Close() error { return nil }
func (p chance) Move(_ context.Context, s game.State, _ player.Clock) (player.Choice, error) {
	moves := s.Moves(nil)
	return player.Choice{Move: moves[p.rng.IntN(len(moves))]}, nil
}

func chances(name string) Side {
	return Side{Name: name, New: func(_ context.Context, _ game.Game, seed uint64) (player.Player, error) {
		return chance{rand.New(rand.NewPCG(seed, 1))}, nil
	}}
}

// script is a player made of a function.
type script func(ctx context.Context, s game.State) (player.Choice, error)

func (script) Close() error { return nil }
func (f script) Move(ctx context.Context, s game.State, _ player.Clock) (player.Choice, error) {
	return f(ctx, s)
}

func scripted(name string, f script) Side {
	return Side{Name: name, New: func(context.Context, game.Game, uint64) (player.Player, error) { return f, nil }}
}

// first plays the first legal move.
func first(_ context.Context, s game.State) (player.Choice, error) {
	return player.Choice{Move: s.Moves(nil)[0]}, nil
}

func board(t *testing.T, id string) game.Game {
	t.Helper()
	if strings.HasPrefix(id, "mnk-") {
		g := must(mnk.ByID(id))(t)
		return g
	}
	g := must(halma.ByID(id, "base"))(t)
	return g
}

// twelve is a match of twelve short games that depend on the seed alone.
func twelve(t *testing.T) *Match {
	return &Match{Boards: []game.Game{board(t, "mnk-4x3k3")}, Sides: [2]Side{chances("a"), chances("b")}, Pairs: 6, Random: 2, Move: time.Hour, Seed: 7}
}

// plays runs a match with a journal, as a process of its own would.
func plays(t *testing.T, m *Match, journal string) []Record {
	t.Helper()
	j := must(Open(journal))(t)
	records, err := m.Run(t.Context(), j)
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	return records
}

// same compares the parts of records that do not depend on the clock.
func same(a, b Record) bool {
	return a.key() == b.key() && a.OpeningPlies == b.OpeningPlies && a.Transcript == b.Transcript && a.Winner == b.Winner && a.WinnerSeat == b.WinnerSeat
}

// opening is the opening of a record.
func opening(r Record) string {
	return strings.Join(strings.Fields(r.Transcript)[:r.OpeningPlies], " ")
}

// ended are games that A has won, lost or drawn, by a letter for each. A pair has the given number of
// games. The seatings alternate.
func ended(text string, pair int, seatings ...string) (list []Record) {
	for i, r := range text {
		winner := map[rune]string{'w': SideA, 'l': SideB, 'd': Draw}[r]
		list = append(list, Record{Pair: i/pair + 1, Seating: seatings[i%len(seatings)], Winner: winner, Ending: ByRules})
	}
	return list
}

// TestGames: a pair has one opening and both seatings, moves are legal, and the winner has the
// seat that wins by the rules.
func TestGames(t *testing.T) {
	m := twelve(t)
	records, err := m.Run(t.Context(), nil)
	if err != nil || len(records) != 12 {
		t.Fatalf("%d games, %v", len(records), err)
	}
	openings := map[string]bool{}
	for i, r := range records {
		if want := []string{"AB", "BA"}[i%2]; r.Pair != i/2+1 || r.Seating != want || opening(r) != opening(records[i/2*2]) {
			t.Errorf("game %d: %+v", i, r)
		}
		openings[opening(r)] = true
		o := Opening{From: r.Position, Moves: strings.Fields(opening(r))}
		s := must(o.Course(m.Boards[0]))(t).State
		for _, text := range strings.Fields(r.Transcript)[r.OpeningPlies:] {
			mv, err := s.ParseMove(text)
			if err != nil {
				t.Fatalf("game %d: %v", i, err)
			}
			s.Make(mv)
		}
		want := Draw
		if w, ok := s.Result().Winner(); ok {
			want = r.Seating[w : w+1]
		}
		if s.Result() == game.Ongoing || r.Winner != want || r.Ending != ByRules {
			t.Errorf("game %d: %s by %s, want %s", i, r.Winner, r.Ending, want)
		}
	}
	if len(openings) < 4 {
		t.Errorf("only %d openings in 6 pairs", len(openings))
	}
}

// TestResume cuts a journal at every byte: the match then plays the missing games only, and
// ends with the same journal.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	want := plays(t, twelve(t), filepath.Join(dir, "whole"))
	text := must(os.ReadFile(filepath.Join(dir, "whole")))(t)
	name := filepath.Join(dir, "part")
	for cut := 0; cut <= len(text); cut += 1 + cut/8 {
		if err := os.WriteFile(name, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		got := plays(t, twelve(t), name)
		if !slices.EqualFunc(got, want, same) {
			t.Fatalf("cut at %d: other games", cut)
		}
		if held := max(0, strings.Count(string(text[:cut]), "\n")-1); !slices.Equal(got[:held], want[:held]) {
			t.Fatalf("cut at %d: games of the journal were played again", cut)
		}
	}
	for what, change := range map[string]func(*Match){
		"time":    func(m *Match) { m.Move = time.Minute },
		"seed":    func(m *Match) { m.Seed++ },
		"plies":   func(m *Match) { m.Plies = 2 },
		"opening": func(m *Match) { m.Random = 1 },
	} {
		m := twelve(t)
		change(m)
		j := must(Open(name))(t)
		if _, err := m.Run(t.Context(), j); !errors.Is(err, journal.ErrOther) {
			t.Errorf("another %s: %v", what, err)
		}
		j.Close()
	}
}

// TestStops: a stopped match returns its finished games.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := twelve(t)
	m.Begin = func(done int, _ Record) {
		if done == 5 {
			cancel()
		}
	}
	records, err := m.Run(ctx, nil)
	if !errors.Is(err, context.Canceled) || len(records) != 5 {
		t.Errorf("%d games, %v", len(records), err)
	}
}

// TestForfeits: a player's fault loses, with the reason in the record; a failure of our own
// ends the match.
func TestForfeits(t *testing.T) {
	late := func(ctx context.Context, s game.State) (player.Choice, error) {
		<-ctx.Done()
		time.Sleep(time.Millisecond)
		return first(ctx, s)
	}
	for _, c := range []struct {
		what   string
		bad    script
		ending Ending
		note   string
	}{
		{"a fault", func(context.Context, game.State) (player.Choice, error) {
			return player.Choice{}, &engine.Fault{Why: "it ended"}
		}, ByFault, "B loses: move 2: it ended"},
		{"time", late, ByTime, "B loses: move 2 took "},
	} {
		m := &Match{Boards: []game.Game{board(t, "mnk-3x3k3")}, Sides: [2]Side{scripted("good", first), scripted("bad", c.bad)}, Pairs: 1, Move: 20 * time.Millisecond, Seed: 1}
		m.Sides[1].External = true // the wall clock times it: a sleeping player uses no processor time
		records, err := m.Run(t.Context(), nil)
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if r := records[0]; r.Winner != SideA || r.Ending != c.ending || !strings.HasPrefix(r.Note, c.note) || r.Plies != 1 {
			t.Errorf("%s: %+v", c.what, r)
		}
	}
	for what, bad := range map[string]script{
		"an error":        func(context.Context, game.State) (player.Choice, error) { return player.Choice{}, errors.New("broken") },
		"an illegal move": func(context.Context, game.State) (player.Choice, error) { return player.Choice{Move: 12345}, nil },
	} {
		m := &Match{Boards: []game.Game{board(t, "mnk-3x3k3")}, Sides: [2]Side{scripted("good", first), scripted("bad", bad)}, Pairs: 1, Move: time.Hour}
		if _, err := m.Run(t.Context(), nil); err == nil {
			t.Errorf("%s of our own is none", what)
		}
	}
	refuses := Side{Name: "gone", New: func(context.Context, game.Game, uint64) (player.Player, error) {
		return nil, &engine.Fault{Why: "gone ended"}
	}}
	m := &Match{Boards: []game.Game{board(t, "mnk-3x3k3")}, Sides: [2]Side{scripted("good", first), refuses}, Pairs: 1, Move: time.Hour}
	if records, err := m.Run(t.Context(), nil); err != nil || records[1].Winner != SideA || records[1].Note != "B loses: gone ended" {
		t.Errorf("a program that does not begin: %v, %v", records, err)
	}
}

// TestEndless: a position's third occurrence ends a game as a draw, and so does the limit of plies.
func TestEndless(t *testing.T) {
	g := board(t, "halma-star37-2p")
	back := func() script { // a piece goes out and home again
		out := map[string]string{"1": "c3", "2": "g3"}
		home := map[string]string{"1": "b1", "2": "h1"}
		return func(_ context.Context, s game.State) (player.Choice, error) {
			seat := g.SeatName(s.Seat())
			for _, text := range []string{home[seat] + "-" + out[seat], out[seat] + "-" + home[seat]} {
				if m, err := s.ParseMove(text); err == nil {
					return player.Choice{Move: m}, nil
				}
			}
			return player.Choice{}, errors.New("lost its way")
		}
	}
	m := &Match{Boards: []game.Game{g}, Sides: [2]Side{scripted("a", back()), scripted("b", back())}, Pairs: 1, Move: time.Hour}
	records, err := m.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Winner != Draw || r.Ending != ByRepetition || r.Plies != 8 {
			t.Errorf("%+v", r)
		}
	}
	m.Plies = 5
	if records, err = m.Run(t.Context(), nil); err != nil || records[0].Ending != ByLength || records[0].Plies != 5 || records[0].Winner != Draw {
		t.Errorf("%+v, %v", records, err)
	}
}

// TestDivide: seats are shared as equally as possible, and each division comes once with its
// exchange.
func TestDivide(t *testing.T) {
	for seats, want := range map[int][]string{
		2: {"AB"},
		3: {"ABA", "BAA", "AAB"},
		4: {"ABAB", "ABBA", "AABB"},
	} {
		got := divide(seats)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%d seats: %v, want %v", seats, got, want)
		}
	}
	six := divide(6)
	if len(six) != 10 || six[0] != "ABABAB" {
		t.Errorf("six seats: %v", six)
	}
	g := board(t, "halma-star13-3p")
	m := &Match{Boards: []game.Game{g}, Sides: [2]Side{chances("a"), chances("b")}, Pairs: 3, Move: time.Hour, Plies: 200}
	records := must(m.Run(t.Context(), nil))(t)
	held := map[string]int{} // games in which A has a seat
	for _, r := range records {
		for seat := range 3 {
			if r.Seating[seat] == 'A' {
				held[g.SeatName(seat)]++
			}
		}
	}
	if len(held) != 3 || held[g.SeatName(0)] != 3 || held[g.SeatName(1)] != 3 || held[g.SeatName(2)] != 3 {
		t.Errorf("A has the seats in %v games of 6", held)
	}
}

// TestAlone: with one seat A has each in turn, from the same opening.
func TestAlone(t *testing.T) {
	g := board(t, "halma-star13-3p")
	m := &Match{Boards: []game.Game{g}, Sides: [2]Side{chances("a"), chances("b")}, Pairs: 2, Alone: true, Random: 2, Move: time.Hour, Plies: 200}
	records := must(m.Run(t.Context(), nil))(t)
	if len(records) != m.Games() || m.Games() != 6 {
		t.Fatalf("%d games of %d", len(records), m.Games())
	}
	for i, r := range records {
		if want := []string{"ABB", "BAB", "BBA"}[i%3]; r.Seating != want || r.Pair != i/3+1 || opening(r) != opening(records[i/3*3]) {
			t.Errorf("game %d: pair %d, seats %s, opening %s", i, r.Pair, r.Seating, opening(r))
		}
	}
	// A third of the points against two others is what equal players score, and two
	// thirds are odds of 4 : 1.
	if st := NewStanding(records[:3]); st.Expected < 0.333 || st.Expected > 0.334 {
		t.Errorf("expected score %v", st.Expected)
	}
	won := func(text string) []Record { return ended(text, 3, "BAB") }
	if st := NewStanding(won("wlllwlllw")); math.Abs(st.Score-1./3) > 1e-9 || math.Abs(*st.Elo) > 1e-9 {
		t.Errorf("score %v, Elo %v", st.Score, *st.Elo)
	}
	if st := NewStanding(won("wwlwlw")); math.Abs(*st.Elo-400*math.Log10(4)) > 1e-9 {
		t.Errorf("Elo %v", *st.Elo)
	}
}

// TestAll: every division of the seats is listed once, and both sides have the same number of seats.
// Games with different divisions have different seeds, and add up to one score.
func TestAll(t *testing.T) {
	for seats, games := range map[int]int{2: 2, 3: 6, 4: 14, 6: 62} {
		list := all(seats)
		held := 0
		for i, s := range list {
			if len(s) != seats || !strings.Contains(s, "A") || !strings.Contains(s, "B") || slices.Index(list, s) != i || !slices.Contains(list, exchange(s)) {
				t.Errorf("%d seats: %q in %v", seats, s, list)
			}
			held += strings.Count(s, "A")
		}
		if len(list) != games || 2*held != seats*games {
			t.Errorf("%d seats: %d games, A has %d seats", seats, len(list), held)
		}
	}
	g := board(t, "halma-star13-3p")
	seeds := map[uint64]bool{}
	side := func(name string) Side {
		return Side{Name: name, New: func(ctx context.Context, g game.Game, seed uint64) (player.Player, error) {
			if seeds[seed] {
				t.Errorf("seed %d twice", seed)
			}
			seeds[seed] = true
			return chances(name).New(ctx, g, seed)
		}}
	}
	m := &Match{Boards: []game.Game{g}, Sides: [2]Side{side("a"), side("b")}, Pairs: 2, Alone: true, Random: 2, Move: time.Hour, Plies: 200}
	records, err := m.Run(t.Context(), nil)
	if err != nil || len(seeds) != 2*len(records) {
		t.Fatalf("%d games, %d seeds, %v", len(records), len(seeds), err)
	}
	// Of three seats one has odds x : 2 and two have 2x : 1; with x = 4 that is 2/3 and
	// 8/9, together 7/9: of 9 games with one seat 6 won, of 9 with two 8.
	st := NewStanding(ended("lwlwlwwlwwwwwwwwww", 6, "BBA", "AAB"))
	if math.Abs(st.Score-7./9) > 1e-9 || math.Abs(st.Expected-0.5) > 1e-9 || math.Abs(*st.Elo-400*math.Log10(4)) > 1e-6 {
		t.Errorf("score %v, expected %v, Elo %v", st.Score, st.Expected, *st.Elo)
	}
	for n := 1; n < 12; n++ { // the expected score gives an Elo of 0, never -0
		list := ended(strings.Repeat("wl", 3*n), 2, "AAB", "BBA")
		if st := NewStanding(list); st.Score != 0.5 || *st.Elo != 0 || math.Signbit(*st.Elo) {
			t.Errorf("%d games: score %v, Elo %v", len(list), st.Score, *st.Elo)
		}
	}
}

// TestStanding compares with figures worked out by hand.
func TestStanding(t *testing.T) {
	games := func(text string) []Record { return ended(text, 2, "AB") }
	near := func(p *float64, want float64) bool {
		if math.IsInf(want, 0) {
			return p == nil
		}
		return p != nil && math.Abs(*p-want) < 0.01
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		games          string
		score          float64
		elo, low, high float64
	}{
		// Pairs of 1, 2, 1 and 2 points: mean 1.5, each 0.5 away. The standard error of the
		// score is √(4·0.25·4/3)/8 = 0.14434, so the bounds are 0.75 ± 0.28290.
		{"wlwwlwww", 0.75, 190.85, -22.89, inf},
		// 1.5, 2, 1.5 and 1: √(0.5·4/3)/8 = 0.10206, 0.75 ± 0.20004.
		{"wdwwdwwl", 0.75, 190.85, 34.83, 511.64},
		// Both pairs could have ended otherwise with a probability of √0.025.
		{"wwww", 1, inf, -290.51, inf},
		{"dddd", 0.5, 0, inf, inf},
		{"", 0, -inf, -inf, -inf},
	} {
		st := NewStanding(games(c.games))
		if st.Score != c.score || !near(st.Elo, c.elo) || !near(st.Low, c.low) || !near(st.High, c.high) {
			t.Errorf("%q: score %v, %v, %v to %v", c.games, st.Score, show(st.Elo), show(st.Low), show(st.High))
		}
	}
	// From the other side everything is reversed.
	a, b := NewStanding(games("wlddwwlw")), NewStanding(games("lwddllwl"))
	if !near(b.Elo, -*a.Elo) || !near(b.Low, -*a.High) || !near(b.High, -*a.Low) || a.Won != b.Lost {
		t.Errorf("%+v and %+v", a, b)
	}
	// The bounds hold the true difference about as often as they claim.
	rng := rand.New(rand.NewPCG(1, 2))
	inside := 0
	for range 1000 {
		text := make([]byte, 200)
		for i := range text {
			text[i] = 'l'
			if rng.Float64() < 0.6 {
				text[i] = 'w'
			}
		}
		truth := 400 * math.Log10(0.6/0.4)
		if st := NewStanding(ended(string(text), 2, "BA")); *st.Low <= truth && truth <= *st.High {
			inside++
		}
	}
	if inside < 930 || inside > 970 {
		t.Errorf("the truth lies within the bounds in %d of 1000 matches", inside)
	}
}

func show(p *float64) float64 {
	if p == nil {
		return math.Inf(1)
	}
	return *p
}
