package game_test

import (
	"fmt"
	"strconv"
	"testing"

	"perfectplay/game"
)

// heap is a heap of stones: each turn takes 1 to most of them, and the player who takes the
// last one wins, or loses in misère. A key is the number of stones, plus shift.
type heap struct {
	stones, most int
	misere       bool
	shift        uint64
}

func (h heap) ID() string            { return "heap-one" }
func (h heap) Rules() string         { return "" }
func (h heap) Seats() int            { return 2 }
func (h heap) SeatName(s int) string { return strconv.Itoa(s + 1) }
func (h heap) Start() game.State     { return &heapState{h: h, left: h.stones} }
func (h heap) Parse(string) (game.State, error) {
	return nil, fmt.Errorf("heap: nobody reads it")
}

type heapState struct {
	h    heap
	left int
	made []game.Move
}

func (s *heapState) Seat() int { return len(s.made) % 2 }

func (s *heapState) Result() game.Result {
	switch {
	case s.left > 0:
		return game.Ongoing
	case s.h.misere:
		return game.Result(s.Seat())
	}
	return game.Result(1 - s.Seat())
}

func (s *heapState) Moves(buf []game.Move) []game.Move {
	for n := 1; n <= min(s.h.most, s.left); n++ {
		buf = append(buf, game.Move(n))
	}
	return buf
}

func (s *heapState) Make(m game.Move) { s.left -= int(m); s.made = append(s.made, m) }

func (s *heapState) Unmake() {
	last := len(s.made) - 1
	s.left += int(s.made[last])
	s.made = s.made[:last]
}

func (s *heapState) Clone() game.State             { return &heapState{h: s.h, left: s.left} }
func (s *heapState) String() string                { return strconv.Itoa(s.left) }
func (s *heapState) MoveString(m game.Move) string { return strconv.Itoa(int(m)) }
func (s *heapState) ParseMove(text string) (game.Move, error) {
	return 0, fmt.Errorf("heap: nobody reads it")
}
func (s *heapState) KeyWords() int                            { return 1 }
func (s *heapState) Key(dst []uint64) uint8                   { dst[0] = uint64(s.left) + s.h.shift; return 0 }
func (s *heapState) Canonical(m game.Move, _ uint8) game.Move { return m }
func (s *heapState) Actual(m game.Move, _ uint8) game.Move    { return m }

// TestFingerprint: games of one name that differ in their result, moves, start or keys have
// different fingerprints, and each is the same as when it was first printed: files keep
// them.
func TestFingerprint(t *testing.T) {
	seen := map[string]heap{}
	for _, h := range []heap{
		{stones: 21, most: 3},
		{stones: 21, most: 3, misere: true},
		{stones: 21, most: 4},
		{stones: 20, most: 3},
		{stones: 21, most: 3, shift: 1},
	} {
		print := game.Fingerprint(h)
		if again := game.Fingerprint(h); again != print || len(print) != 35 {
			t.Errorf("%+v: %s, then %s", h, print, again)
		}
		if was, ok := seen[print]; ok {
			t.Errorf("%+v and %+v have one fingerprint", was, h)
		}
		seen[print] = h
	}
	if got, want := game.Fingerprint(heap{stones: 21, most: 3}), "cb5859ca-fa8cb104-595d5517-00000000"; got != want {
		t.Errorf("a heap of 21 has the fingerprint %s, and had %s: what is kept is not found any more", got, want)
	}
}
