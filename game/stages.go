package game

// Ender is the ability to say how long play can last at most. Without it a complete solution
// by keys keeps all moves, and a search meets the end of every line before it knows that a
// position is drawn.
type Ender interface {
	// PliesLeft is an upper bound of the plies that are left, at least 1 until the game is
	// over and never negative. Every turn, a pass too, makes it smaller. It depends on the
	// position alone and is equal for all positions of one key, see [Keyer].
	PliesLeft() int
}

// KeySetter is the ability of a [Keyer] to go to a position by its key. An [Ender] with it is
// solved completely stage by stage, in some 2 bytes a position.
type KeySetter interface {
	// SetKey sets the state to a position that has the key key[:KeyWords()], which Key has
	// written, and drops its history. It allocates nothing.
	SetKey(key []uint64)
}
