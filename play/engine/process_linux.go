package engine

import "syscall"

// endWithUs has a program killed if this process ends without a word to it. It reaches the
// program, not what that has started; and Linux takes the end of the thread that started a
// program for ours, see [program.run].
func endWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
