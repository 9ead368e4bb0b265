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

// killAll kills the group of a program. It ends also those that outlive the program itself:
// while one of them runs, no other group has its number.
func killAll(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
