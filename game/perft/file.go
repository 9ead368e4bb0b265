package perft

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"perfectplay/game"
)

// Line is one line of a perft file: five fields separated by blanks, and the source of the
// count.
//
//	halma-star37-2p house start 5 1234567 this program, both generators
//
// Rules are - for games with one rule set only; the position is start or a text of the game.
// Empty lines and lines that begin with # are skipped.
type Line struct {
	ID       string
	Rules    string
	Position string
	Depth    int
	Count    uint64
	Source   string
	Line     int // number of the line in the file, from 1
}

// Read reads a perft file.
func Read(r io.Reader) ([]Line, error) {
	var lines []Line
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		f := strings.Fields(text)
		if len(f) < 6 {
			return nil, fmt.Errorf("perft: line %d: want id, rules, position, depth, count and source", n)
		}
		depth, err := strconv.Atoi(f[3])
		if err != nil || depth < 0 {
			return nil, fmt.Errorf("perft: line %d: depth %q is not a number", n, f[3])
		}
		count, err := strconv.ParseUint(f[4], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("perft: line %d: count %q is not a number", n, f[4])
		}
		rules := f[1]
		if rules == "-" {
			rules = ""
		}
		lines = append(lines, Line{f[0], rules, f[2], depth, count, strings.Join(f[5:], " "), n})
	}
	return lines, in.Err()
}

// Open returns the state of a line. byID opens the game of an id.
func (l Line) Open(byID func(id, rules string) (game.Game, error)) (game.State, error) {
	g, err := byID(l.ID, l.Rules)
	if err != nil {
		return nil, err
	}
	if l.Position == "start" {
		return g.Start(), nil
	}
	return g.Parse(l.Position)
}
