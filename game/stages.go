package game

// Ender is the ability to bound the length of play. Without it a complete solution by keys keeps
// all keys in memory, and a search must reach the end of every line to know that a position is
// drawn.
type Ender interface {
	// PliesLeft is an upper bound on the plies left: at least 1 until the game is over, never
	// negative. Every turn lowers it. It is equal for all positions of one key.
	PliesLeft() int
}

// KeySetter is the ability of a [Keyer] to set a position by its key. A game that is an [Ender],
// too, is solved completely stage by stage, in some 2 bytes a position.
type KeySetter interface {
	// SetKey sets the state to a position with the key key[:KeyWords()] and drops its history.
	// It does not allocate.
	SetKey(key []uint64)
}
