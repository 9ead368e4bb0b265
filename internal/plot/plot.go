// Package plot draws counts and curves into files: [Save] writes panels below each other as svg,
// png or pdf, by the end of the file's name. It knows no game.
//
// Fonts in SVG are fonts of the viewer: the text names families that most systems have.
package plot

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg" // png
	_ "gonum.org/v1/plot/vg/vgpdf" // pdf
	_ "gonum.org/v1/plot/vg/vgsvg" // svg

	"perfectplay/internal/cli"
	"perfectplay/internal/files"
)

// Panel is one diagram. Bars are drawn first, then the dots, then the line.
type Panel struct {
	Title string // text above the panel
	X, Y  string // labels of the axes
	Bars  []Bars
	Line  []Point
	Dots  []Dots // each set in its own colour
	Log   bool   // the bars' heights are drawn as their logarithms
	LogX  bool   // the dots' first coordinates are drawn as logarithms; they are above 0
}

// Dots are a set of dots with a name, which the legend shows.
type Dots struct {
	Name   string // name in the legend; empty for none
	Points []Point
}

// Bars are counts at equal steps: bar i stands between Start+i·Width and
// Start+(i+1)·Width.
type Bars struct {
	Name         string // name in the legend; empty for none
	Start, Width float64
	Heights      []float64 // heights of the bars, not negative
	Down         bool      // bars are drawn below the axis
}

// Point is a point of a line, or a dot.
type Point = plotter.XY

// Flag adds --plot, which draws what its help says. Before the command runs it refuses a file name
// without a known format, as an error of usage, and a file that cannot be written or is not a plot,
// see [cli.Replaceable]. An empty name means no plot.
func Flag(cmd *cobra.Command, name *string, what string) {
	cmd.Flags().StringVar(name, "plot", "", "draw "+what+" to `FILE`: svg, png or pdf")
	cli.Before(cmd, func() error {
		if *name == "" {
			return nil
		}
		f, err := format(*name)
		if err != nil {
			return err
		}
		return cli.Replaceable(cmd, "the plot", *name, cli.BeginsWith(kinds[f]...))
	})
}

// kinds are the first bytes of files of a format.
var kinds = map[string][]string{"svg": {"<?xml", "<svg"}, "png": {"\x89PNG"}, "pdf": {"%PDF"}}

func format(name string) (string, error) {
	f := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if kinds[f] == nil {
		return "", cli.Usagef("plot %q: want a name that ends in .svg, .png or .pdf", name)
	}
	return f, nil
}

// Save draws panels below each other into a file, which takes its name when it is complete. With an
// empty name it draws nothing.
func Save(name string, panels ...Panel) error {
	if name == "" {
		return nil
	}
	f, err := format(name)
	if err != nil {
		return err
	}
	return files.Write(name, func(w io.Writer) error { return Write(w, f, panels...) })
}

// Write draws panels below each other as svg, png or pdf.
func Write(w io.Writer, format string, panels ...Panel) error {
	const width, height, margin = 18 * vg.Centimeter, 11 * vg.Centimeter, 10
	canvas, err := draw.NewFormattedCanvas(width, height*vg.Length(len(panels)+1)/2, format)
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadLeft: margin, PadRight: 2 * margin, PadTop: margin, PadBottom: margin, PadY: margin}
	rows := make([][]*plot.Plot, len(panels))
	for i, p := range panels {
		rows[i] = []*plot.Plot{p.plot()}
	}
	for i, c := range plot.Align(rows, tiles, page) {
		rows[i][0].Draw(c[0])
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	out := b.Bytes()
	if format == "svg" {
		out = bytes.ReplaceAll(out, []byte("font-family:Liberation Sans;"), []byte("font-family:Arial,Helvetica,Liberation Sans,sans-serif;"))
	}
	_, err = w.Write(out)
	return err
}

var (
	// colours are the colours of the bars, in turn. The first is also the colour of lines and dots.
	colours = []color.Color{color.RGBA{0x2b, 0x6c, 0xb0, 0xff}, color.RGBA{0xc0, 0x56, 0x21, 0xff}}
	light   = color.Gray{0xdd}
)

func (q Panel) plot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = q.Title, q.X, q.Y
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label} {
		style.Font.Variant = "Sans"
	}
	p.Title.TextStyle.Font.Size = 13
	p.Title.Padding, p.X.Label.Padding, p.Y.Label.Padding = 8, 4, 10
	p.Y.Tick.Label.XAlign = 1.1 * draw.XRight // the viewer's font may be wider
	down := slices.ContainsFunc(q.Bars, func(b Bars) bool { return b.Down })
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{absolute: down}
	p.X.Padding, p.Y.Padding = 0, 0
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Length, axis.Tick.Width, axis.Tick.Color, axis.Color = 4, 0.5, color.Gray{0x80}, color.Gray{0x80}
	}
	if q.Log {
		p.Y.Tick.Marker = powers(logarithm(1))
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = light, light
	p.Add(grid)
	var names legend
	for i, b := range q.Bars {
		drawn := bars{b, q.Log, colours[i%len(colours)]}
		p.Add(drawn)
		if b.Name != "" {
			names.bars = append(names.bars, drawn)
		}
	}
	if q.LogX {
		p.X.Tick.Marker = powers(0)
	}
	for i, set := range q.Dots {
		colour := colours[i%len(colours)]
		drawn := slices.Clone(set.Points)
		for j := range drawn {
			if q.LogX {
				drawn[j].X = math.Log10(drawn[j].X)
			}
		}
		p.Add(&plotter.Scatter{XYs: drawn, GlyphStyle: draw.GlyphStyle{Color: colour, Radius: 2, Shape: draw.CircleGlyph{}}})
		if set.Name != "" {
			names.bars = append(names.bars, bars{Bars: Bars{Name: set.Name}, colour: colour})
		}
	}
	if len(names.bars) > 0 {
		names.style = p.X.Tick.Label
		names.style.XAlign, names.style.YAlign = draw.XLeft, draw.YBottom
		p.Title.Padding += 2 * names.style.Font.Size
		p.Add(names)
	}
	if len(q.Line) > 0 {
		p.Add(&plotter.Line{XYs: plotter.XYs(q.Line), LineStyle: draw.LineStyle{Color: colours[0], Width: 1.5}})
	}
	return p
}

// bars draws bars side by side, with a visible gap if they are wide enough.
type bars struct {
	Bars
	log    bool
	colour color.Color
}

func (b bars) height(h float64) float64 {
	if b.log {
		h = logarithm(h)
	}
	if b.Down {
		h = -h
	}
	return h
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.SetColor(b.colour)
	gap := vg.Length(0)
	if x(b.Start+b.Width)-x(b.Start) > 8 {
		gap = 0.5
	}
	for i, h := range b.Heights {
		if h == 0 {
			continue
		}
		h = b.height(h)
		at := b.Start + float64(i)*b.Width
		c.Fill(vg.Rectangle{
			Min: vg.Point{X: x(at) + gap, Y: y(min(h, 0))},
			Max: vg.Point{X: x(at+b.Width) - gap, Y: y(max(h, 0))},
		}.Path())
	}
}

func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, h := range b.Heights {
		ymin, ymax = min(ymin, b.height(h)), max(ymax, b.height(h))
	}
	return b.Start, b.Start + b.Width*float64(len(b.Heights)), ymin, ymax
}

// legend writes names in one line between title and panel, each after a patch of its colour.
type legend struct {
	style text.Style
	bars  []bars
}

func (l legend) Plot(c draw.Canvas, _ *plot.Plot) {
	size := l.style.Font.Size
	x, y := c.Min.X, c.Max.Y+size
	for _, b := range l.bars {
		c.SetColor(b.colour)
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + size, Y: y + 0.72*size}}.Path())
		x += 1.4 * size
		c.FillText(l.style, vg.Point{X: x, Y: y}, b.Name)
		x += l.style.Width(b.Name) + 2*size
	}
}

// ticks are some three to six round numbers, with commas between thousands.
type ticks struct {
	absolute bool // labels below zero have no sign
}

// Ticks returns the multiples of 1, 2 or 5 times a power of ten.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	switch wanted := (high - low) / 6 / step; {
	case wanted > 5:
		step *= 10
	case wanted > 2:
		step *= 5
	case wanted > 1:
		step *= 2
	}
	var list []plot.Tick
	// Adding 0 makes 0 of -0.
	for i := math.Ceil(low/step) + 0; i <= high/step; i++ {
		v := i * step
		if step < 1 {
			v = i / math.Round(1/step)
		}
		label := v
		if t.absolute {
			label = math.Abs(v)
		}
		list = append(list, plot.Tick{Value: v, Label: humanize.Commaf(label)})
	}
	return list
}

// logarithm is the height of a bar on a logarithmic axis: 0 for 0, and visible for 1. With the
// library's own logarithmic scale the label of the axis stands in the wrong place.
func logarithm(h float64) float64 {
	const foot = 0.5
	return math.Log10(max(h, foot) / foot)
}

// powers are the powers of ten at their logarithms; the number is the place of 1.
type powers float64

// Ticks returns the powers of ten between two places.
func (one powers) Ticks(low, high float64) []plot.Tick {
	var list []plot.Tick
	for n := math.Ceil(low - float64(one)); n+float64(one) <= high; n++ {
		list = append(list, plot.Tick{Value: n + float64(one), Label: humanize.Commaf(math.Pow(10, n))})
	}
	return list
}
