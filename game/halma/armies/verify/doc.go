// Package verify checks the entries of a table of several armies against the
// rules of the game. Call [Table].
//
// An entry is right if it follows from the entries of the positions that the
// moves lead to: for a set of seats, the best of their values if one of the set is
// to move, else the worst, with the shortest distance for the side to move that
// wins and the longest for one that loses. With distances this proves every entry
// by induction on the distance.
//
// The check shares nothing with what made the table: moves come from the game's
// own generators, and package tiles numbers positions by the file's description.
package verify
