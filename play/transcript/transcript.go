package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"perfectplay/game"
)

// Game is a recorded game. It has the texts of the record, which no rules have checked.
type Game struct {
	ID       string
	Rules    string // empty for the game's default
	Position string // empty for the start position
	Seats    []Seat
	Result   string // the name of the seat that won, Draw, or empty while the game goes on
	Ending   string
	Moves    []string
	// Line is the first line of the record in its file, and Number counts the records of the
	// file, both from 1; 0 for a game that was not read.
	Line, Number int
}

// Seat names the player of a seat.
type Seat struct {
	Name   string // name of the seat
	Player string
}

// Draw is the result of a game that nobody won.
const Draw = "draw"

// Limits of a file.
const (
	maxLine  = 1 << 16 // bytes
	maxMoves = 1 << 20 // moves of one game
)

// Read returns the records of a file, in the form of this package, of Piskvork or in SGF. The error
// joins the errors of all records that cannot be read; each names its line.
func Read(r io.Reader) ([]Game, error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = in.Discard(len(byteOrderMark))
	}
	if read := foreign(in); read != nil {
		g, err := read(in)
		if err != nil {
			return nil, fmt.Errorf("transcript: %w", err)
		}
		return []Game{*g}, nil
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	var p parser
	for lines.Scan() {
		p.line++
		if err := p.add(lines.Text()); err != nil {
			p.fail(err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("transcript: line %d: longer than %d bytes", p.line+1, maxLine)
	case err != nil:
		return nil, fmt.Errorf("transcript: %w", err)
	case len(p.games) == 0 && len(p.failed) == 0:
		return nil, errors.New("transcript: no game: " + wanted)
	}
	return p.games, errors.Join(p.failed...)
}

// byteOrderMark is the first character of files by some editors.
const byteOrderMark = "\ufeff"

// wanted describes the beginning of a file that can be read.
const wanted = "want a record, which begins with a line such as: game mnk-15x15k5; or a game of Piskvork (.psq) or SGF"

type parser struct {
	line   int
	games  []Game
	header bool // the last game's header is not complete
	given  map[string]bool
	count  int     // number of records
	failed []error // errors of records that cannot be read
	skip   bool    // skip lines up to the next record
}

func (p *parser) fail(err error) {
	if n := len(p.games); n > 0 && p.games[n-1].Number == p.count {
		p.games = p.games[:n-1]
	}
	p.skip = true
	p.failed = append(p.failed, fmt.Errorf("transcript: line %d: %w", p.line, err))
}

func (p *parser) add(line string) error {
	if first := strings.Fields(line); p.skip && (len(first) == 0 || !strings.EqualFold(first[0], "game")) {
		return nil
	}
	line, _, comment := strings.Cut(line, "#")
	if !utf8.ValidString(line) {
		return errors.New("not UTF-8")
	}
	line = strings.TrimSpace(line)
	if i := strings.IndexFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }); i >= 0 {
		return fmt.Errorf("a control character after %d bytes", i)
	}
	key, value, _ := strings.Cut(strings.Join(strings.Fields(line), " "), " ")
	if p.header || len(p.games) == 0 || strings.EqualFold(key, "game") {
		key = strings.ToLower(key)
	}
	switch {
	case key == "game":
		p.skip = false
		if p.count++; value == "" {
			return errors.New("game: want its id, such as mnk-15x15k5")
		}
		p.games = append(p.games, Game{ID: value, Line: p.line, Number: p.count})
		p.header, p.given = true, map[string]bool{}
		return nil
	case line == "" && len(p.games) == 0:
		return nil
	case len(p.games) == 0:
		return fmt.Errorf("%.40q: %s", line, wanted)
	}
	g := &p.games[len(p.games)-1]
	switch {
	case p.header && line == "":
		p.header = comment // a line with a comment alone ends nothing
		return nil
	case p.header:
		return p.field(g, key, value)
	}
	moves := Moves(line)
	if slices.Contains(moves, "game") {
		return errors.New("game: not at the beginning of a line")
	}
	g.Moves = append(g.Moves, moves...)
	if len(g.Moves) > maxMoves {
		return fmt.Errorf("more than %d moves", maxMoves)
	}
	return nil
}

// field reads a line of a header.
func (p *parser) field(g *Game, key, value string) error {
	if key == "seat" {
		name, who, _ := strings.Cut(value, " ")
		key += " " + name
		if who == "" {
			return errors.New("seat: want the seat's name and who played it")
		}
		g.Seats = append(g.Seats, Seat{name, who})
	} else {
		to, ok := map[string]*string{"rules": &g.Rules, "position": &g.Position, "result": &g.Result, "ending": &g.Ending}[key]
		if !ok {
			return fmt.Errorf("%.40q: want rules, position, seat, result or ending, or an empty line before the moves", key)
		}
		if value == "" {
			return fmt.Errorf("%s: no value", key)
		}
		*to = value
	}
	if p.given[key] {
		return fmt.Errorf("%.40s: given twice", key)
	}
	p.given[key] = true
	return nil
}

const perLine = 10

// WriteTo writes the record and an empty line, so that another may follow. A character that would
// end a line or begin a comment becomes a blank.
func (g *Game) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	field := func(key, value string) {
		if value = printable(value); value != "" {
			fmt.Fprintln(&b, key, value)
		}
	}
	field("game", g.ID)
	field("rules", g.Rules)
	field("position", g.Position)
	for _, s := range g.Seats {
		if printable(s.Player) != "" {
			field("seat", s.Name+" "+s.Player)
		}
	}
	field("result", g.Result)
	field("ending", g.Ending)
	fmt.Fprintln(&b)
	for line := range slices.Chunk(g.Moves, perLine) {
		fmt.Fprintln(&b, strings.Join(line, " "))
	}
	if len(g.Moves) > 0 {
		fmt.Fprintln(&b)
	}
	return b.WriteTo(w)
}

// printable returns text as one line of a record: words of valid characters, without the mark of
// a comment.
func printable(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '#' {
			return ' '
		}
		return r
	}, text), "?")), " ")
}

// Course plays the record. of is the game of the record's id and rules.
func (g *Game) Course(of game.Game) (*game.Course, error) {
	from := of.Start()
	if g.Position != "" && g.Position != "start" {
		var err error
		if from, err = of.Parse(g.Position); err != nil {
			return nil, err
		}
	}
	c := game.NewCourse(of, from)
	return c, g.Replay(c)
}

// Replay makes the moves of the record in a course that is at its first position. The error names
// the first illegal move; the moves before it stay made. The header must agree with the moves.
func (g *Game) Replay(c *game.Course) error {
	for i, text := range g.Moves {
		if c.Result() != game.Ongoing {
			return fmt.Errorf("transcript: move %d, %.40q: the game is over", i+1, text)
		}
		m, err := read(c.State, text)
		if err != nil {
			return fmt.Errorf("transcript: move %d: %w", i+1, err)
		}
		c.Play(m)
	}
	return g.agree(c)
}

// agree refuses a header that contradicts the end of the moves, or names seats that the game
// does not have.
func (g *Game) agree(c *game.Course) error {
	of := c.Game
	var names []string
	for seat := range of.Seats() {
		names = append(names, of.SeatName(seat))
	}
	for _, seat := range g.Seats {
		if !slices.Contains(names, seat.Name) {
			return fmt.Errorf("transcript: seat %.40s: the seats of %s are %s", seat.Name, of.ID(), strings.Join(names, ", "))
		}
	}
	moves := c.Outcome()
	switch {
	case g.Result != "" && g.Result != Draw && !slices.Contains(names, g.Result):
		return fmt.Errorf("transcript: result %.40s: want draw, or the seat that has won: %s", g.Result, strings.Join(names, ", "))
	case g.Result != "" && moves != "" && g.Result != moves:
		return fmt.Errorf("transcript: the header says result %s, and the moves end with result %s", g.Result, moves)
	}
	return nil
}

// Moves returns the moves of a line, which blanks or commas separate, without numbers such as
// 1. or 2... that stand alone.
func Moves(line string) []string {
	words := strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	return slices.DeleteFunc(words, func(word string) bool { return unnumbered(word) == "" })
}

// unnumbered returns a word without a number and points before it.
func unnumbered(word string) string {
	rest := strings.TrimLeft(word, "0123456789")
	if move := strings.TrimLeft(rest, "."); rest != word && move != rest {
		return move
	}
	return word
}

// read reads a move, which may have its number before it: 1.b2.
func read(s game.State, text string) (game.Move, error) {
	m, err := game.ReadMove(s, text)
	if move := unnumbered(text); err != nil && move != text {
		return game.ReadMove(s, move)
	}
	return m, err
}
