package app

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"perfectplay/internal/cli"
)

// exits is the script command
//
//	exits CODE PROGRAM ARGS...
//
// It runs solve or lab and checks the exit code. A failure must also print nothing on stdout
// unless interrupted, and on stderr one line that names the program.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
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
	if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, args[1]+": ") {
		ts.Fatalf("a failure printed %q, want one line that begins with %s:", stderr, args[1])
	}
	if strings.Contains(stderr, "panic") || strings.Contains(stderr, "goroutine 1") {
		ts.Fatalf("the program panicked: %s", stderr)
	}
}

// unhex is the script command
//
//	unhex FROM TO
//
// It converts a file: lines of text, and after a line of -- bytes as hexadecimal digits.
func unhex(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unhex FROM TO")
	}
	text, digits, _ := strings.Cut(ts.ReadFile(args[0]), "--\n")
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), append([]byte(text), b...), 0o600))
}

// narrow is the script command
//
//	narrow solve ARGS...
//
// It runs the program, which must succeed. It fails at a line of the answer wider than
// [cli.Columns], unless one long word fills the line, such as the position of a large board.
func narrow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: narrow solve ARGS...")
	}
	ts.Check(ts.Exec(args[0], args[1:]...))
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		line = strings.TrimSuffix(line, "\n")
		long := slices.ContainsFunc(strings.Fields(line), func(word string) bool { return len(word) > cli.Columns-20 })
		if width := utf8.RuneCountInString(line); width > cli.Columns && !long {
			ts.Fatalf("%d columns, want at most %d: %s", width, cli.Columns, line)
		}
	}
}

// full is the script command
//
//	full solve ARGS...
//
// It runs the program with a full standard output, which must fail.
func full(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: full solve ARGS...")
	}
	out, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		ts.Fatalf("there is no device that is always full: %v", err)
	}
	defer out.Close()
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout, cmd.Stderr = out, ts.Stderr()
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		ts.Fatalf("%v, want exit 1", err)
	}
}

// interrupted is the script command
//
//	interrupted STATE solve ARGS...
//
// It runs the program and sends it an interrupt, as Ctrl-C does, once it has reached STATE.
// The program must soon exit with 130 and one line on stderr, which may name the command to
// resume. STATE is a regular expression for a line of progress, or file:PATTERN for a new
// file. So the job may be slow before STATE, but must run long after it.
func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupted STATE solve ARGS...")
	}
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	state, words := args[0], args[2:]
	stderr := &progressed{}
	pattern, byFile := strings.CutPrefix(state, "file:")
	if byFile {
		stderr.state = regexp.MustCompile("$^")
	} else {
		stderr.state, err = regexp.Compile(state)
		ts.Check(err)
		words = append(slices.Clone(words), "--progress", "on")
	}
	reached := stderr.reach()
	cmd := exec.Command(path, words...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "TMPDIR="+ts.Getenv("TMPDIR"))
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	ts.Check(cmd.Start())
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for came := false; !came; {
		select {
		case err := <-done:
			ts.Fatalf("it ended before it came to %s: %v\n%s%s", state, err, stdout.String(), stderr.text)
		case <-reached:
			came = true
		case <-time.After(time.Millisecond):
			found, _ := filepath.Glob(ts.MkAbs(pattern))
			came = byFile && len(found) > 0
		}
	}
	before := processorTime(cmd.Process.Pid)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if err := cmd.Process.Signal(os.Interrupt); !errors.Is(err, os.ErrProcessDone) { // a second interrupt: Ctrl-C may reach a program twice
		ts.Check(err)
	}
	err = <-done
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		ts.Fatalf("%v, want exit 130\n%s%s", err, stdout.String(), stderr.text)
	}
	if late := exit.UserTime() + exit.SystemTime() - before; before > 0 && late > 5*time.Second {
		ts.Fatalf("it worked for %v after the interrupt", late)
	}
	line := string(stderr.text[bytes.LastIndexByte(stderr.text, '\r')+1:]) // the text after the line of progress
	said := args[1] + ": interrupted"
	if line != said+"\n" && line != said+"; the state is lost: --work DIR keeps it\n" && (!strings.HasPrefix(line, said+"; saved; continue with: "+args[1]+" ") || strings.Count(line, "\n") != 1) {
		ts.Fatalf("stderr %q", stderr.text)
	}
	_, err = ts.Stderr().Write([]byte(line))
	ts.Check(err)
	_, err = ts.Stdout().Write(stdout.Bytes())
	ts.Check(err)
}

// progressed is the standard error of a program, watched for a state.
type progressed struct {
	state *regexp.Regexp
	text  []byte
	came  chan struct{} // closed at the first match; nil afterwards
}

// reach returns a channel that is closed once the state is reached.
func (p *progressed) reach() <-chan struct{} {
	p.came = make(chan struct{})
	return p.came
}

func (p *progressed) Write(b []byte) (int, error) {
	p.text = append(p.text, b...)
	if p.came != nil && p.state.Match(p.text) {
		close(p.came)
		p.came = nil
	}
	return len(b), nil
}

// processorTime is the processor time of a running process, 0 if the system does not tell.
func processorTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // the fields from the third on
	user, _ := strconv.ParseInt(fields[14-3], 10, 64)
	system, _ := strconv.ParseInt(fields[15-3], 10, 64)
	const tick = 10 * time.Millisecond // unit of these figures on every Linux
	return time.Duration(user+system) * tick
}

// sameValues is the script command
//
//	same-values FILE FILE...
//
// It checks that records of CSV files agree in the columns up to the distance: these do not depend
// on speed, except for the best move of a whole search.
func sameValues(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: same-values FILE FILE...")
	}
	var want [][]string
	for i, name := range args {
		rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(name))).ReadAll()
		ts.Check(err)
		if len(rows) < 2 {
			ts.Fatalf("%s holds %d rows", name, len(rows))
		}
		var got [][]string
		for _, r := range rows {
			key := slices.Clone(r[:11]) // the columns up to the distance
			if key[6] == "0" {
				key[7] = ""
			}
			if key[8] == "draw" {
				key[8] = "open" // a search may know a draw or still call it open, depending on speed
			}
			got = append(got, key)
		}
		if i == 0 {
			want = got
		} else if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			ts.Fatalf("%s and %s differ:\n%v\n%v", args[0], name, want, got)
		}
	}
}
