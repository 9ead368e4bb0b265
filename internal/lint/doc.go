// Package lint holds the rules of this repository that no compiler checks, as a
// test: which package may import which, and how files, packages, ids and
// benchmarks are named and commented. It has no code of its own.
//
// The test reads the tree in this process instead of asking the go command, so
// that the test cache notices every change of an import.
package lint
