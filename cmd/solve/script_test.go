package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits is the script command
//
//	exits CODE solve ARGS...
//
// It runs the program and checks the exit code. Where the code is not 0 it also
// checks what holds for every failure: nothing on stdout unless interrupted, and
// on stderr one line that names the program.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE solve ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if got != want {
		ts.Fatalf("exit %d, want %d\n%s%s", got, want, stdout, stderr)
	}
	if want == 0 || want == 130 {
		return
	}
	if stdout != "" {
		ts.Fatalf("a failure wrote to stdout: %q", stdout)
	}
	if bytes.Count([]byte(stderr), []byte("\n")) != 1 || !strings.HasPrefix(stderr, "solve: ") {
		ts.Fatalf("a failure printed %q, want one line that begins with solve:", stderr)
	}
	if strings.Contains(stderr, "panic") || strings.Contains(stderr, "goroutine") {
		ts.Fatalf("the program panicked: %s", stderr)
	}
}
