// Package perft checks move generators: it counts the turn sequences of a game
// to a depth ([Count], the call to begin with), reads files of known counts ([Read]), and plays two
// implementations of a game side by side ([Compare]).
//
// It knows no game, and nothing of package testing, so programs may use it.
package perft
