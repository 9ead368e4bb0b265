package drawing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"perfectplay/game/wing"
)

// Terminal has the options of [Text].
type Terminal struct {
	// Width is the number of columns; 0 means no bound.
	Width int
	// Last are the cells of the last move, in order. Its piece is marked [1], a hole that
	// it left or touched (·).
	Last []int
	// Names writes the names of empty cells that are not at the edges of the board, if
	// there is room.
	Names bool
	// Paint colours the text of a seat, or of no seat if that is −1; nil for no colours.
	Paint func(seat int, text string) string
}

func (t *Terminal) paint(seat int, text string) string {
	if t.Paint == nil {
		return text
	}
	return t.Paint(seat, text)
}

// Text draws a position as lines, each ended by a newline: a row of the board on each, with
// the names of rows and columns at the edges; or the hands of a game of tiles. seat is the
// one to move, or −1. The text is empty if the board is unknown or too wide.
func Text(b wing.Board, p wing.Picture, seat int, t Terminal) string {
	if len(b.Tiles) > 0 {
		return hands(b, p, seat, t)
	}
	if t.Names && !b.Squares {
		if text := cells(b, p, t, 3); text != "" {
			return text
		}
	}
	t.Names = t.Names && b.Squares
	width := 1
	if slices.ContainsFunc(p.Kinds, func(k string) bool { return utf8.RuneCountInString(k) > 1 }) {
		width = 3
	}
	if text := cells(b, p, t, width); text != "" || !b.Squares {
		return text
	}
	t.Last = nil // there is no room for marks
	return cells(b, p, t, 0)
}

const edge = 3

// cells draws a board. A cell takes width columns with a blank between cells, or with width 0 one
// column. Squares stand a column away from the names of their rows.
func cells(b wing.Board, p wing.Picture, t Terminal, width int) string {
	left := edge
	if b.Squares {
		left++
	}
	column := func(c int) int { return left + int(math.Round((b.Cells[c].X-0.5)*float64(width+1))) }
	if t.Width > 0 && len(b.Cells) > 0 && left+int(math.Round((b.Width-1)*float64(width+1)))+max(width, 1) > t.Width {
		return ""
	}
	var out strings.Builder
	rows := lines(b.Cells, func(c wing.Cell) float64 { return c.Y })
	called := names(b.Cells, rows, b.Squares)
	for i, row := range rows {
		slices.SortFunc(row, func(a, c int) int { return cmp.Compare(b.Cells[a].X, b.Cells[c].X) })
		l := textLine{}
		name := called[i]
		if b.Squares {
			name = fmt.Sprintf("%*s", edge-1, name) // flush right
		}
		l.put(0, name, "")
		for _, c := range row {
			t.cell(&l, b, p, c, column(c), width)
		}
		out.WriteString(l.String())
	}
	if !b.Squares {
		return out.String()
	}
	columns := lines(b.Cells, func(c wing.Cell) float64 { return c.X })
	called = names(b.Cells, columns, false)
	for i, more := 0, true; more; i++ {
		l := textLine{}
		more = false
		for j, col := range columns {
			if name := called[j]; i < len(name) {
				l.put(column(col[0])+width/2, name[i:i+1], "")
				more = more || i+1 < len(name)
			}
		}
		if l.at > 0 {
			out.WriteString(l.String())
		}
	}
	return out.String()
}

func (t *Terminal) cell(l *textLine, b wing.Board, p wing.Picture, c, at, width int) {
	seat := -1
	if c < len(p.Pieces) {
		seat = p.Pieces[c]
	}
	text := "·"
	switch {
	case seat >= 0:
		text = cmp.Or(kindOf(p, c), signOf(b, seat))
	case t.Names && width > 1:
		text = b.Cells[c].Name
	}
	open, shut := "", ""
	if i := slices.Index(t.Last, c); i >= 0 && i == len(t.Last)-1 {
		open, shut = "[", "]"
	} else if i >= 0 {
		open, shut = "(", ")"
	}
	if width > 1 && utf8.RuneCountInString(text) < 2 {
		at++ // the piece stands in the middle of three columns
	}
	if open != "" {
		at--
	}
	painted := text
	if seat >= 0 || text != "·" {
		painted = t.paint(seat, text)
	}
	l.put(at, open+text, open+painted)
	l.shut = shut
}

// signOf is the sign of a seat: its name if that is one character, else its number.
func signOf(b wing.Board, seat int) string {
	if name := b.Seats[seat].Name; utf8.RuneCountInString(name) == 1 {
		return name
	}
	return string(rune('1' + seat))
}

type textLine struct {
	text strings.Builder
	at   int
	shut string // closing text, written next unless other text is at its column
}

// put writes text, in its painted form, at a column. If the line is longer already, it appends the
// text.
func (l *textLine) put(at int, text, painted string) {
	if l.shut != "" && at > l.at {
		l.text.WriteString(l.shut)
		l.at++
	}
	l.shut = ""
	if n := at - l.at; n > 0 {
		l.text.WriteString(strings.Repeat(" ", n))
		l.at = at
	}
	l.at += utf8.RuneCountInString(text)
	l.text.WriteString(cmp.Or(painted, text))
}

func (l *textLine) String() string { return strings.TrimRight(l.text.String()+l.shut, " ") + "\n" }

// lines groups cells by their coordinate on an axis, in ascending order.
func lines(cells []wing.Cell, axis func(wing.Cell) float64) (lines [][]int) {
	by := map[int][]int{}
	var keys []int
	for i, c := range cells {
		k := int(math.Round(axis(c) * 100))
		if by[k] == nil {
			keys = append(keys, k)
		}
		by[k] = append(by[k], i)
	}
	slices.Sort(keys)
	for _, k := range keys {
		lines = append(lines, by[k])
	}
	return lines
}

// names returns the letters or the number that the names of all cells in a line share, for each
// line; numbers says which is tried first. If names are not unique, or most are empty, the cells
// are no grid and no line has a name.
func names(cells []wing.Cell, lines [][]int, numbers bool) []string {
	part := func(name string, number bool) string {
		letters := strings.TrimRight(name, "0123456789")
		if number {
			return name[len(letters):]
		}
		return letters
	}
	for _, number := range []bool{numbers, !numbers} {
		list, seen, named := make([]string, len(lines)), map[string]bool{}, 0
		for i, line := range lines {
			name := part(cells[line[0]].Name, number)
			if name == "" || slices.ContainsFunc(line, func(c int) bool { return part(cells[c].Name, number) != name }) {
				continue
			}
			list[i], seen[name] = name, true
			named++
		}
		if len(seen) == named && 2*named > len(lines) {
			return list
		}
	}
	return make([]string, len(lines))
}

// pips are the three rows of half a tile by its number.
var pips = [...][3]string{
	{"   ", "   ", "   "},
	{"   ", " ● ", "   "},
	{"●  ", "   ", "  ●"},
	{"●  ", " ● ", "  ●"},
	{"● ●", "   ", "● ●"},
	{"● ●", " ● ", "● ●"},
	{"● ●", "● ●", "● ●"},
}

// hands draws hands of tiles and the row between them.
func hands(b wing.Board, p wing.Picture, seat int, t Terminal) string {
	var out strings.Builder
	for i, hand := range p.Hands {
		name := b.Seats[i].Name
		if i == seat {
			name += ", to move"
		}
		out.WriteString(t.paint(i, name) + "\n")
		for row := range slices.Chunk(hand, max(1, cmp.Or(t.Width, face*len(hand))/face)) {
			out.WriteString(faces(row))
		}
		switch {
		case i > 0:
		case len(p.Ends) == 2:
			out.WriteString("the row: " + string(rune('0'+p.Ends[0])) + " … " + string(rune('0'+p.Ends[1])) + "\n")
		default:
			out.WriteString("the row is empty\n")
		}
	}
	return out.String()
}

const face = 9

func faces(hand []string) string {
	var out strings.Builder
	out.WriteString(strings.Repeat("╭───┬───╮", len(hand)) + "\n")
	for row := range 3 {
		for _, t := range hand {
			out.WriteString("│" + half(t[0], row) + "│" + half(t[len(t)-1], row) + "│")
		}
		out.WriteByte('\n')
	}
	return out.String() + strings.Repeat("╰───┴───╯", len(hand)) + "\n"
}

// half is a row of half a tile; a hidden one has a question mark.
func half(digit byte, row int) string {
	if n := int(digit) - '0'; n >= 0 && n < len(pips) {
		return pips[n][row]
	}
	return [...]string{"   ", " ? ", "   "}[row]
}
