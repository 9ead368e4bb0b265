package halma

import "perfectplay/bitboard"

// tables are facts about each cell, as packed sets. Kernels convert them to padded form.
type tables struct {
	// class and classOf divide the cells by [Board.hopClass].
	class   [4]bitboard.Set128
	classOf [128]uint8
	next    [Dirs]bitboard.Set128 // the cells that a step in a direction leads to
	// land[seat][d] holds the cells where a hop in direction d may land. It keeps shifts from
	// wrapping round the board, and single hops within the rules.
	land [maxSeats][Dirs]bitboard.Set128
	// mayEnd[seat][cell] are the cells where a turn from cell may end. step[seat][cell] are those
	// of them that are one step away.
	mayEnd, step [maxSeats][128]bitboard.Set128
	open         bool // a turn may end anywhere
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
		for i := range b.Cells() {
			if g.over[s].Last.Has(i) {
				g.decides[s][i] = moverWins
			}
			if w := int(g.goalOf[i]); w >= 0 && w != s && g.over[w].Full.Has(i) {
				g.decides[s][i] |= ownerWins
			}
			for to := range b.Cells() {
				if g.EndAllowed(s, i, to) {
					g.mayEnd[s][i] = g.mayEnd[s][i].With(to)
				} else {
					g.open = false
				}
			}
			for d := range Dir(Dirs) {
				over := b.Next(i, d)
				if over < 0 {
					continue
				}
				g.next[d] = g.next[d].With(over)
				if g.mayEnd[s][i].Has(over) {
					g.step[s][i] = g.step[s][i].With(over)
				}
				if to := b.Next(over, d); to >= 0 && g.HopAllowed(s, i, to) {
					g.land[s][d] = g.land[s][d].With(to)
				}
			}
		}
	}
}
