package app

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"perfectplay/app/family"
	domino "perfectplay/game/domino/command"
	halma "perfectplay/game/halma/command"
	mnk "perfectplay/game/mnk/command"
	"perfectplay/internal/cli"
	"perfectplay/lab"
)

// ours are the families of solve and lab, as Main completes them.
var ours = func() []family.Family {
	list, err := withDefaults([]family.Family{halma.Family(), mnk.Family(), domino.Family()})
	if err != nil {
		panic(err)
	}
	return list
}()

// runLab is [Lab] with the commands of cmd/lab.
func runLab(families ...family.Family) int { return Lab(lab.Commands, families...) }

// labOf is the command lab as cmd/lab makes it.
func labOf(a *family.App) *cobra.Command { return newLab(a, lab.Commands) }

// programs returns both commands with all subcommands.
func programs() []*cobra.Command {
	return []*cobra.Command{newRoot(newApp(ours...)), labOf(newApp(ours...))}
}

// peakFile is an environment variable: the file for the command's peak of memory, in tests on
// Linux. See [writePeak].
const peakFile = "SOLVE_TEST_PEAK"

// writePeak writes the peak of the process's resident memory, and the resident pages of the
// program's own file at the end, in kB as Linux counts. The peak that wait4 reports is useless: the
// peak of a child is never below the memory of its parent at the start.
func writePeak(file string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	var peak, program, anonymous int
	own := false // the current mapping is of the program's file
	for _, name := range []string{"/proc/self/status", "/proc/self/smaps"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(line, ":")
			kib, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			switch {
			case key == "VmHWM":
				peak = kib
			case strings.Contains(key, " "): // addresses, rights, offset, device …
				own = strings.HasSuffix(strings.TrimSpace(line), exe)
			case own && key == "Rss":
				program += kib
			case own && key == "Anonymous":
				anonymous += kib
			}
		}
	}
	if peak == 0 || program <= anonymous {
		return fmt.Errorf("/proc/self: a peak of %d kB, %d kB of the program and %d written to", peak, program, anonymous)
	}
	return os.WriteFile(file, fmt.Appendln(nil, peak, program-anonymous), 0o666)
}

// programPages bounds the bytes of the program's own file that count as resident. Linux maps
// pages of its cache around a needed page: from 19 MiB up to the whole file. Linux frees these
// pages if memory is needed.
const programPages = 24 << 20

// peakOf reads the output of writePeak: the peak, with at most programPages for the program.
func peakOf(t *testing.T, file string) cli.Size {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all, program int64
	if _, err := fmt.Sscan(string(text), &all, &program); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	all, program = all<<10, program<<10
	t.Logf("%v resident, %v of them pages of the program", cli.Size(all), cli.Size(program))
	return cli.Size(all - max(program-programPages, 0))
}

var hostileFlag = flag.Bool("hostile", false, "run the tests that kill processes, fill disks and bound memory, too")

// hostile skips a test that kills processes, fills disks or bounds memory, unless -hostile is
// given, as in .ci/run. These tests run in parallel.
func hostile(t *testing.T) {
	t.Helper()
	if !*hostileFlag {
		t.Skip("kills processes, fills disks or bounds memory; with -hostile, as .ci/run does")
	}
	t.Parallel()
}

// helpers are functions by program name: the test binary, run under that name, calls its
// function. Tests of some systems add entries.
var helpers = map[string]func(){}

// TestMain lets scripts run the test binary as the commands solve and lab.
func TestMain(m *testing.M) {
	run := func(program func(...family.Family) int) func() {
		return func() {
			code := program(ours...)
			if file := os.Getenv(peakFile); file != "" {
				if err := writePeak(file); err != nil {
					fmt.Fprintln(os.Stderr, err)
					code = cli.ExitFailed
				}
			}
			os.Exit(code)
		}
	}
	helpers["solve"], helpers["lab"], helpers["heap"] = run(Main), run(runLab), heapProgram
	testscript.Main(m, helpers)
}

// TestScripts runs testdata/script: the output and exit code of each subcommand. See
// script_test.go for the additional commands of scripts.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "narrow": narrow, "unhex": unhex,
			"full":        full,
			"interrupted": interrupted,
			"same-values": sameValues,
		},
	})
}

// says runs a subcommand of solve in this process, and returns its answer and its complaints.
func says(ctx context.Context, a *family.App, in string, words ...string) (out, complaints string, err error) {
	root := newRoot(a)
	var text, aside strings.Builder
	root.SetArgs(words)
	root.SetIn(strings.NewReader(in))
	root.SetOut(&text)
	root.SetErr(&aside)
	root.SilenceErrors, root.SilenceUsage = true, true
	err = root.ExecuteContext(ctx)
	return text.String(), aside.String(), err
}

// runs is [says] with our games for a command that must succeed.
func runs(t *testing.T, in string, words ...string) string {
	t.Helper()
	out, complaints, err := says(t.Context(), newApp(ours...), in, words...)
	if err != nil {
		t.Fatalf("solve %s: %v\n%s", strings.Join(words, " "), err, complaints)
	}
	return out
}

// solveCommand returns a run of the command solve.
func solveCommand(args ...string) *exec.Cmd {
	return exec.Command("solve", args...) // the test binary, see TestMain
}

// programOf names the program that has a subcommand: solve, else lab.
func programOf(subcommand string) string {
	if slices.Contains(subcommands(), subcommand) {
		return "solve"
	}
	return "lab"
}

// subcommands lists the subcommands of solve.
var subcommands = sync.OnceValue(func() (names []string) {
	for _, cmd := range newRoot(newApp(ours...)).Commands() {
		names = append(append(names, cmd.Name()), cmd.Aliases...)
	}
	return names
})

// jobCommand runs a subcommand of solve, or lab if that is the first word.
func jobCommand(args ...string) *exec.Cmd {
	if args[0] == "lab" {
		return exec.Command("lab", args[1:]...)
	}
	return exec.Command(programOf(args[0]), args...)
}

// compareFiles fails unless two files are equal.
func compareFiles(t *testing.T, want, got string) {
	t.Helper()
	a, errA := os.ReadFile(want)
	b, errB := os.ReadFile(got)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !bytes.Equal(a, b) {
		t.Fatalf("%s differs from %s", got, want)
	}
}
