// Package cluster tests the scripts of lab cluster on a scheduler that it starts: Slurm with
// three node daemons on this machine if it is installed and the tests run as root, else a
// local array runner.
package cluster
