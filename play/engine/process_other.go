//go:build !(linux || darwin || freebsd || windows)

package engine

import "os/exec"

// gather does nothing where there are no process groups.
func gather(*exec.Cmd) {}

// family is a program; its children see their pipes close.
type family struct{ cmd *exec.Cmd }

func (*family) hold()   {}
func (f *family) kill() { _ = f.cmd.Process.Kill() }
