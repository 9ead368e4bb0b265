package engine

import "syscall"

// endWithUs has the system kill a program if this process ends without warning. The signal reaches
// only the program itself. Linux sends it when the starting thread ends, see [program.run].
func endWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
