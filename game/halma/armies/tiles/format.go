package tiles

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math/bits"

	"perfectplay/game"
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

// Add counts positions by their codes.
func (c *Counts) Add(code byte, n uint64) {
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

// The parts of a file.
const (
	// Magic is what a file begins with.
	Magic      = "perfectplay ta1\n"
	endMagic   = "ta1 end\n"
	entrySize  = 16
	trailerLen = 40
	// blockBytes bounds a block of several rows before compression; maxRow a row.
	blockBytes = 1 << 16
	maxRow     = 1 << 20
	// maxPlaces bounds the places of a table, maxBlocks its blocks.
	maxPlaces = 1 << 44
	maxBlocks = 1 << 28
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// shape is where the places of a kind are.
type shape struct {
	dims                  []int // placements of each army
	row                   int   // places of a row
	slabRows, slabs       int
	slabBlocks, slabFirst int // blocks of a set in a slab; the first block of the kind
}

// shapes derives the shapes of the kinds, and checks the description on the way
// without taking memory for what it describes.
func (i *Info) shapes() ([]shape, error) {
	switch {
	case i.Seats < 2 || i.Seats > 6 || i.Pieces < 1 || i.Cells < 2 || i.Cells > 64:
		return nil, fmt.Errorf("%d seats with %d pieces on %d cells", i.Seats, i.Pieces, i.Cells)
	case i.Period < 1 || i.Period > i.Seats || i.Seats%i.Period != 0 || len(i.Places) != i.Period || len(i.Positions) != i.Period || len(i.Counts) != i.Period:
		return nil, fmt.Errorf("a period of %d among %d seats, with %d lists of places", i.Period, i.Seats, len(i.Places))
	case len(i.Turn) != i.Cells:
		return nil, fmt.Errorf("a turn of %d cells out of %d", len(i.Turn), i.Cells)
	case len(i.Sets) != 1<<(i.Seats-1)-1:
		return nil, fmt.Errorf("%d sets of seats", len(i.Sets))
	case i.Rows < 1:
		return nil, fmt.Errorf("%d rows in a block", i.Rows)
	}
	var taken uint64
	for c, to := range i.Turn {
		if to < 0 || to >= i.Cells || taken>>to&1 != 0 {
			return nil, fmt.Errorf("the turn takes cell %d to %d", c, to)
		}
		taken |= 1 << to
	}
	for n, set := range i.Sets {
		if set != 2*n+1 {
			return nil, fmt.Errorf("set %d of seats is %b, want %b", n, set, 2*n+1)
		}
	}
	sizes := make([]int, i.Period)
	for kind, places := range i.Places {
		var taken uint64
		for _, c := range places {
			if c < 0 || c >= i.Cells || taken>>c&1 != 0 {
				return nil, fmt.Errorf("places %v: want different cells below %d", places, i.Cells)
			}
			taken |= 1 << c
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
		s := shape{slabs: 1, slabFirst: blocks}
		all := uint64(1)
		for n := range i.Seats {
			d := sizes[(kind+n)%i.Period]
			s.dims = append(s.dims, d)
			hi, lo := bits.Mul64(all, uint64(d))
			if hi != 0 || lo > maxPlaces {
				return nil, fmt.Errorf("more than %d places", uint64(maxPlaces))
			}
			all = lo
			if n < i.Seats-2 {
				s.slabs *= d
			}
		}
		s.row, s.slabRows = s.dims[i.Seats-1], s.dims[i.Seats-2]
		if i.Rows > s.slabRows && kind == 0 || i.Rows*s.row > max(blockBytes, s.row) {
			return nil, fmt.Errorf("%d rows of %d places in a block", i.Rows, s.row)
		}
		s.slabBlocks = (s.slabRows + i.Rows - 1) / i.Rows
		if s.slabs*len(i.Sets) > maxBlocks/s.slabBlocks {
			return nil, fmt.Errorf("too many blocks")
		}
		blocks += s.slabs * len(i.Sets) * s.slabBlocks
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

// blockRows returns the number of rows in a block, for rows of a size.
func blockRows(row, slabRows int) int { return min(max(1, blockBytes/row), slabRows) }

// block returns the number of a block: of a kind's slab and set, and within it.
func (s *shape) block(sets, slab, set, n int) int {
	return s.slabFirst + (slab*sets+set)*s.slabBlocks + n
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

// trailer is the end of a file.
type trailer struct {
	index, info    uint64
	blocks, length uint32
	crc            uint32
}

func (t trailer) encode() []byte {
	var b []byte
	b = binary.LittleEndian.AppendUint64(b, t.index)
	b = binary.LittleEndian.AppendUint64(b, t.info)
	b = binary.LittleEndian.AppendUint32(b, t.blocks)
	b = binary.LittleEndian.AppendUint32(b, t.length)
	b = binary.LittleEndian.AppendUint32(b, t.crc)
	b = binary.LittleEndian.AppendUint32(b, checksum(b))
	return append(b, endMagic...)
}

func decodeTrailer(b []byte) (t trailer, err error) {
	if len(b) != trailerLen || string(b[32:]) != endMagic {
		return t, fmt.Errorf("the end is missing: the file is cut off or still being written")
	}
	if checksum(b[:28]) != binary.LittleEndian.Uint32(b[28:]) {
		return t, fmt.Errorf("the trailer is damaged")
	}
	t.index = binary.LittleEndian.Uint64(b)
	t.info = binary.LittleEndian.Uint64(b[8:])
	t.blocks = binary.LittleEndian.Uint32(b[16:])
	t.length = binary.LittleEndian.Uint32(b[20:])
	t.crc = binary.LittleEndian.Uint32(b[24:])
	return t, nil
}
