package exact

import (
	"slices"

	"perfectplay/game/domino"
)

// Choice is a move with the score of perfect play after it, for the starter.
type Choice struct {
	Move  domino.Move
	Value int
}

// Choices appends to buf the moves of p with their values, best for the mover first.
func (s *Solver) Choices(p domino.Position, buf []Choice) []Choice {
	from := len(buf)
	var own [2 * domino.HandSize]domino.Move
	for _, m := range p.Moves(own[:0]) {
		buf = append(buf, Choice{m, s.PositionValue(p.Play(m))})
	}
	slices.SortStableFunc(buf[from:], func(a, b Choice) int {
		if p.Mover == domino.Starter {
			return b.Value - a.Value
		}
		return a.Value - b.Value
	})
	return buf
}

// Turn is a step of a line of play.
type Turn struct {
	Before domino.Position
	Move   domino.Move // or [domino.Passed]
}

// String returns the move as text.
func (t Turn) String() string { return t.Before.MoveText(t.Move) }

// Line returns perfect play from p to the end of the deal, by the first of equally good moves.
func (s *Solver) Line(p domino.Position) []Turn {
	var line []Turn
	var buf []Choice
	for !p.Over() {
		m := domino.Passed
		if buf = s.Choices(p, buf[:0]); len(buf) > 0 {
			m = buf[0].Move
		}
		line = append(line, Turn{p, m})
		p = p.Play(m)
	}
	return line
}
