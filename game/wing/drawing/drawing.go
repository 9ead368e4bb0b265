// Package drawing draws positions of any game: [SVG] the board, its pieces, and moves with
// signs of their values, [Text] the same for a terminal, with the last move. It knows
// boards and pictures as package wing describes them, and no rules.
package drawing

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"

	"perfectplay/game/wing"
)

// Move is a move to draw.
type Move struct {
	wing.Trace
	Value    string // for the seat that makes the move: win, draw or loss; else unknown
	Distance *int   // plies to the end, nil if unknown
}

// Sizes in pixels.
const (
	unit   = 60.0 // the distance of neighbouring cells
	radius = 15.0 // radius of a hole
	line   = 20.0 // height of a line of the legend
	tile   = 30.0 // the side of half a tile
)

// seatColour has colours by seat; names tell seats apart without them.
var seatColour = [...]string{"#1864ab", "#c2255c", "#2b8a3e", "#e67700", "#5f3dc4", "#0b7285"}

func colourOf(seat int) string { return seatColour[seat%len(seatColour)] }

type mark struct{ sign, colour, verb string }

func markOf(value string) mark {
	switch value {
	case "win":
		return mark{"+", "#2b8a3e", "wins"}
	case "draw":
		return mark{"=", "#868e96", "draws"}
	case "loss":
		return mark{"−", "#c92a2a", "loses"}
	}
	return mark{"?", "#adb5bd", "unknown"}
}

// SVG draws a position and moves under a title. A hole bears its name, or the name of the seat on
// it; a move bears the sign of its value, which a legend explains. A pass or a tile is in the
// legend only.
func SVG(b wing.Board, p wing.Picture, title string, moves []Move) []byte {
	legend := legendOf(moves)
	width, height := extent(b, p)
	width = max(width, 200)
	total := height + line*float64(len(legend))
	if len(legend) > 0 {
		total += line / 2
	}
	var w bytes.Buffer
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="sans-serif" text-anchor="middle">`+"\n",
		width, total, width, total)
	fmt.Fprintf(&w, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(&w, `<rect width="%.0f" height="%.0f" rx="12" fill="#f8f9fa"/>`+"\n", width, total)
	if len(b.Tiles) > 0 {
		table(&w, b, p)
	} else {
		ground(&w, b, p)
		pieces(&w, b, p)
	}
	for _, m := range moves {
		draw(&w, b, m, width)
	}
	for i, l := range legend {
		y := height + line*(float64(i)+0.8)
		fmt.Fprintf(&w, `<circle cx="26" cy="%.1f" r="8" fill="%s"/>`, y-4, l.colour)
		fmt.Fprintf(&w, `<text x="26" y="%.1f" font-size="13" font-weight="bold" fill="#fff">%s</text>`, y+0.5, l.sign)
		fmt.Fprintf(&w, `<text x="42" y="%.1f" font-size="13" fill="#343a40" text-anchor="start">%s</text>`+"\n", y+0.5, l.verb)
	}
	w.WriteString("</svg>\n")
	return w.Bytes()
}

func extent(b wing.Board, p wing.Picture) (width, height float64) {
	if len(b.Tiles) == 0 {
		return b.Width * unit, b.Height * unit
	}
	longest := len(p.Row)
	for _, hand := range p.Hands {
		longest = max(longest, len(hand))
	}
	return (2*tile+8)*float64(max(longest, 4)) + 32, 70*float64(len(p.Hands)+1) + 12
}

// ground draws holes with their connections, or squares.
func ground(w *bytes.Buffer, b wing.Board, p wing.Picture) {
	if b.Squares {
		for i, c := range b.Cells {
			fill := "#fff"
			if slices.Contains(p.Won, i) {
				fill = "#d3f9d8"
			}
			fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" fill="%s" stroke="#868e96"/>`+"\n", (c.X-0.5)*unit, (c.Y-0.5)*unit, unit, unit, fill)
		}
		return
	}
	w.WriteString(`<g stroke="#ced4da">` + "\n")
	for _, c := range b.Cells {
		for _, n := range c.Near {
			to := b.Cells[n]
			fmt.Fprintf(w, `<path d="M%.1f %.1fL%.1f %.1f"/>`+"\n", c.X*unit, c.Y*unit, to.X*unit, to.Y*unit)
		}
	}
	w.WriteString("</g>\n")
	for i, c := range b.Cells {
		rim := "#adb5bd"
		for seat, s := range b.Seats {
			if slices.Contains(s.Home, i) {
				rim = colourOf(seat)
			}
		}
		fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="%.0f" fill="#fff" stroke="%s" stroke-width="2"/>`+"\n", c.X*unit, c.Y*unit, radius, rim)
	}
}

func pieces(w *bytes.Buffer, b wing.Board, p wing.Picture) {
	for i, c := range b.Cells {
		if i < len(p.Pieces) && p.Pieces[i] >= 0 {
			piece(w, b, p, i)
			if !b.Squares && slices.Contains(p.Won, i) {
				fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="%.0f" fill="none" stroke="#fab005" stroke-width="4"/>`+"\n", c.X*unit, c.Y*unit, radius+2)
			}
			continue
		}
		fmt.Fprintf(w, `<text x="%.1f" y="%.1f" font-size="10" fill="#868e96">%s</text>`+"\n", c.X*unit, c.Y*unit+3.6, html.EscapeString(c.Name))
	}
}

// piece draws the piece on a cell: a cross, a ring, or a disc with its kind or the
// seat's sign.
func piece(w *bytes.Buffer, b wing.Board, p wing.Picture, cell int) {
	seat, x, y := p.Pieces[cell], b.Cells[cell].X*unit, b.Cells[cell].Y*unit
	colour := colourOf(seat)
	switch {
	case b.Seats[seat].Sign == wing.Disc:
		fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="%.0f" fill="%s"/>`, x, y, radius+1, colour)
		fmt.Fprintf(w, `<text x="%.1f" y="%.1f" font-size="15" fill="#fff">%s</text>`+"\n", x, y+5.4, html.EscapeString(cmp.Or(kindOf(p, cell), signOf(b, seat))))
	case b.Seats[seat].Sign == wing.Cross:
		fmt.Fprintf(w, `<path d="M%.1f %.1fl24 24m0 -24l-24 24" fill="none" stroke="%s" stroke-width="5" stroke-linecap="round"/>`+"\n", x-12, y-12, colour)
	default:
		fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="13" fill="none" stroke="%s" stroke-width="5"/>`+"\n", x, y, colour)
	}
}

func kindOf(p wing.Picture, cell int) string {
	if cell < len(p.Kinds) {
		return p.Kinds[cell]
	}
	return ""
}

// table draws hands of tiles and the row between them.
func table(w *bytes.Buffer, b wing.Board, p wing.Picture) {
	y := 16.0
	label := func(text, colour string) {
		fmt.Fprintf(w, `<text x="16" y="%.1f" font-size="13" fill="%s" text-anchor="start">%s</text>`+"\n", y+12, colour, html.EscapeString(text))
		y += 20
	}
	tiles := func(list []string) {
		for i, t := range list {
			x := 16 + (2*tile+8)*float64(i)
			fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" rx="5" fill="#fff" stroke="#495057" stroke-width="2"/>`, x, y, 2*tile, tile)
			fmt.Fprintf(w, `<path d="M%.1f %.1fv%.0f" stroke="#495057"/>`, x+tile, y, tile)
			for half, digit := range []int{0, len(t) - 1} {
				fmt.Fprintf(w, `<text x="%.1f" y="%.1f" font-size="18" fill="#212529">%s</text>`, x+tile*(float64(half)+0.5), y+21, html.EscapeString(t[digit:digit+1]))
			}
			w.WriteByte('\n')
		}
		y += 50
	}
	for seat, hand := range p.Hands {
		if seat == 1 {
			row := "the row is empty"
			if len(p.Ends) == 2 {
				row = fmt.Sprintf("the row: %d … %d", p.Ends[0], p.Ends[1])
			}
			label(row, "#495057")
			tiles(p.Row)
		}
		name := ""
		if seat < len(b.Seats) {
			name = b.Seats[seat].Name
		}
		label(name, colourOf(seat))
		tiles(hand)
	}
}

// draw draws a move: an arrow, or only its sign if it puts a piece.
func draw(w *bytes.Buffer, b wing.Board, m Move, width float64) {
	if len(m.Path) == 0 {
		return
	}
	from, to := b.Cells[m.Path[0]], b.Cells[m.Path[len(m.Path)-1]]
	k := markOf(m.Value)
	if len(m.Path) == 1 {
		sign(w, k, to.X*unit, to.Y*unit)
		return
	}
	bend := 0.45
	if (from.X+to.X)*unit < width == (to.Y < from.Y) {
		bend = -bend // bend away from the middle of the board
	}
	arrow(w, k, from.X*unit, from.Y*unit, to.X*unit, to.Y*unit, bend)
}

func sign(w *bytes.Buffer, k mark, x, y float64) {
	fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="8" fill="%s"/><text x="%.1f" y="%.1f" font-size="13" font-weight="bold" fill="#fff">%s</text>`+"\n",
		x, y, k.colour, x, y+4.5, k.sign)
}

// arrow draws an arrow with the sign of a value: straight to a neighbour, in an arc for hops.
func arrow(w *bytes.Buffer, k mark, ax, ay, zx, zy, bend float64) {
	dx, dy := zx-ax, zy-ay
	if math.Hypot(dx, dy) < 1.25*unit {
		bend = 0
	}
	cx, cy := (ax+zx)/2-dy*bend, (ay+zy)/2+dx*bend
	// Unit vectors along the curve, at the rims where it begins and ends.
	bx, by := direction(cx-ax, cy-ay)
	ex, ey := direction(zx-cx, zy-cy)
	ax, ay = ax+bx*(radius+1), ay+by*(radius+1)
	zx, zy = zx-ex*(radius+2), zy-ey*(radius+2)
	fmt.Fprintf(w, `<path d="M%.1f %.1fQ%.1f %.1f %.1f %.1f" fill="none" stroke="%s" stroke-width="3"/>`, ax, ay, cx, cy, zx-ex*6, zy-ey*6, k.colour)
	fmt.Fprintf(w, `<path d="M%.1f %.1fL%.1f %.1fL%.1f %.1fZ" fill="%s"/>`, zx, zy, zx-ex*10-ey*6, zy-ey*10+ex*6, zx-ex*10+ey*6, zy-ey*10-ex*6, k.colour)
	sign(w, k, (ax+2*cx+zx)/4-ex*4, (ay+2*cy+zy)/4-ey*4)
}

func direction(x, y float64) (float64, float64) {
	n := math.Hypot(x, y)
	return x / n, y / n
}

// legendOf lists each value and distance once, in the order of the moves.
func legendOf(moves []Move) []mark {
	var lines []mark
	for _, m := range moves {
		l := markOf(m.Value)
		if m.Distance != nil {
			l.verb = fmt.Sprintf("%s in %d plies", l.verb, *m.Distance)
		}
		if !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	return lines
}
