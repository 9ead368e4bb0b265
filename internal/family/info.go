package family

import (
	"math/big"

	"perfectplay/internal/cli"
)

// Info is what solve info says about a game. Big numbers are decimal text,
// since JSON readers lose digits.
type Info struct {
	Game        string `json:"game"`
	Rules       string `json:"rules"`
	About       string `json:"about"`
	Cells       int    `json:"cells"`
	Seats       int    `json:"seats"`
	Pieces      int    `json:"pieces"`
	Placements  string `json:"placements"`     // ways to place all pieces
	Positions   string `json:"positions"`      // placements with each seat to move
	Bits        int    `json:"bits"`           // of a dense position number
	KeyWords    int    `json:"key_words"`      // of a search table's key, 0 without one
	ValueBytes  string `json:"value_bytes"`    // of a table of values, 2 bits a position
	DistBytes   string `json:"distance_bytes"` // of a table of distances, 1 byte a position
	RuleSets    string `json:"rule_sets"`
	StartMoves  int    `json:"start_moves"`
	StartsAt    string `json:"start"`
	TableStates string `json:"table_states"` // positions a strong solve stores
	// What a strong solve takes, for values and with distances; all 0 where there
	// is none, and in the list of games. The time is an estimate of the processor
	// time of all threads together.
	ValuesMemory    uint64      `json:"strong_values_memory_bytes"`
	ValuesLeast     uint64      `json:"strong_values_least_memory_bytes"`
	DistancesMemory uint64      `json:"strong_distances_memory_bytes"`
	DistancesLeast  uint64      `json:"strong_distances_least_memory_bytes"`
	StrongSeconds   cli.Seconds `json:"strong_processor_seconds"`

	// For people only: what counts as a position, and as one in a table, and
	// further rows.
	Counted string      `json:"-"`
	Stored  string      `json:"-"`
	Rows    [][2]string `json:"-"`
}

// NewInfo fills in what follows from the number of positions, and of those that
// a strong solution stores.
func NewInfo(positions, stored *big.Int) Info {
	last := new(big.Int).Sub(positions, big.NewInt(1))
	quarter := new(big.Int).Rsh(new(big.Int).Add(stored, big.NewInt(3)), 2)
	return Info{
		Positions: positions.String(), Bits: last.BitLen(),
		TableStates: stored.String(), ValueBytes: quarter.String(), DistBytes: stored.String(),
	}
}
