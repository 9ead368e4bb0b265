package main

import (
	"fmt"
	"math/bits"
	"os"

	"perfectplay/app"
	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
)

func main() { os.Exit(app.Main(family.Family{Wing: teeko()})) }

// teeko is the wing: it opens the game and draws its positions.
func teeko() wing.Wing {
	return wing.Wing{
		Name: "teeko", Title: "Teeko", About: "four stones each on five rows of five: four in a row or in a square win",
		Open: func(id, rule string) (game.Game, error) {
			if id != (rules{}).ID() {
				return nil, fmt.Errorf("teeko: id %q: there is %s", id, rules{}.ID())
			}
			return rules{}, nil
		},
		IDs: func() []string { return []string{rules{}.ID()} }, Endless: true,
		Board: func(game.Game) wing.Board {
			b := wing.Board{Squares: true, Width: 5, Height: 5, Seats: []wing.Seat{{Sign: wing.Cross}, {Sign: wing.Ring}}}
			for c := range cells {
				cell := wing.Cell{Name: name(c), X: float64(c%5) + 0.5, Y: 4.5 - float64(c/5)}
				for after := near[c] >> c << c; after != 0; after &= after - 1 {
					cell.Near = append(cell.Near, bits.TrailingZeros64(after))
				}
				b.Cells = append(b.Cells, cell)
			}
			return b
		},
		Picture: func(_ game.Game, s game.State) (p wing.Picture) {
			for c := range cells {
				p.Pieces = append(p.Pieces, s.(*state).at(c))
			}
			return p
		},
		Trace: func(_ game.Game, _ game.State, m game.Move) wing.Trace {
			return wing.Trace{Path: []int{int(m >> 5), int(m & 31)}[m>>5/hand:]} // a move from the hand has one cell
		},
	}
}
