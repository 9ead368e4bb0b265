package table

import (
	_ "embed"
	"strings"
)

//go:embed FORMAT.md
var formatText string

// InWords is the paragraph of FORMAT.md on a numbering, or empty.
func InWords(numbering string) string {
	_, text, _ := strings.Cut(formatText, "\n**`"+numbering+"`**: ")
	text, _, _ = strings.Cut(text, "\n**`")
	return strings.Join(strings.Fields(text), " ")
}

// CodesInWords explains the codes of a number of bits, for the side of the seat to move.
func CodesInWords(bits int) string {
	if bits == 2 {
		return "a byte has the codes of four positions, the lowest two bits those of the first: 0 illegal, 1 loss, 2 draw, 3 win of the seat to move"
	}
	words := "0 illegal, 1 draw, 2+2d loss of the seat to move in d plies, 3+2d win in d plies"
	if bits == 16 {
		return "two bytes a position, the low one first: " + words
	}
	return "a byte a position: " + words
}
