package family

import (
	"cmp"
	"math/big"

	"github.com/dustin/go-humanize"

	"perfectplay/internal/cli"
)

// Info is the answer of solve info about a game. Numbers may have more than 64 bits.
type Info struct {
	Game        string `json:"game"`
	Rules       string `json:"rules"`
	About       string `json:"about"`
	Cells       int    `json:"cells,omitempty"`
	Seats       int    `json:"seats"`
	Pieces      int    `json:"pieces,omitempty"`
	Placements  Number `json:"placements"`     // ways to place all pieces
	Positions   Number `json:"positions"`      // placements with each seat to move
	Bits        int    `json:"bits,omitempty"` // bits of a dense position number
	KeyWords    int    `json:"key_words"`      // words of the game's key in a search table, 0 if it has no keys
	ValueBytes  Bytes  `json:"value_bytes"`    // size of a table of values, 2 bits a position
	DistBytes   Bytes  `json:"distance_bytes"` // size of a table of distances, 1 byte a position
	RuleSets    string `json:"rule_sets"`
	StartMoves  int    `json:"start_moves"`
	StartsAt    string `json:"position"`        // the start position as text
	TableStates Number `json:"table_positions"` // positions a strong solve stores
	// Value is the value of the start to the seat to move if it is known at once. Source is the
	// source of solve analyse. Both may be empty.
	Value  string `json:"value,omitempty"`
	Source string `json:"source,omitempty"`
	// The needs of a complete solution, for values and with distances; nil in the list of games,
	// or if there is no such solution. StrongSeconds estimates the processor time of all threads.
	ValuesMemory    *uint64      `json:"strong_values_memory_bytes"`
	ValuesLeast     *uint64      `json:"strong_values_least_memory_bytes"`
	DistancesMemory *uint64      `json:"strong_distances_memory_bytes"`
	DistancesLeast  *uint64      `json:"strong_distances_least_memory_bytes"`
	StrongSeconds   *cli.Seconds `json:"strong_processor_seconds"`

	// Words for the printed text: the meaning of the numbers of positions above, and the needs
	// of a complete solution.
	Counted, Stored                                      string `json:"-"`
	Values, ValuesTable, Distances, DistancesTable, Time string `json:"-"`
	RuledBy, Others, Names                               string `json:"-"`
}

// Number is a decimal number of any size, empty if unknown. Text has commas, or a power of ten if
// it would be long.
type Number string

func (n Number) String() string {
	i, ok := new(big.Int).SetString(string(n), 10)
	if !ok {
		return "-"
	}
	if text := humanize.BigComma(i); len(text) <= longestNumber {
		return text
	}
	return cli.Magnitude(i)
}

func (n Number) MarshalJSON() ([]byte, error) { return []byte(cmp.Or(string(n), "null")), nil }

const longestNumber = 32

// Bytes is a [Number] of bytes; text has a binary unit, or a power of ten beyond all units.
type Bytes string

func (n Bytes) MarshalJSON() ([]byte, error) { return Number(n).MarshalJSON() }

func (n Bytes) String() string {
	i, ok := new(big.Int).SetString(string(n), 10)
	switch {
	case !ok:
		return "-"
	case i.IsUint64():
		return humanize.IBytes(i.Uint64())
	}
	return cli.Magnitude(i) + " bytes"
}

// NewInfo derives sizes from two numbers: of all positions, and of the positions that a complete
// solution stores.
func NewInfo(positions, stored *big.Int) Info {
	last := new(big.Int).Sub(positions, big.NewInt(1))
	quarter := new(big.Int).Rsh(new(big.Int).Add(stored, big.NewInt(3)), 2)
	return Info{
		Positions: Number(positions.String()), Bits: last.BitLen(),
		TableStates: Number(stored.String()), ValueBytes: Bytes(quarter.String()), DistBytes: Bytes(stored.String()),
	}
}
