// Package table is the one file format for games solved completely: the results that sets of seats
// can force from every position of any game, and in how many plies. It knows no game and no solver.
// FORMAT.md describes the bytes.
//
// [Write] makes a file under a temporary name and renames it when it is complete and on the disk.
// [Open] checks the description before it allocates memory by it; [Table.Value] unpacks the block
// of a position, and keeps as many blocks as memory allows. Everything read is checked: damage is
// an error that names the block.
//
// A [Numbering] gives the place of a position. Numberings by a game's own numbers or keys are here;
// any other comes with its game.
package table

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"perfectplay/game"
	"perfectplay/internal/blocks"
)

// Info describes a table. It is the JSON text at the end of a file.
type Info struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Choices spells out rules whose name may change its meaning; empty for others.
	Choices string `json:"choices,omitempty"`
	// Fingerprint is the [game.Fingerprint] of the game that was solved.
	Fingerprint string `json:"fingerprint"`
	Seats       int    `json:"seats"`
	// Numbering names the numbering, and Board holds its parameters.
	Numbering string          `json:"numbering"`
	Board     json.RawMessage `json:"board,omitempty"`
	KeyWords  int             `json:"key_words,omitempty"` // number of words of a key
	// Bits are the bits of a position in each layer: 2 for values, 8 or 16 with distances.
	Bits int `json:"bits"`
	// Sets has the seats of each layer, 1, 3, 5, …: bit i is seat i, or if FromMover is set the seat
	// i turns after the seat to move. A layer has the results that they, and all others, can force.
	Sets      []int `json:"sets"`
	FromMover bool  `json:"from_mover,omitempty"`
	// Numbers counts the numbers of a layer. Positions counts the numbers with a position, illegal
	// positions included.
	Numbers   uint64 `json:"numbers"`
	Positions uint64 `json:"positions"`
	// Images says that a number may also stand for a mirror image. The counts below include mirror
	// images; they count all positions by their value to the seat to move alone against all others.
	Images  bool   `json:"images,omitempty"`
	Wins    uint64 `json:"wins"`
	Losses  uint64 `json:"losses"`
	Draws   uint64 `json:"draws"`
	Illegal uint64 `json:"illegal,omitempty"`
	// Signature is the SHA-256 of all blocks before compression.
	Signature string `json:"signature"`
	Program   string `json:"program"`
}

const (
	// MaxSeats, MaxNumbers and MaxDistance are the limits of a table. LongDistance is the longest
	// distance that fits a byte.
	MaxSeats     = 6
	MaxNumbers   = 1 << 44
	MaxDistance  = 1<<15 - 2
	LongDistance = 126
	// MaxBlock bounds a block before compression, in bytes. A block of the longest keys has this
	// size.
	MaxBlock = 8 * maxKeyWords * perBlock
)

var format = blocks.Format{
	What: "table", Anew: "make it anew by solve strong GAME --table FILE", Magic: "perfectplay table 4\n", Family: "perfectplay t", MaxBlock: 2*MaxBlock + 1<<10, MaxDescription: 1 << 16,
}

// Sets lists the sets of the first n layers.
func Sets(n int) (list []int) {
	for i := range n {
		list = append(list, 2*i+1)
	}
	return list
}

// Distances says whether a table has distances beside values.
func (i *Info) Distances() bool { return i.Bits > 2 }

// Kind is values or distances.
func (i *Info) Kind() string {
	if i.Distances() {
		return "distances"
	}
	return "values"
}

// Is says whether a table belongs to a game, by id and rules.
func (i *Info) Is(g game.Game) bool { return i.Game == g.ID() && i.Rules == g.Rules() }

// Own says whether the game has its own numbering.
func (i *Info) Own() bool { return i.Numbering != ByGame && i.Numbering != ByKeys }

// width is the number of bytes of a code before packing.
func (i *Info) width() int { return (i.Bits + 7) / 8 }

// bytes is the size in bytes of the given number of positions in a layer.
func (i *Info) bytes(positions int) int { return (positions*i.Bits + 7) / 8 }

// largest is the size of the largest block.
func (i *Info) largest(s Size) int { return max(i.bytes(s.Largest), 8*i.KeyWords*s.Largest) }

// Unpacked bounds the memory of all blocks of a table.
func (i *Info) Unpacked() uint64 { return i.Numbers/8*uint64(i.Bits*len(i.Sets)) + 1<<16 }

// check returns a contradiction in a description.
func (i *Info) check() error {
	switch {
	case i.Game == "":
		return errors.New("it names no game")
	case i.Seats < 1 || i.Seats > MaxSeats:
		return fmt.Errorf("%d seats: want 1 to %d", i.Seats, MaxSeats)
	case i.Bits != 2 && i.Bits != 8 && i.Bits != 16:
		return fmt.Errorf("%d bits a position: want 2, 8 or 16", i.Bits)
	case i.Numbers < 1 || i.Numbers > MaxNumbers || i.Positions > i.Numbers:
		return fmt.Errorf("%d positions of %d numbers", i.Positions, i.Numbers)
	case (i.Numbering == ByKeys) != (i.KeyWords != 0) || i.KeyWords < 0 || i.KeyWords > maxKeyWords || i.KeyWords > 0 && i.Numbers != i.Positions:
		return fmt.Errorf("%d positions of %d numbers with keys of %d words, numbered by %q", i.Positions, i.Numbers, i.KeyWords, i.Numbering)
	case len(i.Sets) < 1 || len(i.Sets) > 1<<(i.Seats-1):
		return fmt.Errorf("%d layers of %d seats", len(i.Sets), i.Seats)
	}
	for n, set := range i.Sets {
		if set != 2*n+1 {
			return fmt.Errorf("layer %d is of the set %b, want %b", n, set, 2*n+1)
		}
	}
	left, most := i.Positions, uint64(0)
	if i.Images {
		left, most = 2*i.Positions, i.Positions
	}
	for _, n := range []uint64{i.Wins, i.Losses, i.Draws, i.Illegal} {
		if n > left {
			return fmt.Errorf("more than the %d positions are counted", i.Positions)
		}
		left -= n
	}
	if left > most {
		return fmt.Errorf("not all of %d positions are counted", i.Positions)
	}
	if sum, err := hex.DecodeString(i.Signature); err != nil || len(sum) != sha256.Size {
		return fmt.Errorf("signature %q", i.Signature)
	}
	return nil
}

// Code is the code of a position in a table of distances, or of values if distances is false: its
// value to the side of the seat to move, the set of a layer or all others. [game.Unknown] stands
// for an illegal position. Numbers without a position may have any code.
func Code(v game.Value, distance int, distances bool) uint16 {
	switch {
	case !distances:
		return uint16(v) // Unknown, Loss, Draw, Win
	case v == game.Draw:
		return 1
	case v == game.Loss:
		return uint16(2 + 2*distance)
	case v == game.Win:
		return uint16(3 + 2*distance)
	}
	return 0
}

// decode is the inverse of Code.
func decode(code uint16, distances bool) (game.Value, int) {
	switch {
	case !distances:
		return game.Value(code), 0
	case code == 0:
		return game.Unknown, 0
	case code == 1:
		return game.Draw, 0
	case code&1 == 0:
		return game.Loss, int(code-2) / 2
	}
	return game.Win, int(code-3) / 2
}
