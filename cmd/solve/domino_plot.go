package main

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"perfectplay/game/domino/census"
	"perfectplay/internal/cli"
)

// checkPlot refuses a file name that says no format, before the work begins.
func checkPlot(name string) error {
	if name == "" || slices.Contains([]string{".svg", ".png", ".pdf"}, filepath.Ext(name)) {
		return nil
	}
	return cli.Usagef("--plot %q: want a name that ends in .svg, .png or .pdf", name)
}

// plotColor fills the bars.
var plotColor = color.RGBA{R: 60, G: 100, B: 160, A: 255}

// savePlot writes a figure.
func savePlot(p *plot.Plot, name string) error {
	if err := p.Save(18*vg.Centimeter, 11*vg.Centimeter, name); err != nil {
		return fmt.Errorf("plot %s: %w", name, err)
	}
	return nil
}

// plotLines draws games by number of lines of play, in a hundred bars.
func plotLines(name, title string, lines []int64) error {
	most := 0
	for n, games := range lines {
		if games > 0 {
			most = n
		}
	}
	const bars = 100
	width := most/bars + 1
	bins := make([]plotter.HistogramBin, most/width+1)
	for i := range bins {
		bins[i].Min, bins[i].Max = float64(i*width), float64((i+1)*width)
	}
	for n, games := range lines[:most+1] {
		bins[n/width].Weight += float64(games)
	}
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = "lines of play"
	p.Y.Label.Text = fmt.Sprintf("deals, in steps of %d lines", width)
	p.Add(&plotter.Histogram{Bins: bins, Width: float64(width), FillColor: plotColor})
	return savePlot(p, name)
}

// plotValues draws games by value.
func plotValues(name string, c *census.Counts) error {
	var bins []plotter.HistogramBin
	for i, n := range c.Values {
		v := float64(census.ScoreOf(i))
		bins = append(bins, plotter.HistogramBin{Min: v - 0.5, Max: v + 0.5, Weight: float64(n)})
	}
	p := plot.New()
	p.Title.Text = "games by value with perfect play"
	p.X.Label.Text = "score for the starter"
	p.Y.Label.Text = "games"
	p.Add(&plotter.Histogram{Bins: bins, Width: 1, FillColor: plotColor})
	return savePlot(p, name)
}

// plotRanking draws mean score and share of wins of the hands by their place.
func plotRanking(name string, hands *census.Hands) error {
	order := hands.Ranking()
	const points = 1000
	var score, wins plotter.XYs
	for i := range points {
		at := i * (len(order) - 1) / (points - 1)
		if i > 0 && at == (i-1)*(len(order)-1)/(points-1) {
			continue
		}
		total := hands.Total(int(order[at]))
		score = append(score, plotter.XY{X: float64(at + 1), Y: total.MeanScore()})
		wins = append(wins, plotter.XY{X: float64(at + 1), Y: 100 * total.WinShare()})
	}
	p := plot.New()
	p.Title.Text = "hands by mean score over all opponents"
	p.X.Label.Text = "place in the ranking"
	p.Y.Label.Text = "mean score; wins in percent"
	line, err := plotter.NewLine(score)
	if err != nil {
		return fmt.Errorf("plot %s: %w", name, err)
	}
	line.Color = plotColor
	dots, err := plotter.NewScatter(wins)
	if err != nil {
		return fmt.Errorf("plot %s: %w", name, err)
	}
	dots.Radius = vg.Points(0.8)
	dots.Color = color.RGBA{R: 180, G: 90, B: 40, A: 255}
	p.Add(plotter.NewGrid(), line, dots)
	p.Legend.Add("mean score", line)
	p.Legend.Add("wins, %", dots)
	p.Legend.Top = true
	return savePlot(p, name)
}
