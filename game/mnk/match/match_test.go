package match

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game/mnk"
	"perfectplay/internal/journal"
)

// twelve is a match of twelve short games whose moves depend on the seed alone.
func twelve(t *testing.T) *Match {
	return &Match{Names: [2]string{"greedy", "random"}, Boards: []*mnk.Game{mustGame(t, 3, 3, 3), mustGame(t, 4, 3, 3), mustGame(t, 5, 5, 4)},
		Rounds: 2, Clock: Clock{Move: time.Hour}, Seed: 7, Memory: 1 << 20, Threads: 1}
}

// plays runs a match with a journal, as a process of its own would.
func plays(t *testing.T, m *Match, journal string) []Record {
	t.Helper()
	j, err := Open(journal)
	if err != nil {
		t.Fatal(err)
	}
	records, err := m.Run(t.Context(), j)
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	return records
}

// same compares what does not depend on the clock.
func same(a, b Record) bool {
	return a.key() == b.key() && a.Moves == b.Moves && a.Winner == b.Winner && a.Below == b.Below && a.FirstPoints == b.FirstPoints
}

// TestResume cuts a journal at every byte: the match that goes on with it plays
// the missing games, ends with the same journal, and reads it a last time without
// a game.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	want := plays(t, twelve(t), filepath.Join(dir, "whole"))
	text, err := os.ReadFile(filepath.Join(dir, "whole"))
	if err != nil || len(want) != twelve(t).Games() {
		t.Fatalf("%d games, %v", len(want), err)
	}
	name := filepath.Join(dir, "part")
	for cut := 0; cut <= len(text); cut += 1 + cut/40 {
		if err := os.WriteFile(name, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(string(text[:cut]), "\n")
		m := twelve(t)
		begun := []int{}
		m.Begin = func(done int, _ Record) { begun = append(begun, done) }
		got := plays(t, m, name)
		if !slices.EqualFunc(got, want, same) {
			t.Fatalf("cut at %d: other games", cut)
		}
		if held := max(0, lines-1); !slices.Equal(got[:held], want[:held]) {
			t.Fatalf("cut at %d: games of the journal were played again", cut)
		}
		if len(begun) != len(want)+1 || begun[len(want)] != len(want) {
			t.Fatalf("cut at %d: begun %v", cut, begun)
		}
		after, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(after), string(text[:strings.LastIndexByte(string(text[:cut]), '\n')+1])) || strings.Count(string(after), "\n") != 13 {
			t.Fatalf("cut at %d: the journal is %q, %v", cut, after, err)
		}
	}
}

// TestDamagedJournal: what is no journal, and a journal with a damaged line in the
// middle, are refused and stay as they are.
func TestDamagedJournal(t *testing.T) {
	dir := t.TempDir()
	plays(t, twelve(t), filepath.Join(dir, "whole"))
	whole, err := os.ReadFile(filepath.Join(dir, "whole"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	name := filepath.Join(dir, "damaged")
	for _, text := range []string{
		"precious", "precious\n", "game,moves\nmnk-3x3k3,b2\n", "\x00\x00\x00", lines[1],
		lines[0] + "mnk-3x3k3,draw\n" + lines[2],
		lines[0] + strings.Replace(lines[1], ",1,", ",one,", 1) + lines[2],
		lines[0] + `"` + lines[1] + lines[2],
		lines[0] + strings.TrimSuffix(lines[1], "\n") + lines[2],
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if j, err := Open(name); err == nil {
			j.Close()
			t.Errorf("%q is taken for a journal", text)
		} else if !strings.Contains(err.Error(), "not games of a match") {
			t.Errorf("%q: %v", text, err)
		}
		if after, err := os.ReadFile(name); err != nil || string(after) != text {
			t.Errorf("%q became %q, %v", text, after, err)
		}
	}
}

// TestOtherMatch: games by other rules are not taken over.
func TestOtherMatch(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	short := twelve(t)
	short.Clock.Plies = 3
	plays(t, short, name)
	for what, change := range map[string]func(*Match){
		"time":  func(m *Match) { m.Clock.Move = time.Minute },
		"seed":  func(m *Match) { m.Seed++ },
		"plies": func(m *Match) { m.Clock.Plies = 0 },
		"fewer": func(m *Match) { m.Clock.Plies = 2 },
	} {
		m := twelve(t)
		m.Clock.Plies = 3
		change(m)
		j, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(t.Context(), j); !errors.Is(err, journal.ErrOther) {
			t.Errorf("other %s: %v", what, err)
		}
		j.Close()
	}
}

// TestRunStops: a match that is stopped returns the games that ended, and its
// journal goes on with the next.
func TestRunStops(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	j, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m := twelve(t)
	m.Begin = func(done int, _ Record) {
		if done == 5 {
			cancel()
		}
	}
	records, err := m.Run(ctx, j)
	if !errors.Is(err, context.Canceled) || len(records) != 5 {
		t.Errorf("%d games, %v", len(records), err)
	}
	j.Close()
	if got := plays(t, twelve(t), name); !slices.Equal(got[:5], records) || len(got) != 12 {
		t.Errorf("%d games after %d", len(got), len(records))
	}
}

// TestTally counts hand-made games from both sides.
func TestTally(t *testing.T) {
	games := []Record{
		{First: "a", Second: "b", Winner: "a", FirstPoints: 2, FirstMax: 2, SecondMax: 9, SecondLate: 1, Ending: string(ByTime)},
		{First: "b", Second: "a", Winner: Draw, FirstPoints: 1, SecondPoints: 1, SecondMax: 3, SecondCPU: 4, Below: "b"},
		{First: "b", Second: "a", Winner: "a", SecondPoints: 3, FirstMax: 1, Ending: string(ByLine), Below: "b"},
	}
	var a, b Tally
	for i := range games {
		a.Add("a", &games[i])
		b.Add("b", &games[i])
	}
	if want := (Tally{Games: [2]Score{{1, 0, 0}, {1, 1, 0}}, Points: 6, Longest: 3, CPU: 4}); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
	if want := (Tally{Games: [2]Score{{0, 1, 1}, {0, 0, 1}}, Points: 1, Below: 2, OnTime: 1, Longest: 9, Late: 1}); b != want {
		t.Errorf("%+v, want %+v", b, want)
	}
	if got := a.Games[1].String(); got != "+1 =1 -0" {
		t.Errorf("%s", got)
	}
}
