package domino

import (
	"context"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/players"
	"perfectplay/internal/cli"
)

// TestSurprises: known wrong figures in print are expected, others are not.
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
	// A difference from the census is a surprise even if print is known to be wrong.
	wrong := estimate("y", "99", 5, 1, 0, "").wrong()
	if surprises([]figure{wrong.beside(5, "%.0f")}) != 0 ||
		surprises([]figure{wrong.beside(11, "%.0f")}) != 1 {
		t.Error("print and census are confused")
	}
}

// TestTournamentError: the printed share has the error of its own number of tournaments.
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

// TestStudyErrors: the study drew one deal of each board, so its errors are smaller than the errors
// of as many independent deals, 0.16 lines and 597 boards.
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
