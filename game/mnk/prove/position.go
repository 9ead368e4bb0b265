package prove

import "perfectplay/game/mnk"

// position is the exact key of a position up to symmetry; of a board of at most 64
// cells the last two words are zero.
type position [4]uint64

// positionOf returns the key of a position and the symmetry that leads to it.
func positionOf(s mnk.Position) (key position, sym uint8) {
	sym = s.Key(key[:])
	return key, sym
}
