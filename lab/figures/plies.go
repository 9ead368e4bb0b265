package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"perfectplay/internal/plot"
)

// printed is the file of the searches of the thesis, a row an opening.
const printed = "../thesis2025/halma_tree_search_2025.csv"

// plies draws, for stars of 37 holes and more, the plies settled by a search over its processor
// seconds: those of stars.csv, which settle all plies before a loss or win or the horizon, and
// those printed in the thesis, all openings of a table together.
func (p *pages) plies(w io.Writer) error {
	stars, err := readTable(filepath.Join(p.dir, "stars.csv"))
	if err != nil {
		return err
	}
	here := plot.Dots{Name: "here"}
	for _, row := range stars.rows {
		if strings.HasPrefix(row["game"], "halma-star13-") || row["source"] != "search" {
			continue
		}
		deep := row["not_within"]
		if row["distance"] != "" {
			deep = row["distance"]
		}
		here.Points = append(here.Points, plot.Point{X: number(row["processor_seconds"]), Y: number(deep)})
	}
	there := plot.Dots{Name: "the thesis of 2025"}
	f, err := os.Open(printed)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", printed, err)
	}
	place := map[string]int{}
	for i, name := range lines[0] {
		place[name] = i
	}
	table := ""
	for _, line := range lines[1:] {
		cell := func(name string) string { return line[place[name]] }
		pieces, err := strconv.Atoi(cell("pieces"))
		if err != nil {
			return fmt.Errorf("%s: %w", printed, err)
		}
		if pieces < 3 {
			continue
		}
		if cell("table") != table {
			table = cell("table")
			there.Points = append(there.Points, plot.Point{Y: number(cell("turn_limit"))})
		}
		there.Points[len(there.Points)-1].X += number(cell("time_ms")) / 1000
	}
	return plot.Write(w, "svg", plot.Panel{Title: "Stars of 37 holes and more: plies settled", X: "seconds", Y: "plies",
		Sets: []plot.Dots{here, there}, LogX: true})
}
