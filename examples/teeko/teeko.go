// Command teeko is a game of one's own with all that perfectplay has for games: rules,
// a numbering of its positions, a picture, and from these a complete solution, search,
// players and the page. It is a module of its own, as a stranger's is.
//
//	go run . strong teeko-standard --table teeko.table
//	go run . serve
//
// Teeko is played on five rows of five cells. Each of two players has four pieces; they
// put them down by turns and then move one a turn to a neighbouring empty cell, also
// diagonally. Four of one colour in a row, or in a square of two by two, win.
package main

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"perfectplay/bitboard"
	"perfectplay/game"
)

const (
	cells = 25
	board = 1<<cells - 1
	full  = 8 // stones when all are on the board
)

// rules is the game; it implements game.Game and game.Numberer.
type rules struct{}

// state is a position: the stones of both players, and who moves. A move is the cell
// gone to, and 32 times the cell left, or 31 where a piece is put down.
type state struct {
	stones  [2]uint32 // cell a1 is bit 0, b1 bit 1, a2 bit 5
	mover   int
	history []game.Move
}

// Tables.
var (
	near    [cells]uint32      // neighbours
	won     [12650]bool        // whether four stones win, by their rank
	sets    [5][]uint32        // of as many stones, by their rank
	low     [1 << 13]uint32    // what the cells of a set add to its rank: the first 13 cells,
	high    [5][1 << 12]uint32 // and the others, if there are so many stones before them
	first   [full + 2]uint64   // number of the first position with so many stones
	partner [full + 1]uint64   // ways to put the second player's, the first player's being there
)

func choose(n, k int) uint64 {
	c := uint64(1)
	for i := range k {
		c = c * uint64(n-i) / uint64(i+1)
	}
	return c
}

// part is what the cells of a set add to its rank, the first of them being cell from, with
// so many stones before them.
func part(set uint32, from, before int) (sum uint32) {
	for ; set != 0; set &= set - 1 {
		before++
		sum += uint32(choose(from+bits.TrailingZeros32(set), before))
	}
	return sum
}

func init() {
	for x := range low {
		low[x] = part(uint32(x), 0, 0)
	}
	for j := range high {
		for x := range high[j] {
			high[j][x] = part(uint32(x), 13, j)
		}
	}
	for x := range uint32(board + 1) {
		if k := bits.OnesCount32(x); k <= 4 {
			sets[k] = append(sets[k], x)
		}
	}
	shapes := [][4][2]int{{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, {{0, 0}, {0, 1}, {0, 2}, {0, 3}}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
		{{3, 0}, {2, 1}, {1, 2}, {0, 3}}, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}}
	for c := range cells {
		for d := range cells {
			if dx, dy := c%5-d%5, c/5-d/5; c != d && dx*dx <= 1 && dy*dy <= 1 {
				near[c] |= 1 << d
			}
		}
		for _, shape := range shapes {
			set := uint32(0)
			for _, step := range shape {
				if x, y := c%5+step[0], c/5+step[1]; x < 5 && y < 5 {
					set |= 1 << (5*y + x)
				}
			}
			if bits.OnesCount32(set) == 4 {
				won[rank(set)] = true
			}
		}
	}
	for k := range full + 1 {
		partner[k] = choose(cells-(k+1)/2, k/2)
		first[k+1] = first[k] + choose(cells, (k+1)/2)*partner[k]
	}
}

// rank numbers the sets of as many cells in ascending order.
func rank(set uint32) uint64 {
	x := set & (1<<13 - 1)
	return uint64(low[x] + high[bits.OnesCount32(x)][set>>13])
}

// squeeze is a set as seen among the cells that another leaves.
func squeeze(set, other uint32) uint32 {
	return uint32(bitboard.Extract64(uint64(set), uint64(board&^other)))
}

// number is that of two sets of k stones: the first player's, who moves if all are down.
func number(k int, one, two uint32) uint64 {
	return first[k] + rank(one)*partner[k] + rank(squeeze(two, one))
}

func (rules) ID() string                 { return "teeko-standard" }
func (rules) Rules() string              { return "" }
func (rules) Seats() int                 { return 2 }
func (rules) SeatName(seat int) string   { return [2]string{"x", "o"}[seat] }
func (rules) Start() game.State          { return &state{} }
func (rules) Numbers() uint64            { return first[full+1] }
func (rules) Number(s game.State) uint64 { return s.(*state).number() }

func (rules) At(to game.State, n uint64) bool {
	s := to.(*state)
	k := s.count(n)
	n -= first[k]
	one := sets[(k+1)/2][n/partner[k]]
	two := uint32(bitboard.Deposit64(uint64(sets[k/2][n%partner[k]]), uint64(board&^one)))
	s.stones, s.mover, s.history = [2]uint32{one, two}, k%2, s.history[:0]
	return !s.has(s.mover) // else the game was over before
}

// count is how many stones the position of a number has.
func (s *state) count(n uint64) int {
	k := full
	for first[k] > n {
		k--
	}
	return k
}

func (s *state) number() uint64 {
	k := bits.OnesCount32(s.stones[0] | s.stones[1])
	if k == full { // colours exchanged it is the same
		return number(k, s.stones[s.mover], s.stones[1-s.mover])
	}
	return number(k, s.stones[0], s.stones[1])
}

// has says whether a player's stones win.
func (s *state) has(seat int) bool {
	return bits.OnesCount32(s.stones[seat]) == 4 && won[rank(s.stones[seat])]
}

func (s *state) free() uint32 { return board &^ (s.stones[0] | s.stones[1]) }

func (s *state) Seat() int { return s.mover }

func (s *state) Result() game.Result {
	if s.has(1 - s.mover) {
		return game.Result(1 - s.mover)
	}
	return game.Ongoing
}

func (s *state) Moves(buf []game.Move) []game.Move {
	if s.Result() != game.Ongoing {
		return buf
	}
	free := s.free()
	if bits.OnesCount32(free) > cells-full {
		for ; free != 0; free &= free - 1 {
			buf = append(buf, game.Move(31<<5|bits.TrailingZeros32(free)))
		}
		return buf
	}
	for from := s.stones[s.mover]; from != 0; from &= from - 1 {
		c := bits.TrailingZeros32(from)
		for to := near[c] & free; to != 0; to &= to - 1 {
			buf = append(buf, game.Move(c<<5|bits.TrailingZeros32(to)))
		}
	}
	return buf // nobody can be shut in
}

// CountMoves is game.Counter.
func (s *state) CountMoves() (n int) {
	free := s.free()
	if s.Result() != game.Ongoing {
		return 0
	}
	if n = bits.OnesCount32(free); n > cells-full {
		return n
	}
	n = 0
	for from := s.stones[s.mover]; from != 0; from &= from - 1 {
		n += bits.OnesCount32(near[bits.TrailingZeros32(from)] & free)
	}
	return n
}

// After is game.Follower.
func (s *state) After(buf []uint64) []uint64 {
	free, us, them := s.free(), s.stones[s.mover], s.stones[1-s.mover]
	k := cells - bits.OnesCount32(free)
	if k < full {
		for ; free != 0; free &= free - 1 {
			next := [2]uint32{s.stones[0], s.stones[1]}
			if next[s.mover] |= free & -free; k+1 == full {
				next[0], next[1] = them, us|free&-free
			}
			buf = append(buf, number(k+1, next[0], next[1]))
		}
		return buf
	}
	base, left, seen := first[full]+rank(them)*partner[full], board&^them, squeeze(us, them)
	for from := us; from != 0; from &= from - 1 {
		c := bits.TrailingZeros32(from)
		rest := seen &^ (1 << bits.OnesCount32(left&(1<<c-1)))
		for to := near[c] & free; to != 0; to &= to - 1 {
			buf = append(buf, base+rank(rest|1<<bits.OnesCount32(left&(to&-to-1))))
		}
	}
	return buf
}

// Before is game.Unmover.
func (s *state) Before(buf []uint64) []uint64 {
	us, them := s.stones[s.mover], s.stones[1-s.mover]
	k := bits.OnesCount32(us | them)
	for put := them; put != 0; put &= put - 1 { // the piece that came last was put down
		prior := [2]uint32{s.stones[0], s.stones[1]}
		if prior[1-s.mover] &^= put & -put; k == full {
			prior[0], prior[1] = us, them&^(put&-put)
		}
		if k > 0 {
			buf = append(buf, number(k-1, prior[0], prior[1]))
		}
	}
	if k < full {
		return buf
	}
	for to := them; to != 0; to &= to - 1 { // or it was moved
		for from := near[bits.TrailingZeros32(to)] & s.free(); from != 0; from &= from - 1 {
			buf = append(buf, number(full, them&^(to&-to)|from&-from, us))
		}
	}
	return buf
}

func (s *state) Make(m game.Move) {
	if m>>5 != 31 {
		s.stones[s.mover] &^= 1 << (m >> 5)
	}
	s.stones[s.mover] |= 1 << (m & 31)
	s.mover = 1 - s.mover
	s.history = append(s.history, m)
}

func (s *state) Unmake() {
	m := s.history[len(s.history)-1]
	s.history = s.history[:len(s.history)-1]
	s.mover = 1 - s.mover
	s.stones[s.mover] &^= 1 << (m & 31)
	if m>>5 != 31 {
		s.stones[s.mover] |= 1 << (m >> 5)
	}
}

func (s *state) Clone() game.State { return &state{stones: s.stones, mover: s.mover} }

// KeyWords and what follows is game.Keyer: a position is its number.
func (s *state) KeyWords() int                            { return 1 }
func (s *state) Key(dst []uint64) uint8                   { dst[0] = s.number(); return 0 }
func (s *state) Canonical(m game.Move, _ uint8) game.Move { return m }
func (s *state) Actual(m game.Move, _ uint8) game.Move    { return m }

// String is the cells from a1 to e5 and the player to move, as in .....xx..oo..............-x.
func (s *state) String() string {
	text := []byte(strings.Repeat("_", cells) + "-x")
	for c := range cells {
		for seat, b := range "xo" {
			if s.stones[seat]>>c&1 != 0 {
				text[c] = byte(b)
			}
		}
	}
	text[cells+1] = "xo"[s.mover]
	return string(text)
}

func (rules) Parse(text string) (game.State, error) {
	s := &state{}
	if len(text) != cells+2 || text[cells] != '-' || !strings.Contains("xo", text[cells+1:]) {
		return nil, fmt.Errorf("teeko: position %q: want 25 cells of _, x and o, then -x or -o", text)
	}
	for c := range cells {
		switch i := strings.IndexByte("xo_", text[c]); i {
		case -1:
			return nil, fmt.Errorf("teeko: position: cell %s is %q, want _, x or o", name(c), text[c])
		case 0, 1:
			s.stones[i] |= 1 << c
		}
	}
	s.mover = strings.IndexByte("xo", text[cells+1])
	x, o := bits.OnesCount32(s.stones[0]), bits.OnesCount32(s.stones[1])
	switch {
	case x > 4 || x+o < full && x != o+s.mover || x+o == full && x != 4 || o > x:
		return nil, fmt.Errorf("teeko: position: %d x and %d o on the board, and %s to move", x, o, text[cells+1:])
	case s.has(s.mover):
		return nil, errors.New("teeko: position: the game was over before the last move")
	}
	return s, nil
}

func name(c int) string { return string([]byte{"abcde"[c%5], "12345"[c/5]}) }

func (s *state) MoveString(m game.Move) string {
	if m>>5 == 31 {
		return name(int(m & 31))
	}
	return name(int(m>>5)) + "-" + name(int(m&31))
}

func (s *state) ParseMove(text string) (game.Move, error) {
	for _, m := range s.Moves(nil) {
		if s.MoveString(m) == text {
			return m, nil
		}
	}
	return game.NoMove, fmt.Errorf("teeko: %q is no move here: want one as c3 or c3-c4", text)
}
