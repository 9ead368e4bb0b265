// Package domino holds the rules of block dominoes for two players with the
// double-six set: tiles and hands as sets of 28 bits, deals, positions, moves,
// text, and ranks of hands and deals. It searches nothing, except in
// [Minimax], [AlphaBeta] and [WalkLeaves], which say in the plainest way what
// perfect play and the lines of a deal are; faster code is compared with them.
//
// # Rules
//
// Each player gets seven of the 28 tiles, fourteen stay out of play. Whoever
// holds the highest double dealt starts with it; without a double there is no
// deal. A tile goes to an end of the line that shows one of its numbers; a tile
// that fits two ends with different numbers makes two moves. Who cannot move
// passes, and who can may not. The deal ends when a hand is empty or both
// players are stuck; it then counts the pips left to the second player minus
// those left to the starter, which the starter wants large.
//
// The rules are those of a study of 2025 of the game tree; they were found by
// its printed figures, which package study2025 holds.
//
// # Packages below
//
// Rules and solvers are siblings in this module: package solve knows no rules
// and this package knows no solver. What computes with domino tiles therefore
// stands below this package:
//
//	exact      deals with both hands known: values, best lines, full-tree statistics
//	census     all deals there are
//	players    players who see what they may see, matches
//	study2025  the figures that the study printed
package domino
