package exact

import (
	"slices"

	"perfectplay/game/domino"
)

// heavy is a tile in the order of pips, in which alpha-beta keeps its tiles: bit 27 is the tile
// with the most pips, which is tried first.
type heavy struct {
	pips uint8
	swap uint8 // exclusive or of its two numbers
	tile domino.Tile
}

// byWeight lists the tiles from light to heavy.
var byWeight = func() (table [32]heavy) {
	tiles := table[:domino.Tiles]
	for t := range tiles {
		tile := domino.Tile(t)
		tiles[t] = heavy{uint8(tile.Pips()), uint8(tile.Low() ^ tile.High()), tile}
	}
	slices.SortStableFunc(tiles, func(a, b heavy) int { return int(a.pips) - int(b.pips) })
	return table
}()

// byNumber holds the tiles that show a number, by weight.
var byNumber = func() (table [8]uint32) {
	for x := range domino.Numbers {
		table[x] = sorted(domino.WithNumber(x))
	}
	return table
}()

// sorted returns a set of tiles with every tile at its place by weight.
func sorted(s domino.Set) uint32 {
	return weightOf[0][s&127] | weightOf[1][s>>7&127] | weightOf[2][s>>14&127] | weightOf[3][s>>21&127]
}

// weightOf maps sets of seven tiles each to places by weight.
var weightOf = func() (table [4][128]uint32) {
	for place, h := range byWeight[:domino.Tiles] {
		part, bit := h.tile/7, h.tile%7
		for sub := range table[part] {
			if sub>>bit&1 != 0 {
				table[part][sub] |= 1 << place
			}
		}
	}
	return table
}()
