package strong

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// PlotDistances draws how many positions are won and lost at each distance, as
// SVG: wins upwards from the axis, losses downwards. The slices are indexed by
// plies.
func PlotDistances(w io.Writer, title string, wins, losses []uint64) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = "plies to the end"
	p.Y.Label.Text = "positions: won above, lost below"
	values := func(counts []uint64, sign float64) plotter.Values {
		v := make(plotter.Values, len(counts))
		for d, n := range counts {
			v[d] = sign * float64(n)
		}
		return v
	}
	width := vg.Points(400 / float64(max(1, len(wins))))
	for _, series := range []struct {
		name   string
		values plotter.Values
		colour color.Color
	}{
		{"won", values(wins, 1), color.RGBA{0x2b, 0x6c, 0xb0, 0xff}},
		{"lost", values(losses, -1), color.RGBA{0xc0, 0x56, 0x21, 0xff}},
	} {
		bars, err := plotter.NewBarChart(series.values, width)
		if err != nil {
			return fmt.Errorf("strong: plot: %w", err)
		}
		bars.Color = series.colour
		bars.LineStyle.Width = 0
		p.Add(bars)
		p.Legend.Add(series.name, bars)
	}
	p.Legend.Top = true
	canvas, err := p.WriterTo(16*vg.Centimeter, 10*vg.Centimeter, "svg")
	if err != nil {
		return fmt.Errorf("strong: plot: %w", err)
	}
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("strong: plot: %w", err)
	}
	return nil
}

// The SVG canvas registers itself with package draw.
var _ = vgsvg.New
