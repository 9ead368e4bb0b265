// Command teeko adds a game to perfectplay: rules, a numbering of its positions and a
// picture give a complete solution, search and the page.
//
//	go run . strong teeko-standard --table teeko.table
//	go run . serve
//
// Teeko is played on five rows of five cells. Two players with four pieces each take turns to put
// them down, and then to move one to a neighbouring empty cell, also diagonally. Four of one colour
// in a row, or in a square of two by two, win.
package main

import (
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
	full  = 8  // stones when all are on the board
	hand  = 31 // the cell from which stones are put down
)

// rules is the game; it implements game.Game and game.Numberer.
type rules struct{}

// state is a position: the stones of both players, and the mover. A move is its target cell, plus 32
// times the cell that it leaves.
type state struct {
	stones  [2]uint64 // cell a1 is bit 0, b1 bit 1, a2 bit 5
	mover   int
	history []game.Move
}

var (
	near     [64]uint64               // by cell: targets of a stone on an empty board
	won      [(board + 1) / 64]uint64 // a bit for each set that wins
	first    [full + 2]uint64         // by number of stones: number of the first position
	partners [full + 1]uint64         // by number of stones: number of sets of the mover, given the other's
	sets     [5][]uint64              // by size: sets of cells, by their rank
	low      [1 << 13]uint32          // the first 13 cells' share of a set's rank
	high     [5][1 << 12]uint32       // the others' share, by the number of cells among the first 13
)

func init() {
	near[hand] = board
	for i := range cells * cells {
		c, d := i/cells, i%cells
		if dx, dy := c%5-d%5, c/5-d/5; c != d && dx*dx <= 1 && dy*dy <= 1 {
			near[c] |= 1 << d
		}
	}
	for c := range cells {
		for _, steps := range [][]int{{1, 1, 1}, {5, 5, 5}, {6, 6, 6}, {4, 4, 4}, {1, 5, -1}} { // lines, and a square
			set, at := uint64(1)<<c, c
			for _, step := range steps {
				set, at = set|near[at]&(1<<(at+step)), at+step
			}
			if bits.OnesCount64(set) == 4 {
				won[set/64] |= 1 << (set % 64)
			}
		}
	}
	for k := range sets {
		for set := uint64(1)<<k - 1; len(sets[k]) < int(rank.Choose(cells, k)); set = rank.Next64(set) {
			if n, j := uint32(len(sets[k])), bits.OnesCount64(set&(1<<13-1)); set>>13 == 0 {
				low[set] = n
			} else if set&(1<<13-1) == 1<<j-1 {
				high[j][set>>13] = n
			}
			sets[k] = append(sets[k], set)
		}
	}
	for k := range partners {
		partners[k] = rank.Choose(cells-(k+1)/2, k/2) // the player with fewer stones is to move
		first[k+1] = first[k] + rank.Choose(cells, (k+1)/2)*partners[k]
	}
}

// place is the rank of at most four cells among the sets of that size.
func place(set uint64) uint64 {
	x := set & (1<<13 - 1)
	return uint64(low[x] + high[bits.OnesCount64(x)][set>>13])
}

// row is the number of the first position with k stones in which them are the stones of the player
// who just moved. The predecessors of a position are in one row or two.
func row(k int, them uint64) uint64 { return first[k] + place(them)*partners[k] }

// Number is the same after an exchange of the colours, once all stones are down.
func (rules) Number(at game.State) uint64 {
	s := at.(*state)
	us, them := s.stones[s.mover], s.stones[1-s.mover]
	return row(bits.OnesCount64(us|them), them) + place(bitboard.Extract64(us, board&^them))
}

func (rules) ID() string               { return "teeko-standard" }
func (rules) Rules() string            { return "" }
func (rules) Seats() int               { return 2 }
func (rules) SeatName(seat int) string { return [2]string{"x", "o"}[seat] }
func (rules) Start() game.State        { return &state{} }
func (rules) Numbers() uint64          { return first[full+1] }

func (rules) At(to game.State, n uint64) bool {
	s, k := to.(*state), full
	for first[k] > n {
		k--
	}
	r := (n - first[k]) / partners[k]
	us, them := sets[k/2][n-first[k]-r*partners[k]], sets[(k+1)/2][r]
	s.mover, s.history = k%2, s.history[:0]
	s.stones[1-s.mover], s.stones[s.mover] = them, bitboard.Deposit64(us, board&^them)
	return !s.has(s.mover) // otherwise the game was over earlier
}

// has says whether a player's stones win.
func (s *state) has(seat int) bool { return won[s.stones[seat]/64]>>(s.stones[seat]%64)&1 != 0 }

func (s *state) free() uint64      { return board &^ (s.stones[0] | s.stones[1]) }
func (s *state) Seat() int         { return s.mover }
func (s *state) Clone() game.State { return &state{stones: s.stones, mover: s.mover} }

func (s *state) Result() game.Result {
	if s.has(1 - s.mover) {
		return game.Result(1 - s.mover)
	}
	return game.Ongoing
}

// from returns the cells that a move may leave: the mover's stones, or the hand.
func (s *state) from() uint64 {
	if s.Result() != game.Ongoing {
		return 0
	} else if bits.OnesCount64(s.stones[0]|s.stones[1]) == full {
		return s.stones[s.mover]
	}
	return 1 << hand
}

func (s *state) Moves(buf []game.Move) []game.Move {
	for from, free := s.from(), s.free(); from != 0; from &= from - 1 {
		c := bits.TrailingZeros64(from)
		for to := near[c] & free; to != 0; to &= to - 1 {
			buf = append(buf, game.Move(c<<5|bits.TrailingZeros64(to)))
		}
	}
	return buf // every player has a legal move
}

// CountMoves is game.Counter.
func (s *state) CountMoves() (n int) {
	for from, free := s.from(), s.free(); from != 0; from &= from - 1 {
		n += bits.OnesCount64(near[bits.TrailingZeros64(from)] & free)
	}
	return n
}

// Before is game.Unmover: the last move put a stone down or moved one. Sets of stones are ranked
// among the cells without stones of the player to move, as in row.
func (s *state) Before(buf []uint64) []uint64 {
	us, last := s.stones[s.mover], s.stones[1-s.mover]
	k, left, free := bits.OnesCount64(us|last), board&^us, s.free()
	put, moved := row(max(k, 1)-1, us), row(full, us)
	all := bitboard.Extract64(last, left)
	for to := all; to != 0; to, last = to&(to-1), last&(last-1) {
		rest := all &^ (to & -to)
		buf = append(buf, put+place(rest))
		if k == full {
			for from := bitboard.Extract64(near[bits.TrailingZeros64(last)]&free, left); from != 0; from &= from - 1 {
				buf = append(buf, moved+place(rest|from&-from))
			}
		}
	}
	return buf
}

// step is the set of the cells that a move changes.
func step(m game.Move) uint64 { return (1<<(m>>5) | 1<<(m&31)) & board }

func (s *state) Make(m game.Move) {
	s.stones[s.mover] ^= step(m)
	s.mover = 1 - s.mover
	s.history = append(s.history, m)
}

func (s *state) Unmake() {
	last := len(s.history) - 1
	s.mover = 1 - s.mover
	s.stones[s.mover] ^= step(s.history[last])
	s.history = s.history[:last]
}

// KeyWords and the methods after it are game.Keyer: a position is its number.
func (s *state) KeyWords() int                            { return 1 }
func (s *state) Key(dst []uint64) uint8                   { dst[0] = rules{}.Number(s); return 0 }
func (s *state) Canonical(m game.Move, _ uint8) game.Move { return m }
func (s *state) Actual(m game.Move, _ uint8) game.Move    { return m }

// at is 0 for x on a cell, 1 for o, and −1 for an empty cell.
func (s *state) at(c int) int { return int(s.stones[0]>>c&1+2*(s.stones[1]>>c&1)) - 1 }

// String is the cells from a1 to e5 and the player to move, as in _____xx__oo______________-x.
func (s *state) String() string {
	text := make([]byte, cells)
	for c := range text {
		text[c] = "_xo"[1+s.at(c)]
	}
	return string(text) + [2]string{"-x", "-o"}[s.mover]
}

func (rules) Parse(text string) (game.State, error) {
	if len(text) != cells+2 || strings.Trim(text[:cells], "_xo") != "" || text[cells] != '-' || !strings.Contains("xo", text[cells+1:]) {
		return nil, fmt.Errorf("teeko: position %q: want 25 cells of _, x and o, then -x or -o", text)
	}
	s := &state{mover: strings.IndexByte("xo", text[cells+1])}
	for c := range cells {
		if i := strings.IndexByte("xo", text[c]); i >= 0 {
			s.stones[i] |= 1 << c
		}
	}
	x, o := bits.OnesCount64(s.stones[0]), bits.OnesCount64(s.stones[1])
	if (x+o >= full || x != o+s.mover) && (x != 4 || o != 4) {
		return nil, fmt.Errorf("teeko: position: %d x and %d o on the board, and %s to move", x, o, text[cells+1:])
	} else if s.has(s.mover) {
		return nil, fmt.Errorf("teeko: position: %s is to move, and had won before", text[cells+1:])
	}
	return s, nil
}

func name(c int) string { return string([]byte{"abcde"[c%5], "12345"[c/5]}) }

func (s *state) MoveString(m game.Move) string {
	if m>>5 == hand {
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
