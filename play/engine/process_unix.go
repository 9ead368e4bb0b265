//go:build linux || darwin || freebsd

package engine

import (
	"os/exec"
	"syscall"
)

// gather puts a program that is to be started into a process group of its own, with all
// that it will start.
func gather(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(cmd.SysProcAttr)
}

// family is the group of a program.
type family struct{ cmd *exec.Cmd }

// hold notes a program that has started.
func (f *family) hold(cmd *exec.Cmd) { f.cmd = cmd }

// kill kills the group. It ends also those that outlive the program itself: while one of
// them runs, no other group has its number.
func (f *family) kill() { _ = syscall.Kill(-f.cmd.Process.Pid, syscall.SIGKILL) }
