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
	"perfectplay/rank"
)

const (
	cells = 25
	board = 1<<cells - 1
	west  = 0x318c63 // columns a and b
	east  = west << 3
	last  = 0x108421 << 4 // column e
	full  = 8 // stones when all are on the board
)

// rules is the game; it implements game.Game and game.Numberer.
type rules struct{}

// state is a position: the stones of both players, and who moves. A move is the cell
// gone to, and 32 times the cell left, or 31 where a piece is put down.
type state struct {
	stones  [2]uint64 // cell a1 is bit 0, b1 bit 1, a2 bit 5
	mover   int
	history []game.Move
}

// Tables.
var (
	near     [cells]uint64            // neighbours
	first    [full + 2]uint64         // number of the first position with so many stones
	partners [full + 1]uint64         // sets that the one to move may have beside the other's
	sets     [5][]uint64              // of so many cells, by their rank
	low      [1 << 13]uint32          // what the first 13 cells of a set add to its rank,
	high     [5][1 << 12]uint32       // and the others, by how many of the first it has
)

func init() {
	for c := range cells {
		for d := range cells {
			if dx, dy := c%5-d%5, c/5-d/5; c != d && dx*dx <= 1 && dy*dy <= 1 {
				near[c] |= 1 << d
			}
		}
	}
	for k := range 5 {
		all, err := rank.NewSubsets(cells, k)
		if err != nil {
			panic(err)
		}
		for n := range all.Size() {
			set := all.Unrank64(n)
			if j := bits.OnesCount64(set & (1<<13 - 1)); set>>13 == 0 {
				low[set] = uint32(n)
			} else if set&(1<<13-1) == 1<<j-1 {
				high[j][set>>13] = uint32(n)
			}
			sets[k] = append(sets[k], set)
		}
	}
	for k := range partners {
		us, them := k/2, (k+1)/2 // the one with fewer stones is to move
		all, err := rank.NewSubsets(cells-them, us)
		if err != nil {
			panic(err)
		}
		partners[k], first[k+1] = all.Size(), first[k]+uint64(len(sets[them]))*all.Size()
	}
}

// place is the rank of at most four cells among as many.
func place(set uint64) uint64 {
	x := set & (1<<13 - 1)
	return uint64(low[x] + high[bits.OnesCount64(x)][set>>13])
}

// row is the number of the first of all positions with k stones where the one who is not to
// move has these. All that are one move before a position are in one row or two.
func row(k int, them uint64) uint64 { return first[k] + place(them)*partners[k] }

// number is that of a position. Once all stones are down it is the same with the colours
// exchanged.
func number(s *state) uint64 {
	us, them := s.stones[s.mover], s.stones[1-s.mover]
	return row(bits.OnesCount64(us|them), them) + place(bitboard.Extract64(us, board&^them))
}

func (rules) ID() string                 { return "teeko-standard" }
func (rules) Rules() string              { return "" }
func (rules) Seats() int                 { return 2 }
func (rules) SeatName(seat int) string   { return [2]string{"x", "o"}[seat] }
func (rules) Start() game.State          { return &state{} }
func (rules) Numbers() uint64            { return first[full+1] }
func (rules) Number(s game.State) uint64 { return number(s.(*state)) }

func (rules) At(to game.State, n uint64) bool {
	s, k := to.(*state), full
	for first[k] > n {
		k--
	}
	n -= first[k]
	r := n / partners[k]
	them := sets[(k+1)/2][r]
	s.mover = k % 2
	s.stones[1-s.mover] = them
	s.stones[s.mover] = bitboard.Deposit64(sets[k/2][n-r*partners[k]], board&^them)
	s.history = s.history[:0]
	return !s.has(s.mover) // else the game was over before
}

// has says whether a player's stones, four at most, stand in a row or in a square. A set
// shifted by a step meets itself where two stones are so far apart.
func (s *state) has(seat int) bool {
	x := s.stones[seat]
	across, up, slant, back := x&(x>>1), x&(x>>5), x&(x>>6), x&(x>>4)
	return up&(up>>10)|across&(across>>2)&west|slant&(slant>>12)&west|back&(back>>8)&east|across&(across>>5)&^last != 0
}

func (s *state) free() uint64 { return board &^ (s.stones[0] | s.stones[1]) }

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
	if bits.OnesCount64(free) > cells-full {
		for ; free != 0; free &= free - 1 {
			buf = append(buf, game.Move(31<<5|bits.TrailingZeros64(free)))
		}
		return buf
	}
	for from := s.stones[s.mover]; from != 0; from &= from - 1 {
		c := bits.TrailingZeros64(from)
		for to := near[c] & free; to != 0; to &= to - 1 {
			buf = append(buf, game.Move(c<<5|bits.TrailingZeros64(to)))
		}
	}
	return buf // nobody can be shut in
}

// CountMoves is game.Counter.
func (s *state) CountMoves() (n int) {
	free := s.free()
	if s.Result() != game.Ongoing {
		return 0
	} else if n = bits.OnesCount64(free); n > cells-full {
		return n
	}
	n = 0
	for from := s.stones[s.mover]; from != 0; from &= from - 1 {
		n += bits.OnesCount64(near[bits.TrailingZeros64(from)] & free)
	}
	return n
}

// Before is game.Unmover: the stone that came last was put down, or moved. Cells are
// numbered among those that the other's stones leave, as a row has them.
func (s *state) Before(buf []uint64) []uint64 {
	us, last := s.stones[s.mover], s.stones[1-s.mover]
	if last == 0 {
		return buf
	}
	k := bits.OnesCount64(us | last)
	left, free := board&^us, s.free()
	put, moved := row(k-1, us), row(full, us)
	all := bitboard.Extract64(last, left)
	for to := all; to != 0; to &= to - 1 {
		rest := all &^ (to & -to)
		buf = append(buf, put+place(rest))
		if k == full {
			for from := bitboard.Extract64(near[bits.TrailingZeros64(last)]&free, left); from != 0; from &= from - 1 {
				buf = append(buf, moved+place(rest|from&-from))
			}
		}
		last &= last - 1
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
func (s *state) Key(dst []uint64) uint8                   { dst[0] = number(s); return 0 }
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
	x, o := bits.OnesCount64(s.stones[0]), bits.OnesCount64(s.stones[1])
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
