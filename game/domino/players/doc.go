// Package players plays block dominoes: [Terms] let two
// kinds of players meet, [ByName] finds a kind, [Play] plays one deal. Players see
// only what they may see, except for one who sees everything. A match is decided
// by its seed alone, whatever the number of threads.
package players
