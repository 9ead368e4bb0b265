// Package domino holds the rules of block dominoes for two players with the double-six set.
// [ParseDeal] and [RandomDeal] make deals; [Deal.Start] is the first position, and a [Position] has
// moves, a score and a text. [Default] and [New] make a [perfectplay/game.Game] for engines that
// know no rules. [ReferenceStats] defines perfect play and the lines of a deal in the plainest way.
//
// # Rules
//
// Each player gets seven of the 28 tiles, fourteen stay out of play. The player with the highest
// double starts with it; without a double there is no deal. A tile goes to an end of the row that
// shows one of its numbers; a tile that fits two different ends makes two moves. A player who
// cannot move passes, and only then. The deal ends when a hand is empty or both players are stuck.
// Its score is the pips left to the second player minus those left to the starter; the starter
// wants it large. The printed figures of a study of 2025 decided these rules; see lab/study2025.
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
package domino
