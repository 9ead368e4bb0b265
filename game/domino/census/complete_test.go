package census

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/lab/study2025"
)

// runs holds the tables of the complete census.
const runs = "../../../bench/runs/2026-11-21-epyc-2-threads-domino"

// table reads a file of runs: its rows, with columns by name.
func table(t *testing.T, name string) []map[string]string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(runs, name))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, r := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = r[i]
		}
		list = append(list, m)
	}
	return list
}

// integer and decimal read a column.
func integer(t *testing.T, row map[string]string, name string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(row[name], 10, 64)
	if err != nil {
		t.Fatalf("column %s: %v", name, err)
	}
	return n
}

func decimal(t *testing.T, row map[string]string, name string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(row[name], 64)
	if err != nil {
		t.Fatalf("column %s: %v", name, err)
	}
	return x
}

// near compares means up to rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

// TestCompleteDoubles checks the table by starting double against combinatorics, its last row and
// the embedded copy.
func TestCompleteDoubles(t *testing.T) {
	file, err := os.ReadFile(filepath.Join(runs, "census-doubles.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, completeCSV) {
		t.Error("complete.csv is not the published table")
	}
	rows := table(t, "census-doubles.csv")
	if len(rows) != domino.Numbers+1 {
		t.Fatalf("%d rows", len(rows))
	}
	all := rows[domino.Numbers]
	for _, column := range []string{"games", "starter_wins", "draws", "starter_losses", "lines", "blocked_lines", "single_line_games",
		"one_tile_games", "only_negative_games", "only_zero_games", "only_positive_games"} {
		sum := int64(0)
		for _, r := range rows[:domino.Numbers] {
			sum += integer(t, r, column)
		}
		if want := integer(t, all, column); sum != want {
			t.Errorf("%s: the rows add up to %d, not %d", column, sum, want)
		}
	}
	for d, r := range rows[:domino.Numbers] {
		if r["start"] != domino.Double(d).String() || integer(t, r, "games") != gamesByDouble(d) || integer(t, r, "one_tile_games") != 1716*choose(15+d, 13) {
			t.Errorf("row %s", r["start"])
		}
	}
	if got := Complete(); got.Games != domino.GameCount || got.OneTile != 319755*1716 || got.MostLines != 35850 {
		t.Errorf("%+v", got)
	}
}

// TestCompleteValues checks the distribution of values against outcomes and mean
// scores by starting double.
func TestCompleteValues(t *testing.T) {
	doubles, values := table(t, "census-doubles.csv"), table(t, "census-values.csv")
	for i, r := range doubles {
		column := "games"
		if i < domino.Numbers {
			column = "start_" + strconv.Itoa(i)
		}
		var games, wins, draws, losses, sum int64
		last := int64(-domino.MaxScore - 1)
		for _, v := range values {
			score, n := integer(t, v, "value"), integer(t, v, column)
			if score <= last {
				t.Fatalf("values %d and %d are not in order", last, score)
			}
			last = score
			games += n
			sum += score * n
			switch {
			case score > 0:
				wins += n
			case score == 0:
				draws += n
			default:
				losses += n
			}
		}
		if games != integer(t, r, "games") || wins != integer(t, r, "starter_wins") || draws != integer(t, r, "draws") ||
			losses != integer(t, r, "starter_losses") || !near(float64(sum)/float64(games), decimal(t, r, "mean_score")) {
			t.Errorf("start %s: by value %d games, %d won, %d drawn, %d lost, sum of scores %d", r["start"], games, wins, draws, losses, sum)
		}
	}
}

// TestCompleteLines checks the distribution of lines of play against the table
// by starting double, and its end against the list of the widest deals.
func TestCompleteLines(t *testing.T) {
	doubles, lines, widest := table(t, "census-doubles.csv"), table(t, "census-lines.csv"), table(t, "census-widest.csv")
	all := doubles[domino.Numbers]
	var games, sum, last, median int64
	for _, r := range lines {
		n, count := integer(t, r, "lines"), integer(t, r, "games")
		if n <= last || count <= 0 {
			t.Fatalf("%d lines: %d games", n, count)
		}
		last = n
		if games += count; median == 0 && 2*games >= domino.GameCount {
			median = n
		}
		sum += n * count
	}
	if games != domino.GameCount || sum != integer(t, all, "lines") || last != integer(t, all, "most_lines") || median != integer(t, all, "median_lines") ||
		integer(t, lines[0], "lines") != 1 || integer(t, lines[0], "games") != integer(t, all, "single_line_games") ||
		!near(float64(sum)/float64(games), decimal(t, all, "mean_lines")) {
		t.Errorf("%d games, %d lines, most %d, median %d", games, sum, last, median)
	}
	if n := integer(t, lines[len(lines)-1], "games"); n != int64(len(widest)) {
		t.Errorf("%d games with most lines, %d listed", n, len(widest))
	}
	seen := map[string]bool{}
	for _, r := range widest {
		d, swapped, err := domino.ParseDeal(r["deal"])
		if err != nil || swapped || seen[r["deal"]] || integer(t, r, "lines") != last {
			t.Fatalf("%v: %v", r, err)
		}
		seen[r["deal"]] = true
		n := int64(0)
		domino.WalkLeaves(d.Start(), func(domino.Position) { n++ })
		if n != last {
			t.Errorf("%v: %d lines by a walk over its tree, want %d", d, n, last)
		}
	}
}

// TestCompleteRoles checks the sums over hands by role against the sums by starting double and
// against combinatorics.
func TestCompleteRoles(t *testing.T) {
	doubles, roles := table(t, "census-doubles.csv"), table(t, "census-roles.csv")
	all := doubles[domino.Numbers]
	for _, role := range []string{"starter", "second"} {
		var games, wins, draws, score, lines, blocked int64
		for _, r := range roles {
			if r["role"] != role {
				continue
			}
			games += integer(t, r, "games")
			wins += integer(t, r, "wins")
			draws += integer(t, r, "draws")
			score += integer(t, r, "score")
			lines += integer(t, r, "lines")
			blocked += integer(t, r, "blocked_lines")
		}
		won, sign := "starter_wins", 1.0
		if role == "second" {
			won, sign = "starter_losses", -1
		}
		if games != domino.GameCount || wins != integer(t, all, won) || draws != integer(t, all, "draws") || lines != integer(t, all, "lines") ||
			blocked != integer(t, all, "blocked_lines") || !near(sign*float64(score)/float64(games), decimal(t, all, "mean_score")) {
			t.Errorf("%s: %d games, %d won, %d drawn, score %d, %d lines, %d blocked", role, games, wins, draws, score, lines, blocked)
		}
	}
	// A hand with a double plays against all 21 over 7 hands of the other 21 tiles. A hand without
	// a double plays only against hands with a double.
	byDoubles := map[int64]int64{}
	for _, r := range roles {
		byDoubles[integer(t, r, "doubles")] += integer(t, r, "games")
	}
	for d, games := range byDoubles {
		hands := choose(7, int(d)) * choose(21, 7-int(d))
		others := choose(21, 7)
		if d == 0 {
			others -= choose(14, 7)
		}
		if games != hands*others {
			t.Errorf("hands with %d doubles: %d games, want %d", d, games, hands*others)
		}
	}
}

// TestCompleteHands checks the ends of the ranking, and compares the rows of the study's eleven
// hands with its printed tables.
func TestCompleteHands(t *testing.T) {
	for _, name := range []string{"census-hands.csv", "census-weakest.csv"} {
		step := int64(1)
		if name == "census-weakest.csv" {
			step = -1
		}
		var last map[string]string
		for _, r := range table(t, name) {
			checkHand(t, r)
			if last != nil && (integer(t, r, "place") != integer(t, last, "place")+step ||
				float64(step)*(decimal(t, r, "mean_score")-decimal(t, last, "mean_score")) > 0) {
				t.Errorf("%s: place %s after %s", name, r["place"], last["place"])
			}
			last = r
		}
	}
	rows := map[string]map[string]string{}
	for _, r := range table(t, "census-study.csv") {
		checkHand(t, r)
		rows[r["hand"]] = r
	}
	hands := study2025.Hands()
	if len(rows) != len(hands) {
		t.Fatalf("%d of the study's %d hands", len(rows), len(hands))
	}
	for _, h := range hands {
		r := rows[h.Tiles().String()]
		got := [3]string{}
		for i, column := range []string{"mean_lines", "win_percent", "blocked_percent"} {
			got[i] = strconv.FormatFloat(decimal(t, r, column), 'f', 2, 64)
		}
		if want := [3]string{h.MeanLeaves, h.Win, h.Blocked}; got != want {
			t.Errorf("table %s: the census has %v, printed %v", h.Table, got, want)
		}
	}
}

// checkHand checks the games in a row of the ranking, and how many of them the hand starts.
func checkHand(t *testing.T, r map[string]string) {
	t.Helper()
	hand, err := domino.ParseHand(r["hand"])
	if err != nil {
		t.Fatal(err)
	}
	doubles := hand & domino.Doubles
	games, starts := choose(21, 7), int64(0)
	if doubles == 0 {
		games -= choose(14, 7)
	} else {
		starts = choose(21-(6-doubles.Max().Low()), 7)
	}
	if integer(t, r, "games") != games || integer(t, r, "starts") != starts {
		t.Errorf("%v: %s games, %s starts; want %d, %d", hand, r["games"], r["starts"], games, starts)
	}
}

// TestCheckHands removes a game from thirteen hands: Check names ten of them and counts the
// others.
func TestCheckHands(t *testing.T) {
	tally := newTally()
	for h := range tally.Hands {
		tally.Hands[h][0].Games = choose(21, 7)
		if domino.UnrankHand(h)&domino.Doubles == 0 {
			tally.Hands[h][0].Games -= choose(14, 7)
		}
		tally.Hands[h][0].Leaves = tally.Hands[h][0].Games
	}
	count := func() (hands, more int, games string) {
		for _, line := range tally.Check() {
			switch {
			case strings.HasPrefix(line, "games of hand "):
				hands++
			case strings.HasPrefix(line, "games by starter's hand"):
				games = line
			}
			fmt.Sscanf(line, "games of %d more hands", &more)
		}
		return hands, more, games
	}
	if hands, more, games := count(); hands != 0 || more != 0 || !strings.Contains(games, ": 137281098240, want 0") {
		t.Errorf("whole: %d hands and %d more, %q", hands, more, games)
	}
	for h := range 13 {
		tally.Hands[90000*h][0].Games--
	}
	if hands, more, games := count(); hands != 10 || more != 3 || !strings.Contains(games, ": 137281098227, want 0") {
		t.Errorf("13 bad hands: %d and %d more, %q", hands, more, games)
	}
}
