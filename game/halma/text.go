package halma

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// CellName is a cell in the notation of moves: the letter of its row, a at the bottom, and its
// place in the row from the left, from 1.
func (b *Board) CellName(cell int) string {
	row, _ := b.Place(cell)
	return string(rune('a'+b.rows-1-row)) + strconv.Itoa(cell-b.rowFrom[row]+1)
}

// ParseCell reads what CellName prints.
func (b *Board) ParseCell(text string) (int, error) {
	if text == "" || text[0] < 'a' || int(text[0]-'a') >= b.rows {
		return 0, fmt.Errorf("halma: cell %q: want a row a to %c and a place in it, as a1", text, 'a'+b.rows-1)
	}
	row := b.rows - 1 - int(text[0]-'a')
	width := b.rowFrom[row+1] - b.rowFrom[row]
	n, err := smallNumber(text[1:])
	if err != nil || n < 1 || n > width {
		return 0, fmt.Errorf("halma: cell %q: row %c has places 1 to %d", text, text[0], width)
	}
	return b.rowFrom[row] + n - 1, nil
}

// MoveString is a move as text: a1-c3, or pass.
func (c *common) MoveString(m game.Move) string { return c.g.moveString(m) }

func (g *Game) moveString(m game.Move) string {
	switch m {
	case game.Pass:
		return "pass"
	case game.NoMove:
		return "none"
	}
	from, to := Cells(m)
	return g.board.CellName(from) + "-" + g.board.CellName(to)
}

func (c *common) ParseMove(text string) (game.Move, error) { return c.g.parseMove(text, c.self) }

func (g *Game) parseMove(text string, s game.State) (game.Move, error) {
	if s.Result() != game.Ongoing {
		return game.NoMove, fmt.Errorf("halma: move %q: the game is over", text)
	}
	moves := s.Moves(nil)
	if text == "pass" {
		if moves[0] != game.Pass {
			return game.NoMove, fmt.Errorf("halma: move pass: seat %s can move and must", g.SeatName(s.Seat()))
		}
		return game.Pass, nil
	}
	fromText, toText, ok := strings.Cut(text, "-")
	if !ok {
		return game.NoMove, fmt.Errorf("halma: move %q: want from-to, as a1-c3, or pass", text)
	}
	from, err := g.board.ParseCell(fromText)
	if err != nil {
		return game.NoMove, fmt.Errorf("halma: move %q: %w", text, err)
	}
	to, err := g.board.ParseCell(toText)
	if err != nil {
		return game.NoMove, fmt.Errorf("halma: move %q: %w", text, err)
	}
	if m := NewMove(from, to); slices.Contains(moves, m) {
		return m, nil
	}
	p := s.(interface{ position() *position }).position()
	why := "it is neither a step nor a chain of hops, or the rules forbid its end"
	switch {
	case !p.own[p.seat].Has(from):
		why = fmt.Sprintf("seat %s has no piece on %s", g.SeatName(p.seat), fromText)
	case p.occupied().Has(to):
		why = toText + " is taken"
	case !g.mayEnd[p.seat][from].Has(to):
		why = fmt.Sprintf("rules %s do not let the piece on %s end its turn on %s", g.rules, fromText, toText)
	}
	return game.NoMove, fmt.Errorf("halma: move %q is not legal: %s", text, why)
}

// String is the position as one line, see the package.
func (c *common) String() string {
	return c.g.text(c.position())
}

// Text is the text of the position with these armies, by seat. The position need not be able to
// occur.
func (g *Game) Text(seat int, armies ...bitboard.Set128) string {
	p := &position{seat: seat}
	copy(p.own[:], armies)
	return g.text(p)
}

func (g *Game) text(p *position) string {
	line := make([]byte, 0, g.board.Cells()+g.board.rows+2)
	b := g.board
	for row := range b.rows {
		if row > 0 {
			line = append(line, '.')
		}
		for cell := b.rowFrom[row]; cell < b.rowFrom[row+1]; cell++ {
			line = append(line, g.glyph(p, cell))
		}
	}
	return string(append(line, '-', byte('0'+g.tip[p.seat])))
}

func (g *Game) glyph(p *position, cell int) byte {
	for s := range g.seats {
		if p.own[s].Has(cell) {
			return byte('0' + g.tip[s])
		}
	}
	return '_'
}

// parse reads a position, and refuses a position that cannot occur.
func (g *Game) parse(text string) (*position, error) {
	fail := func(format string, args ...any) (*position, error) {
		return nil, fmt.Errorf("halma: position of %s: "+format, append([]any{g.id}, args...)...)
	}
	b := g.board
	if len(text) > 4*b.Cells()+100 {
		return fail("%d characters are too many", len(text))
	}
	rowsText, moverText, ok := strings.Cut(text, "-")
	if !ok {
		return fail("want rows separated by dots, then - and the seat to move, as %s", g.text(g.startPosition()))
	}
	rows := strings.Split(rowsText, ".")
	if len(rows) != b.rows {
		return fail("want %d rows of text, not %d", b.rows, len(rows))
	}
	p := new(position)
	for row, line := range rows {
		first, width := b.rowFrom[row], b.rowFrom[row+1]-b.rowFrom[row]
		if len(line) != width {
			return fail("row %d from the top (%q) has %d holes, want %d", row+1, line, len(line), width)
		}
		for i := range width {
			if line[i] == '_' {
				continue
			}
			s := g.seatOf(line[i : i+1])
			if s < 0 {
				return fail("row %d from the top: %q is neither _ nor a seat (%s)", row+1, line[i:i+1], g.seatList())
			}
			cell := first + i
			if g.closed(s, cell) {
				return fail("a piece of seat %s stands on %s, in a tip that rules %s close to it",
					g.SeatName(s), b.CellName(cell), g.rules)
			}
			p.own[s] = p.own[s].With(cell)
		}
	}
	for s := range g.seats {
		if n := p.own[s].Count(); n != b.pieces {
			return fail("seat %s has %d pieces, want %d", g.SeatName(s), n, b.pieces)
		}
	}
	if p.seat = g.seatOf(moverText); p.seat < 0 {
		return fail("the seat to move is %q, want one of %s", moverText, g.seatList())
	}
	if g.rules.Illegal != NoIllegal {
		switch {
		case g.over[p.seat].Won(p.own[p.seat], p.occupied()):
			return fail("illegal under rules %s: seat %s is to move but has won", g.rules, g.SeatName(p.seat))
		// Under the rules of the 2019 run a pass can lead to such a position.
		case g.rules.Illegal == Sturtevant && g.illegal(p):
			return fail("illegal under rules %s: a goal is blocked for good", g.rules)
		}
	}
	return p, nil
}

// seatOf returns the seat of a name, or −1.
func (g *Game) seatOf(name string) int {
	for s := range g.seats {
		if g.SeatName(s) == name {
			return s
		}
	}
	return -1
}

func (g *Game) seatList() string {
	var names []string
	for s := range g.seats {
		names = append(names, g.SeatName(s))
	}
	return strings.Join(names, ", ")
}
