// Command dobutsu adds dobutsu shogi to perfectplay: pieces are taken, change sides and come
// back, play may go round for ever, and positions that are turned or mirrored share a number.
// README.md has its complete solution.
//
//	go run . strong dobutsu-standard --table dobutsu.table
//	go run . serve
//
// The board has three columns and four rows. Each player has a lion, which goes to any
// neighbouring cell, an elephant (diagonally), a giraffe (along rows and columns) and a chick (a
// cell forward). A piece that is taken goes to the hand of its taker, who may put it on any empty
// cell instead of moving. A chick that moves to the last row becomes a hen, which goes as a
// giraffe and diagonally forward; taken it is a chick again. A player wins by taking the lion, or
// by moving the own lion to the last row where it cannot be taken at once. A player who cannot
// move has lost. Play that never ends is a draw. A lion that can be taken is taken: no other
// moves are listed then.
package main

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"perfectplay/bitboard"
	"perfectplay/game"
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
	gone  = 13     // the cell of a lion that was taken, in the middle column
)

// side is a player's pieces, as the player sees the board: cell 0 is at the left of the
// first row, cell 3 above it. The other player calls cell c 11−c.
type side struct {
	on   [5]uint16 // cells of each kind
	hand [4]uint8  // number of each kind
}

// rules is the game; it implements game.Game and game.Numberer.
type rules struct{}

// class is the positions with equal lions and equal numbers of each kind of piece on the
// board.
type class struct {
	first, e, c uint64 // the first number, and the numbers of ways for elephants and chicks
	counts      [3]int
}

// state is a position. A move is the target cell, plus 16 times the cell left, or 12 and the
// kind of a piece from the hand; both as the player sees them.
type state struct {
	sides   [2]side
	mover   int
	history [][2]side
	list    []game.Move
}

// Tables.
var (
	turned, mirrored [board + 1]uint16
	reach            [5][cells]uint16        // targets of a piece of a kind
	comes            [5][5][cells]uint16     // cells from which a piece comes that is now of the first kind and was of the second
	pairs            [gone + 1][cells]uint16 // place of the lions, by the mover's and by the other's as the mover sees it
	lions            [][2]uint16             // cells of both, by their place
	whole            int                     // number of places with both lions
	sets             [3][]uint16             // by size: sets of cells, by their rank
	classes          [2][28]class            // by a lion gone or not, and by the numbers of giraffes, elephants and chicks on the board
)

func init() {
	for set := range uint16(board + 1) {
		turned[set] = bits.Reverse16(set) >> 4
		mirrored[set] = set&0o2222 | set&0o1111<<2 | set>>2&0o1111
		if k := bits.OnesCount16(set); k < 3 {
			sets[k] = append(sets[k], set)
		}
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
	for us := range gone + 1 {
		for them := range cells {
			if us != them && us/3 != 3 && us != 12 && (us%3 == 0 || us%3 == 1 && them%3 < 2) {
				pairs[us][them] = uint16(len(lions))
				lions = append(lions, [2]uint16{1 << us & board, 1 << them})
			}
		}
		if us < cells {
			whole = len(lions)
		}
	}
	for both := range classes {
		for i := range 27 {
			at := &classes[both][i]
			at.counts = [3]int{i / 9, i / 3 % 3, i % 3}
			var n [3]uint64
			free := uint64(11 - both)
			for i, k := range at.counts {
				n[i] = [3]uint64{3, 2 * free, free * (free - 1) / 2}[k] << k
				free -= uint64(k)
			}
			at.e, at.c = n[1], n[2]<<at.counts[2]
			classes[both][i+1].first = at.first + n[0]*at.e*at.c
		}
	}
}

// columns returns the columns of both lions: the mover's, which is the middle one if the
// lion is gone, and the other's.
func columns(us, them *side) (ours, theirs int) {
	return min(bits.TrailingZeros16(us.on[lion]), gone) % 3, (cells - 1 - bits.TrailingZeros16(them.on[lion])) % 3
}

// number is the number of a position with us to move; mirror says that its mirror image was
// numbered, and same that it is its own mirror image.
func number(us, them *side) (n uint64, mirror, same bool) {
	a, b := columns(us, them)
	mirror = a == 2 || a == 1 && b == 2
	if n = place(us, them, mirror); a != 1 || b != 1 {
		return n, mirror, false
	}
	image := place(us, them, true)
	return min(n, image), image < n, n == image
}

// place is the number of a position, or of its mirror image. Its lions must stand on a
// numbered pair of cells.
func place(us, them *side, mirror bool) (n uint64) {
	var ours, theirs [5]uint16
	for kind := range us.on {
		if ours[kind], theirs[kind] = us.on[kind], turned[them.on[kind]]; mirror {
			ours[kind], theirs[kind] = mirrored[ours[kind]], mirrored[theirs[kind]]
		}
	}
	free := uint16(board) &^ (ours[lion] | theirs[lion])
	both := bits.OnesCount16(free)&1 ^ 1
	p := int(pairs[min(bits.TrailingZeros16(ours[lion]), gone)][bits.TrailingZeros16(theirs[lion])])
	hens := ours[hen] | theirs[hen]
	ours[chick], theirs[chick] = ours[chick]|ours[hen], theirs[chick]|theirs[hen]
	parts, i := [3]uint64{}, 0
	for kind := range parts {
		all := ours[kind+1] | theirs[kind+1]
		r, who, k := uint64(0), uint64(0), 0
		for x := all; x != 0; x &= x - 1 {
			piece, c := x&-x, bits.TrailingZeros16(x)
			below := uint64(bits.OnesCount16(free & (piece - 1)))
			if r += below; k > 0 {
				r += below*(below-1)/2 - below
			}
			if who, k = who<<1|uint64(theirs[kind+1]>>c&1), k+1; kind+1 == chick {
				who = who<<1 | uint64(hens>>c&1)
			}
		}
		width := k
		if kind+1 == chick {
			width *= 2
		}
		parts[kind] = (r<<width|who)*uint64(3-k) + uint64(us.hand[kind+1])
		i, free = i*3+k, free&^all
	}
	at := &classes[both][i]
	return block(p, both) + at.first + (parts[0]*at.e+parts[1])*at.c + parts[2]
}

// block is the first number with a given place of lions.
func block(p, both int) uint64 {
	if both == 1 {
		return uint64(p) * classes[1][27].first
	}
	return uint64(whole)*classes[1][27].first + uint64(p-whole)*classes[0][27].first
}

func (rules) ID() string               { return "dobutsu-standard" }
func (rules) Rules() string            { return "" }
func (rules) Seats() int               { return 2 }
func (rules) SeatName(seat int) string { return [2]string{"1", "2"}[seat] }
func (rules) Numbers() uint64          { return block(len(lions), 0) }

func (rules) Number(s game.State) uint64 {
	n, _, _ := s.(*state).number()
	return n
}

func (rules) Start() game.State {
	s := side{on: [5]uint16{lion: 1 << 1, giraffe: 1 << 2, elephant: 1, chick: 1 << 4}}
	return &state{sides: [2]side{s, s}}
}

// At sets a state to the position of a number, the first player to move.
func (rules) At(to game.State, n uint64) bool {
	both, p := 1, int(n/classes[1][27].first)
	if p >= whole {
		both, p = 0, whole+int((n-block(whole, 1))/classes[0][27].first)
	}
	n -= block(p, both)
	i := 26
	for classes[both][i].first > n {
		i--
	}
	at := &classes[both][i]
	n -= at.first
	parts := [3]uint64{n / at.c / at.e, n / at.c % at.e, n % at.c}
	us, them := side{}, side{}
	us.on[lion], them.on[lion], them.hand[lion] = lions[p][0], turned[lions[p][1]], uint8(1-both)
	free := board &^ (lions[p][0] | lions[p][1])
	for kind, part := range parts {
		k := at.counts[kind]
		us.hand[kind+1] = uint8(part % uint64(3-k))
		them.hand[kind+1] = uint8(2-k) - us.hand[kind+1]
		part /= uint64(3 - k)
		width := k
		if kind+1 == chick {
			width *= 2
		}
		set := uint16(bitboard.Deposit64(uint64(sets[k][part>>width]), uint64(free)))
		free &^= set
		for ; set != 0; set &= set - 1 {
			width--
			on, c, as := &us, bits.TrailingZeros16(set), kind+1
			if part>>width&1 != 0 {
				on, c = &them, cells-1-c
			}
			if as == chick {
				width--
				as += int(part >> width & 1)
			}
			on.on[as] |= 1 << c
		}
	}
	s := to.(*state)
	s.sides, s.mover, s.history = [2]side{us, them}, 0, s.history[:0]
	if a, b := columns(&us, &them); a == 1 && b == 1 && place(&us, &them, true) < place(&us, &them, false) {
		return false
	}
	return possible(&us, &them)
}

// possible says whether a move of the other player, from a position without a lion to take, can lead to the
// position: only the piece that moved may attack the mover's lion.
func possible(us, them *side) bool {
	set := takers(them, us)
	return set&(set-1) == 0 && (them.on[lion]&far == 0 || set&^them.on[lion] == 0)
}

// takers are the cells of us, as we see them, from which the other's lion can be taken.
func takers(us, them *side) (set uint16) {
	if them.on[lion] == 0 {
		return 0
	}
	at := bits.TrailingZeros16(them.on[lion])
	for kind, on := range us.on {
		set |= on & turned[reach[kind][at]]
	}
	return set
}

func (s *state) number() (n uint64, mirror, same bool) {
	return number(&s.sides[s.mover], &s.sides[1-s.mover])
}

func (s *side) all() uint16 {
	return s.on[lion] | s.on[giraffe] | s.on[elephant] | s.on[chick] | s.on[hen]
}

// kind is the kind of the piece on a cell of a side, −1 for none.
func (s *side) kind(piece uint16) int {
	for kind, on := range s.on {
		if on&piece != 0 {
			return kind
		}
	}
	return -1
}

// bare is the kind of a piece once it is in a hand.
func bare(kind int) int { return min(kind, chick) }

func (s *state) Seat() int { return s.mover }

func (s *state) Result() game.Result {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	over := us.on[lion] == 0 || them.on[lion]&far != 0 && takers(us, them) == 0
	if !over && us.hand == [4]uint8{} {
		s.list = s.Moves(s.list[:0])
		over = len(s.list) == 0
	}
	if over {
		return game.Result(1 - s.mover)
	}
	return game.Ongoing
}

func (s *state) Moves(buf []game.Move) []game.Move {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover]
	if us.on[lion] == 0 {
		return buf
	}
	own := us.all()
	pieces, goal := own, board&^own
	if set := takers(us, them); set != 0 || them.on[lion]&far != 0 {
		pieces, goal = set, turned[them.on[lion]]
	}
	for kind, on := range us.on {
		for on &= pieces; on != 0; on &= on - 1 {
			c := bits.TrailingZeros16(on)
			for to := reach[kind][c] & goal; to != 0; to &= to - 1 {
				buf = append(buf, game.Move(c<<4|bits.TrailingZeros16(to)))
			}
		}
	}
	for kind, k := range us.hand {
		for to := goal &^ turned[them.all()]; k > 0 && to != 0; to &= to - 1 {
			buf = append(buf, game.Move((cells+kind)<<4|bits.TrailingZeros16(to)))
		}
	}
	return buf
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
	if c >= cells {
		us.hand[c-cells]--
		us.on[c-cells] |= to
		return
	}
	kind := us.kind(1 << c)
	us.on[kind] &^= 1 << c
	if kind == chick && to&far != 0 {
		kind = hen
	}
	us.on[kind] |= to
}

func (s *state) Unmake() {
	last := len(s.history) - 1
	s.sides, s.history, s.mover = s.history[last], s.history[:last], 1-s.mover
}

func (s *state) Clone() game.State { return &state{sides: s.sides, mover: s.mover} }

// Before is game.Unmover: a piece of the other player has come from the hand or from
// another cell, where it may have taken one of ours. Before that move there was no lion to
// take, or the move took it.
func (s *state) Before(buf []uint64) []uint64 {
	us, them := &s.sides[s.mover], &s.sides[1-s.mover] // they moved
	same := false
	if a, b := columns(us, them); a == 1 && b == 1 {
		_, _, same = number(us, them)
	}
	add := func(us, them *side) {
		n, mirror, own := number(them, us)
		if own || !same || !mirror { // the mirror image of a move leads to the same position
			buf = append(buf, n)
		}
		if own && !same { // another move leads to the mirror image
			buf = append(buf, n)
		}
	}
	gone, ours, free, pieces := us.on[lion] == 0, turned[us.on[lion]], board&^(them.all()|turned[us.all()]), them.all()
	if them.on[lion]&far != 0 {
		pieces = them.on[lion]
	} else if set := takers(them, us); set != 0 {
		pieces = set
	}
	for ; pieces != 0; pieces &= pieces - 1 {
		to := pieces & -pieces
		kind, was, had := them.kind(to), *them, *us
		was.on[kind] &^= to
		if !gone && kind != lion && kind != hen {
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
				if !gone {
					add(us, &was)
				}
				for taken := range had.on {
					if hand := &was.hand[bare(taken)]; *hand > 0 && gone == (taken == lion) {
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
	return buf
}

// KeyWords and the methods after it are game.Keyer: a position is its number.
func (s *state) KeyWords() int { return 1 }

func (s *state) Key(dst []uint64) uint8 {
	n, mirror, _ := s.number()
	if dst[0] = n; mirror {
		return 1
	}
	return 0
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
