package oracle_test

import (
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/oracle"
	"perfectplay/game/gametest"
)

// TestRow plays a deal: each tile lies so that equal numbers meet.
func TestRow(t *testing.T) {
	w, g := oracle.Wing(), domino.Default()
	s, from := g.Start(), g.Start()
	var moves []game.Move
	for s.Result() == game.Ongoing {
		list := s.Moves(nil)
		moves = append(moves, list[len(moves)%len(list)])
		s.Make(moves[len(moves)-1])
	}
	tiles := len(slices.DeleteFunc(slices.Clone(moves), func(m game.Move) bool { return m == game.Pass }))
	row := w.Row(g, from, moves)
	if len(row) != tiles {
		t.Fatalf("row %v after %d tiles", row, tiles)
	}
	for i := 1; i < len(row); i++ {
		if row[i-1][2] != row[i][0] {
			t.Errorf("row %v: %s beside %s", row, row[i-1], row[i])
		}
	}
	p := w.Picture(g, s)
	if ends := []int{int(row[0][0] - '0'), int(row[len(row)-1][2] - '0')}; !slices.Equal(p.Ends, ends) {
		t.Errorf("ends %v, the row %v ends with %v", p.Ends, row, ends)
	}
	if len(p.Hands[0])+len(p.Hands[1])+len(row) != domino.Dealt {
		t.Errorf("hands %v beside %v", p.Hands, row)
	}
}

func TestWing(t *testing.T) { gametest.Wing(t, oracle.Wing()) }
