package halma

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// TestPlace: a state put at another position equals a new one in all its methods.
func TestPlace(t *testing.T) {
	// Boards of one, two and three words.
	for _, id := range []string{"halma-star37-2p", "halma-star73-2p", "halma-star121-2p"} {
		g, err := ByID(id, "house")
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 7))
		at, placed := g.Start(), g.Start()
		for range 300 {
			moves := at.Moves(nil)
			if len(moves) == 0 {
				at = g.Start()
				continue
			}
			at.Make(moves[rng.IntN(len(moves))])
			mover, other := Sides(g, at)
			Place(g, placed, mover, other)
			fresh := FromSides(g, mover, other)
			compare := func() {
				t.Helper()
				if placed.String() != fresh.String() || placed.Result() != fresh.Result() || placed.Seat() != fresh.Seat() ||
					!slices.Equal(placed.Moves(nil), fresh.Moves(nil)) || keyOf(placed) != keyOf(fresh) {
					t.Fatalf("%s: placed is %s, new %s", id, placed, fresh)
				}
			}
			compare()
			// Moves give the state a history before it is placed at the next position.
			for range rng.IntN(3) {
				if moves = placed.Moves(nil); len(moves) == 0 {
					break
				}
				m := moves[rng.IntN(len(moves))]
				placed.Make(m)
				fresh.Make(m)
				compare()
			}
		}
		mover, other := Sides(g, g.Start())
		var moves []game.Move
		if n := testing.AllocsPerRun(100, func() {
			Place(g, placed, mover, other)
			moves = placed.Moves(moves[:0])
		}); n != 0 {
			t.Errorf("%s: placing allocates %v times", id, n)
		}
	}
}

func TestSides(t *testing.T) {
	g, err := ByID("halma-3x3p1", "base")
	if err != nil {
		t.Fatal(err)
	}
	s := g.Start()
	for range 2 {
		mover, other := Sides(g, s)
		if mover != bitboard.Cell128(8) || other != bitboard.Cell128(0) {
			t.Errorf("%s: mover %x other %x", s, mover, other)
		}
		s, err = g.Parse("2.__.___.__.1-2")
		if err != nil {
			t.Fatal(err)
		}
	}
}
