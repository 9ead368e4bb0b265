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

// Valuer returns the value that a set of seats, bit i for seat i, can force from a position, and
// the plies to the end, negative if unknown.
type Valuer func(s game.State, seats uint8) (game.Value, int, error)

// Judge returns the moves of a position, best first, with their values for the seat to move. With
// more than two seats it adds the values that each seat can force alone after the move.
func Judge(g game.Game, s game.State, value Valuer) (list SolvedMoves, err error) {
	mover := s.Seat()
	for _, m := range s.Moves(nil) {
		name := s.MoveString(m)
		s.Make(m)
		move := SolvedMove{Move: name, Position: s.String()}
		for seat := 0; seat < g.Seats() && err == nil; seat++ {
			if g.Seats() == 2 && seat != mover {
				continue
			}
			v, d, wrong := value(s, 1<<seat)
			if d >= 0 {
				d++
			}
			worth := NewWorth(v, d)
			if err = wrong; seat == mover {
				move.Worth = worth
			}
			if g.Seats() > 2 {
				move.Alone = append(move.Alone, worth)
			}
		}
		s.Unmake()
		if err != nil {
			return nil, fmt.Errorf("position %s: %w", move.Position, err)
		}
		list = append(list, move)
	}
	slices.SortStableFunc(list, func(a, b SolvedMove) int { return a.Worth.Compare(b.Worth) })
	return list, nil
}

// WriteMoves prints moves, with the values of each of more than two seats.
func WriteMoves(w io.Writer, l SolvedMoves, g game.Game) {
	if g.Seats() <= 2 {
		judged(w, l)
		return
	}
	heads := []string{"move"}
	for seat := range g.Seats() {
		heads = append(heads, "seat "+g.SeatName(seat))
	}
	t := cli.NewTable(heads...)
	for _, m := range l {
		row := []any{m.Move}
		for _, alone := range m.Alone {
			row = append(row, alone)
		}
		t.Row(row...)
	}
	t.Write(w)
}

var judged = cli.Grid[SolvedMove]("=move:  %s", "=Worth")

// Sets yields all nonempty sets of seats, smaller ones first.
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
