package oracle

import (
	"math/rand/v2"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/players"
	"perfectplay/game/wing"
)

// hiddenTile is a tile of which only the back is seen.
const hiddenTile = "?|?"

// hidden is block dominoes as people play it.
func hidden() *wing.Hidden {
	h := &wing.Hidden{
		Deal: func(number uint64) string {
			d, _ := domino.RandomDeal(rand.New(rand.NewPCG(number, 0xd0319)))
			return d.Start().String()
		},
		Picture: func(g game.Game, s game.State, seat int) wing.Picture {
			p := picture(g, s)
			for other, hand := range p.Hands {
				if other == seat {
					continue
				}
				for i := range hand {
					hand[i] = hiddenTile
				}
			}
			return p
		},
	}
	for _, k := range players.Kinds() {
		if k.Open {
			continue
		}
		h.Players = append(h.Players, wing.HiddenPlayer{Name: k.Name, About: k.About, Choose: func(from game.State, moves []game.Move, seed uint64) game.Move {
			return choose(k.New(), from, moves, seed)
		}})
	}
	return h
}

// choose lets a player see the moves so far and choose the next.
func choose(p players.Player, from game.State, made []game.Move, seed uint64) game.Move {
	first := position(from)
	t := players.NewTable(domino.AllTiles, domino.Deal{Starter: first.Hands[domino.Starter], Second: first.Hands[domino.Second]})
	for _, m := range made {
		if m == game.Pass {
			t.Pass()
		} else {
			t.Play(domino.Move(m))
		}
	}
	var buf [2 * domino.HandSize]domino.Move
	switch moves := t.Position().Moves(buf[:0]); len(moves) {
	case 0:
		return game.Pass
	case 1:
		return game.Move(moves[0])
	default:
		return game.Move(p.Choose(&t, moves, rand.New(rand.NewPCG(seed, uint64(len(made))))))
	}
}
