// Package study2025 holds the figures that a study printed: a bachelor's thesis
// in computer science at the University of Bologna, 2024/25, on the game tree of
// block dominoes. The figures are text files beside the code, as printed; what
// is wrong about them is said where they are compared with ours.
package study2025

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"strconv"

	"perfectplay/game/domino"
)

//go:embed hands.csv
var handsCSV []byte

//go:embed totals.csv
var totalsCSV []byte

//go:embed players.csv
var playersCSV []byte

// Hand is a row of tables 3.1 to 3.11: a hand against all 116,280 hands that the
// other player may hold. The figures are as printed.
type Hand struct {
	Table      string
	Hand       domino.Set
	MeanLeaves string
	Win        string // deals that the owner wins, in percent
	Blocked    string // of all lines of play, in percent
}

// Hands lists the eleven rows.
func Hands() []Hand {
	var list []Hand
	for _, r := range rows(handsCSV) {
		hand, err := domino.ParseHand(r[1])
		if err != nil {
			panic("study2025: Hands: " + err.Error())
		}
		list = append(list, Hand{Table: r[0], Hand: hand, MeanLeaves: r[4], Win: r[5], Blocked: r[6]})
	}
	return list
}

// Total is a printed total.
type Total struct {
	Name, Value, About string
}

// Number is the value.
func (t Total) Number() float64 { return number(t.Value) }

// Totals lists the printed totals by name.
func Totals() map[string]Total {
	m := map[string]Total{}
	for _, r := range rows(totalsCSV) {
		m[r[0]] = Total{r[0], r[1], r[2]}
	}
	return m
}

// Match is an entry of table 4.1, a mean score, or 4.2, a percentage.
type Match struct {
	Table, Row, Column, Value string
}

// Scores reports whether the entry is a mean score.
func (m Match) Scores() bool { return m.Table == "4.1" }

// Matches lists the entries.
func Matches() []Match {
	var list []Match
	for _, r := range rows(playersCSV) {
		list = append(list, Match{r[0], r[1], r[2], r[3]})
	}
	return list
}

// SampleDeal is the deal of the sample of the log, and SampleEnd the last eight
// scores of its lines as printed.
const (
	SampleDeal = "6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5"
	SampleEnd  = "-3X 2 2 -3X 1 -3X 1 1"
	WidestDeal = "0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6"
)

// LosingDeals lists deals that the hand of all sixes loses.
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

// rows reads a file without its header.
func rows(file []byte) [][]string {
	all, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		panic("study2025: " + err.Error())
	}
	return all[1:]
}

// number reads a printed number.
func number(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("study2025: " + err.Error())
	}
	return f
}
