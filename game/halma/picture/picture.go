// Package picture draws positions of Chinese Checkers as SVG: the board, the
// pieces by seat, and moves as arrows coloured by what they are worth. Call [SVG].
// It knows boards and position text, no rules and no solver.
package picture

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfectplay/game"
	"perfectplay/game/halma"
)

// Move is a move to draw.
type Move struct {
	Text     string     // its first and last cell, as b1-c4; others are left out
	Value    game.Value // for the player who makes it
	Distance int        // plies to the end, 0 if unknown
}

// Distances between holes, in pixels: half a hole's step along a row, and a row.
const (
	stepX  = 30.0
	stepY  = 52.0
	radius = 15.0
	margin = 26.0
)

// seatColour colours the seats 1 to 6 by the number of their tip.
var seatColour = [...]string{"", "#1864ab", "#c2255c", "#2b8a3e", "#e67700", "#5f3dc4", "#0b7285"}

// mark is how a value is drawn.
type mark struct{ sign, colour, verb string }

var marks = map[game.Value]mark{
	game.Win:     {"+", "#2b8a3e", "wins"},
	game.Draw:    {"=", "#868e96", "draws"},
	game.Loss:    {"−", "#c92a2a", "loses"},
	game.Unknown: {"?", "#adb5bd", "unknown"},
}

// SVG draws a position, given as text, and moves. Every hole bears its name or
// the number of the seat on it; every arrow has the sign of its value.
func SVG(b *halma.Board, position string, moves []Move) ([]byte, error) {
	rows, _, _ := strings.Cut(position, "-")
	pieces := strings.ReplaceAll(rows, ".", "")
	if len(pieces) != b.Cells() {
		return nil, fmt.Errorf("picture: position %q: %d cells on a board of %d", position, len(pieces), b.Cells())
	}
	at := func(cell int) (x, y float64) {
		row, col := b.Place(cell)
		return margin + stepX*float64(col), margin + stepY*float64(row)
	}
	width := 0.0
	for c := range b.Cells() {
		x, _ := at(c)
		width = max(width, x+margin)
	}
	legend := legendOf(moves)
	boardHeight := 2*margin + stepY*float64(b.Rows()-1)
	height := boardHeight + 20*float64(len(legend))

	var w bytes.Buffer
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="sans-serif" text-anchor="middle">`+"\n", width, height, width, height)
	fmt.Fprintf(&w, "<title>%s: %s</title>\n", b.Name(), position)
	fmt.Fprintf(&w, `<rect width="%.0f" height="%.0f" rx="12" fill="#f8f9fa"/>`+"\n", width, height)
	fmt.Fprintln(&w, `<g stroke="#ced4da">`)
	for c := range b.Cells() {
		x, y := at(c)
		for d := range halma.Dir(halma.Dirs) {
			if n := b.Next(c, d); n > c {
				nx, ny := at(n)
				fmt.Fprintf(&w, `<path d="M%.1f %.1fL%.1f %.1f"/>`+"\n", x, y, nx, ny)
			}
		}
	}
	fmt.Fprintln(&w, "</g>")
	for c := range b.Cells() {
		x, y := at(c)
		fill, text, ink, size := "#fff", b.CellName(c), "#868e96", 10
		if seat := int(pieces[c]) - '0'; seat >= 1 && seat < len(seatColour) {
			fill, text, ink, size = seatColour[seat], string(pieces[c]), "#fff", 15
		}
		rim := "#adb5bd"
		if tip := b.Tip(c); tip > 0 && strings.Contains(pieces, strconv.Itoa(tip)) {
			rim = seatColour[tip]
		}
		fmt.Fprintf(&w, `<circle cx="%.1f" cy="%.1f" r="%.0f" fill="%s" stroke="%s" stroke-width="2"/>`, x, y, radius, fill, rim)
		fmt.Fprintf(&w, `<text x="%.1f" y="%.1f" font-size="%d" fill="%s">%s</text>`+"\n", x, y+float64(size)*0.36, size, ink, text)
	}
	for _, m := range moves {
		from, to, ok := strings.Cut(m.Text, "-")
		a, errA := b.ParseCell(from)
		z, errZ := b.ParseCell(to)
		if !ok || errA != nil || errZ != nil {
			continue
		}
		ax, ay := at(a)
		zx, zy := at(z)
		bend := 0.45
		if (zx+ax < width) == (zy < ay) {
			bend = -bend // away from the middle
		}
		arrow(&w, marks[m.Value], ax, ay, zx, zy, bend)
	}
	for i, line := range legend {
		y := boardHeight + 20*float64(i)
		fmt.Fprintf(&w, `<circle cx="%.1f" cy="%.1f" r="8" fill="%s"/>`, margin+8, y-4, line.colour)
		fmt.Fprintf(&w, `<text x="%.1f" y="%.1f" font-size="13" font-weight="bold" fill="#fff">%s</text>`, margin+8, y+0.5, line.sign)
		fmt.Fprintf(&w, `<text x="%.1f" y="%.1f" font-size="13" fill="#343a40" text-anchor="start">%s</text>`+"\n", margin+24, y+0.5, line.verb)
	}
	fmt.Fprintln(&w, "</svg>")
	return w.Bytes(), nil
}

// arrow draws an arrow from hole to hole with the sign of its value: straight to
// a neighbour, and for hops in an arc of the given bend around what lies between.
func arrow(w *bytes.Buffer, k mark, ax, ay, zx, zy, bend float64) {
	dx, dy := zx-ax, zy-ay
	if math.Hypot(dx, dy) < 2.5*stepX {
		bend = 0
	}
	cx, cy := (ax+zx)/2-dy*bend, (ay+zy)/2+dx*bend
	// Unit vectors along the curve, where it begins and ends at the rims.
	bx, by := unit(cx-ax, cy-ay)
	ex, ey := unit(zx-cx, zy-cy)
	ax, ay = ax+bx*(radius+1), ay+by*(radius+1)
	zx, zy = zx-ex*(radius+2), zy-ey*(radius+2)
	fmt.Fprintf(w, `<path d="M%.1f %.1fQ%.1f %.1f %.1f %.1f" fill="none" stroke="%s" stroke-width="3"/>`, ax, ay, cx, cy, zx-ex*6, zy-ey*6, k.colour)
	fmt.Fprintf(w, `<path d="M%.1f %.1fL%.1f %.1fL%.1f %.1fZ" fill="%s"/>`, zx, zy, zx-ex*10-ey*6, zy-ey*10+ex*6, zx-ex*10+ey*6, zy-ey*10-ex*6, k.colour)
	mx, my := (ax+2*cx+zx)/4-ex*4, (ay+2*cy+zy)/4-ey*4
	fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="8" fill="%s"/><text x="%.1f" y="%.1f" font-size="13" font-weight="bold" fill="#fff">%s</text>`+"\n", mx, my, k.colour, mx, my+4.5, k.sign)
}

// unit returns the direction of a vector.
func unit(x, y float64) (float64, float64) {
	n := math.Hypot(x, y)
	return x / n, y / n
}

// legendOf explains the signs: a line for each value and distance that occurs,
// in the order of the moves.
func legendOf(moves []Move) []mark {
	var lines []mark
	for _, m := range moves {
		line := marks[m.Value]
		if m.Distance > 0 {
			line.verb = fmt.Sprintf("%s in %d plies", line.verb, m.Distance)
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}
