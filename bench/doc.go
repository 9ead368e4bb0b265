// Package bench holds whole jobs with known answers: searches, perft counts, complete solutions,
// deals of dominoes, proofs of m,n,k-games. The benchmarks of go test and lab bench run the same
// list.
//
// A job runs on one thread and visits the same positions on every machine and in every build.
// The positions of all searches add up to the signature: it changes only if a search changes,
// and bench/signature keeps it.
package bench
