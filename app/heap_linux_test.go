package app

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestHeapStays: a signal ends a command whose game loops or sleeps for ever; the error names the
// call.
func TestHeapStays(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for ten looks at the game; not with -short")
	}
	t.Parallel()
	type waiting struct {
		*exec.Cmd
		errors strings.Builder
	}
	var all []*waiting
	for _, line := range []string{"SPIN strong heap-one", "SLEEP probe heap-one start", "SLEEP analyse heap-one --position 7.A", "SLEEP search heap-one", "SLEEP search heap-one --position 7.A"} {
		words := strings.Fields(line)
		w := &waiting{Cmd: exec.Command("heap", words[1:]...)}
		w.Env, w.Stderr = append(os.Environ(), "HEAP_"+words[0]+"=Moves"), &w.errors
		says, err := w.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
		if _, err := says.Read(make([]byte, 1)); err != nil { // the call has begun
			t.Fatal(err)
		}
		if err := w.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range all { // they wait at the same time
		_ = w.Wait()
		want := "solve: interrupted: stranger.(*state).Moves (heap.go:"
		if w.Args[1] == "search" {
			want = "solve: interrupted\n" // a search answers without the call
		}
		if code := w.ProcessState.ExitCode(); code != 130 || !strings.HasPrefix(w.errors.String(), want) {
			t.Errorf("%v: %d\n%s", w.Args, code, w.errors.String())
		}
	}
}

// stays matches the error for the position with 7 stones left.
var stays = regexp.MustCompile(`^!*solve: heap-one at (7\.[AB]|8\.[AB], move 1|9\.[AB], move 2|10\.[AB], move 3): stranger\.\(\*state\)\.Moves \(heap\.go:\d+\) does not return\n$`)

// TestHeapEndless: a command whose game does not return ends by itself; the error names game
// and position.
func TestHeapEndless(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for ten looks at the game, and ten more at one position; not with -short")
	}
	t.Parallel()
	dir := t.TempDir()
	if out, code := heap(t, dir, "", "strong", "heap-one", "--table", "one.table"); code != 0 {
		t.Fatal(out)
	}
	lines := []string{"strong heap-one", "search heap-one --limit 30 --without ask", "verify one.table"}
	cmds, says := make([]*exec.Cmd, len(lines)), make([]strings.Builder, len(lines))
	for i, line := range lines { // they wait at the same time
		cmds[i] = exec.Command("heap", strings.Fields(line)...)
		cmds[i].Dir, cmds[i].Env = dir, append(os.Environ(), "HEAP_SLEEP=Moves")
		cmds[i].Stdout, cmds[i].Stderr = &says[i], &says[i]
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, cmd := range cmds {
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 1 || !stays.MatchString(says[i].String()) {
			t.Errorf("%s: %d\n%s", lines[i], code, says[i].String())
		}
	}
}
