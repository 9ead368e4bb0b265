// Package cluster holds the tests of what lab cluster writes, on a scheduler that
// they start: Slurm with three node daemons on this machine, where it is installed and
// the tests run as root, else a local array runner.
package cluster
