package solve_test

import (
	"errors"
	"fmt"
	"math/bits"

	"perfectplay/game"
)

// konane is Konane on at most 64 cells, after two stones were taken from the middle. A turn hops
// with one stone over neighbours of the other colour, straight on, once or more; a player
// without a turn loses.
type konane struct{ rows, cols int }

func (g konane) ID() string             { return fmt.Sprintf("konane-%dx%d", g.rows, g.cols) }
func (konane) Rules() string            { return "" }
func (konane) Seats() int               { return 2 }
func (konane) SeatName(seat int) string { return [...]string{"black", "white"}[seat] }
func (konane) Parse(string) (game.State, error) {
	return nil, errors.New("konane: positions are not read")
}
func (g konane) Start() game.State {
	s := &konaneState{konane: g}
	for c := range g.rows * g.cols {
		s.stones[(c/g.cols+c%g.cols)&1] |= 1 << c
		if s.cells |= 1 << c; c%g.cols > 0 {
			s.inner |= 1 << c
		}
	}
	middle := g.rows/2*g.cols + g.cols/2
	for _, c := range []int{middle, middle - 1} {
		s.stones[(c/g.cols+c%g.cols)&1] &^= 1 << c
	}
	return s
}

type konaneState struct {
	konane
	stones       [2]uint64
	seat         int
	past         [][2]uint64
	cells, inner uint64 // all cells, and all cells except the first column
}

func (s *konaneState) Seat() int { return s.seat }
func (s *konaneState) Result() game.Result {
	if s.count(s.seat) == 0 {
		return game.Result(1 - s.seat)
	}
	return game.Ongoing
}

func (s *konaneState) hops(seat int, do func(from, to int)) {
	own, other := s.stones[seat], s.stones[1-seat]
	for x := own; x != 0; x &= x - 1 {
		from := bits.TrailingZeros64(x)
		for _, step := range [...][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
			r, c := from/s.cols, from%s.cols
			for {
				over := (r+step[0])*s.cols + c + step[1]
				r, c = r+2*step[0], c+2*step[1]
				if r < 0 || r >= s.rows || c < 0 || c >= s.cols || other>>over&1 == 0 || (own|other)>>(r*s.cols+c)&1 != 0 {
					break
				}
				do(from, r*s.cols+c)
			}
		}
	}
}

// count counts the turns that hops lists, by whole sets.
func (s *konaneState) count(seat int) (n int) {
	other, empty := s.stones[1-seat], s.cells&^(s.stones[0]|s.stones[1])
	left, right, down, up := s.stones[seat], s.stones[seat], s.stones[seat], s.stones[seat]
	for left|right|down|up != 0 {
		left = ((left & s.inner) >> 1 & other & s.inner) >> 1 & empty
		right = (right << 1 & s.inner & other) << 1 & s.inner & empty
		down, up = (down>>s.cols&other)>>s.cols&empty, (up<<s.cols&other)<<s.cols&empty
		n += bits.OnesCount64(left) + bits.OnesCount64(right) + bits.OnesCount64(down) + bits.OnesCount64(up)
	}
	return n
}

func (s *konaneState) Moves(buf []game.Move) []game.Move {
	begin := len(buf)
	s.hops(s.seat, func(from, to int) { buf = append(buf, game.Move(from<<6|to)) })
	if n := s.count(s.seat); n != len(buf)-begin {
		panic(fmt.Sprintf("konane: %s: %d turns counted, %d listed", s, n, len(buf)-begin))
	}
	return buf
}

func (s *konaneState) Make(m game.Move) {
	s.past = append(s.past, s.stones)
	from, to := int(m>>6), int(m&63)
	step := s.cols
	if d := max(from, to) - min(from, to); d < s.cols {
		step = 1
	}
	for c := min(from, to) + step; c < max(from, to); c += 2 * step {
		s.stones[1-s.seat] &^= 1 << c
	}
	s.stones[s.seat] ^= 1<<from | 1<<to
	s.seat = 1 - s.seat
}

func (s *konaneState) Unmake() {
	s.stones = s.past[len(s.past)-1]
	s.past = s.past[:len(s.past)-1]
	s.seat = 1 - s.seat
}

func (s *konaneState) Clone() game.State {
	c := *s
	c.past = nil
	return &c
}
func (s *konaneState) String() string {
	return fmt.Sprintf("%d_%x_%x", s.seat, s.stones[0], s.stones[1])
}
func (s *konaneState) MoveString(m game.Move) string { return fmt.Sprintf("%d-%d", m>>6, m&63) }
func (s *konaneState) ParseMove(string) (game.Move, error) {
	return 0, errors.New("konane: moves are not read")
}
func (s *konaneState) KeyWords() int                            { return 2 }
func (s *konaneState) Canonical(m game.Move, _ uint8) game.Move { return m }
func (s *konaneState) Actual(m game.Move, _ uint8) game.Move    { return m }
func (s *konaneState) Key(dst []uint64) uint8 {
	dst[0], dst[1] = s.stones[0]<<1|uint64(s.seat), s.stones[1]
	return 0
}

// Gain is the mover's number of turns less the other player's, after a move.
func (s *konaneState) Gain(m game.Move) int32 {
	seat := s.seat
	s.Make(m)
	n := s.count(seat) - s.count(1-seat)
	s.Unmake()
	return int32(n)
}
