package domino

import "strings"

// pipRows are the three rows of the half of a tile by its number.
var pipRows = [Numbers][3]string{
	{"   ", "   ", "   "},
	{"   ", " ● ", "   "},
	{"●  ", "   ", "  ●"},
	{"●  ", " ● ", "  ●"},
	{"● ●", "   ", "● ●"},
	{"● ●", " ● ", "● ●"},
	{"● ●", "● ●", "● ●"},
}

// Picture draws the tiles side by side, five lines each ended by a newline:
//
//	╭───┬───╮
//	│●  │● ●│
//	│   │ ● │
//	│  ●│● ●│
//	╰───┴───╯
//
// The empty set is an empty text.
func (s Set) Picture() string {
	if s == 0 {
		return ""
	}
	text := strings.Repeat("╭───┬───╮", s.Len()) + "\n"
	for row := range 3 {
		for rest := s; rest != 0; rest = rest.DropMin() {
			t := rest.Min()
			text += "│" + pipRows[t.Low()][row] + "│" + pipRows[t.High()][row] + "│"
		}
		text += "\n"
	}
	return text + strings.Repeat("╰───┴───╯", s.Len()) + "\n"
}

// Picture draws both hands, the ends and who is to move.
func (p Position) Picture() string {
	var b strings.Builder
	for seat, hand := range p.Hands {
		name := [2]string{"starter", "second player"}[seat]
		if int(p.Mover) == seat && !p.Over() {
			name += ", to move"
		}
		b.WriteString(name + "\n" + hand.Picture())
		if seat == 0 {
			if p.Left == None {
				b.WriteString("the row is empty\n")
			} else {
				b.WriteString("the row: " + string('0'+rune(p.Left)) + " … " + string('0'+rune(p.Right)) + "\n")
			}
		}
	}
	return b.String()
}
