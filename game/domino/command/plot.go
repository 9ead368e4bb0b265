package command

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"perfectplay/game/domino/census"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
)

// checkPlot refuses, before the work begins, a file name that says no format
// and a directory that cannot be written.
func checkPlot(name string) error {
	switch {
	case name == "":
		return nil
	case !slices.Contains([]string{".svg", ".png", ".pdf"}, filepath.Ext(name)):
		return cli.Usagef("--plot %q: want a name that ends in .svg, .png or .pdf", name)
	}
	return files.Writable("the plot", name)
}

// plotColor fills the bars.
var plotColor = color.RGBA{R: 60, G: 100, B: 160, A: 255}

// padPlot keeps what is drawn away from the edges.
func padPlot(p *plot.Plot) {
	p.Title.Padding = vg.Points(6)
	p.X.Padding, p.Y.Padding = vg.Points(4), vg.Points(4)
}

// savePlot writes a figure.
func savePlot(p *plot.Plot, name string) error {
	padPlot(p)
	return savePlots(name, p)
}

// savePlots writes figures below each other, with their axes in line. The file
// takes its name once it is complete.
func savePlots(name string, plots ...*plot.Plot) error {
	const width, height, margin = 18 * vg.Centimeter, 11 * vg.Centimeter, 10
	canvas, err := draw.NewFormattedCanvas(width, height*vg.Length(len(plots)+1)/2, strings.TrimPrefix(filepath.Ext(name), "."))
	if err != nil {
		return fmt.Errorf("plot %s: %w", name, err)
	}
	rows := make([][]*plot.Plot, len(plots))
	for i, p := range plots {
		p.BackgroundColor = color.White
		rows[i] = []*plot.Plot{p}
	}
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadLeft: margin, PadRight: 3 * margin, PadTop: margin, PadBottom: margin, PadY: margin}
	for i, row := range plot.Align(rows, tiles, all) {
		plots[i].Draw(row[0])
	}
	err = files.Write(name, func(w io.Writer) error {
		_, err = canvas.WriteTo(w)
		return err
	})
	if err != nil {
		return fmt.Errorf("plot %s: %w", name, err)
	}
	return nil
}

// thousands writes the numbers at an axis with commas.
type thousands struct{}

// Ticks returns the usual places, those with a number written in full.
func (thousands) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if !t.IsMinor() && math.Abs(t.Value) >= 1000 {
			ticks[i].Label = cli.Count(int64(math.Round(t.Value)))
		}
	}
	return ticks
}

// decades writes 1, 10, 100, … at an axis of heights as logarithm returns them.
// The library's own logarithmic scale leaves a fifth of such a figure empty.
type decades struct{}

// Ticks returns the powers of ten up to the height high.
func (decades) Ticks(_, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := 1.0; logarithm(v) <= high; v *= 10 {
		ticks = append(ticks, plot.Tick{Value: logarithm(v), Label: cli.Count(int64(v))})
	}
	return ticks
}

// logarithm is the height of a bar of so many deals: 0 for none, and enough to
// be seen for one.
func logarithm(deals float64) float64 {
	const foot = 0.5
	return math.Log10(max(deals, foot) / foot)
}

// plotLines draws deals by number of lines of play, in about a hundred bars,
// which are lines[n] deals with n lines each. With logarithmic heights the few
// deals with very many lines can be seen.
func plotLines(name, title string, lines []int64, logarithmic bool) error {
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
	for n, games := range lines[:min(most+1, len(lines))] {
		bins[n/width].Weight += float64(games)
	}
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = "lines of play"
	p.X.Tick.Marker = thousands{}
	p.Y.Label.Text = fmt.Sprintf("deals, in steps of %d lines", width)
	p.Y.Tick.Marker = thousands{}
	if logarithmic {
		for i := range bins {
			bins[i].Weight = logarithm(bins[i].Weight)
		}
		p.Y.Tick.Marker = decades{}
	}
	p.Add(&plotter.Histogram{Bins: bins, Width: float64(width), FillColor: plotColor})
	return savePlot(p, name)
}

// plotValues draws games by value.
func plotValues(name string, c *census.Counts) error {
	var bins []plotter.HistogramBin
	const million = 1e6
	first, last := len(c.Values), 0
	for i, n := range c.Values {
		if n > 0 {
			first, last = min(first, i), max(last, i)
		}
	}
	for i := first; i <= last; i++ {
		v := float64(census.ScoreOf(i))
		bins = append(bins, plotter.HistogramBin{Min: v - 0.5, Max: v + 0.5, Weight: float64(c.Values[i]) / million})
	}
	p := plot.New()
	p.Title.Text = "Games by value with perfect play"
	p.X.Label.Text = "score for the starter"
	p.Y.Label.Text = "million games"
	p.Y.Tick.Marker = thousands{}
	p.Add(&plotter.Histogram{Bins: bins, Width: 1, FillColor: plotColor})
	return savePlot(p, name)
}

// plotRanking draws the hands in the order of their ranking: above their mean
// scores, below their shares of wins.
func plotRanking(name string, hands *census.Hands) error {
	order := hands.Ranking()
	points := min(500, len(order))
	var score, wins plotter.XYs
	for i := range points {
		at := i * (len(order) - 1) / max(points-1, 1)
		total := hands.Total(int(order[at]))
		score = append(score, plotter.XY{X: float64(at + 1), Y: total.MeanScore()})
		wins = append(wins, plotter.XY{X: float64(at + 1), Y: 100 * total.WinShare()})
	}
	above, below := plot.New(), plot.New()
	above.Title.Text = "All hands, by their mean score over all opponents"
	above.Y.Label.Text = "mean score"
	below.Y.Label.Text = "games won, %"
	below.X.Label.Text = "place in the ranking"
	line, err := plotter.NewLine(score)
	if err != nil {
		return fmt.Errorf("plot %s: %w", name, err)
	}
	line.Color, line.Width = plotColor, vg.Points(1.5)
	dots, err := plotter.NewScatter(wins)
	if err != nil {
		return fmt.Errorf("plot %s: %w", name, err)
	}
	dots.Radius, dots.Shape, dots.Color = vg.Points(1), draw.CircleGlyph{}, plotColor
	above.Add(plotter.NewGrid(), line)
	below.Add(plotter.NewGrid(), dots)
	for _, p := range []*plot.Plot{above, below} {
		p.X.Tick.Marker = thousands{}
		padPlot(p)
	}
	return savePlots(name, above, below)
}
