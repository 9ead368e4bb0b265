package family

import (
	"fmt"
	"io"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"perfectplay/game"
	"perfectplay/internal/cli"
)

// Solved is what a table or a solution says a set of seats can force from a position, bit i
// for seat i, in how many plies; negative where that is not known.
type Solved func(s game.State, seats uint8) (game.Value, int, error)

// Judge returns the moves of a position, best first, for the seat that makes them.
func Judge(s game.State, value Solved) (list SolvedMoves, err error) {
	seat := s.Seat()
	for _, m := range s.Moves(nil) {
		name := s.MoveString(m)
		s.Make(m)
		v, d, err := value(s, 1<<seat)
		if d >= 0 {
			d++
		}
		list = append(list, SolvedMove{Move: name, Worth: NewWorth(v, d), Position: s.String()})
		s.Unmake()
		if err != nil {
			return nil, fmt.Errorf("position %s: %w", s, err)
		}
	}
	slices.SortStableFunc(list, func(a, b SolvedMove) int { return a.Worth.Compare(b.Worth) })
	return list, nil
}

// WriteJudged prints moves for people.
var WriteJudged = cli.Grid[SolvedMove]("=move:  %s", "=Worth")

// Alone is a move with what each seat can force alone after it, in turn order; distances
// count from before the move.
type Alone struct {
	Move  string  `json:"move"`
	Alone []Worth `json:"alone"`
}

// JudgeAlone returns the moves of a position with what each seat of a game can force alone
// after them.
func JudgeAlone(g game.Game, s game.State, value Solved) (list []Alone, err error) {
	for _, m := range s.Moves(nil) {
		o := Alone{Move: s.MoveString(m)}
		s.Make(m)
		for seat := 0; seat < g.Seats() && err == nil; seat++ {
			var v game.Value
			var d int
			v, d, err = value(s, 1<<seat)
			o.Alone = append(o.Alone, NewWorth(v, d+1))
		}
		s.Unmake()
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// WriteAlone prints moves with what each seat can force alone.
func WriteAlone(w io.Writer, g game.Game, moves []Alone) error {
	heads := []string{"move"}
	for seat := range g.Seats() {
		heads = append(heads, "seat "+g.SeatName(seat))
	}
	t := cli.NewTable(heads...)
	for _, o := range moves {
		row := []any{o.Move}
		for _, alone := range o.Alone {
			row = append(row, alone)
		}
		t.Row(row...)
	}
	return t.Write(w)
}

// Forced is what a set of seats can force against all others, in records.
type Forced struct {
	Seats string `json:"coalition"`
	Worth
	Longest int    `json:"longest_win"` // that it can force, in plies
	Wins    uint64 `json:"wins"`        // over all positions
	Losses  uint64 `json:"losses"`
	Draws   uint64 `json:"draws"`
}

// Sets are the sets of so many seats that are not empty, smaller ones first.
func Sets(seats int) iter.Seq[uint8] {
	return func(yield func(uint8) bool) {
		for size := 1; size <= seats; size++ {
			for set := uint8(1); set < 1<<seats; set++ {
				if bits.OnesCount8(set) == size && !yield(set) {
					return
				}
			}
		}
	}
}

// WriteByPlies prints how many positions are won and lost in 0, 1, … plies.
func WriteByPlies(w io.Writer, wins, losses []uint64) error {
	fmt.Fprintln(w, "\nPositions by distance in plies:")
	t := cli.NewTable(">plies", ">won", ">lost")
	for d := range wins {
		t.Row(d, wins[d], losses[d])
	}
	return t.Write(w)
}

// SetText names a set of seats: 1+3.
func SetText(g game.Game, seats uint8) string {
	var names []string
	for s := range g.Seats() {
		if seats>>s&1 != 0 {
			names = append(names, g.SeatName(s))
		}
	}
	return strings.Join(names, "+")
}
