package tablebase

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/internal/blocks"
	"perfectplay/rank"
)

// Info describes a table. It is the JSON text at the end of a file.
type Info struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Choices spells out rules that close cells to pieces; empty where they close none.
	Choices string `json:"choices,omitempty"`
	// Kind is values (two bits a position) or distances (a byte a position).
	Kind   string `json:"kind"`
	Pieces int    `json:"pieces"`
	// Cells is the number of cells of the board, Places those where pieces may
	// stand, Mirror what the mirror does to cells, if the game has one.
	Cells  int   `json:"cells"`
	Places []int `json:"places"`
	Mirror []int `json:"mirror,omitempty"`
	// Index names the way positions are numbered; there is one: mirror-colex.
	Index     string `json:"index"`
	Positions uint64 `json:"positions"`       // that are numbered
	Block     int    `json:"block_positions"` // in each block but the last
	// The counts are over all positions from the mover's side, mirror images
	// included.
	Wins    uint64 `json:"wins"`
	Losses  uint64 `json:"losses"`
	Draws   uint64 `json:"draws"`
	Illegal uint64 `json:"illegal"`
	// Signature is the SHA-256 of the codes of all positions as they are packed
	// in blocks, before compression.
	Signature string `json:"signature"`
	Program   string `json:"program"`
}

// The kinds of tables and the numbering.
const (
	Values    = "values"
	Distances = "distances"
	indexName = "mirror-colex"
)

// blockBytes is the size of a block before compression.
const blockBytes = 1 << 16

// format is what a file is made of: see FORMAT.md. zstd adds a few bytes to what it
// cannot make smaller.
var format = blocks.Format{
	What: "table", Magic: "perfectplay tb1\n", End: "tb1 end\n", Family: "perfectplay tb", MaxBlock: 2 * blockBytes, MaxDescription: 1 << 14,
}

// MaxDistance is the largest distance that a table can hold.
const MaxDistance = 126

// Code returns the code of a position in a table of distances, or of values
// where distances is false. game.Unknown stands for an illegal position.
func Code(v game.Value, distance int, distances bool) byte {
	if !distances {
		return [4]byte{game.Unknown: 0, game.Loss: 1, game.Draw: 2, game.Win: 3}[v]
	}
	switch v {
	case game.Draw:
		return 1
	case game.Loss:
		return byte(2 + 2*distance)
	case game.Win:
		return byte(3 + 2*distance)
	}
	return 0
}

// decode is the inverse of Code.
func decode(code byte, distances bool) (game.Value, int) {
	if !distances {
		return [4]game.Value{game.Unknown, game.Loss, game.Draw, game.Win}[code&3], 0
	}
	switch {
	case code == 0:
		return game.Unknown, 0
	case code == 1:
		return game.Draw, 0
	case code&1 == 0:
		return game.Loss, int(code-2) / 2
	}
	return game.Win, int(code-3) / 2
}

// perBlock returns the number of positions in a block.
func (i *Info) perBlock() int {
	if i.Kind == Values {
		return 4 * blockBytes
	}
	return blockBytes
}

// RawBytes returns the size of all blocks before compression.
func (i *Info) RawBytes() uint64 {
	if i.Kind == Values {
		return (i.Positions + 3) / 4
	}
	return i.Positions
}

// blocks returns the number of blocks.
func (i *Info) blocks() uint64 {
	return (i.Positions + uint64(i.Block) - 1) / uint64(i.Block)
}

// check says what in a description contradicts itself, without taking memory for
// what it describes.
func (i *Info) check() error {
	if i.Cells < 1 || i.Cells > 128 {
		return fmt.Errorf("%d cells", i.Cells)
	}
	for n, c := range i.Places {
		if c < 0 || c >= i.Cells || n > 0 && c <= i.Places[n-1] {
			return fmt.Errorf("places %v: want ascending cells below %d", i.Places, i.Cells)
		}
	}
	if n := len(i.Mirror); n != 0 && n != i.Cells {
		return fmt.Errorf("a mirror of %d cells out of %d", n, i.Cells)
	}
	for c, image := range i.Mirror {
		if image < 0 || image >= i.Cells || i.Mirror[image] != c {
			return fmt.Errorf("the mirror does not map cell %d to another and back", c)
		}
	}
	all, err := rank.Placements(len(i.Places), i.Pieces, i.Pieces)
	if err != nil || i.Pieces < 1 || 2*i.Pieces > len(i.Places) {
		return fmt.Errorf("armies of %d pieces on %d places", i.Pieces, len(i.Places))
	}
	// With a mirror more than half of the positions remain.
	if i.Positions > all || i.Positions < all/2 || len(i.Mirror) == 0 && i.Positions != all {
		return fmt.Errorf("%d positions of %d", i.Positions, all)
	}
	left := all
	for _, n := range []uint64{i.Wins, i.Losses, i.Draws, i.Illegal} {
		if n > left {
			return fmt.Errorf("more than %d positions are counted", all)
		}
		left -= n
	}
	if left != 0 {
		return fmt.Errorf("%d of %d positions are not counted", left, all)
	}
	if i.Block != i.perBlock() {
		return fmt.Errorf("%d positions in a block, want %d", i.Block, i.perBlock())
	}
	if sum, err := hex.DecodeString(i.Signature); err != nil || len(sum) != sha256.Size {
		return fmt.Errorf("signature %q", i.Signature)
	}
	return nil
}

// Least is the least memory in bytes in which [Open] opens such a table: its
// numbering and one block.
func (i *Info) Least() uint64 {
	armies, err := rank.Binomial(len(i.Places), i.Pieces)
	if err != nil || armies > maxArmies {
		armies = maxArmies // more are refused before memory is taken
	}
	return armies*armyBytes + 1<<16 + blockBytes
}

// numbering returns the numbering that the description asks for.
func (i *Info) numbering() (*Numbering, error) {
	var mirror []uint8
	for _, c := range i.Mirror {
		if c < 0 || c > 127 {
			return nil, fmt.Errorf("tablebase: mirror maps a cell to %d", c)
		}
		mirror = append(mirror, uint8(c))
	}
	return NewNumbering(i.Places, i.Pieces, mirror)
}

// NumberingMemory is what it takes in bytes to number the positions of a game.
func NumberingMemory(t *halma.TwoArmy) uint64 {
	i := Info{Places: places(t), Pieces: t.Pieces}
	return i.Least()
}

// places are the cells where pieces may stand.
func places(t *halma.TwoArmy) (list []int) {
	for c := range t.Cells {
		if !slices.Contains(t.Closed, c) {
			list = append(list, c)
		}
	}
	return list
}

// NewInfo describes the table of a game, without counts.
func NewInfo(t *halma.TwoArmy, distances bool, program string) (Info, *Numbering, error) {
	i := Info{Game: t.ID, Rules: t.Rules, Choices: t.Choices, Kind: Values, Pieces: t.Pieces, Cells: t.Cells, Index: indexName, Program: program}
	if distances {
		i.Kind = Distances
	}
	i.Places = places(t)
	for _, c := range t.Mirror {
		i.Mirror = append(i.Mirror, int(c))
	}
	n, err := i.numbering()
	if err != nil {
		return i, nil, err
	}
	i.Positions, i.Block = n.Size(), i.perBlock()
	return i, n, nil
}
