// Package verify checks the entries of a table file against the rules of the
// game. Call [Table]; [Consistent] is the check of a single position.
//
// An entry is right if it follows from the entries of the positions that the
// moves lead to: the best of their values, with the shortest distance of a win
// and the longest of a loss. With distances this proves every entry by induction
// on the distance. With values alone positions in a cycle could support each
// other, so a table without distances is checked for contradictions only.
//
// The check shares nothing with what made the table: moves come from the game's
// own generators, whether a position is illegal is decided here again, and
// positions are numbered here again from FORMAT.md of package tablebase. The
// package imports neither the solver nor package rank, and a test of
// internal/lint holds it to that.
package verify
