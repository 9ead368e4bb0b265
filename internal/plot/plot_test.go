package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"perfectplay/internal/cli"
)

// distances is a panel with every element: bars on both sides, a legend, a line, dots, and a
// title that must be escaped.
func distances() Panel {
	return Panel{
		Title: "a <game>, rules house", X: "plies to the end", Y: "positions",
		Bars: []Bars{
			{Name: "won", Start: -0.5, Width: 1, Heights: []float64{0, 500, 0, 250_000}},
			{Name: "lost", Start: -0.5, Width: 1, Heights: []float64{200, 0, 150_000}, Down: true},
		},
		Line: []Point{{X: 0, Y: 1}, {X: 3, Y: 100_000}},
		Dots: []Dots{{Points: []Point{{X: 1, Y: 1}, {X: 2, Y: 50_000}}}},
	}
}

// texts returns the texts of an SVG and fails if it is not well-formed.
func texts(t *testing.T, data []byte) (list []string) {
	t.Helper()
	inside := false
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			inside = e.Name.Local == "text"
		case xml.CharData:
			if inside {
				list = append(list, string(e))
			}
		case xml.EndElement:
			inside = false
		}
	}
}

func TestSVG(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, "svg", distances()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "font-family:"); n == 0 || n != strings.Count(b.String(), "sans-serif;") {
		t.Error("a font without a generic family")
	}
	all := strings.Join(texts(t, b.Bytes()), "\n") + "\n"
	for _, want := range []string{"a <game>, rules house", "plies to the end", "positions", "won", "lost", "200,000"} {
		if !strings.Contains(all, want+"\n") {
			t.Errorf("%q is missing in %q", want, all)
		}
	}
	// Downward bars have counts, too, not negative numbers.
	if strings.Count(all, "100,000\n") != 2 || strings.Contains(all, "-") {
		t.Errorf("numbers at the axis: %q", all)
	}
}

func TestSave(t *testing.T) {
	var plot string
	cmd := new(cobra.Command)
	Flag(cmd, &plot, "counts")
	check := func(name string) error {
		plot = name
		return cmd.PreRunE(cmd, nil)
	}
	dir := t.TempDir()
	for _, c := range []struct{ name, magic string }{
		{"a.svg", "<?xml"}, {"a.png", "\x89PNG"}, {"a.pdf", "%PDF"}, {"a.PNG", "\x89PNG"},
	} {
		name := filepath.Join(dir, c.name)
		if err := check(name); err != nil {
			t.Error(err)
		}
		if err := Save(name, distances(), distances()); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(data), c.magic) {
			t.Errorf("%s begins with %.5q, %v", c.name, data, err)
		}
	}
	for _, name := range []string{"a.txt", "a", "svg", "a.svg.gz", "/dev/null"} {
		for _, err := range []error{check(filepath.Join(dir, name)), Save(filepath.Join(dir, name), distances())} {
			if err == nil || cli.Code(err) != cli.ExitUsage || !strings.Contains(err.Error(), ".svg, .png or .pdf") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if err := check(filepath.Join(dir, "nowhere", "a.svg")); !errors.Is(err, os.ErrNotExist) || cli.Code(err) == cli.ExitUsage {
		t.Errorf("a directory that is not there: %v", err)
	}
	if err := errors.Join(check(""), Save("", distances())); err != nil {
		t.Error(err)
	}
}

// TestMargins looks for ink at the edges of figures with the widest labels: a clipped label
// leaves some.
func TestMargins(t *testing.T) {
	wide := distances()
	wide.Bars[0].Heights[1] = 123_456_789_012
	wide.Title = strings.Repeat("title ", 12)
	logs := Panel{Title: "logarithmic", X: "x", Y: "y", Log: true, Bars: []Bars{{Width: 361, Heights: []float64{1, 3e9, 0, 1}}}}
	empty := Panel{Title: "empty", Bars: []Bars{{Width: 1}}}
	for i, panels := range [][]Panel{{distances()}, {wide}, {logs}, {distances(), wide, logs}, {empty}} {
		var b bytes.Buffer
		if err := Write(&b, "png", panels...); err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		ink := func(x, y int) bool {
			r, g, b, _ := m.At(x, y).RGBA()
			return min(r, g, b) < 0xc000
		}
		r := m.Bounds()
		some := false
		for x := range r.Max.X {
			for y := range r.Max.Y {
				edge := min(x, y, r.Max.X-1-x, r.Max.Y-1-y) < 8
				if some = some || ink(x, y); edge && ink(x, y) {
					t.Fatalf("figure %d: ink at %d, %d of %v", i, x, y, r.Max)
				}
			}
		}
		if !some {
			t.Errorf("figure %d is empty", i)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		t         ticks
		low, high float64
		want      string
	}{
		{ticks{}, 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{ticks{}, 0, 0.7, "0 0.2 0.4 0.6"},
		{ticks{}, -18, 23, "-10 0 10 20"},
		{ticks{absolute: true}, -212_000, 301_000, "200,000 100,000 0 100,000 200,000 300,000"},
		{ticks{}, 1, 1_184_040, "200,000 400,000 600,000 800,000 1,000,000"},
	} {
		var labels []string
		for _, tick := range c.t.Ticks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v … %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// TestLogarithm: 1 is visible, 0 is not, and every decade has a number.
func TestLogarithm(t *testing.T) {
	high := logarithm(1000)
	if logarithm(0) != 0 || logarithm(1)/high < 0.05 || len(powers(logarithm(1)).Ticks(0, high)) != 4 {
		t.Error(logarithm(0), logarithm(1), powers(logarithm(1)).Ticks(0, high))
	}
}
