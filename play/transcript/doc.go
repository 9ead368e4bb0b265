// Package transcript reads and writes recorded games as text, see [Read] and [Game.WriteTo].
// [Game.Replay] checks the moves by the rules.
//
// # Form
//
// A record is a header, an empty line, and the moves:
//
//	game halma-star37-2p
//	rules house
//	seat 1 a person
//	seat 2 perfect
//	result 2
//	ending resigned
//
//	b1-c2 h1-g2 a1-c1
//
// A line of the header is a word and its value, in any order but game first:
//
//	game ID          required; a line that begins so begins the next record
//	rules NAME       the rule set, where the game has several; else its default
//	position TEXT    where the moves begin; the start position if absent
//	seat NAME TEXT   who played the seat, in any words
//	result NAME      the seat that won, or draw; absent while the game goes on
//	ending TEXT      how it ended, if the position does not show it
//
// Moves are in the text form of their game, separated by blanks, commas or line ends; numbers
// such as 1. before them, and capitals, make no difference.
// A comment begins with #. Text is UTF-8 without control characters.
package transcript
