package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/players"
	"perfectplay/internal/cli"
)

// TestSurprises: wrong figures in print are expected, others are not.
func TestSurprises(t *testing.T) {
	rows, _ := counts(context.Background(), nil)
	differ := 0
	for _, r := range rows {
		if r.Verdict == cli.Differs {
			differ++
		}
	}
	if differ != 2 || surprises(rows) != 0 {
		t.Errorf("%d counts differ, %d of them a surprise; want 2, none", differ, surprises(rows))
	}
	if n := surprises([]figure{compare("y", "1", "2", ""), compare("y", "1", "1", "")}); n != 1 {
		t.Errorf("%d surprises, want 1", n)
	}
	// What is off the census is a surprise also where print is known to be wrong.
	wrong := estimate("y", "99", 5, 1, 0, "").wrong()
	if surprises([]figure{wrong.beside(5, "%.0f")}) != 0 ||
		surprises([]figure{wrong.beside(11, "%.0f")}) != 1 {
		t.Error("print and census are confused")
	}
}

// TestTournamentError: the printed share has the error of its own number
// of tournaments, however many we play.
func TestTournamentError(t *testing.T) {
	for _, games := range []int{100, 1000, 1000000} {
		if r := tournamentRow("x", "81", players.Match{Percent: 76.9, Games: games}); r.Verdict != verdictWithin {
			t.Errorf("%d games: %+v", games, r)
		}
		if r := tournamentRow("x", "90", players.Match{Percent: 76.9, Games: max(games, 1000)}); r.Verdict != cli.Differs {
			t.Errorf("%d games: %+v", games, r)
		}
	}
}

// TestStudyErrors: the study drew one deal of each board, so its errors are
// smaller than those of as many independent deals, 0.16 lines and 597 boards.
func TestStudyErrors(t *testing.T) {
	f := reproFlags{deals: 40_000, seed: 3}
	f.job.Threads = 2
	s, err := f.draw(context.Background(), new(cli.Bar))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, lines := s.mean(func(d *drawn) float64 { return float64(d.lines) }); lines < 0.07 || lines > 0.11 {
		t.Errorf("mean lines: standard error %.3f, want near 0.09", lines)
	}
	if _, _, single := s.share(func(d *drawn) bool { return d.lines == 1 }); single*domino.BoardCount > 400 {
		t.Errorf("boards with a single line: standard error %.0f, want near 150", single*domino.BoardCount)
	}
	if _, _, negative := s.share(func(d *drawn) bool { return d.sign == domino.OnlyNegative }); negative*domino.BoardCount < 400 || negative*domino.BoardCount > 600 {
		t.Errorf("boards with negative lines: standard error %.0f, want near 510", negative*domino.BoardCount)
	}
}

// FuzzDeals: a file of deals is read, or refused by its line; what was read reads again.
func FuzzDeals(f *testing.F) {
	for _, text := range []string{"", "# a comment\n\n", "66 16 24 26 33 34 36 / 00 01 02 03 05 06 15\n",
		"00 01 02 03 05 06 15 / 66 16 24 26 33 34 36\r\n 0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6", "66 / 00\n", "66 66 24 26 33 34 36 / 00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		deals, swaps, err := readDeals(strings.NewReader(text), "name")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "name:") || strings.Contains(err.Error(), "\n") || deals != nil {
				t.Fatalf("%q: %v", err, deals)
			}
			return
		}
		var again strings.Builder
		for i, d := range deals {
			if swaps[i] {
				d.Starter, d.Second = d.Second, d.Starter
			}
			fmt.Fprintln(&again, d)
		}
		back, turned, err := readDeals(strings.NewReader(again.String()), "name")
		if err != nil || !slices.Equal(back, deals) || !slices.Equal(turned, swaps) {
			t.Fatalf("%q reads as %v: %v", again.String(), back, err)
		}
	})
}
