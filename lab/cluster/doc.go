// Package cluster writes files for a scheduler that runs a long job as an array of tasks: job
// scripts for Slurm, manifests for Kubernetes. It starts nothing and knows no game. Its templates
// are plain text in templates/, for an administrator to read and change.
//
// A job of parts is one array, then one task that merges them. A job of passes has, for each pass,
// an array and one small task that checks the pass and decides whether another one follows.
package cluster
