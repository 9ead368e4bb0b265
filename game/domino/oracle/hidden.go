package oracle

import (
	"math/rand/v2"

	"perfectplay/game"
	"perfectplay/game/domino"
	"perfectplay/game/domino/players"
	"perfectplay/game/wing"
)

// hiddenTile is a tile shown by its back.
const hiddenTile = "?|?"

// hidden is block dominoes with hidden hands.
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
	h.Advise = advise
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

// choose returns a player's move after the moves made.
func choose(p players.Player, from game.State, made []game.Move, seed uint64) game.Move {
	t := table(from)
	for _, m := range made {
		t.Play(domino.Move(m))
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

// advise returns the advice of the equilibrium of the rest of the deal at each position.
func advise(from game.State, made []game.Move) []*wing.Advice {
	p := players.Resting("", players.DefaultNumbers).New().(*players.Balanced)
	t := table(from)
	list := make([]*wing.Advice, len(made)+1)
	for i := range list {
		if moves := t.Position().Moves(nil); len(moves) > 1 && t.Position().Hands[t.Position().Mover].Len() > 1 {
			if moves, gap, ok := p.Advise(&t); ok {
				list[i] = &wing.Advice{Gap: gap}
				for _, a := range moves {
					said := wing.AdvisedMove{Move: t.Position().MoveText(a.Move), Probability: a.Probability}
					if a.Known {
						said.MeanScore = &a.Worth
					}
					list[i].Moves = append(list[i].Moves, said)
				}
			}
		}
		if i < len(made) {
			t.Play(domino.Move(made[i]))
		}
	}
	return list
}

func table(from game.State) players.Table {
	first := position(from)
	return players.NewTable(domino.AllTiles, domino.Deal{Starter: first.Hands[domino.Starter], Second: first.Hands[domino.Second]})
}
