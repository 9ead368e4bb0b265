// Package cluster writes what a scheduler needs to run a long job as an array of
// tasks: job scripts for Slurm, manifests for Kubernetes. It starts nothing and knows
// no game; what it writes is plain text in templates/, for an administrator to read
// and change.
//
// A job of parts is one array, then one task that merges them. A job of passes is, for
// each pass, an array and one small task that checks it and decides whether another
// pass follows.
package cluster
