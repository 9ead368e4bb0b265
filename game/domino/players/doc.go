// Package players plays block dominoes: [Terms] set the rules of a match between two kinds
// of players, [ByName] finds a kind, [Play] plays one deal. Players see only the public
// facts and their own hand, except one who sees everything. A match depends on its seed
// alone, not on the number of threads.
package players
