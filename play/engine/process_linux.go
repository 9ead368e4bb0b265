package engine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// endWithUs has a program killed if this process ends without a word to it. It reaches the
// program, not what that has started; and Linux takes the end of the thread that started a
// program for ours, see [program.run].
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
