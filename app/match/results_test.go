package match

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// results are the games of a file of bench/runs, by board and players, in their order.
func results(t *testing.T, name string) (order []string, games map[string][]Record) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, word := range rows[0] {
		at[word] = i
	}
	games = map[string][]Record{}
	for _, row := range rows[1:] {
		pair, err := strconv.Atoi(row[at["pair"]])
		if err != nil {
			t.Fatal(err)
		}
		r := Record{Game: row[at["game"]], Rules: row[at["rules"]], A: row[at["a"]], B: row[at["b"]], Pair: pair,
			Seating: row[at["seating"]], Winner: row[at["winner"]], Ending: Ending(row[at["ending"]])}
		key := r.Game + " " + r.A + " " + r.B
		if games[key] == nil {
			order = append(order, key)
		}
		games[key] = append(games[key], r)
	}
	return order, games
}

// elo is a difference in Elo with its bounds.
func elo(s Standing) string {
	text := func(d *float64, none string) string {
		if d == nil {
			return none
		}
		return strings.Replace(fmt.Sprintf("%+.0f", *d), "-", "−", 1)
	}
	if s.Elo == nil {
		return "> " + text(s.Low, "")
	}
	return fmt.Sprintf("%s (%s … %s)", text(s.Elo, ""), text(s.Low, "−∞"), text(s.High, "+∞"))
}

// TestPlayersDocument: the tables of docs/players.md are what the files of bench/runs say:
// a row for each board of the ladder, with each level against the one below it, and one for
// each match with another program.
func TestPlayersDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/players.md")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../bench/runs/2026-11-24-players/*.csv")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	for _, name := range names {
		order, games := results(t, name)
		var rows []string
		ladder := ""
		for _, key := range order {
			list := games[key]
			r, s := list[0], NewStanding(list)
			switch base := filepath.Base(name); {
			case !strings.HasPrefix(base, "ladder-"):
				rows = append(rows, fmt.Sprintf("| %s | `%s` | `%s` | %d / %d / %d | %s |", r.Game, r.A, r.B, s.Won, s.Drawn, s.Lost, elo(s)))
			case ladder == "":
				ladder = "| " + r.Game + " |"
				fallthrough
			default:
				ladder += " " + elo(s) + " |"
			}
		}
		if ladder != "" {
			rows = append(rows, ladder)
		}
		for _, row := range rows {
			if !strings.Contains(string(text), row+"\n") {
				t.Errorf("%s: no such row in docs/players.md:\n%s", filepath.Base(name), row)
			}
		}
	}
}
