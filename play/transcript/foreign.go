package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Two forms of other programs hold games of five in a row, in which x begins and more than five
// win, too:
//
//   - files of Piskvork (.psq): a line such as "Piskvorky 15x15, 11:11, 0" with columns and
//     rows, then a line X,Y,TIME for each move, counted from 1 at the top left, then two names;
//   - SGF with GM[4]: the size SZ, moves B and W as two letters from the top left or as a
//     letter and a number from below, the names PB and PW, the result RE; of variations the
//     first. Stones that are set up are refused.
const five = 5

const (
	largest   = 1 << 24 // bytes read of a foreign file
	mostCells = 676     // rows and columns: two letters name no more
)

// foreign returns the reader of a file by its first bytes, nil for our own form.
func foreign(in *bufio.Reader) func(io.Reader) (*Game, error) {
	begin, _ := in.Peek(512)
	switch begin = bytes.TrimLeft(begin, " \t\r\n"); {
	case bytes.HasPrefix(begin, []byte("Piskvorky ")):
		return readPiskvork
	case bytes.HasPrefix(begin, []byte("(")):
		return readSGF
	}
	return nil
}

// fiveInARow returns a record without moves on a board.
func fiveInARow(cols, rows int) (*Game, error) {
	if cols < 1 || rows < 1 || cols > mostCells || rows > mostCells {
		return nil, fmt.Errorf("%d columns and %d rows: want 1 to %d", cols, rows, mostCells)
	}
	return &Game{ID: fmt.Sprintf("mnk-%dx%dk%d", rows, cols, five), Line: 1, Number: 1}, nil
}

// cell names a cell by its column and row from 0 at the top left.
func cell(x, y, rows int) string {
	name := ""
	if x >= 26 {
		name = string(rune('a' + x/26 - 1))
	}
	return name + string(rune('a'+x%26)) + strconv.Itoa(rows-y)
}

func readPiskvork(r io.Reader) (g *Game, err error) {
	// Patterns are compiled here, so that programs that read no records can do without package
	// regexp.
	head := regexp.MustCompile(`^Piskvorky (\d{1,4})x(\d{1,4})\b`)
	point := regexp.MustCompile(`^(-?\d{1,4}),(-?\d{1,4}),-?\d+$`)
	in := bufio.NewScanner(io.LimitReader(r, largest))
	rows, cols := 0, 0
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		move := point.FindStringSubmatch(text)
		switch {
		case text == "":
		case g == nil:
			size := head.FindStringSubmatch(text)
			if size == nil {
				return nil, fmt.Errorf("line %d: %.40q: want Piskvorky COLUMNSxROWS", line, text)
			}
			cols, _ = strconv.Atoi(size[1])
			rows, _ = strconv.Atoi(size[2])
			if g, err = fiveInARow(cols, rows); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
		case move != nil && len(g.Seats) == 0:
			x, _ := strconv.Atoi(move[1])
			y, _ := strconv.Atoi(move[2])
			if x < 1 || x > cols || y < 1 || y > rows {
				return nil, fmt.Errorf("line %d: %.40q is not on the board", line, text)
			}
			g.Moves = append(g.Moves, cell(x-1, y-1, rows))
		case len(g.Seats) < 2: // nothing after the names matters for the moves
			g.Seats = append(g.Seats, Seat{[]string{"x", "o"}[len(g.Seats)], printable(text)})
		}
	}
	if in.Err() == nil && g == nil {
		return nil, errors.New("no game")
	}
	return g, in.Err()
}

// Offsets reads an opening of Gomocup's lists for a game of five in a row: X,Y of each stone,
// counted from the middle of the board. It returns start and the moves, nil for anything else.
func Offsets(line, id string) []string {
	var rows, cols int
	if n, err := fmt.Sscanf(id, "mnk-%dx%dk5", &rows, &cols); n != 2 || err != nil || !strings.Contains(line, ",") {
		return nil
	}
	moves := []string{"start"}
	numbers := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' })
	if len(numbers)%2 != 0 {
		return nil
	}
	for i := 0; i < len(numbers); i += 2 {
		x, bad := strconv.Atoi(numbers[i])
		y, wrong := strconv.Atoi(numbers[i+1])
		if x, y = x+cols/2, y+rows/2; bad != nil || wrong != nil || x < 0 || x >= cols || y < 0 || y >= rows {
			return nil
		}
		moves = append(moves, cell(x, y, rows))
	}
	return moves
}
