//go:build !(linux || darwin || freebsd)

package engine

import "os/exec"

// gather does nothing where there are no process groups.
func gather(*exec.Cmd) {}

// killAll kills a program; what it has started sees its pipes close.
func killAll(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
