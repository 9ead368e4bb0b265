package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Columns is the largest width of text for people; only longer words exceed it. See [Room].
const Columns = 80

// leastRoom is the narrowest limit: a table needs room for a name and a number.
const leastRoom = 40

// Room is the width of text written to w.
func Room(w io.Writer) int {
	if x, ok := w.(*wrapper); ok {
		return x.room
	}
	return max(leastRoom, min(Columns, Width(w)))
}

// Table is a table for people: a header, columns aligned, no frame. If it is wider than [Room],
// text is broken between words; if that is not enough, the columns without room follow below as
// a table of their own, with the first column again.
type Table struct {
	heads []string
	right []bool
	rows  [][]string
}

// NewTable returns an empty table with the named columns; a name that begins
// with > makes its column flush right. If all names are empty there is no header.
func NewTable(columns ...string) *Table {
	t := &Table{}
	for _, c := range columns {
		name, right := strings.CutPrefix(c, ">")
		t.heads, t.right = append(t.heads, name), append(t.right, right)
	}
	return t
}

// Row appends a row; the text of each cell is that of [Grid].
func (t *Table) Row(cells ...any) {
	row := make([]string, len(t.heads))
	for i, c := range cells {
		row[i] = cellText(c)
	}
	t.rows = append(t.rows, row)
}

const gap = 2

// Write prints the table.
func (t *Table) Write(w io.Writer) {
	widths, all := make([]int, len(t.heads)), make([]int, len(t.heads))
	for i, h := range t.heads {
		all[i], widths[i] = i, text.LongestLineLen(h)
		for _, r := range t.rows {
			widths[i] = max(widths[i], text.LongestLineLen(r[i]))
		}
	}
	room := Room(w)
	if narrow := t.narrow(all, widths, room); tableWidth(all, narrow) <= room || len(all) < 2 {
		t.writeColumns(w, all, narrow)
		return
	}
	for from := 1; from < len(all); {
		group := []int{0, from}
		for from++; from < len(all) && tableWidth(append(group, from), widths) <= room; from++ {
			group = append(group, from)
		}
		if group[1] > 1 {
			fmt.Fprintln(w)
		}
		t.writeColumns(w, group, t.narrow(group, widths, room))
	}
}

func tableWidth(columns, widths []int) (width int) {
	for _, i := range columns {
		width += widths[i] + gap
	}
	return width - gap
}

// narrow returns the widths of columns whose text is broken between words to fit the room.
func (t *Table) narrow(columns, widths []int, room int) []int {
	widths = slices.Clone(widths)
	least := slices.Clone(widths)
	for _, i := range columns {
		if t.right[i] || i == 0 && t.heads[0] == "" {
			continue // numbers and names of lines are not broken
		}
		most := room
		if t.heads[0] == "" && len(columns) == 2 {
			most -= widths[columns[0]] + gap // the room beside the first column; only wider words stick out
		}
		word := longestWord(t.heads[i], most)
		for _, r := range t.rows {
			word = max(word, longestWord(r[i], most))
		}
		least[i] = min(max(word, narrowest), widths[i])
	}
	for over := tableWidth(columns, widths) - room; over > 0; over-- {
		widest := -1
		for _, i := range columns {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// narrowest is the least width of broken text.
const narrowest = 16

func longestWord(s string, most int) (n int) {
	for word := range strings.FieldsSeq(s) {
		if width := text.StringWidthWithoutEscSequences(word); width <= most {
			n = max(n, width)
		}
	}
	return n
}

func (t *Table) writeColumns(w io.Writer, columns, widths []int) {
	out := table.NewWriter()
	row := make(table.Row, len(columns))
	var configs []table.ColumnConfig
	for k, i := range columns {
		align := text.AlignLeft
		if t.right[i] {
			align = text.AlignRight
		}
		row[k] = t.heads[i]
		configs = append(configs, table.ColumnConfig{Number: k + 1, Align: align, AlignHeader: align})
	}
	if strings.Join(t.heads, "") != "" {
		out.AppendHeader(row)
	}
	for _, r := range t.rows {
		row := make(table.Row, len(columns))
		for k, i := range columns {
			row[k] = wrap(r[i], widths[i])
		}
		out.AppendRow(row)
	}
	out.SetColumnConfigs(configs)
	style := table.StyleDefault
	style.Format.Header = text.FormatDefault
	style.Options = table.Options{}
	style.Box.PaddingLeft = ""
	style.Box.PaddingRight = strings.Repeat(" ", gap)
	out.SetStyle(style)
	out.SuppressTrailingSpaces()
	fmt.Fprintln(w, out.Render())
}

// wrap breaks lines wider than width between words. The continuation of a line in a list, such
// as "  name  what it is", stands below its text, else below its first letter.
func wrap(s string, width int) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		if text.StringWidthWithoutEscSequences(line) <= width {
			out = append(out, line)
			continue
		}
		hang := len(hanging.FindString(line))
		if hang > max(width/2, width-narrowest) {
			hang = 0
		}
		now, used := line[:hang], text.StringWidthWithoutEscSequences(line[:hang])
		indent := strings.Repeat(" ", used)
		for i, word := range strings.Split(line[hang:], " ") {
			n := text.StringWidthWithoutEscSequences(word)
			switch {
			case i == 0:
				now, used = now+word, used+n
			case used+1+n > width:
				out = append(out, strings.TrimRight(now, " "))
				now, used = indent+word, len(indent)+n
			default:
				now, used = now+" "+word, used+1+n
			}
		}
		out = append(out, now)
	}
	return strings.Join(out, "\n")
}

var hanging = regexp.MustCompile(`^ *(\S+(?: \S+)*?  +)?`)

// reflow breaks paragraphs and lists whose lines are wider than the room.
func reflow(s string, room int) string {
	paragraphs := strings.Split(s, "\n\n")
	for i, p := range paragraphs {
		if text.LongestLineLen(p) <= room {
			continue
		}
		var lines []string
		for line := range strings.SplitSeq(p, "\n") {
			words := strings.TrimLeft(line, " ")
			if k := len(lines) - 1; k >= 0 && len(hanging.FindString(lines[k])) == len(line)-len(words) {
				lines[k] += " " + words // a continuation of the line before
				continue
			}
			lines = append(lines, line)
		}
		paragraphs[i] = wrap(strings.Join(lines, "\n"), room)
	}
	return strings.Join(paragraphs, "\n\n")
}

// wrapper breaks the lines written to it at the room, and colours values if color is true. After
// an error it writes no more.
type wrapper struct {
	w     io.Writer
	room  int
	color bool
	line  []byte
	err   error
}

// Write prints whole lines, and keeps an incomplete line for the next call.
func (x *wrapper) Write(p []byte) (int, error) {
	x.line = append(x.line, p...)
	end := slices.Index(x.line, '\n')
	for ; end >= 0; end = slices.Index(x.line, '\n') {
		line := x.line[:end]
		if len(line) > x.room {
			line = []byte(wrap(string(line), x.room))
		}
		if x.color {
			line = []byte(paintValues(string(line)))
		}
		if x.err == nil {
			_, x.err = x.w.Write(append(slices.Clip(line), '\n'))
		}
		x.line = x.line[end+1:]
	}
	return len(p), x.err
}

func (x *wrapper) flush() error {
	if x.err == nil {
		_, x.err = x.w.Write(x.line)
	}
	return x.err
}

// Painter returns a function that colours the text of seats in an answer for w, nil without
// colours.
func Painter(w io.Writer) func(seat int, text string) string {
	if x, ok := w.(*wrapper); ok && x.color {
		return PaintSeat
	}
	return nil
}
