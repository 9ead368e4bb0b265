package play

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"perfectplay/game"
)

// labelWidth is the width of what names a row in pictures of boards.
const labelWidth = 3

// colors are of seats in turn order, as far apart as terminals have them; pieces
// keep their digits and letters, so that nobody depends on colours.
var colors = [...]int{31, 34, 32, 35, 33, 36} // red, blue, green, magenta, yellow, cyan

// colored gives the pieces of a picture the colours of their seats: what the seat is
// called, in rows of a board. Other pictures stay as they are.
func colored(g game.Game, picture string) string {
	paint := map[rune]string{}
	for seat := range g.Seats() {
		name := g.SeatName(seat)
		r, n := utf8.DecodeRuneInString(name)
		if n != len(name) || seat >= len(colors) {
			return picture
		}
		paint[r] = fmt.Sprintf("\x1b[1;%dm%s\x1b[0m", colors[seat], name)
	}
	var out strings.Builder
	for line := range strings.Lines(picture) {
		if len(line) <= labelWidth || strings.TrimSpace(line[:labelWidth]) == "" { // letters of columns
			out.WriteString(line)
			continue
		}
		out.WriteString(line[:labelWidth])
		for _, r := range line[labelWidth:] {
			if text, ok := paint[r]; ok {
				out.WriteString(text)
			} else {
				out.WriteRune(r)
			}
		}
	}
	return out.String()
}
