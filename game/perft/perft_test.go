package perft

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
)

// heap is a game to count: two players take one to three pieces from a heap of twelve, and
// the player who takes the last wins.
type heap struct{}

func (heap) ID() string            { return "heap" }
func (heap) Rules() string         { return "" }
func (heap) Seats() int            { return 2 }
func (heap) SeatName(s int) string { return strconv.Itoa(s + 1) }
func (h heap) Start() game.State   { return &heapState{heap: h, left: 12} }
func (h heap) Parse(text string) (game.State, error) {
	left, err := strconv.Atoi(text)
	if err != nil || left < 0 || left > 12 {
		return nil, errors.New("heap: want 0 to 12")
	}
	return &heapState{heap: h, left: left, taken: []game.Move{}}, nil
}

// heapState has no optional ability; countedHeap has those that perft uses.
type heapState struct {
	heap
	left  int
	taken []game.Move
}

func (s *heapState) Seat() int {
	return len(s.taken) % 2
}

func (s *heapState) Result() game.Result {
	if s.left > 0 {
		return game.Ongoing
	}
	return game.Result((len(s.taken) + 1) % 2)
}

func (s *heapState) Moves(buf []game.Move) []game.Move {
	for n := 1; n <= min(3, s.left); n++ {
		buf = append(buf, game.Move(n))
	}
	return buf
}

func (s *heapState) Make(m game.Move) {
	s.left -= int(m)
	s.taken = append(s.taken, m)
}

func (s *heapState) Unmake() {
	s.left += int(s.taken[len(s.taken)-1])
	s.taken = s.taken[:len(s.taken)-1]
}

func (s *heapState) Clone() game.State {
	c := *s
	c.taken = append([]game.Move(nil), s.taken...)
	return &c
}

func (s *heapState) String() string {
	return strconv.Itoa(s.left)
}

func (s *heapState) MoveString(m game.Move) string { return strconv.Itoa(int(m)) }
func (s *heapState) ParseMove(text string) (game.Move, error) {
	n, err := strconv.Atoi(text)
	return game.Move(n), err
}

// counted is a heap whose states can count.
type counted struct{ heap }

type countedState struct{ *heapState }

func (c counted) Start() game.State { return countedState{c.heap.Start().(*heapState)} }

func (s countedState) CountMoves() int {
	return len(s.Moves(nil))
}

func (s countedState) MakeAll(depth int) uint64 { return Moves(s.heapState, depth) }

// TestCount compares the counts with the number of compositions of the heap, with
// abilities and without.
func TestCount(t *testing.T) {
	for _, g := range []game.Game{heap{}, counted{}} {
		s := g.Start()
		// Eleven takes: all ones, or one of them a two. Twelve: all ones.
		for depth, want := range map[int]uint64{0: 1, 1: 3, 2: 9, 3: 27, 11: 12, 12: 1, 13: 0} {
			for name, count := range map[string]func(game.State, int) uint64{"Count": Count, "Leaves": Leaves, "Moves": Moves} {
				if got := count(s, depth); got != want {
					t.Errorf("%T: %s to depth %d: %d, want %d", g, name, depth, got, want)
				}
			}
		}
		if s.String() != "12" {
			t.Errorf("%T: counting left %s", g, s)
		}
	}
}

func TestRead(t *testing.T) {
	got, err := Read(strings.NewReader("# comment\n\nhalma-star37-2p house start 3 120 this program\nx - p 0 1 by hand\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Line{
		{"halma-star37-2p", "house", "start", 3, 120, "this program", 3},
		{"x", "", "p", 0, 1, "by hand", 4},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, bad := range []string{"a b c 1 2", "a b c x 2 s", "a b c -1 2 s", "a b c 1 -2 s"} {
		if _, err := Read(strings.NewReader("\n" + bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// TestOpen opens lines at the start and elsewhere.
func TestOpen(t *testing.T) {
	byID := func(id, rules string) (game.Game, error) {
		if id != "heap" {
			return nil, fmt.Errorf("no game %s", id)
		}
		return heap{}, nil
	}
	for _, c := range []struct {
		line Line
		want string
	}{
		{Line{ID: "heap", Position: "start"}, "12"},
		{Line{ID: "heap", Position: "5"}, "5"},
		{Line{ID: "heap", Position: "55"}, ""},
		{Line{ID: "pile", Position: "start"}, ""},
	} {
		s, err := c.line.Open(byID)
		if (err == nil) != (c.want != "") || err == nil && s.String() != c.want {
			t.Errorf("%+v: %v, %v; want %q", c.line, s, err, c.want)
		}
	}
}
