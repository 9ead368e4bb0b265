// Package table is the one file format for games solved completely: what every set of seats
// can force from every position of any game, in how many plies. It knows no game and no
// solver. FORMAT.md describes the bytes.
package table

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"perfectplay/internal/blocks"
)

// Info describes a table. It is the JSON text at the end of a file.
type Info struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	Seats int    `json:"seats"`
	// Numbering says what numbers positions: the game, or the order of their keys.
	Numbering Numbering `json:"numbering"`
	KeyWords  int       `json:"key_words,omitempty"` // of keys
	Numbers   uint64    `json:"numbers"`
	Positions uint64    `json:"positions"` // that have a number
	// Sets has the seats of each layer, bit i for seat i: what they and what all others can
	// force stands in it. Odd says that some games there are not won by the seat that
	// moves last.
	Sets []int  `json:"sets"`
	Odd  []bool `json:"odd"`
	// Over all positions, for the seat to move alone against all others.
	Wins   uint64 `json:"wins"`
	Losses uint64 `json:"losses"`
	Draws  uint64 `json:"draws"`
	// Signature is the SHA-256 of all this with an empty signature and no program, and of
	// the blocks before compression.
	Signature string `json:"signature"`
	Program   string `json:"program,omitempty"`
}

// Numbering is where numbers come from.
type Numbering string

// The numberings.
const (
	ByGame Numbering = "game" // a game.Numberer
	ByKeys Numbering = "keys" // keys, ascending by their first word, then the second
)

const (
	// MaxSeats, MaxNumbers and MaxDistance are what a table can have.
	MaxSeats    = 6
	MaxNumbers  = 1 << 40
	MaxDistance = 253

	perBlock = 1 << 16 // positions
	oddBytes = perBlock / 8
)

var format = blocks.Format{
	What: "table", Magic: "perfectplay table 1\n", End: "table end\n", Family: "perfectplay table", MaxBlock: 8*6*perBlock + 1<<16, MaxDescription: 1 << 14,
}

// Sets lists the first set of seats of each layer: those with seat 0, in ascending order;
// with two seats only that of seat 0.
func Sets(seats int) (list []int) {
	for set := 1; set < 1<<seats; set += 2 {
		list = append(list, set)
	}
	if seats == 2 {
		return list[:1]
	}
	return list
}

// perLayer is the number of blocks of a layer, and of keys if there are.
func (i *Info) perLayer() int { return int((i.Numbers + perBlock - 1) / perBlock) }

// keyBlocks is the number of blocks before the layers.
func (i *Info) keyBlocks() int {
	if i.Numbering == ByKeys {
		return i.perLayer()
	}
	return 0
}

// inBlock is the number of positions of a block of a layer.
func (i *Info) inBlock(b int) int { return int(min(perBlock, i.Numbers-uint64(b)*perBlock)) }

// sized is the bytes of a block of a layer.
func (i *Info) sized(layer, b int) int {
	n := i.inBlock(b)
	if i.Odd[layer] {
		return n + (n+7)/8
	}
	return n
}

// Bytes is what a table takes in memory when all of it is unpacked.
func (i *Info) Bytes() uint64 {
	sum := i.Numbers * uint64(8*i.KeyWords)
	for _, odd := range i.Odd {
		if sum += i.Numbers; odd {
			sum += i.Numbers / 8
		}
	}
	return sum + 1<<18 // blocks come and go
}

// check says what in a description contradicts itself.
func (i *Info) check(blocks int) error {
	switch {
	case i.Game == "":
		return errors.New("it names no game")
	case i.Seats < 1 || i.Seats > MaxSeats:
		return fmt.Errorf("%d seats: want 1 to %d", i.Seats, MaxSeats)
	case i.Numbers < 1 || i.Numbers > MaxNumbers || i.Positions > i.Numbers:
		return fmt.Errorf("%d positions of %d numbers", i.Positions, i.Numbers)
	case i.Numbering == ByKeys && (i.KeyWords < 1 || i.KeyWords > 6 || i.Numbers != i.Positions), i.Numbering == ByGame && i.KeyWords != 0:
		return fmt.Errorf("%d positions of %d numbers with keys of %d words", i.Positions, i.Numbers, i.KeyWords)
	case i.Numbering != ByKeys && i.Numbering != ByGame:
		return fmt.Errorf("numbering %q: want %s or %s", i.Numbering, ByGame, ByKeys)
	case !slices.Equal(i.Sets, Sets(i.Seats)) || len(i.Odd) != len(i.Sets):
		return fmt.Errorf("the layers of %d seats are of the sets %v, not %v", i.Seats, Sets(i.Seats), i.Sets)
	case i.Wins > i.Positions || i.Losses > i.Positions-i.Wins || i.Draws != i.Positions-i.Wins-i.Losses:
		return fmt.Errorf("%d won, %d lost and %d drawn are not %d positions", i.Wins, i.Losses, i.Draws, i.Positions)
	case blocks != i.keyBlocks()+len(i.Sets)*i.perLayer():
		return fmt.Errorf("%d blocks, want %d", blocks, i.keyBlocks()+len(i.Sets)*i.perLayer())
	}
	return nil
}

// begin returns the sum that the signature ends.
func (i Info) begin() []byte {
	i.Signature, i.Program = "", ""
	text, err := json.Marshal(i)
	if err != nil {
		panic(fmt.Errorf("table: a description of plain fields: %w", err))
	}
	sum := sha256.Sum256(text)
	return sum[:]
}
