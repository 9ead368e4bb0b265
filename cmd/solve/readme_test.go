package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readmeCommand is a command of README.md and the output printed below it.
type readmeCommand struct {
	line int
	args []string
	want []string
}

// readmeCommands returns what README.md shows in its console blocks: lines that
// begin with "$ go run ./cmd/solve", each with the lines that follow it.
func readmeCommands(t *testing.T, file string) []readmeCommand {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []readmeCommand
	inside, ours := false, false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "```console":
			inside, ours = true, false
		case line == "```":
			inside = false
		case !inside:
		case strings.HasPrefix(line, "$ "):
			args, ok := strings.CutPrefix(line, "$ go run ./cmd/solve ")
			if ours = ok; ok {
				list = append(list, readmeCommand{line: i + 1, args: strings.Fields(args)})
			}
		case ours && line != "":
			c := &list[len(list)-1]
			c.want = append(c.want, line)
		}
	}
	return list
}

// measured are the parts of a line that differ from run to run and from machine
// to machine: counts of more than one digit, times, rates, threads. What remains
// must agree.
var measured = regexp.MustCompile(`\b\d+ threads\b|\b\d+(,\d{3})+\b|\b\d+(\.\d+)?(ns|µs|ms|s)\b|\b\d+m\d+s\b|\b\d+\.\d+|\b\d{2,}\b`)

// skeleton is a line without what is measured and without its spacing; of a
// record the columns up to the distance.
func skeleton(line string) string {
	if columns := strings.Split(line, ","); len(columns) == 16 && !strings.Contains(line, "  ") {
		return strings.Join(columns[:10], ",")
	}
	return strings.Join(strings.Fields(measured.ReplaceAllString(line, "#")), " ")
}

// TestReadme runs the commands of README.md. The output must hold the lines that
// README.md shows, in their order, up to counts and times.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs whole searches; not with -short")
	}
	commands := readmeCommands(t, filepath.Join("..", "..", "README.md"))
	if len(commands) < 4 {
		t.Fatalf("found %d commands in README.md", len(commands))
	}
	for _, c := range commands {
		t.Run(strings.Join(c.args, "_"), func(t *testing.T) {
			cmd := exec.Command("solve", c.args...) // the test binary, see TestMain
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil || stderr.Len() > 0 {
				t.Fatalf("README.md:%d: %v %s", c.line, err, stderr.String())
			}
			got := strings.Split(string(out), "\n")
			for _, want := range c.want {
				for len(got) > 0 && skeleton(got[0]) != skeleton(want) {
					got = got[1:]
				}
				if len(got) == 0 {
					t.Fatalf("README.md:%d: the output has no such line in this place: %q\n%s", c.line, want, out)
				}
			}
		})
	}
}

// TestSkeleton keeps lines apart that say different things, and together those
// that differ in a measurement only.
func TestSkeleton(t *testing.T) {
	same := [][2]string{
		{"whole  b1-c4  win  29  35,414,797  29  9.12s", "whole  b1-c4  win  29  35,833,605     29    6s"},
		{"time 9.12s", "time 850ms"},
		{"time 1m2s", "time 59.5s"},
		{"within 30 plies, 2 threads", "within 30 plies, 16 threads"},
		{"nodes  36,534,489 in 6.14s, 5.9 M/s", "nodes  912 in 6s, 10 M/s"},
	}
	for _, pair := range same {
		if a, b := skeleton(pair[0]), skeleton(pair[1]); a != b {
			t.Errorf("%q and %q differ: %q, %q", pair[0], pair[1], a, b)
		}
	}
	for _, pair := range [][2]string{
		{"whole  b1-c4  win", "whole  b1-c4  draw"},
		{"1 win", "2 wins"},
		{"2 threads", "2 plies"},
	} {
		if skeleton(pair[0]) == skeleton(pair[1]) {
			t.Errorf("%q and %q are taken for the same", pair[0], pair[1])
		}
	}
}
