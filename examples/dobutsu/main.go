package main

import (
	"fmt"
	"os"
	"strings"

	"perfectplay/app"
	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
)

func main() { os.Exit(app.Main(family.Family{Wing: dobutsu()})) }

// dobutsu is the wing: it opens the game and draws its positions. The hands are three cells
// each, above and below the board.
func dobutsu() wing.Wing {
	return wing.Wing{
		Name: "dobutsu", Title: "Dobutsu shogi", About: "animals on four rows of three, which come back after they are taken: take the lion",
		Open: func(id, rule string) (game.Game, error) {
			if id != (rules{}).ID() {
				return nil, fmt.Errorf("dobutsu: id %q: there is %s", id, rules{}.ID())
			}
			return rules{}, nil
		},
		IDs:     func() []string { return []string{rules{}.ID()} },
		Endless: true,
		Board: func(game.Game) wing.Board {
			b := wing.Board{Squares: true, Width: 3, Height: 6.5}
			for c := range cells {
				b.Cells = append(b.Cells, wing.Cell{Name: name(c), X: float64(c%3) + 0.5, Y: 4.75 - float64(c/3)})
			}
			for hand := range 6 {
				c := wing.Cell{Name: string("abc"[hand%3]) + "5", X: float64(hand%3) + 0.5, Y: 6}
				if hand > 2 {
					c.Name, c.Y = c.Name[:1]+"0", 0.5
				}
				b.Cells = append(b.Cells, c)
			}
			return b
		},
		Picture: func(_ game.Game, at game.State) wing.Picture {
			p := wing.Picture{Pieces: make([]int, cells+6), Kinds: make([]string, cells+6)}
			put := func(c, seat, kind int, more string) {
				p.Pieces[c], p.Kinds[c] = seat, strings.ToLower(letters[kind:][:1])+more
				if seat == 0 {
					p.Kinds[c] = letters[kind:][:1] + more
				}
			}
			for i := range p.Pieces {
				p.Pieces[i] = -1
			}
			for seat, side := range at.(*state).sides {
				for c := range cells {
					if kind := side.kind(1 << cell(c, seat)); kind >= 0 {
						put(c, seat, kind, "")
					}
				}
				for kind := giraffe; kind <= chick; kind++ {
					if k := side.hand[kind]; k > 0 {
						put(cells+3*seat+kind-giraffe, seat, kind, [3]string{2: "2"}[k])
					}
				}
			}
			return p
		},
		Trace: func(_ game.Game, at game.State, m game.Move) wing.Trace {
			seat, from := at.Seat(), int(m>>4)
			if from >= cells {
				from += 3*seat - giraffe
			} else {
				from = cell(from, seat)
			}
			return wing.Trace{Path: []int{from, cell(int(m&15), seat)}}
		},
	}
}
