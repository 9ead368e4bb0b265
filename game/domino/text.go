package domino

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the tile as its numbers, the lower one first: 2|5.
func (t Tile) String() string {
	return string([]byte{'0' + faces[t&31][0], '|', '0' + faces[t&31][1]})
}

// String returns the tiles in ascending order: 0|2 1|2 5|6.
func (s Set) String() string {
	var b strings.Builder
	for ; s != 0; s = s.DropMin() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.Min().String())
	}
	return b.String()
}

// String returns both hands, the starter's first: 0|2 … 5|6 / 0|4 … 4|6.
func (d Deal) String() string { return d.Starter.String() + " / " + d.Second.String() }

// ParseTile reads a tile: two numbers 0…6 in any order, with a bar, a colon, a hyphen or nothing
// between them.
func ParseTile(text string) (Tile, error) {
	c := text
	if len(c) == 3 && strings.IndexByte("|:-", c[1]) >= 0 {
		c = c[:1] + c[2:]
	}
	if len(c) != 2 || c[0] < '0' || c[0] > '6' || c[1] < '0' || c[1] > '6' {
		return 0, fmt.Errorf("domino: tile %q: want two numbers 0 to 6, as 2|5", text)
	}
	return tileOf[c[0]-'0'][c[1]-'0'], nil
}

// ParseSet reads different tiles separated by blanks, commas or full stops.
func ParseSet(text string) (Set, error) {
	var s Set
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,.\t", r) }) {
		t, err := ParseTile(field)
		if err != nil {
			return 0, err
		}
		if s.Has(t) {
			return 0, fmt.Errorf("domino: tile %v comes twice in %q", t, text)
		}
		s = s.With(t)
	}
	return s, nil
}

// ParseHand reads a hand of seven tiles.
func ParseHand(text string) (Set, error) {
	s, err := ParseSet(text)
	if err != nil {
		return 0, err
	}
	if s.Len() != HandSize {
		return 0, fmt.Errorf("domino: hand %q has %d tiles: %w", strings.TrimSpace(text), s.Len(), ErrHandSize)
	}
	return s, nil
}

// ParseDeal reads two hands with a slash between them, in any order. swapped reports that the
// second one starts.
func ParseDeal(text string) (d Deal, swapped bool, err error) {
	left, right, ok := strings.Cut(text, "/")
	if !ok {
		return d, false, fmt.Errorf("domino: deal %q: want two hands with / between them", text)
	}
	a, err := ParseHand(left)
	if err != nil {
		return d, false, err
	}
	b, err := ParseHand(right)
	if err != nil {
		return d, false, err
	}
	return NewDeal(a, b)
}

// LeafText is the end of a line of play as the study prints it: the score, with an X if the line is
// blocked.
func (p Position) LeafText() string {
	if p.Blocked() {
		return strconv.Itoa(p.Score()) + "X"
	}
	return strconv.Itoa(p.Score())
}
