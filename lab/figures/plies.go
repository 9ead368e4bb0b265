package main

import (
	"io"
	"path/filepath"
	"strings"

	"perfectplay/internal/plot"
	"perfectplay/lab/thesis2025"
)

// plies draws the plies that a search settles over its processor seconds, for stars of 37 holes and
// more: the searches of stars.csv, and the searches of the thesis, all openings of a table
// together.
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
	table := ""
	for _, row := range thesis2025.Published() {
		if row.Pieces < 3 {
			continue
		}
		if row.Table != table {
			table = row.Table
			there.Points = append(there.Points, plot.Point{Y: float64(row.Limit)})
		}
		there.Points[len(there.Points)-1].X += float64(row.Millis) / 1000
	}
	return plot.Write(w, "svg", plot.Panel{Title: "Stars of 37 holes and more: plies settled", X: "seconds", Y: "plies",
		Dots: []plot.Dots{here, there}, LogX: true})
}
