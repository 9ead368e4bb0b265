package tiles

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/internal/blocks"
)

// Info describes a table. It is the JSON text at the end of a file; FORMAT.md says
// what its numbers mean.
type Info struct {
	Game      string     `json:"game"`
	Rules     string     `json:"rules"`
	Choices   string     `json:"choices,omitempty"`
	Seats     int        `json:"seats"`
	Pieces    int        `json:"pieces"`
	Cells     int        `json:"cells"`
	Period    int        `json:"period"`
	Turn      []int      `json:"turn"`
	Places    [][]int    `json:"places"`
	Sets      []int      `json:"sets"`
	Tiles     []int      `json:"tiles"`
	Rows      int        `json:"rows"`
	Positions []uint64   `json:"positions"`
	Counts    [][]Counts `json:"counts"`
	Signature string     `json:"signature"`
	Program   string     `json:"program"`
}

// Counts are the positions of one kind by what a set of seats can force.
type Counts struct {
	Wins   uint64 `json:"wins"`
	Losses uint64 `json:"losses"`
	Draws  uint64 `json:"draws"`
}

// add counts positions of a code.
func (c *Counts) add(code byte, n uint64) {
	switch {
	case code < 2:
		c.Draws += n
	case code&1 == 0:
		c.Losses += n
	default:
		c.Wins += n
	}
}

// MaxPlies is the longest game that a table can hold.
const MaxPlies = 126

// decode reads the byte of a position, see FORMAT.md.
func decode(code byte) (game.Value, int) {
	switch {
	case code < 2:
		return game.Draw, 0
	case code&1 == 0:
		return game.Loss, int(code-2) / 2
	}
	return game.Win, int(code-3) / 2
}

const (
	// maxCells bounds the cells of a board.
	maxCells = 128
	// blockPlaces bounds the places of a block of several rows; maxRow those of a
	// row.
	blockPlaces = 1 << 17
	maxRow      = 1 << 20
	// maxPlaces bounds the places of a table, maxBlocks its blocks.
	maxPlaces = 1 << 44
	maxBlocks = 1 << 26
)

// Magic is what a file begins with.
const Magic = "perfectplay ta2\n"

// format is what a file is made of: see FORMAT.md.
var format = blocks.Format{
	What: "table of several armies", Magic: Magic, End: "ta2 end\n", Family: "perfectplay ta", MaxBlock: zipped(maxRow), MaxDescription: 1 << 16,
}

// zipped bounds a block of so many bytes after compression, which may add to what it
// cannot make smaller.
func zipped(size int) uint64 { return 2*uint64(size) + 1<<10 }

// shape is where the places of a kind are.
type shape struct {
	dims       []int // placements of each army
	row        int   // places of a row
	rows       int
	tileRows   int
	tiles      int
	tileBlocks int // of a set, in all tiles but perhaps the last
	first      int // block of the kind
}

// shapes derives the shapes of the kinds, and checks the description on the way
// without taking memory for what it describes.
func (i *Info) shapes() ([]shape, error) {
	switch {
	case i.Seats < 2 || i.Seats > 6 || i.Pieces < 1 || i.Cells < 2 || i.Cells > maxCells:
		return nil, fmt.Errorf("%d seats with %d pieces on %d cells", i.Seats, i.Pieces, i.Cells)
	case i.Period < 1 || i.Period > i.Seats || i.Seats%i.Period != 0 || len(i.Places) != i.Period || len(i.Positions) != i.Period || len(i.Counts) != i.Period:
		return nil, fmt.Errorf("a period of %d among %d seats, with %d lists of places", i.Period, i.Seats, len(i.Places))
	case len(i.Turn) != i.Cells:
		return nil, fmt.Errorf("a turn of %d cells out of %d", len(i.Turn), i.Cells)
	case len(i.Sets) != 1<<(i.Seats-1)-1:
		return nil, fmt.Errorf("%d sets of seats", len(i.Sets))
	case i.Rows < 1 || len(i.Tiles) != i.Period:
		return nil, fmt.Errorf("%d rows in a block, %d tiles for a period of %d", i.Rows, len(i.Tiles), i.Period)
	}
	var taken bitboard.Set128
	for c, to := range i.Turn {
		if to < 0 || to >= i.Cells || taken.Has(to) {
			return nil, fmt.Errorf("the turn takes cell %d to %d", c, to)
		}
		taken = taken.With(to)
	}
	for n, set := range i.Sets {
		if set != 2*n+1 {
			return nil, fmt.Errorf("set %d of seats is %b, want %b", n, set, 2*n+1)
		}
	}
	sizes := make([]int, i.Period)
	for kind, places := range i.Places {
		var taken bitboard.Set128
		for _, c := range places {
			if c < 0 || c >= i.Cells || taken.Has(c) {
				return nil, fmt.Errorf("places %v: want different cells below %d", places, i.Cells)
			}
			taken = taken.With(c)
		}
		size := choose(len(places), i.Pieces)
		if size < 1 || size > maxRow {
			return nil, fmt.Errorf("%d placements of %d pieces on %d places", size, i.Pieces, len(places))
		}
		sizes[kind] = int(size)
	}
	if sum, err := hex.DecodeString(i.Signature); err != nil || len(sum) != sha256.Size {
		return nil, fmt.Errorf("signature %q", i.Signature)
	}
	var list []shape
	blocks := 0
	for kind := range i.Period {
		s := shape{rows: 1, tileRows: i.Tiles[kind], first: blocks}
		all := uint64(1)
		for n := range i.Seats {
			d := sizes[(kind+n)%i.Period]
			s.dims = append(s.dims, d)
			hi, lo := bits.Mul64(all, uint64(d))
			if hi != 0 || lo > maxPlaces {
				return nil, fmt.Errorf("more than %d places", uint64(maxPlaces))
			}
			all = lo
			if n < i.Seats-1 {
				s.rows *= d
			}
		}
		s.row = s.dims[i.Seats-1]
		if s.tileRows < 1 || s.tileRows > s.rows || i.Rows > max(blockPlaces/s.row, 1) {
			return nil, fmt.Errorf("tiles of %d rows and blocks of %d, of %d rows of %d places", s.tileRows, i.Rows, s.rows, s.row)
		}
		s.tiles = (s.rows + s.tileRows - 1) / s.tileRows
		s.tileBlocks = (s.tileRows + i.Rows - 1) / i.Rows
		if s.tiles*len(i.Sets) > maxBlocks/s.tileBlocks {
			return nil, fmt.Errorf("too many blocks")
		}
		if blocks += s.blocks(i); blocks > maxBlocks {
			return nil, fmt.Errorf("too many blocks")
		}
		list = append(list, s)
		if len(i.Counts[kind]) != len(i.Sets) {
			return nil, fmt.Errorf("counts of %d sets of seats", len(i.Counts[kind]))
		}
		for n, c := range i.Counts[kind] {
			if c.Wins > all || c.Losses > all || c.Draws > all || c.Wins+c.Losses+c.Draws != i.Positions[kind] {
				return nil, fmt.Errorf("set %b: not all of %d positions are counted once", i.Sets[n], i.Positions[kind])
			}
		}
	}
	return list, nil
}

// tile returns the first row of a tile and how many it has.
func (s *shape) tile(tile int) (first, n int) {
	first = tile * s.tileRows
	return first, min(s.tileRows, s.rows-first)
}

// blocks returns the number of blocks.
func (s *shape) blocks(i *Info) int {
	_, last := s.tile(s.tiles - 1)
	return len(i.Sets) * ((s.tiles-1)*s.tileBlocks + (last+i.Rows-1)/i.Rows)
}

// block returns the number of the block of a set that holds a row, its first row
// and how many it has.
func (s *shape) block(i *Info, set, row int) (block, first, n int) {
	tile := row / s.tileRows
	from, rows := s.tile(tile)
	at := (row - from) / i.Rows
	block = s.first + tile*len(i.Sets)*s.tileBlocks + set*((rows+i.Rows-1)/i.Rows) + at
	first = from + at*i.Rows
	return block, first, min(i.Rows, from+rows-first)
}

// choose is the number of ways to choose k of n, saturated far beyond all bounds.
func choose(n, k int) uint64 {
	if k > n || k < 0 {
		return 0
	}
	c := uint64(1)
	for i := range k {
		if c > 1<<50 {
			return 1 << 50
		}
		c = c * uint64(n-i) / uint64(i+1)
	}
	return c
}
