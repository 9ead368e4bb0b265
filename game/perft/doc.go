// Package perft checks move generators: it counts the turn sequences of a game
// to a depth ([Count], the call to begin with) and reads files of known counts
// ([Read]).
//
// It knows no game, and nothing of package testing, so programs may use it.
package perft
