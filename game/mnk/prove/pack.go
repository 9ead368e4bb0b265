package prove

import (
	"perfectplay/bitboard"
	"perfectplay/internal/table"
)

// The differences between sets of one word and of two, beyond the names: sizes, and the
// packing of entries.

// The number of cells, and a mask of their numbers.
const (
	cells64  = bitboard.Cells64
	cells128 = bitboard.Cells128
	mask64   = cells64 - 1
	mask128  = cells128 - 1
)

// cellBits is the number of bits of a cell's number, and mostRating the highest rating that
// fits beside it in an int32.
const (
	cellBits64    = 6
	cellBits128   = 7
	mostRating64  = 1 << 24
	mostRating128 = 1 << 23
)

// noMove is the move of an entry proved without a move, by a pairing.
const (
	noMove64  = cells64
	noMove128 = cells128
)

// lastPly is above every ply of a search. Its analyses are for positions outside the line
// searched.
const (
	lastPly64  = cells64 + 1
	lastPly128 = cells128 + 1
)

const (
	lambdaEntryBytes64  = 32
	lambdaEntryBytes128 = 56
)

// wide64 and wide128 turn a set into the callers' form, narrow64 and narrow128 do the
// inverse.
func wide64(s bitboard.Set64) bitboard.Set128     { return bitboard.Set128{Lo: s.Lo} }
func wide128(s bitboard.Set128) bitboard.Set128   { return s }
func narrow64(s bitboard.Set128) bitboard.Set64   { return bitboard.Set64{Lo: s.Lo} }
func narrow128(s bitboard.Set128) bitboard.Set128 { return s }

const (
	keyWords64  = 2
	keyWords128 = 4
)

func key64(x, y bitboard.Set64) [keyWords64]uint64 { return [...]uint64{x.Lo, y.Lo} }

func key128(x, y bitboard.Set128) [keyWords128]uint64 {
	return [...]uint64{x.Lo, x.Hi, y.Lo, y.Hi}
}

// hash64 and hash128 hash a key and its tag.
func hash64(key []uint64, tag uint64) uint64 { return mix(key[0], key[1]+tag>>attackShift<<62) }

func hash128(key []uint64, tag uint64) uint64 {
	return mix(mix(key[0], key[1]), mix(key[3], key[2]+tag>>attackShift<<62))
}

// The first word of a payload holds the verdict, the side to move, the move, and the part
// of a zone of two words that does not fit the second word: the cells 64 to 109 have a bit
// each from zoneShift on, and the cells 110 to 127 share the bits of 92 to 109. So a zone
// may be larger than necessary (doc.go).
const (
	moveShift64  = 8
	moveMask64   = 127
	moveShift128 = 3
	moveMask128  = 255
	zoneShift    = moveShift128 + 8
	zoneBits     = 57 - zoneShift // bits of the first word, see table.Payload
	zoneShared   = 64 - zoneBits  // cells without a bit of their own
)

// pack returns the payload of an entry without its verdict and side to move.
func (f fact64) pack() table.Payload {
	return table.Payload{A: uint64(f.move) << moveShift64, B: f.word.Lo}
}

func (f fact128) pack() table.Payload {
	high := f.word.Hi&(1<<zoneBits-1) | f.word.Hi>>zoneBits<<(zoneBits-zoneShared)
	return table.Payload{A: uint64(f.move)<<moveShift128 | high<<zoneShift, B: f.word.Lo}
}

// unpack64 and unpack128 return the entry of a payload, on a board with these cells.
func unpack64(p table.Payload, _ bitboard.Set64) fact64 {
	return fact64{verdict(p.A & verdictMask), uint8(p.A >> moveShift64 & moveMask64), bitboard.Set64{Lo: p.B}}
}

func unpack128(p table.Payload, cells bitboard.Set128) fact128 {
	f := fact128{verdict(p.A & verdictMask), uint8(p.A >> moveShift128 & moveMask128), bitboard.Set128{Lo: p.B}}
	if f.verdict != open {
		high := p.A >> zoneShift & (1<<zoneBits - 1)
		f.word.Hi = high | high>>(zoneBits-zoneShared)<<zoneBits
		f.word = f.word.And(cells)
	}
	return f
}
