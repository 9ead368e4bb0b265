// Package stranger has heaps of stones as games for tests: with many moves, sparse numbers, no moves
// backwards, several seats, long wins, and faults that a test plants.
package stranger

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// Heap is a game: players take turns to take 1 to Most stones, and whoever takes the last one wins.
type Heap struct {
	Name          string // the id is heap-Name
	Stones, Most  int
	Players       int
	Misere        bool // the player before the one who takes the last stone wins
	Keys, Numbers bool // abilities: [game.Keyer], [game.Numberer]
	Before        bool // [game.Unmover], with Numbers
	Sparse        uint64
	// Faults, if not nil: On is called at the start of methods and may panic or block; the others
	// replace the key, a list of moves, and the stones left by a move.
	On    func(method string, left int)
	KeyOf func(left int) uint64
	List  func(left int, moves []game.Move) []game.Move
	Moved func(left int) int
}

// Game returns the heap with the abilities that its fields name.
func (h Heap) Game() game.Game {
	h.Sparse, h.Players = cmp.Or(h.Sparse, 1), cmp.Or(h.Players, 2)
	if h.Numbers {
		return numbered{rules{&h}}
	}
	return rules{&h}
}

type rules struct{ h *Heap }

func (r rules) ID() string          { return "heap-" + r.h.Name }
func (rules) Rules() string         { return "" }
func (r rules) Seats() int          { return r.h.Players }
func (rules) SeatName(s int) string { return string(rune('A' + s)) }
func (r rules) Start() game.State   { return r.state(r.h.Stones, 0) }
func (r rules) on(m string, left int) {
	if r.h.On != nil {
		r.h.On(m, left)
	}
}

// state returns a state with the abilities of the game.
func (r rules) state(left, seat int) game.State {
	s := &state{rules: r, left: left, seat: seat}
	switch {
	case r.h.Before && r.h.Keys:
		return struct {
			*state
			keyer
			unmover
		}{s, keyer{s}, unmover{s}}
	case r.h.Before:
		return struct {
			*state
			unmover
		}{s, unmover{s}}
	case r.h.Keys:
		return struct {
			*state
			keyer
		}{s, keyer{s}}
	}
	return s
}

func (r rules) Parse(text string) (game.State, error) {
	left, seat, ok := strings.Cut(text, ".")
	n, err := strconv.Atoi(left)
	s := strings.Index("ABCDEF", seat)
	if !ok || err != nil || n < 0 || n > r.h.Stones || s < 0 || len(seat) != 1 || s >= r.h.Players || strconv.Itoa(n) != left {
		return nil, fmt.Errorf("heap: position %q: want for instance %d.A", text, r.h.Stones)
	}
	return r.state(n, s), nil
}

type state struct {
	rules
	left, seat int
	before     []int // stones before each move made
}

// inner is implemented by all states, whatever their abilities.
type inner interface{ inner() *state }

func (s *state) inner() *state { return s }
func (s *state) Seat() int     { return s.seat }

func (s *state) Result() game.Result {
	s.on("Result", s.left)
	before := (s.seat + s.h.Players - 1) % s.h.Players
	switch {
	case s.left > 0:
		return game.Ongoing
	case s.h.Misere:
		return game.Result((before + s.h.Players - 1) % s.h.Players)
	}
	return game.Result(before)
}

func (s *state) Moves(buf []game.Move) []game.Move {
	s.on("Moves", s.left)
	for n := 1; n <= min(s.h.Most, s.left); n++ {
		buf = append(buf, game.Move(n))
	}
	if s.h.List != nil {
		return s.h.List(s.left, buf)
	}
	return buf
}

func (s *state) Make(m game.Move) {
	s.on("Make", s.left)
	s.left, s.seat, s.before = s.left-int(m), (s.seat+1)%s.h.Players, append(s.before, s.left)
	if s.h.Moved != nil {
		s.left = s.h.Moved(s.left)
	}
}

func (s *state) Unmake() {
	s.on("Unmake", s.left)
	last := len(s.before) - 1
	s.left, s.seat, s.before = s.before[last], (s.seat+s.h.Players-1)%s.h.Players, s.before[:last]
}

func (s *state) Clone() game.State             { return s.state(s.left, s.seat) }
func (s *state) String() string                { return fmt.Sprintf("%d.%c", s.left, 'A'+s.seat) }
func (s *state) MoveString(m game.Move) string { return strconv.Itoa(int(m)) }

func (s *state) ParseMove(text string) (game.Move, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > min(s.h.Most, s.left) || strconv.Itoa(n) != text {
		return game.NoMove, fmt.Errorf("heap: move %q: want 1 to %d", text, min(s.h.Most, s.left))
	}
	return game.Move(n), nil
}

// number is the number of a position; with two players it does not depend on the mover.
func (s *state) number() uint64 {
	if s.h.Players == 2 {
		return uint64(s.left)
	}
	return uint64(s.left*s.h.Players + s.seat)
}

// keyer adds keys to a state.
type keyer struct{ of *state }

func (k keyer) KeyWords() int { return 1 }
func (k keyer) Key(dst []uint64) uint8 {
	k.of.on("Key", k.of.left)
	if dst[0] = k.of.number(); k.of.h.KeyOf != nil {
		dst[0] = k.of.h.KeyOf(k.of.left)
	}
	return 0
}
func (keyer) Canonical(m game.Move, _ uint8) game.Move { return m }
func (keyer) Actual(m game.Move, _ uint8) game.Move    { return m }

// numbered adds numbers to a game: every Sparse-th belongs to a position.
type numbered struct{ rules }

func (r numbered) Numbers() uint64 {
	n := uint64(r.h.Stones + 1)
	if r.h.Players > 2 {
		n *= uint64(r.h.Players)
	}
	return (n-1)*r.h.Sparse + 1
}

func (r numbered) Number(s game.State) uint64 {
	at := s.(inner).inner()
	r.on("Number", at.left)
	return at.number() * r.h.Sparse
}

func (r numbered) At(s game.State, n uint64) bool {
	if n%r.h.Sparse != 0 {
		return false
	}
	at := s.(inner).inner()
	n /= r.h.Sparse
	at.left, at.seat, at.before = int(n), 0, at.before[:0]
	if r.h.Players > 2 {
		at.left, at.seat = int(n)/r.h.Players, int(n)%r.h.Players
	}
	r.on("At", at.left)
	return true
}

// unmover adds moves backwards.
type unmover struct{ of *state }

func (u unmover) Before(buf []uint64) []uint64 {
	s := u.of
	s.on("Before", s.left)
	from := *s
	for n := 1; n <= s.h.Most && s.left+n <= s.h.Stones; n++ {
		from.left, from.seat = s.left+n, (s.seat+s.h.Players-1)%s.h.Players
		buf = append(buf, from.number()*s.h.Sparse)
	}
	return buf
}

// Wins says whether the seat to move at a heap of two players wins, and in how many plies.
func (h Heap) Wins(left int) (wins bool, plies int) {
	wonIn, lostIn := make([]int, left+1), make([]int, left+1) // plies of a won or lost heap plus one, else 0
	if wonIn[0] = 1; !h.Misere {
		wonIn[0], lostIn[0] = 0, 1
	}
	for n := 1; n <= left; n++ {
		for m := 1; m <= min(h.Most, n); m++ {
			if l := lostIn[n-m]; l > 0 && (wonIn[n] == 0 || l+1 < wonIn[n]) {
				wonIn[n] = l + 1
			}
			lostIn[n] = max(lostIn[n], wonIn[n-m]+1)
		}
		if wonIn[n] > 0 {
			lostIn[n] = 0
		}
	}
	return wonIn[left] > 0, wonIn[left] + lostIn[left] - 1
}

// Wing is the wing of some heaps.
func Wing(heaps ...Heap) wing.Wing {
	return wing.Wing{
		Name: "heap", Title: "Heap", About: "take turns to take stones: whoever takes the last one wins",
		IDs: func() (ids []string) {
			for _, h := range heaps {
				ids = append(ids, "heap-"+h.Name)
			}
			return ids
		},
		Open: func(id, ruleSet string) (game.Game, error) {
			for _, h := range heaps {
				if id == "heap-"+h.Name && ruleSet == "" {
					return h.Game(), nil
				}
			}
			return nil, fmt.Errorf("heap: there is no %s %s", id, ruleSet)
		},
	}
}

// Heaps lists sound heaps of all kinds.
func Heaps() []Heap {
	return []Heap{
		{Name: "any", Stones: 300, Most: 300, Keys: true},
		{Name: "numbered", Stones: 300, Most: 300, Keys: true, Numbers: true},
		{Name: "backwards", Stones: 300, Most: 300, Keys: true, Numbers: true, Before: true},
		{Name: "sparse", Stones: 300, Most: 260, Keys: true, Numbers: true, Sparse: 4001},
		{Name: "sparse-backwards", Stones: 270, Most: 256, Keys: true, Numbers: true, Before: true, Sparse: 997},
		{Name: "uneven", Stones: 700, Most: 1 << 12, Keys: true, Numbers: true},
		{Name: "trio", Stones: 260, Most: 258, Players: 3, Keys: true},
		{Name: "trio-numbered", Stones: 262, Most: 258, Players: 3, Keys: true, Numbers: true, Sparse: 3},
		{Name: "six", Stones: 60, Most: 7, Players: 6, Numbers: true, Before: true},
		{Name: "alone", Stones: 400, Most: 1, Players: 1, Keys: true},
		{Name: "long", Stones: 999, Most: 2, Keys: true, Numbers: true, Before: true},
		{Name: "long-keys", Stones: 999, Most: 3, Keys: true},
		{Name: "misere", Stones: 300, Most: 299, Misere: true, Keys: true},
		{Name: "bare", Stones: 21, Most: 3, Players: 3, Numbers: true},
	}
}
