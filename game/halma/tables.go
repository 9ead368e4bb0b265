package halma

import "perfectplay/bitboard"

// tables are facts about each cell, as packed sets. Kernels convert them to padded form.
type tables struct {
	// class and classOf divide the cells by [Board.hopClass].
	class   [4]bitboard.Set128
	classOf [128]uint8
	open    bool // a turn may end anywhere
	// decides[seat][cell] says which seats may win by a turn of the seat that ends on the cell.
	decides [maxSeats][128]deciders
}

type deciders uint8

const (
	moverWins deciders = 1 << iota // the seat that makes the turn may win
	ownerWins                      // the seat in whose goal the turn ends may win
)

func (g *Game) makeTables() {
	b := g.board
	g.open = true
	for i := range b.Cells() {
		c := b.hopClass(i)
		g.classOf[i], g.class[c] = uint8(c), g.class[c].With(i)
	}
	for s := range g.seats {
		g.open = g.open && g.turns[s].Unrestricted
		for i := range b.Cells() {
			if g.over[s].Last.Has(i) {
				g.decides[s][i] = moverWins
			}
			if w := int(g.goalOf[i]); w >= 0 && w != s && g.over[w].Full.Has(i) {
				g.decides[s][i] |= ownerWins
			}
		}
	}
}
