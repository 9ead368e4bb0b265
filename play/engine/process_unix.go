//go:build linux || darwin || freebsd

package engine

import (
	"os/exec"
	"syscall"
)

// gather puts a program, before its start, into a process group of its own, with all its
// children.
func gather(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(cmd.SysProcAttr)
}

type family struct{ cmd *exec.Cmd }

func (*family) hold() {}

// kill kills the group, also children that outlive the program: while one of them runs, no
// other group has its number.
func (f *family) kill() { _ = syscall.Kill(-f.cmd.Process.Pid, syscall.SIGKILL) }
