// Package terminal is a game of any kind at a terminal, between people who type moves
// and players of package player: [Session].Play. Everything a person may do is a
// line of text, so that a game can be piped in, and whatever ends the game or is
// refused is said in a sentence.
package terminal
