// Package bench holds whole jobs with known answers: fixed searches, perft
// counts, complete solutions, deals of dominoes, proofs of m,n,k-games. The benchmarks
// of go test and the subcommand lab bench run the same list; lab bench adds runs of a
// thesis' program.
//
// A job runs on one thread and visits the same positions on every machine and in
// every build. The positions of all searches add up to the signature: it changes
// only when a search changes, and bench/signature keeps the value that was last
// judged.
//
// It knows all games and engines; nothing but the command imports it.
package bench
