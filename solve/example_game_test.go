package solve_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"perfectplay/game"
	"perfectplay/solve"
)

// heap is a complete game: the players in turn take one, two or three stones from a heap, and the
// player who takes the last one wins.
type heap struct{ stones int }

func (h heap) ID() string               { return "heap-" + strconv.Itoa(h.stones) + "stones" }
func (h heap) Rules() string            { return "" }
func (h heap) Seats() int               { return 2 }
func (h heap) SeatName(seat int) string { return strconv.Itoa(seat + 1) }
func (h heap) Start() game.State        { return &heapState{left: h.stones} }

func (h heap) Parse(text string) (game.State, error) {
	left, seat, _ := strings.Cut(text, "-")
	n, err := strconv.Atoi(left)
	if err != nil || n < 0 || n > h.stones || seat != "1" && seat != "2" {
		return nil, errors.New("heap: want the stones left and the seat to move, as 21-1")
	}
	return &heapState{left: n, seat: int(seat[0] - '1')}, nil
}

// heapState is a position: a move is the number of stones taken.
type heapState struct {
	left, seat int
	taken      []game.Move
}

func (s *heapState) Seat() int { return s.seat }

func (s *heapState) Result() game.Result {
	if s.left > 0 {
		return game.Ongoing
	}
	return game.Result(1 - s.seat)
}

func (s *heapState) Moves(buf []game.Move) []game.Move {
	for n := 1; n <= min(3, s.left); n++ {
		buf = append(buf, game.Move(n))
	}
	return buf
}

func (s *heapState) Make(m game.Move) {
	s.left, s.seat, s.taken = s.left-int(m), 1-s.seat, append(s.taken, m)
}

func (s *heapState) Unmake() {
	last := len(s.taken) - 1
	s.left, s.seat, s.taken = s.left+int(s.taken[last]), 1-s.seat, s.taken[:last]
}

func (s *heapState) Clone() game.State             { return &heapState{left: s.left, seat: s.seat} }
func (s *heapState) String() string                { return fmt.Sprintf("%d-%d", s.left, s.seat+1) }
func (s *heapState) MoveString(m game.Move) string { return strconv.Itoa(int(m)) }
func (s *heapState) ParseMove(text string) (game.Move, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > min(3, s.left) {
		return game.NoMove, errors.New("heap: want 1, 2 or 3 stones, as many as there are")
	}
	return game.Move(n), nil
}

// A game needs only the methods of game.Game and game.State to be searched. Further abilities, such
// as keys for a transposition table, are optional interfaces of package game.
func Example_ownGame() {
	g := heap{21}
	report, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Limit: 21})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := report.Whole
	fmt.Printf("%v in %d by taking %s\n", w.Value, w.Distance, w.Name)
	// Output: win in 11 by taking 1
}
