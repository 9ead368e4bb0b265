package app

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestHeapStays: a signal ends a command whose game does not return, and says where it is.
func TestHeapStays(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for ten looks at the game; not with -short")
	}
	t.Parallel()
	cmd := exec.Command("heap", "strong", "heap-one")
	cmd.Env = append(os.Environ(), "HEAP_STAY=Moves", "HEAP_SAYS=1")
	says, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errors strings.Builder
	cmd.Stderr = &errors
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := says.Read(make([]byte, 1)); err != nil { // it is there
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(errors.String(), "interrupted: stranger.(*state).Moves (heap.go:") {
		t.Errorf("%d\n%s", code, errors.String())
	}
}
