package domino

import "math/bits"

// The sizes of the game.
const (
	Numbers  = 7  // a half of a tile shows one of the numbers 0…6
	Tiles    = 28 // tiles of the double-six set
	HandSize = 7  // tiles dealt to each player
	Dealt    = 2 * HandSize
	MaxScore = 69 // pips of the seven heaviest tiles
)

// Tile is a tile as its place in ascending order:
//
//	0 0|0   1 0|1   2 0|2   3 0|3   4 0|4   5 0|5   6 0|6
//	        7 1|1   8 1|2   9 1|3  10 1|4  11 1|5  12 1|6
//	               13 2|2  14 2|3  15 2|4  16 2|5  17 2|6
//	                       18 3|3  19 3|4  20 3|5  21 3|6
//	                               22 4|4  23 4|5  24 4|6
//	                                       25 5|5  26 5|6
//	                                               27 6|6
type Tile uint8

var tileOf = func() (table [Numbers][Numbers]Tile) {
	t := Tile(0)
	for x := range Numbers {
		for y := x; y < Numbers; y++ {
			table[x][y], table[y][x] = t, t
			t++
		}
	}
	return table
}()

// faces holds the two numbers of every tile, the lower one first. With 32 entries a masked index
// needs no bounds check.
var faces = func() (table [32][2]uint8) {
	for x := range Numbers {
		for y := x; y < Numbers; y++ {
			table[tileOf[x][y]] = [2]uint8{uint8(x), uint8(y)}
		}
	}
	return table
}()

var pips = func() (table [32]uint8) {
	for t := range table {
		table[t] = faces[t][0] + faces[t][1]
	}
	return table
}()

// NewTile returns the tile with the numbers x and y, 0…6 each, in any order.
func NewTile(x, y int) Tile { return tileOf[x][y] }

// Double returns the tile x|x.
func Double(x int) Tile { return tileOf[x][x] }

// Low is the smaller number of the tile; a double has it twice.
func (t Tile) Low() int { return int(faces[t&31][0]) }

// High is the larger number of the tile.
func (t Tile) High() int { return int(faces[t&31][1]) }

// Pips is the sum of both numbers, 0…12.
func (t Tile) Pips() int { return int(pips[t&31]) }

// Other returns the number at the other half of a tile that shows x.
func (t Tile) Other(x int) int { return t.Low() + t.High() - x }

// Set is a set of tiles, tile t at bit t. Bits 28…31 are 0.
type Set uint32

// AllTiles is the whole double-six set.
const AllTiles Set = 1<<Tiles - 1

// Doubles holds the seven doubles.
const Doubles Set = 1<<0 | 1<<7 | 1<<13 | 1<<18 | 1<<22 | 1<<25 | 1<<27

var withNumber = func() (table [8]Set) {
	for x := range Numbers {
		for y := range Numbers {
			table[x] |= 1 << tileOf[x][y]
		}
	}
	return table
}()

// WithNumber returns the seven tiles that show the number x.
func WithNumber(x int) Set { return withNumber[x] }

// SetOf returns the set of the given tiles.
func SetOf(tiles ...Tile) Set {
	var s Set
	for _, t := range tiles {
		s |= 1 << t
	}
	return s
}

// Has reports whether t is in s.
func (s Set) Has(t Tile) bool { return s>>t&1 != 0 }

// Len is the number of tiles in s.
func (s Set) Len() int { return bits.OnesCount32(uint32(s)) }

// Min is the first tile of s in ascending order; s must not be empty.
func (s Set) Min() Tile { return Tile(bits.TrailingZeros32(uint32(s))) }

// Max is the last tile of s in ascending order; s must not be empty.
func (s Set) Max() Tile { return Tile(31 - bits.LeadingZeros32(uint32(s))) }

// DropMin is s without its first tile.
func (s Set) DropMin() Set { return s & (s - 1) }

// With is s and t.
func (s Set) With(t Tile) Set { return s | 1<<t }

// Without is s without t.
func (s Set) Without(t Tile) Set { return s &^ (1 << t) }

// pipSum holds the pips of every set of seven consecutive tiles.
var pipSum = func() (table [4][128]uint8) {
	for part := range table {
		for sub := range table[part] {
			for s := sub; s != 0; s &= s - 1 {
				table[part][sub] += pips[7*part+bits.TrailingZeros(uint(s))]
			}
		}
	}
	return table
}()

// Pips is the sum of the numbers of all tiles of s, 0…168.
func (s Set) Pips() int {
	return int(pipSum[0][s&127]) + int(pipSum[1][s>>7&127]) +
		int(pipSum[2][s>>14&127]) + int(pipSum[3][s>>21&127])
}

// Heaviest returns the tile of s with the most pips, the last of equal ones; s must not be empty.
func (s Set) Heaviest() Tile {
	best := s.Min()
	for s = s.DropMin(); s != 0; s = s.DropMin() {
		if t := s.Min(); t.Pips() >= best.Pips() {
			best = t
		}
	}
	return best
}
