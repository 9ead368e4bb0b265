// Package perft checks move generators: [Count] counts the turn sequences of a game to a depth,
// [Read] reads files of known counts. It knows no game.
package perft
