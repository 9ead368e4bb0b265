package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func readSGF(r io.Reader) (*Game, error) {
	text, err := io.ReadAll(io.LimitReader(r, largest))
	if err != nil {
		return nil, err
	}
	s := sgf{cell: regexp.MustCompile(`^[a-z]{1,2}[1-9]\d{0,2}$`)}
	token := regexp.MustCompile(`(?s)^([A-Za-z]+|\[(?:[^\\\]]|\\.)*\]|[;()]|[ \t\r\n]+)`)
	small, escape := regexp.MustCompile(`[a-z]`), regexp.MustCompile(`(?s)\\(.)`)
	for at := 0; at < len(text); {
		word := token.Find(text[at:])
		at += len(word)
		switch first := text[at-len(word):][0]; {
		case word == nil && first == '[':
			err = errors.New("a value without an end")
		case word == nil:
			err = fmt.Errorf("%q: want a property such as B[hh]", first)
		case first == '[':
			err = s.property(strings.TrimSpace(string(escape.ReplaceAll(word[1:len(word)-1], []byte("$1")))))
		case first == ')': // the main line has ended
			at = len(text)
		case first == ';' || first == '(':
			s.name = ""
		case first >= 'A': // small letters belong to long names of old files
			s.name = small.ReplaceAllString(string(word), "")
		}
		if err != nil {
			return nil, fmt.Errorf("SGF: line %d: %w", 1+bytes.Count(text[:at], []byte("\n")), err)
		}
	}
	if s.game == nil {
		return nil, errors.New("SGF: no SZ, the size of the board")
	}
	s.game.Seats = append(s.game.Seats, s.seats...)
	s.game.Result, s.game.Ending = s.result, s.how
	return s.game, nil
}

type sgf struct {
	name        string // name of the last property
	game        *Game
	cols, rows  int
	seats       []Seat
	result, how string
	cell        *regexp.Regexp // a cell by its letters and number
}

// property takes a value of the last property. It ignores unknown properties, which have no moves.
func (s *sgf) property(value string) (err error) {
	switch s.name {
	case "":
		return errors.New("a value without a name")
	case "GM":
		if value != "4" {
			return fmt.Errorf("GM[%.10s]: want GM[4], five in a row", value)
		}
	case "SZ":
		if s.game != nil {
			return errors.New("SZ: given twice")
		}
		cols, rows, two := strings.Cut(value, ":")
		if !two {
			rows = cols
		}
		if s.cols, err = strconv.Atoi(cols); err == nil {
			s.rows, err = strconv.Atoi(rows)
		}
		if err != nil {
			return fmt.Errorf("SZ[%.10s]: want a number of columns, and of rows", value)
		}
		s.game, err = fiveInARow(s.cols, s.rows)
	case "AB", "AW", "AE":
		return fmt.Errorf("%s: stones that are set up are not read: write a record that begins with the lines game and position", s.name)
	case "PB", "PW":
		seat := Seat{map[string]string{"PB": "x", "PW": "o"}[s.name], printable(value)}
		if slices.ContainsFunc(s.seats, func(other Seat) bool { return other.Name == seat.Name }) {
			return fmt.Errorf("%s: given twice", s.name)
		}
		if seat.Player != "" {
			s.seats = append(s.seats, seat)
		}
	case "RE":
		s.how = printable(value)
		switch word := strings.ToUpper(value); {
		case strings.HasPrefix(word, "B+"):
			s.result = "x"
		case strings.HasPrefix(word, "W+"):
			s.result = "o"
		case word == "0" || word == "DRAW" || word == "JIGO":
			s.result = Draw
		}
	case "B", "W":
		return s.move(value)
	}
	return err
}

// move takes a move of the side named by the last property.
func (s *sgf) move(value string) error {
	if s.game == nil {
		return errors.New("a move before SZ, the size of the board")
	}
	if n := len(s.game.Moves); s.name != []string{"B", "W"}[n%2] {
		return fmt.Errorf("%s[%.10s]: black begins, and the sides take turns", s.name, value)
	}
	if small := strings.ToLower(value); s.cell.MatchString(small) {
		s.game.Moves = append(s.game.Moves, small)
		return nil
	}
	var at [2]int
	for i := range at {
		at[i] = -1
		if len(value) == 2 {
			at[i] = strings.IndexByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", value[i])
		}
	}
	if at[0] < 0 || at[0] >= s.cols || at[1] < 0 || at[1] >= s.rows {
		return fmt.Errorf("%s[%.10s]: want a cell of the board", s.name, value)
	}
	s.game.Moves = append(s.game.Moves, cell(at[0], at[1], s.rows))
	return nil
}
