// Package terminal is a game of any kind at a terminal, between people who type moves and
// players of package player: [Session].Play. Everything that a person can do is a line of text,
// so that a game can be piped in, and every ending and refusal is a sentence.
package terminal
