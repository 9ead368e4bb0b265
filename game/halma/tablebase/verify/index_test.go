package verify

import (
	"context"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/halmatest"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/tablebase"
	"perfectplay/solve/coalition"
)

// indexedGame is a game of two armies that numbers its positions: two numbers for
// each placement seen from the mover, by who moves. Illegal positions have none.
type indexedGame struct {
	*halma.Game
	p *numbering
}

func newIndexedGame(t *testing.T, g *halma.Game, spec *halma.TwoArmy) indexedGame {
	t.Helper()
	info, _, err := tablebase.NewInfo(spec, false, "")
	if err != nil {
		t.Fatal(err)
	}
	info.Mirror = nil // every placement has a number of its own
	return indexedGame{g, newNumbering(info)}
}

func (x indexedGame) Indices() int { return 2 * int(x.p.size()) }

func (x indexedGame) At(number int) game.State {
	mover, other := x.p.position(uint64(number / 2))
	if forbidden(x.Game, mover, other) {
		return nil
	}
	text := []byte(positionText(x.Game, mover, other))
	if number%2 == 1 {
		// Half a turn reverses the cells, and the seats change their names.
		one, two := x.SeatName(0)[0], x.SeatName(1)[0]
		board := text[:len(text)-2]
		for i, j := 0, len(board)-1; i < j; i, j = i+1, j-1 {
			board[i], board[j] = board[j], board[i]
		}
		for i, c := range text {
			switch c {
			case one:
				text[i] = two
			case two:
				text[i] = one
			}
		}
	}
	s, err := x.Parse(string(text))
	if err != nil {
		panic(err)
	}
	return s
}

func (x indexedGame) Index(s game.State) (int, bool) {
	mover, other := halma.Sides(x.Game, s)
	if forbidden(x.Game, mover, other) {
		return 0, false
	}
	return 2*int(x.p.index(mover, other)) + s.Seat(), true
}

// TestIndexedArmies compares the solver of two armies with the one that knows
// games by their contract alone and plays by the move generator of the rules:
// all positions of small boards, with either seat to move.
func TestIndexedArmies(t *testing.T) {
	for _, c := range halmatest.Games() {
		g, spec := halmatest.Race(c.ID, c.Rules)
		index := newIndexedGame(t, g, spec)
		if index.Indices() > 30_000 || testing.Short() && index.Indices() > 4_000 {
			continue
		}
		t.Run("game="+c.ID+",rules="+c.Rules, func(t *testing.T) {
			t.Parallel()
			solved, err := strong.Solve(context.Background(), spec, strong.Options{Distances: true})
			if err != nil {
				t.Fatal(err)
			}
			all, err := coalition.Solve(context.Background(), index, 1_000_000, nil)
			if err != nil {
				t.Fatal(err)
			}
			legal := 0
			for n := range index.Indices() {
				s := index.At(n)
				mover, other := index.p.position(uint64(n / 2))
				v, d := solved.Value(mover, other)
				if s == nil {
					if v != game.Unknown {
						t.Fatalf("an illegal position is %v in %d", v, d)
					}
					continue
				}
				legal++
				for seat := range 2 {
					want, in, ok := all.Value(s, 1<<seat)
					if seat != s.Seat() {
						want = want.Negate()
					}
					if !ok || v != want || d != in {
						t.Fatalf("%s, seat %d: two armies %v in %d, by the contract alone %v in %d", s, seat, v, d, want, in)
					}
				}
			}
			c := solved.Counts()
			if all.Positions() != legal || uint64(legal) != 2*(c.Positions()-c.Illegal) {
				t.Errorf("%d positions compared, %d solved, %+v counted", legal, all.Positions(), c)
			}
			t.Logf("%d positions", legal)
		})
	}
}
