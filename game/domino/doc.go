// Package domino holds the rules of block dominoes for two players with the
// double-six set. [ParseDeal] and [RandomDeal] make deals; [Deal.Start] is the
// first position, and a [Position] has moves, a score and a text. [Default] and
// [New] make a [perfectplay/game.Game] for engines that know no rules. Only
// [ReferenceStats], [AlphaBeta] and [WalkLeaves] search: they define perfect play
// and the lines of a deal in the plainest way.
//
// # Rules
//
// Each player gets seven of the 28 tiles, fourteen stay out of play. The player
// with the highest double dealt starts with it; without a double there is no
// deal. A tile goes to an end of the row that shows one of its numbers; a tile
// that fits two ends with different numbers makes two moves, one that fits equal
// ends makes one. A player who cannot move passes, and nobody else may. The deal ends
// when a hand is empty or both players are stuck; it then counts the pips left to the
// second player minus those left to the starter, which the starter wants large.
//
// The rules are those of a study of 2025 of the game tree; they were found by
// its printed figures, which lab/study2025 holds.
//
// # Words
//
//	board   the fourteen tiles dealt, a double among them
//	deal    two hands of seven given to two named players, a double among them
//	game    a deal without the names: a starter's hand and a second hand; two deals each
//	line    a way to play a game from its first tile to its end; a pass is no branch
//	leaf    the end of a line
//	class   games that are equal but for the names of the numbers
//	family  starter's hands that are equal but for the names of the numbers: 874
//	unit    the work of one part of the census on one family
//
// # Packages below
//
//	exact      deals with both hands known: values, best lines, full-tree statistics
//	census     all games
//	equilibrium  hidden hands solved, between bounds
//	players    players who see only their hand and the table, matches
//	command    the subcommands of solve domino
package domino
