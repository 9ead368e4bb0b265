package domino

import (
	"errors"
	"fmt"
)

// Deal holds the two hands before the first tile is played. The starter has the highest
// double among all fourteen tiles.
type Deal struct {
	Starter, Second Set
}

// The reasons why two hands are no deal.
var (
	ErrHandSize = errors.New("a hand has seven tiles")
	ErrOverlap  = errors.New("both hands hold a tile")
	ErrNoDouble = errors.New("neither hand holds a double, so nobody starts")
)

// NewDeal returns the deal of two hands, in any order. swapped reports that b starts. The
// error says why they are no deal.
func NewDeal(a, b Set) (d Deal, swapped bool, err error) {
	for _, h := range [2]Set{a, b} {
		if h.Len() != HandSize {
			return d, false, fmt.Errorf("domino: hand %q has %d tiles: %w", h, h.Len(), ErrHandSize)
		}
	}
	if both := a & b; both != 0 {
		return d, false, fmt.Errorf("domino: %v: %w", both.Min(), ErrOverlap)
	}
	doubles := (a | b) & Doubles
	if doubles == 0 {
		return d, false, fmt.Errorf("domino: %v / %v: %w", a, b, ErrNoDouble)
	}
	if a.Has(doubles.Max()) {
		return Deal{a, b}, false, nil
	}
	return Deal{b, a}, true, nil
}

// FirstTile is the tile that the starter must play: the highest double dealt.
func (d Deal) FirstTile() Tile { return ((d.Starter | d.Second) & Doubles).Max() }

// FirstDouble is the number on FirstTile.
func (d Deal) FirstDouble() int { return d.FirstTile().Low() }

// Start is the position before the first tile.
func (d Deal) Start() Position {
	return Position{Hands: [2]Set{d.Starter, d.Second}, Left: None, Right: None}
}
