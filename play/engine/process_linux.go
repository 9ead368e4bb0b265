package engine

import "syscall"

// endWithUs has the system kill a program if this process ends without warning. It reaches only
// the program itself; and Linux sends the signal when the starting thread ends, see
// [program.run].
func endWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
