// Package study2025 holds the printed figures of a study of the game tree of block dominoes: a
// bachelor's thesis in computer science at the University of Bologna, 2024/25. Misprints are not
// corrected.
package study2025

import (
	"embed"

	"perfectplay/game/domino"
	"perfectplay/internal/rows"
)

//go:embed *.csv
var files embed.FS

// Hand is a row of tables 3.1 to 3.11: a hand against all 116,280 hands of the other player.
type Hand struct {
	Table      string `json:"table"`
	Hand       string `json:"hand"`
	Matches    string `json:"matches"`
	MeanTime   string `json:"mean_ms"`
	MeanLeaves string `json:"mean_leaves"`
	Win        string `json:"owner_win_percent"`    // percentage of deals that the owner wins
	Blocked    string `json:"blocked_leaf_percent"` // percentage of all lines of play that end blocked
}

// Tiles is the hand.
func (h Hand) Tiles() domino.Set {
	s, err := domino.ParseHand(h.Hand)
	if err != nil {
		panic("study2025: " + err.Error())
	}
	return s
}

// Hands lists the eleven rows.
func Hands() []Hand { return read[Hand]("hands.csv") }

// Totals lists the printed totals by name.
func Totals() map[string]string {
	m := map[string]string{}
	for _, t := range read[struct {
		Name  string `json:"name"`
		Value string `json:"value"`
		About string `json:"about"`
	}]("totals.csv") {
		m[t.Name] = t.Value
	}
	return m
}

// Match is an entry of table 4.1, a mean score, or 4.2, a percentage.
type Match struct {
	Table  string `json:"table"`
	Row    string `json:"row"`
	Column string `json:"column"`
	Value  string `json:"value"`
	About  string `json:"about"`
}

// Scores reports whether the entry is a mean score.
func (m Match) Scores() bool { return m.Table == "4.1" }

// Matches lists the entries.
func Matches() []Match { return read[Match]("players.csv") }

// SampleDeal is the deal of the printed log, SampleEnd the last eight scores of its lines.
// WidestDeal has the most lines that the study met.
const (
	SampleDeal = "6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5"
	SampleEnd  = "-3X 2 2 -3X 1 -3X 1 1"
	WidestDeal = "0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6"
)

// LosingDeals lists deals lost by the hand of all sixes.
func LosingDeals() []string {
	const sixes = "0|6 1|6 2|6 3|6 4|6 5|6 6|6 / "
	return []string{
		sixes + "0|0 0|2 1|1 2|2 2|5 3|3 4|4",
		sixes + "0|0 0|1 0|2 1|1 1|2 3|3 4|4",
		sixes + "0|1 1|1 1|2 1|3 1|4 1|5 3|3",
		sixes + "0|0 1|0 2|0 3|0 4|0 5|0 1|1",
		sixes + "0|4 1|1 1|4 2|4 3|4 4|4 4|5",
	}
}

func read[T any](name string) (list []T) {
	file, err := files.Open(name)
	if err == nil {
		err = rows.Read(file, func(record T) { list = append(list, record) })
	}
	if err != nil {
		panic("study2025: " + name + ": " + err.Error())
	}
	return list
}
