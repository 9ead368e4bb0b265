// Command connectfour adds Connect Four to perfectplay, with the abilities that make searches fast:
// one key for mirror images, no moves that lose at once, a bound on the plies left.
//
//	go run . search connect4-5x5 --without openings
//	go run . strong connect4-5x4
//
// Players take turns to drop a stone into a column of the board; connect4-7x6 has seven columns of
// six. Four side by side, upright or diagonally win; a full board is a draw.
package main

import (
	"cmp"
	"fmt"
	"math/bits"
	"os"
	"strings"

	"perfectplay/app"
	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
)

func main() { os.Exit(app.Main(family.Family{Wing: connectFour()})) }

// connectFour is the wing: it opens the game and draws its positions.
func connectFour() wing.Wing {
	return wing.Wing{
		Name: "connect4", Title: "Connect Four", About: "stones drop into columns: four side by side, upright or diagonally win",
		IDs: func() []string { return strings.Fields("connect4-7x6 connect4-5x4 connect4-6x5") },
		Open: func(id, _ string) (game.Game, error) {
			var cols, rows int
			_, _ = fmt.Sscanf(id, "connect4-%dx%d", &cols, &rows) // unreadable ids differ below
			b, err := newBoard(cols, rows)
			if err == nil && b.ID() != id {
				err = fmt.Errorf("connect4: id %q: want for instance connect4-7x6, seven columns of six", id)
			}
			return b, err
		},
		Board: func(g game.Game) wing.Board {
			b := g.(*board)
			d := wing.Board{Squares: true, Width: float64(b.cols), Height: float64(b.rows), Seats: []wing.Seat{{Sign: wing.Cross}, {Sign: wing.Ring}}}
			for i := range b.cols * b.rows { // column by column, from the lowest cell up
				c, row := i/b.rows, i%b.rows
				d.Cells = append(d.Cells, wing.Cell{Name: fmt.Sprint(string(rune('a'+c)), row+1), X: float64(c) + 0.5, Y: float64(b.rows-row) - 0.5})
			}
			return d
		},
		Picture: func(_ game.Game, at game.State) (p wing.Picture) {
			s := at.(*state)
			for i := range s.cols * s.rows {
				p.Pieces = append(p.Pieces, s.at(i/s.rows, i%s.rows))
			}
			return p
		},
		Trace: func(_ game.Game, at game.State, m game.Move) wing.Trace {
			return wing.Trace{Path: []int{int(m) - int(m)/int(at.(*state).step)}}
		},
	}
}

// board is the game. A set of cells has a bit for each cell, column by column from the lowest cell
// up, and a clear bit above each column, so that no line runs on into the next column:
//
//	5 12 19 26 33 40 47
//	…                     of seven columns of six
//	0  7 14 21 28 35 42
type board struct {
	cols, rows  int
	step        uint          // from a cell to its neighbour on the right
	lines       [4]uint       // steps along lines: up, then to the right
	bottom, all uint64        // the lowest cells; all cells
	mirror      [64]game.Move // the mirror image of each cell
}

func newBoard(cols, rows int) (*board, error) {
	if cols < 1 || rows < 1 || cols > 26 || rows > 60 || cols*(rows+1) > 64 || max(cols, rows) < 4 {
		return nil, fmt.Errorf("connect4: %d columns of %d: want room for four in a row, and at most 26 columns and 64 cells, with one above each column", cols, rows)
	}
	step := uint(rows + 1)
	b := &board{cols: cols, rows: rows, step: step, lines: [4]uint{1, step, step - 1, step + 1}}
	for c := range cols {
		b.bottom |= 1 << (uint(c) * step)
		for row := range rows {
			b.mirror[c*int(step)+row] = game.Move((cols-1-c)*int(step) + row)
		}
	}
	b.all = b.bottom * (1<<rows - 1)
	return b, nil
}

func (b *board) ID() string               { return fmt.Sprintf("connect4-%dx%d", b.cols, b.rows) }
func (b *board) Rules() string            { return "" }
func (b *board) Seats() int               { return 2 }
func (b *board) SeatName(seat int) string { return [2]string{"x", "o"}[seat] }
func (b *board) Start() game.State        { return &state{board: b} }

// lined reports whether stones hold four in a row.
func (b *board) lined(stones uint64) bool {
	for _, d := range b.lines {
		if two := stones & (stones >> (d & 63)); two&(two>>(2*d&63)) != 0 {
			return true
		}
	}
	return false
}

// completing returns the cells that complete four stones in a row, even if taken or too high.
func (b *board) completing(stones uint64) uint64 {
	cells := stones << 1 & (stones << 2) & (stones << 3)
	for _, d := range b.lines[1:] {
		d &= 63 // no change; it spares the compiler's tests of shifts
		up, down := stones<<d, stones>>d
		up2, down2 := up<<d, down>>d
		cells |= up & up2 & (up2<<d | down)     // above three stones, or above two and below one
		cells |= down & down2 & (down2>>d | up) // below three stones, or below two and above one
	}
	return cells & b.all
}

// view is a position as seen from the front of the board, or from behind.
type view struct{ own, taken uint64 } // stones of the player to move, and of both

// smaller writes the smaller key of two views, and returns 1 if w has the smaller key. A key has
// for each column the player's stones and a bit above the highest stone.
func (v view) smaller(b *board, w view, dst []uint64) (sym uint8) {
	if dst[0] = v.own + v.taken + b.bottom; w.own+w.taken+b.bottom < dst[0] {
		dst[0], sym = w.own+w.taken+b.bottom, 1
	}
	return sym
}

// drop is the view after the player to move drops a stone onto a cell; the other is then to move.
func (v view) drop(cell game.Move) view { return view{v.own ^ v.taken, v.taken | 1<<(cell&63)} }

// state is a position. A move is the number of the cell where the stone comes to lie.
type state struct {
	*board
	front, back view
	n           int         // stones
	past        [64][2]view // both views by the number of stones before
}

func (s *state) Seat() int         { return s.n & 1 }
func (s *state) Clone() game.State { c := *s; return &c }
func (s *state) PliesLeft() int    { return s.cols*s.rows - s.n } // game.Ender
func (s *state) them() uint64      { return s.front.own ^ s.front.taken }

// at is the owner of the stone on a cell of a column, −1 if empty.
func (s *state) at(c, row int) int {
	cell, x := uint(c)*s.step+uint(row), [2]uint64{s.front.own, s.them()}[s.Seat()]
	return int(2*(s.front.taken>>cell&1)) - int(x>>cell&1) - 1
}

func (s *state) Result() game.Result {
	switch {
	case s.lined(s.them()):
		return game.Result(1 - s.Seat())
	case s.n == s.cols*s.rows:
		return game.Drawn
	}
	return game.Ongoing
}

func (s *state) possible() uint64 { return (s.front.taken + s.bottom) & s.all } // cells where the next stone can fall

func list(buf []game.Move, cells uint64) []game.Move {
	for ; cells != 0; cells &= cells - 1 {
		buf = append(buf, game.Move(bits.TrailingZeros64(cells)))
	}
	return buf
}

func (s *state) Moves(buf []game.Move) []game.Move {
	if s.lined(s.them()) {
		return buf
	}
	return list(buf, s.possible())
}

func (s *state) Make(m game.Move) {
	s.past[s.n&63] = [2]view{s.front, s.back}
	s.n++
	s.front, s.back = s.front.drop(m), s.back.drop(s.mirror[m&63])
}

func (s *state) Unmake() {
	s.n--
	s.front, s.back = s.past[s.n&63][0], s.past[s.n&63][1]
}

// Key is the smaller of both views' keys; the symmetry says which one: game.Keyer.
func (s *state) Key(dst []uint64) uint8                  { return s.front.smaller(s.board, s.back, dst) }
func (s *state) KeyWords() int                           { return 1 }
func (s *state) Actual(m game.Move, sym uint8) game.Move { return s.Canonical(m, sym) }
func (s *state) Canonical(m game.Move, sym uint8) game.Move {
	if sym == 1 && m < game.NoMove {
		return s.mirror[m&63]
	}
	return m
}

// NextKey is the key after a move: game.NextKeyer.
func (s *state) NextKey(m game.Move, dst []uint64) uint8 {
	return s.front.drop(m).smaller(s.board, s.back.drop(s.mirror[m&63]), dst)
}

// SetKey sets the position of a key: game.KeySetter. With it strong solves stage by stage.
func (s *state) SetKey(key []uint64) {
	s.front, s.back = view{}, view{}
	for c := range s.cols {
		left, right := uint(c)*s.step, uint(s.cols-1-c)*s.step
		stones := key[0] >> left & (2<<s.rows - 1)
		high := uint64(1) << (bits.Len64(stones) - 1)
		s.front.own, s.front.taken = s.front.own|(stones^high)<<left, s.front.taken|(high-1)<<left
		s.back.own, s.back.taken = s.back.own|(stones^high)<<right, s.back.taken|(high-1)<<right
	}
	s.n = bits.OnesCount64(s.front.taken)
}

// WinningMove is a cell that completes four in a row: game.SafeLister.
func (s *state) WinningMove() game.Move {
	if cells := s.completing(s.front.own) & s.possible(); cells != 0 && !s.lined(s.them()) {
		return game.Move(bits.TrailingZeros64(cells))
	}
	return game.NoMove
}

// SafeMoves appends the cells after which the other player cannot complete four at once. A cell that
// completes their four must be taken, and the cell below such a cell must stay empty.
func (s *state) SafeMoves(buf []game.Move) []game.Move {
	cells, threats := s.possible(), s.completing(s.them())
	if forced := cells & threats; forced&(forced-1) != 0 {
		return buf
	} else if forced != 0 {
		cells = forced
	}
	return list(buf, cells&^(threats>>1))
}

// Gain is the number of cells that complete four after a move, then the closeness of the column to
// the middle: game.Orderer.
func (s *state) Gain(m game.Move) int32 {
	after, aside := s.front.drop(m), int32(m)-int32(s.mirror[m&63])
	threats := s.completing(after.own^after.taken) &^ after.taken
	return 64*int32(bits.OnesCount64(threats)) - max(aside, -aside)
}

// String lists the stones of each column from the lowest up, 0 for an empty column: 0.0.0.xo.x.0.0.
func (s *state) String() string {
	columns := make([]string, s.cols)
	for c := range columns {
		for row := range s.rows {
			columns[c] += [3]string{"", "x", "o"}[s.at(c, row)+1]
		}
		columns[c] = cmp.Or(columns[c], "0")
	}
	return strings.Join(columns, ".")
}

func (b *board) Parse(text string) (game.State, error) {
	columns := strings.Split(text, ".")
	if len(columns) != b.cols {
		return nil, fmt.Errorf("connect4: position: want %d columns with dots between them, not %d", b.cols, len(columns))
	}
	var stones [2]uint64
	for c, column := range columns {
		if column != "0" && (column == "" || len(column) > b.rows || strings.Trim(column, "xo") != "") {
			return nil, fmt.Errorf("connect4: position: column %q: want 0, or at most %d of x and o from the lowest up", column, b.rows)
		}
		for row, stone := range strings.Trim(column, "0") {
			stones[strings.IndexRune("xo", stone)] |= 1 << (uint(c)*b.step + uint(row))
		}
	}
	x, o := bits.OnesCount64(stones[0]), bits.OnesCount64(stones[1])
	if x != o && x != o+1 {
		return nil, fmt.Errorf("connect4: position: %d stones x and %d stones o: want as many, or one x more", x, o)
	}
	s := &state{board: b}
	s.SetKey([]uint64{stones[x-o] + (stones[0] | stones[1]) + b.bottom})
	them, ended := s.them(), b.lined(s.them()) // the last stone is on top of a column and in every four
	for last := (s.front.taken + b.bottom) >> 1 & them; ended && last != 0; last &= last - 1 {
		ended = b.lined(them &^ (last & -last))
	}
	if ended || b.lined(stones[x-o]) {
		return nil, fmt.Errorf("connect4: position: the game went on after four in a row")
	}
	return s, nil
}

func (s *state) MoveString(m game.Move) string { return string(rune('a' + uint(m)/s.step)) }

func (s *state) ParseMove(text string) (game.Move, error) {
	for _, m := range s.Moves(nil) {
		if s.MoveString(m) == text {
			return m, nil
		}
	}
	return game.NoMove, fmt.Errorf("connect4: move %q: want the letter of a column with room", text)
}
