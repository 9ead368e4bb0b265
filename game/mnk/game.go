package mnk

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// MaxSide is the largest number of rows or columns.
const MaxSide = 70

// errBoard is wrapped by every error about an impossible board or k.
var errBoard = errors.New("mnk: bad board")

// Game is one m,n,k-game. It is immutable and safe for concurrent use.
type Game struct {
	rows, cols, k int
	cells         int
	// sym[s][c] is the image of cell c under symmetry s: 4 symmetries, 8 of squares.
	// Symmetry 0 is the identity.
	sym      [][]int32
	lines64  *Lines64            // boards of up to 64 cells
	perm64   []*bitboard.Perm64  // boards of up to 64 cells
	perm128  []*bitboard.Perm128 // boards of 65…128 cells, and Wide
	lines128 *Lines128           // boards of 65…128 cells, and Wide
	plain    bool
	stones   []stones // numbers of positions by their stones, up to 26 cells
	numbers  uint64   // number of positions with numbers, or 0
}

// New returns the game of m rows, n columns and k in a row. A k larger than both sides is
// refused: nobody could win.
func New(m, n, k int) (*Game, error) {
	switch {
	case m < 1 || n < 1 || m > MaxSide || n > MaxSide:
		return nil, fmt.Errorf("%w: %d rows and %d columns: want 1 to %d", errBoard, m, n, MaxSide)
	case k < 1:
		return nil, fmt.Errorf("%w: %d in a row: want at least 1", errBoard, k)
	case k > m && k > n:
		return nil, fmt.Errorf("%w: %d in a row do not fit %d rows and %d columns", errBoard, k, m, n)
	}
	g := &Game{rows: m, cols: n, k: k, cells: m * n}
	g.sym = symmetries(m, n)
	g.stones, g.numbers = newNumbers(g.cells)
	switch {
	case g.cells <= 64:
		g.lines64 = newLines64(g)
		g.perm64 = compile(g.sym, bitboard.Perm.Compile64)
	case g.cells <= 128:
		g.lines128, g.perm128 = newLines128(g), compile(g.sym, bitboard.Perm.Compile128)
	}
	return g, nil
}

// ByID returns the game of an id such as mnk-7x7k5: rows, columns, k.
func ByID(id string) (*Game, error) {
	var m, n, k int
	_, _ = fmt.Sscanf(id, idFormat, &m, &n, &k) // unreadable ids differ below
	if id != ID(m, n, k) {
		return nil, fmt.Errorf("%w: id %q: want mnk-ROWSxCOLSkK, for instance mnk-7x7k5", errBoard, id)
	}
	return New(m, n, k)
}

const idFormat = "mnk-%dx%dk%d"

// ID returns the id of the game of m rows, n columns and k in a row.
func ID(m, n, k int) string { return fmt.Sprintf(idFormat, m, n, k) }

// Read returns the game of three numbers as text.
func Read(m, n, k string) (*Game, error) {
	var v [3]int
	for i, t := range []string{m, n, k} {
		var err error
		if v[i], err = strconv.Atoi(t); err != nil {
			return nil, fmt.Errorf("%w: %s %q: want a number", errBoard, [...]string{"M", "N", "K"}[i], t)
		}
	}
	return New(v[0], v[1], v[2])
}

// symmetries lists the rotations and mirrors that keep the shape of a board.
func symmetries(m, n int) [][]int32 {
	count := 4
	if m == n {
		count = 8
	}
	list := make([][]int32, count)
	for s := range list {
		p := make([]int32, m*n)
		for r := range m {
			for c := range n {
				rr, cc := r, c
				if s&1 != 0 {
					rr = m - 1 - rr
				}
				if s&2 != 0 {
					cc = n - 1 - cc
				}
				if s&4 != 0 {
					rr, cc = cc, rr
				}
				p[r*n+c] = int32(rr*n + cc)
			}
		}
		list[s] = p
	}
	return list
}

// Inverse returns the inverse of symmetry s. Mirrors are their own inverses. The inverse of
// a symmetry that exchanges rows and columns mirrors rows where s mirrors columns.
func Inverse(s uint8) uint8 {
	if s < 4 {
		return s
	}
	return 4 | s&1<<1 | s>>1&1
}

// compile compiles symmetries of at most 128 cells by a method of bitboard.Perm.
func compile[T any](sym [][]int32, to func(bitboard.Perm) (T, error)) (list []T) {
	for _, s := range sym {
		p := make(bitboard.Perm, len(s))
		for i, c := range s {
			p[i] = uint8(c)
		}
		t, err := to(p)
		if err != nil {
			panic(fmt.Errorf("mnk: symmetries: %w", err))
		}
		list = append(list, t)
	}
	return list
}

// Rows and Cols are the size of the board, K the stones in a row that win.
func (g *Game) Rows() int  { return g.rows }
func (g *Game) Cols() int  { return g.cols }
func (g *Game) K() int     { return g.k }
func (g *Game) Cells() int { return g.cells }

// Symmetries returns the images of all cells under each symmetry, the identity first. The slices
// are the game's own.
func (g *Game) Symmetries() [][]int32 { return g.sym }

// Lines64 returns the windows of a board of at most 64 cells, else nil.
func (g *Game) Lines64() *Lines64 { return g.lines64 }

// Symmetries64 returns the symmetries of a board of at most 64 cells, the
// identity first, else nil. The slice is the game's own.
func (g *Game) Symmetries64() []*bitboard.Perm64 { return g.perm64 }

// Lines128 returns the windows of a board of 65 to 128 cells, or of [Game.Wide], else
// nil.
func (g *Game) Lines128() *Lines128 { return g.lines128 }

// Symmetries128 is Symmetries64 for boards that have Lines128.
func (g *Game) Symmetries128() []*bitboard.Perm128 { return g.perm128 }

// Wide returns the same game with states and windows in two words, for tests that compare
// both widths. The board has at most 128 cells.
func (g *Game) Wide() *Game {
	p := *g
	p.lines64, p.perm64 = nil, nil
	p.lines128, p.perm128 = newLines128(g), compile(g.sym, bitboard.Perm.Compile128)
	return &p
}

// Openings lists the first moves up to symmetry: the lowest of all cells that are images of each
// other.
func (g *Game) Openings() (list []int) {
	for c := range g.cells {
		if !slices.ContainsFunc(g.sym, func(s []int32) bool { return int(s[c]) < c }) {
			list = append(list, c)
		}
	}
	return list
}

// Plain returns the same game played on an array of cells: the reference, whose states have
// only the rules.
func (g *Game) Plain() *Game {
	p := *g
	p.plain = true
	return &p
}

// ID returns for instance mnk-7x7k5.
func (g *Game) ID() string { return ID(g.rows, g.cols, g.k) }

// Rules is empty: there is one rule set.
func (g *Game) Rules() string { return "" }

// Seats is 2.
func (g *Game) Seats() int { return 2 }

// SeatName is x for the first player and o for the second.
func (g *Game) SeatName(seat int) string { return [...]string{"x", "o"}[seat] }

// Start returns a new state of the empty board.
func (g *Game) Start() game.State { return g.newState() }

// state is a game.State that can be set up from the contents of all cells.
type state interface {
	game.State
	place(cells []uint8) // fills an empty board
}

// newState returns the empty board in the form that fits its size.
func (g *Game) newState() state {
	switch {
	case g.plain || g.cells > 128:
		return newPlain(g)
	case g.lines128 != nil:
		return &State128{base: base{g: g}}
	}
	return &State64{base: base{g: g}}
}

// CellName names a cell, for instance c3.
func (g *Game) CellName(cell int) string {
	r, c := cell/g.cols, cell%g.cols
	name := make([]byte, 0, 4)
	if c >= 26 {
		name = append(name, byte('a'+c/26-1))
	}
	name = append(name, byte('a'+c%26))
	return string(strconv.AppendInt(name, int64(g.rows-r), 10))
}

// ParseCell reads a name as CellName prints it.
func (g *Game) ParseCell(name string) (int, error) {
	i, c := 0, 0
	for i < len(name) && i < 2 && name[i] >= 'a' && name[i] <= 'z' {
		c = c*26 + int(name[i]-'a') + 1
		i++
	}
	r, err := strconv.Atoi(name[i:])
	if i == 0 || err != nil || r < 1 || r > g.rows || c > g.cols || name[i] == '+' || name[i] == '0' {
		return 0, fmt.Errorf("mnk: cell %q: want a1 to %s", name, g.CellName(g.cols-1))
	}
	return (g.rows-r)*g.cols + c - 1, nil
}

// Parse reads a text as String prints it.
func (g *Game) Parse(text string) (game.State, error) {
	cells, err := g.parse(text)
	if err != nil {
		return nil, fmt.Errorf("mnk: position: %w", err)
	}
	st := g.newState()
	st.place(cells)
	return st, nil
}

// The contents of a cell.
const (
	empty = iota
	first
	second
)

// parse reads the rows of a position.
func (g *Game) parse(text string) ([]uint8, error) {
	rows := strings.Split(text, ".")
	if len(rows) != g.rows {
		return nil, fmt.Errorf("want %d rows of text, not %d", g.rows, len(rows))
	}
	cells := make([]uint8, g.cells)
	for r, row := range rows {
		c, after := 0, false // after: a number has just ended, and no other may follow
		for i := 0; i < len(row); {
			switch b := row[i]; {
			case c >= g.cols:
				return nil, fmt.Errorf("row %d is longer than %d", g.rows-r, g.cols)
			case b == 'x' || b == 'o':
				cells[r*g.cols+c] = first
				if b == 'o' {
					cells[r*g.cols+c] = second
				}
				c++
				i++
				after = false
			case b >= '1' && b <= '9' && !after:
				n := 0
				for ; i < len(row) && row[i] >= '0' && row[i] <= '9' && n <= g.cols; i++ {
					n = n*10 + int(row[i]-'0')
				}
				if c += n; c > g.cols {
					return nil, fmt.Errorf("row %d is longer than %d", g.rows-r, g.cols)
				}
				after = true
			default:
				return nil, fmt.Errorf("row %d: %q: want x, o or a number of empty cells", g.rows-r, b)
			}
		}
		if c != g.cols {
			return nil, fmt.Errorf("row %d has %d cells, want %d", g.rows-r, c, g.cols)
		}
	}
	return cells, g.legal(cells)
}

// legal returns an error unless a position can arise: the stones alternate, and at most the
// last one made a line.
func (g *Game) legal(cells []uint8) error {
	var n [3]int
	for _, c := range cells {
		n[c]++
	}
	if d := n[first] - n[second]; d != 0 && d != 1 {
		return fmt.Errorf("%d stones x and %d stones o: want as many, or one x more", n[first], n[second])
	}
	last, before := uint8(first), uint8(second)
	if n[first] == n[second] {
		last, before = before, last
	}
	inLine := func(p uint8) bool {
		for c, q := range cells {
			if q == p && g.linesThrough(cells, c) > 0 {
				return true
			}
		}
		return false
	}
	late := errors.New("the game went on after a line was complete")
	switch {
	case inLine(before):
		return late
	case !inLine(last):
		return nil
	}
	// The last stone must be in all complete lines: without it no line is complete.
	for c, p := range cells {
		if p != last || g.linesThrough(cells, c) == 0 {
			continue
		}
		cells[c] = empty
		left := inLine(last)
		cells[c] = last
		if !left {
			return nil
		}
	}
	return late
}

// directions are the steps of the four directions of lines.
var directions = [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}}

// Directions returns the steps, in rows and columns, of the four directions of lines.
func Directions() [4][2]int { return directions }

// Windows lists the windows of the board, each by its direction and first cell.
// A single cell is one window, not four.
func (g *Game) Windows() iter.Seq2[int, int] {
	return func(yield func(direction, first int) bool) {
		for d, dir := range directions {
			for first := range g.cells {
				r, c := first/g.cols+(g.k-1)*dir[0], first%g.cols+(g.k-1)*dir[1]
				if r >= g.rows || c < 0 || c >= g.cols || g.k == 1 && d > 0 {
					continue
				}
				if !yield(d, first) {
					return
				}
			}
		}
	}
}

// Step is the number of cells from one cell of a window to the next.
func (g *Game) Step(direction int) int {
	return directions[direction][0]*g.cols + directions[direction][1]
}

// linesThrough counts the directions in which the stone on cell c is in a line of k or more
// stones of its colour.
func (g *Game) linesThrough(cells []uint8, c int) (n int) {
	r0, c0, p := c/g.cols, c%g.cols, cells[c]
	for _, d := range directions {
		run := 1
		for _, sign := range [2]int{1, -1} {
			for i := 1; i < g.k; i++ {
				r, q := r0+sign*i*d[0], c0+sign*i*d[1]
				if r < 0 || r >= g.rows || q < 0 || q >= g.cols || cells[r*g.cols+q] != p {
					break
				}
				run++
			}
		}
		if run >= g.k {
			n++
		}
	}
	return n
}

// Print writes a position as text; at returns the contents of a cell, as [Plain.At].
func (g *Game) Print(at func(cell int) uint8) string {
	b := make([]byte, 0, 2*g.cells)
	for r := range g.rows {
		if r > 0 {
			b = append(b, '.')
		}
		gap := 0
		for c := range g.cols {
			p := at(r*g.cols + c)
			if p == empty {
				gap++
				continue
			}
			if gap > 0 {
				b = strconv.AppendInt(b, int64(gap), 10)
				gap = 0
			}
			b = append(b, " xo"[p])
		}
		if gap > 0 {
			b = strconv.AppendInt(b, int64(gap), 10)
		}
	}
	return string(b)
}

// parseMove reads a move on an empty cell of an undecided game.
func (g *Game) parseMove(text string, result game.Result, isEmpty func(int) bool) (game.Move, error) {
	c, err := g.ParseCell(text)
	switch {
	case err != nil:
		return game.NoMove, err
	case result != game.Ongoing:
		return game.NoMove, fmt.Errorf("mnk: move %s: the game is over", text)
	case !isEmpty(c):
		return game.NoMove, fmt.Errorf("mnk: move %s: the cell is taken", text)
	}
	return game.Move(c), nil
}
