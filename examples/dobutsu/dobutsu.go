// Command dobutsu adds dobutsu shogi to perfectplay: taken pieces change sides and come back, play
// may go round for ever, and turned or mirrored positions share a number. README.md has its complete
// solution.
//
//	go run . strong dobutsu-standard --table dobutsu.table
//	go run . serve
//
// The board has three columns and four rows. Each player has a lion, which goes to any
// neighbouring cell, an elephant (diagonally), a giraffe (along rows and columns) and a chick (a
// cell forward). A taken piece goes to the hand of its taker, who may put it on any empty cell
// instead of moving. A chick that moves to the last row becomes a hen, which goes like a giraffe and
// diagonally forward; taken it is a chick again. A player wins by taking the lion, or by moving the
// own lion to the last row where it cannot be taken at once. A player who cannot move loses. Play
// that never ends is a draw. A lion that can be taken must be taken.
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

// Kinds of pieces.
const (
	lion = iota
	giraffe
	elephant
	chick
	hen
	letters = "LGECH"
)

const (
	cells = 12
	board = 1<<cells - 1
	far   = 7 << 9 // the last row
	most  = 128    // bound on the moves of a position

	middle = 0o2222 // the middle column
)

// side is a player's pieces, as the player sees the board: cell 0 is at the left of the
// first row, cell 3 above it. The other player calls cell c 11−c.
type side struct {
	on   [5]uint16 // cells of each kind
	hand [4]uint8  // number of each kind
}

// rules is the game; it implements game.Game and game.Numberer.
type rules struct{}

// state is a position. A move is its target cell, plus 16 times the cell that it leaves, or 12 plus
// the kind of a piece from the hand. The mover's numbers of cells count.
type state struct {
	sides   [2]side
	mover   int
	history [][2]side
}

// Tables, and numberings of positions.
var (
	turned [board + 1]uint16
	reach  [5][cells]uint16    // targets of a piece of a kind
	comes  [5][5][cells]uint16 // by kind now, kind before the move, and cell: cells that the piece may have left
	all    = positions(func(us, _ uint64) bool { return us&far == 0 })
	apart  *rank.Positions // positions with both lions on the board, apart, and not in their last rows
	ends   [2][2]side      // a position that is over, and one in which the lion can be taken
)

func init() {
	for set := range uint16(board + 1) {
		turned[set] = bits.Reverse16(set) >> 4
	}
	for c := range cells {
		for d := range cells {
			dx, dy := d%3-c%3, d/3-c/3
			straight := dx == 0 || dy == 0
			for kind, goes := range [5]bool{true, straight, !straight, dx == 0 && dy == 1, straight || dy == 1} {
				if c == d || dx*dx > 1 || dy*dy > 1 || !goes {
					continue
				}
				reach[kind][c] |= 1 << d
				as := kind
				if kind == chick && d > 8 {
					as = hen
				}
				if kind != lion || c < 9 { // a lion in the last row has won
					comes[as][kind][d] |= 1 << c
				}
			}
		}
	}
	apart = positions(func(us, them uint64) bool {
		return us&^far != 0 && turned[them]&far == 0 && reach[lion][bits.TrailingZeros64(us)]&uint16(them) == 0
	})
	for i, text := range []string{"gle/.c./.C./E.G-l-1", "g.e/.l./.L./E.G-Cc-1"} {
		s, err := rules{}.Parse(text)
		if err != nil {
			panic(err)
		}
		ends[i] = s.(*state).sides
	}
}

// positions numbers the positions whose lions satisfy a condition, mirror images once. The forms are
// the mover's lion, the other's lion, the mover's giraffes, …; the hands hold the mover's lion, the
// mover's giraffes, the other's giraffes, …
func positions(lions func(us, them uint64) bool) *rank.Positions {
	p, err := rank.NewPositions(rank.Board{
		Cells: cells, Lead: 2, Symmetries: []bitboard.Perm{{2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9}},
		Kinds: []rank.Kind{
			{Pieces: 1, Forms: 1, Hands: 1}, {Pieces: 1, Forms: 1},
			{Pieces: 2, Forms: 2, Hands: 2}, {Pieces: 2, Forms: 2, Hands: 2}, {Pieces: 2, Forms: 4, Hands: 2},
		},
		Allowed: func(on []uint64) bool { return lions(on[0], on[1]) },
	})
	if err != nil {
		panic(err)
	}
	return p
}

// number is the number of a position with us to move: mirror is 1 if its mirror image was numbered,
// and alike is 2 if the position is its own mirror image.
func number(by *rank.Positions, us, them *side) (n uint64, mirror, alike int) {
	var on [10]uint64
	var held [7]uint8
	for kind := range us.on {
		on[2*kind], on[2*kind+1] = uint64(us.on[kind]), uint64(turned[them.on[kind]])
	}
	held[0] = them.hand[lion]
	for kind := giraffe; kind <= chick; kind++ {
		held[2*kind-1], held[2*kind] = us.hand[kind], them.hand[kind]
	}
	return by.Number(on[:], held[:])
}

func (rules) ID() string               { return "dobutsu-standard" }
func (rules) Rules() string            { return "" }
func (rules) Seats() int               { return 2 }
func (rules) SeatName(seat int) string { return [2]string{"1", "2"}[seat] }
func (rules) Numbers() uint64          { return apart.Size() + 2 }

// Number is the number in apart. All other positions share two more numbers: one if the game is over,
// one if the mover wins at once.
func (rules) Number(at game.State) uint64 {
	s := at.(*state)
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	n, _, _ := number(apart, us, them)
	if n == apart.Size() && !over(us, them) {
		n++
	}
	return n
}

func (rules) Start() game.State {
	s := side{on: [5]uint16{lion: 1 << 1, giraffe: 1 << 2, elephant: 1, chick: 1 << 4}}
	return &state{sides: [2]side{s, s}}
}

// At sets a state to the position of a number, the first player to move.
func (rules) At(to game.State, n uint64) bool {
	s := to.(*state)
	if n >= apart.Size() {
		s.sides, s.mover, s.history = ends[n-apart.Size()], 0, s.history[:0]
		return true
	}
	return s.set(apart, n) && possible(&s.sides[0], &s.sides[1])
}

// set sets a state to the position of a number, the first player to move.
func (s *state) set(by *rank.Positions, n uint64) bool {
	var on [10]uint64
	var held [7]uint8
	ok := by.At(n, on[:], held[:])
	us, them := &s.sides[0], &s.sides[1]
	for kind := range us.on {
		us.on[kind], them.on[kind] = uint16(on[2*kind]), turned[on[2*kind+1]]
	}
	them.hand[lion], us.hand[lion] = held[0], 0
	for kind := giraffe; kind <= chick; kind++ {
		us.hand[kind], them.hand[kind] = held[2*kind-1], held[2*kind]
	}
	s.mover, s.history = 0, s.history[:0]
	return ok
}

// full is the position's number among all.
func (s *state) full() (n uint64, mirror, alike int) {
	return number(all, &s.sides[s.mover], &s.sides[1-s.mover])
}

// possible says whether a move can lead to the position: before it no lion could be taken, so only
// the piece that moved attacks the mover's lion.
func possible(us, them *side) bool {
	set := takers(them, us)
	return set&(set-1) == 0 && (them.on[lion]&far == 0 || set&^them.on[lion] == 0)
}

// takers are the cells, as we see them, of our pieces that can take the other's lion.
func takers(us, them *side) uint16 {
	if them.on[lion] == 0 {
		return 0
	}
	return us.takers(bits.TrailingZeros16(them.on[lion]))
}

// takers are the cells of a side's pieces that reach a cell, as the other player numbers it.
func (s *side) takers(c int) (set uint16) {
	for kind, on := range s.on {
		set |= on & turned[reach[kind][c]]
	}
	return set
}

func (s *side) all() uint16 {
	return s.on[lion] | s.on[giraffe] | s.on[elephant] | s.on[chick] | s.on[hen]
}

// kind is the kind of the piece on a cell of a side, −1 for an empty cell.
func (s *side) kind(piece uint16) int {
	for kind, on := range s.on {
		if on&piece != 0 {
			return kind
		}
	}
	return -1
}

// bare is the kind of a piece in a hand: hens become chicks.
func bare(kind int) int { return min(kind, chick) }

func (s *state) Seat() int { return s.mover }

// over says that the mover's lion is taken, or the other's is in the last row and safe.
func over(us, them *side) bool {
	return us.on[lion] == 0 || them.on[lion]&far != 0 && takers(us, them) == 0
}

// stuck says that the side may have no move: its hand is empty, and its lion is surrounded by its own
// pieces.
func (s *side) stuck() bool {
	return s.hand == [4]uint8{} && reach[lion][bits.TrailingZeros16(s.on[lion])&15]&^s.all() == 0
}

func (s *state) Result() game.Result {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	end := over(us, them)
	if !end && us.stuck() {
		end = len(s.Moves(make([]game.Move, 0, most))) == 0
	}
	if end {
		return game.Result(1 - s.mover)
	}
	return game.Ongoing
}

func (s *state) Moves(buf []game.Move) []game.Move {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	if us.on[lion] == 0 {
		return buf
	}
	goal := board &^ us.all()
	if them.on[lion]&far != 0 || takers(us, them) != 0 {
		goal = turned[them.on[lion]]
	}
	return us.list(buf, goal, goal, goal&^turned[them.all()])
}

// list lists the moves of the lion, of the other pieces and from the hand, to the cells allowed for
// each.
func (s *side) list(buf []game.Move, lions, others, drops uint16) []game.Move {
	goal := lions
	for kind, on := range s.on {
		for ; on != 0; on &= on - 1 {
			c := bits.TrailingZeros16(on)
			for to := reach[kind][c] & goal; to != 0; to &= to - 1 {
				buf = append(buf, game.Move(c<<4|bits.TrailingZeros16(to)))
			}
		}
		goal = others
	}
	for kind, k := range s.hand {
		for to := drops; k > 0 && to != 0; to &= to - 1 {
			buf = append(buf, game.Move((cells+kind)<<4|bits.TrailingZeros16(to)))
		}
	}
	return buf
}

// WinningMove takes the lion, brings the mover's lion to the last row, or leaves the other player
// without a move: game.SafeLister.
func (s *state) WinningMove() game.Move {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	if over(us, them) {
		return game.NoMove
	}
	if set := takers(us, them); set != 0 {
		return game.Move(bits.TrailingZeros16(set)<<4 | bits.TrailingZeros16(turned[them.on[lion]]))
	}
	c := bits.TrailingZeros16(us.on[lion])
	for to := reach[lion][c] & far &^ us.all(); to != 0; to &= to - 1 {
		if d := bits.TrailingZeros16(to); them.takers(d) == 0 {
			return game.Move(c<<4 | d)
		}
	}
	if them.stuck() {
		for _, m := range s.Moves(make([]game.Move, 0, most)) {
			s.Make(m)
			won := s.Result() != game.Ongoing
			s.Unmake()
			if won {
				return m
			}
		}
	}
	return game.NoMove
}

// SafeMoves lists the moves after which WinningMove finds nothing.
func (s *state) SafeMoves(buf []game.Move) []game.Move {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	own, c, safe := us.all(), bits.TrailingZeros16(us.on[lion]), buf
	if room := reach[lion][c] &^ own; room&(room-1) == 0 && us.hand[giraffe]+us.hand[elephant]+us.hand[chick] < 2 { // the mover may soon have no move
		for _, m := range s.Moves(buf)[len(buf):] {
			s.Make(m)
			if s.WinningMove() == game.NoMove {
				safe = append(safe, m)
			}
			s.Unmake()
		}
		return safe
	}
	lions, others, drops := uint16(0), board&^own, board&^(own|turned[them.all()])
	for to := others & reach[lion][c]; to != 0; to &= to - 1 {
		if them.takers(bits.TrailingZeros16(to)) == 0 {
			lions |= to & -to
		}
	}
	if set := takers(them, us); set != 0 { // our lion is attacked by one piece: take it or move the lion
		others, drops = turned[set], 0
	}
	list := us.list(buf, lions, others, drops)[len(buf):]
	// Their lion must not reach a cell of the last row where nothing takes it.
	for tries := reach[lion][bits.TrailingZeros16(them.on[lion])] & far; tries != 0; tries &= tries - 1 {
		at, kept := bits.TrailingZeros16(tries), list[:0]
		t, theirs, guards := cells-1-at, them.all()&tries&-tries != 0, us.takers(at)
		for _, m := range list {
			c, to := int(m>>4), int(m&15)
			if theirs && to != t || guards&^(1<<c) != 0 || reach[us.becomes(m)][to]>>t&1 != 0 {
				kept = append(kept, m)
			}
		}
		list = kept
	}
	return append(safe, list...)
}

func (s *state) Make(m game.Move) {
	s.history = append(s.history, s.sides)
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	s.mover = 1 - s.mover
	c, to := int(m>>4), uint16(1)<<(m&15)
	if taken := them.kind(turned[to]); taken >= 0 {
		them.on[taken] &^= turned[to]
		us.hand[bare(taken)]++
	}
	kind := us.becomes(m)
	if c >= cells {
		us.hand[kind]--
	} else {
		us.on[us.kind(1<<c)] &^= 1 << c
	}
	us.on[kind] |= to
}

// becomes is the kind of a piece after its move.
func (s *side) becomes(m game.Move) int {
	c := int(m >> 4)
	if c >= cells {
		return c - cells
	}
	kind := s.kind(1 << c)
	if kind == chick && 1<<(m&15)&far != 0 {
		return hen
	}
	return kind
}

func (s *state) Unmake() {
	last := len(s.history) - 1
	s.sides, s.history, s.mover = s.history[last], s.history[:last], 1-s.mover
}

func (s *state) Clone() game.State { return &state{sides: s.sides, mover: s.mover} }

// Before is game.Unmover: a piece of the other player came from the hand or from another cell, and may
// have taken one of ours. Before that move no lion could be taken.
func (s *state) Before(buf []uint64) []uint64 {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover] // they made the last move
	first, alike := len(buf), 1
	if (us.on[lion]|them.on[lion])&^middle == 0 {
		_, _, alike = number(apart, us, them)
	}
	add := func(us, them *side) {
		n, _, alike := number(apart, them, us)
		for range alike {
			buf = append(buf, n)
		}
	}
	ours, free, pieces := turned[us.on[lion]], board&^(them.all()|turned[us.all()]), them.all()
	if set := takers(them, us); set != 0 {
		pieces = set
	}
	for ; pieces != 0; pieces &= pieces - 1 {
		to := pieces & -pieces
		kind, was, had := them.kind(to), *them, *us
		was.on[kind] &^= to
		if kind != lion && kind != hen {
			was.hand[kind]++
			add(us, &was)
			was.hand[kind]--
		}
		for as := range comes[kind] {
			for come := comes[kind][as][bits.TrailingZeros16(to)] & free; come != 0; come &= come - 1 {
				if reach[as][bits.TrailingZeros16(come)]&ours != 0 {
					continue
				}
				was.on[as] |= come & -come
				add(us, &was)
				for taken := range had.on {
					if hand := &was.hand[bare(taken)]; *hand > 0 {
						*hand--
						had.on[taken] |= turned[to]
						add(&had, &was)
						had.on[taken] &^= turned[to]
						*hand++
					}
				}
				was.on[as] &^= come & -come
			}
		}
	}
	return append(buf[:first], rank.Before(buf[first:], alike)...)
}

// KeyWords and the methods after it are game.Keyer: a position is its number.
func (s *state) KeyWords() int { return 1 }

func (s *state) Key(dst []uint64) uint8 {
	n, mirror, _ := s.full()
	dst[0] = n
	return uint8(mirror)
}

func (s *state) Canonical(m game.Move, sym uint8) game.Move {
	c, to := m>>4, m&15
	if sym == 0 || m >= game.NoMove {
		return m
	}
	if c < cells {
		c += 2 - 2*(c%3)
	}
	return c<<4 | (to + 2 - 2*(to%3))
}

func (s *state) Actual(m game.Move, sym uint8) game.Move { return s.Canonical(m, sym) }

// String is the rows from 1 to 4, the first player's pieces as capitals, both hands and the
// player to move, as in gle/.c./.C./ELG--1.
func (s *state) String() string {
	text := []byte(".../.../.../...-")
	for seat, side := range s.sides {
		for c := range cells {
			if kind := side.kind(1 << cell(c, seat)); kind >= 0 {
				text[(3-c/3)*4+c%3] = letters[kind] | byte(seat)<<5
			}
		}
		for kind, k := range side.hand {
			text = append(text, strings.Repeat(string(letters[kind]|byte(seat)<<5), int(k))...)
		}
	}
	return string(append(text, '-', '1'+byte(s.mover)))
}

// cell converts between a seat's cell and the first player's number of it.
func cell(c, seat int) int { return c + seat*(cells-1-2*c) }

func (rules) Parse(text string) (game.State, error) {
	s, count, end := &state{}, [4]int{}, len(text)-2
	if end < 16 || text[15] != '-' || text[end] != '-' || !strings.Contains("12", text[end+1:]) {
		return nil, fmt.Errorf("dobutsu: position %q: want one as gle/.c./.C./ELG--1", text)
	}
	s.mover = int(text[end+1] - '1')
	for i, b := range []byte(text[:end]) {
		side, kind, seat := &s.sides[b>>5&1], strings.IndexByte(letters, b&^32), int(b>>5&1)
		switch {
		case i == 15, i < 15 && i%4 == 3 && b == '/', i < 15 && i%4 < 3 && b == '.':
		case kind < 0 || b < 'A' || i < 15 && i%4 == 3 || i > 15 && kind == hen:
			return nil, fmt.Errorf("dobutsu: position: there is %q at place %d", b, i+1)
		default:
			if count[bare(kind)]++; i > 15 {
				side.hand[kind]++
			} else {
				side.on[kind] |= 1 << cell((3-i/4)*3+i%4, seat)
			}
		}
	}
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	switch {
	case count != [4]int{2, 2, 2, 2} || us.hand[lion] > 0 || bits.OnesCount16(them.on[lion]) != 1:
		return nil, errors.New("dobutsu: position: want a lion for each player, and two giraffes, elephants and chicks")
	case us.on[lion]&far != 0 || !possible(us, them):
		return nil, errors.New("dobutsu: position: the game was over before the last move")
	}
	return s, nil
}

func name(c int) string { return string([]byte{"abc"[c%3], "4321"[c/3]}) }

func (s *state) MoveString(m game.Move) string {
	to := name(cell(int(m&15), s.mover))
	if m>>4 >= cells {
		return letters[m>>4-cells:][:1] + "*" + to
	}
	return name(cell(int(m>>4), s.mover)) + "-" + to
}

func (s *state) ParseMove(text string) (game.Move, error) {
	for _, m := range s.Moves(nil) {
		if s.MoveString(m) == text {
			return m, nil
		}
	}
	return game.NoMove, fmt.Errorf("dobutsu: %q is no move here: want one as b3-b2 or C*b2", text)
}
