// Package players plays block dominoes: players who see only what they may
// see, one who sees everything, and matches between them.
//
// It knows nothing of files and flags. A match is decided by its seed alone,
// whatever the number of threads.
package players
