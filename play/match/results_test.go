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

// results adds the games of a file of bench/runs to games, by board and players.
func results(t *testing.T, name string, order []string, games map[string][]Record) []string {
	t.Helper()
	f := must(os.Open(name))(t)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, word := range rows[0] {
		at[word] = i + 1
	}
	for _, row := range rows[1:] {
		field := func(word string) string { return append([]string{""}, row...)[at[word]] }
		number := func(word string) (n float64) {
			if text := field(word); text != "" {
				if n, err = strconv.ParseFloat(text, 64); err != nil {
					t.Fatal(err)
				}
			}
			return n
		}
		// Pairs of two seeds are different pairs.
		r := Record{Game: field("game"), Rules: field("rules"), A: field("a"), B: field("b"), Pair: int(number("seed"))<<20 + int(number("pair")),
			Seating: field("seating"), Winner: field("winner"), Ending: Ending(field("ending")), Below: field("below"),
			APoints: int(number("a_points")), BPoints: int(number("b_points")), ALate: number("a_late_seconds"), BLate: number("b_late_seconds"),
			AMax: number("a_max_seconds"), BMax: number("b_max_seconds")}
		key := r.Game + " " + r.A + " " + r.B
		if games[key] == nil {
			order = append(order, key)
		}
		games[key] = append(games[key], r)
	}
	return order
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

// TestPlayersDocument: the tables of docs/players.md follow from the files of bench/runs: a row
// for each board of the ladder, with each level against the one below it, one for each match
// with another program, and one for each field of the tournament.
func TestPlayersDocument(t *testing.T) {
	text := must(os.ReadFile("../../docs/players.md"))(t)
	names, err := filepath.Glob("../../bench/runs/2026-11-2[45]-players/*.csv")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	order, games := map[string][]string{}, map[string]map[string][]Record{}
	for _, name := range names {
		base := filepath.Base(name)
		if games[base] == nil {
			games[base] = map[string][]Record{}
		}
		order[base] = results(t, name, order[base], games[base])
	}
	for base, keys := range order {
		for _, row := range tableRows(base, keys, games[base]) {
			if !strings.Contains(string(text), row+"\n") {
				t.Errorf("%s: no such row in docs/players.md:\n%s", base, row)
			}
		}
	}
}

// tableRows are the document's rows for games with a name.
func tableRows(base string, order []string, games map[string][]Record) (rows []string) {
	kind, _, _ := strings.Cut(base, "-")
	ladder := ""
	var all []Record
	for _, key := range order {
		list := games[key]
		r, s := list[0], NewStanding(list)
		switch kind {
		case "ladder":
			if ladder == "" {
				ladder = "| " + r.Game + " |"
			}
			ladder += " " + elo(s) + " |"
		case "tournament":
			all = append(all, list...)
		default:
			rows = append(rows, fmt.Sprintf("| %s | `%s` | `%s` | %d / %d / %d | %s |", r.Game, r.A, r.B, s.Won, s.Drawn, s.Lost, elo(s)))
		}
	}
	if ladder != "" {
		rows = append(rows, ladder)
	}
	if len(all) > 0 {
		s, late, longest := NewStanding(all), 0, 0.0
		for _, r := range all {
			longest = max(longest, r.AMax)
			if r.ALate > 0 || r.BLate > 0 {
				late++
			}
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %d | %d | %d / %d / %d | %d : %d | %d : %d | %d | %.2f s |",
			all[0].B, len(order), s.Games, s.Won, s.Drawn, s.Lost, s.PointsA, s.PointsB, s.BelowA, s.BelowB, late, longest))
	}
	return rows
}
