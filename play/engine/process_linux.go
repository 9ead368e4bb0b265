package engine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// endWithUs has the system kill a program if this process ends without warning. The signal reaches
// only the program itself. Linux sends it when the starting thread ends, see [program.run].
func endWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// waited is how long a program, with all its threads, has waited for a processor; 0 if the system
// does not say.
func waited(cmd *exec.Cmd) (sum time.Duration) {
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", cmd.Process.Pid))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		var ran, wait time.Duration // in nanoseconds
		if n, _ := fmt.Sscan(string(text), &ran, &wait); n == 2 {
			sum += wait
		}
	}
	return sum
}
