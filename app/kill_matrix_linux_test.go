package app

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// kills is the number of processes that TestKillMatrix kills.
var kills = flag.Int("kills", 1, "processes that TestKillMatrix kills, over all kinds of jobs")

// killJob is a job that can be killed at any instant; the same command line resumes it.
type killJob struct {
	name    string
	args    []string // run in a directory of its own
	outputs []string // files that the finished job leaves, besides empty directories
	growing bool     // an output exists from the beginning, and grows
	during  string   // pattern of files: kills come while one exists
}

var strongJob = []string{"strong", "halma-4x4p4", "--rules", "sturtevant", "--threads", "2", "--table", "table", "--work", "work", "--interval", "0s"}

func withArgs(args []string, more ...string) []string { return slices.Concat(args, more) }

var killJobs = []killJob{
	{name: "strong values", args: strongJob, outputs: []string{"table"}},
	{name: "strong distances", args: withArgs(strongJob, "--distances"), outputs: []string{"table"}},
	{name: "strong from files", outputs: []string{"table", "answer"},
		args: []string{"strong", "halma-6x6p3", "--threads", "1", "--mem", "39MiB", "--table", "table", "--work", "work", "--interval", "50ms", "-o", "answer", "--csv"}},
	{name: "strong, table under way", outputs: []string{"table"}, during: ".table.part-*",
		args: []string{"strong", "halma-5x5p3", "--distances", "--threads", "2", "--table", "table", "--work", "work", "--interval", "10ms"}},
	{name: "strong of four seats", outputs: []string{"table"},
		args: []string{"strong", "halma-star13-4p", "--threads", "2", "--table", "table", "--work", "work"}},
	{name: "strong of three seats, by name", outputs: []string{"table"},
		args: []string{"strong", "halma-star37p1-3p", "--named", "--threads", "2", "--table", "table", "--work", "work"}},
	{name: "domino census", outputs: []string{"part"}, growing: true,
		args: []string{"domino", "census", "--part", "3/60000", "--census", "part", "--threads", "2", "--interval", "20ms"}},
	{name: "hidden dominoes", outputs: []string{"answer", "work/opener-1-1.equilibrium", "work/opener-2-2.equilibrium", "work/opener-3-3.equilibrium"},
		args: []string{"domino", "hidden", "double-3", "4", "--iterations", "300", "--gap", "0", "--threads", "2", "--work", "work", "--interval", "0s", "-o", "answer", "--csv"}},
	{name: "match", outputs: []string{"games"}, growing: true,
		args: []string{"match", "mnk-9x9k5", "level-3", "random", "--pairs", "40", "--seed", "7", "--time", "1m", "--journal", "games"}},
	{name: "repro strong", outputs: []string{"answer"},
		args: []string{"repro", "strong", "--max-positions", "300000", "--csv", "-o", "answer"}},
	{name: "two at once", args: withArgs(strongJob, "--distances"), outputs: []string{"table"}},
}

// command is the job's command in a directory.
func (j *killJob) command(dir string) (*exec.Cmd, *bytes.Buffer) {
	cmd := jobCommand(j.args...)
	cmd.Dir = dir
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	return cmd, stderr
}

// finish runs the job to its end; an error fails the test.
func (j *killJob) finish(t *testing.T, dir string) {
	t.Helper()
	cmd, stderr := j.command(dir)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", j.name, err, stderr)
	}
}

// results reads the outputs. Of tables of rows it reads only the columns that do not depend on
// speed.
func (j *killJob) results(t *testing.T, dir string) (texts []string) {
	t.Helper()
	for _, name := range j.outputs {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatalf("%s: %v", j.name, err)
		}
		if rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err == nil && len(rows) > 1 && len(rows[0]) > 4 {
			text = nil
			for _, row := range rows {
				for i, column := range rows[0] {
					if !strings.Contains(column, "second") && !strings.Contains(column, "memory") && column != "passes" && column != "resumed" {
						text = append(append(text, row[i]...), ',')
					}
				}
				text = append(text, '\n')
			}
		}
		texts = append(texts, string(text))
	}
	return texts
}

// complete checks that the job left the same files as an undisturbed run.
func (j *killJob) complete(t *testing.T, dir string, want []string) {
	t.Helper()
	if !slices.Equal(j.results(t, dir), want) {
		t.Errorf("%s: the results differ from those of a run left alone", j.name)
	}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !slices.Contains(j.outputs, strings.TrimPrefix(name, dir+"/")) {
			t.Errorf("%s: %s is left", j.name, name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// remove removes the outputs, so that the next run starts over.
func (j *killJob) remove(t *testing.T, dir string) {
	t.Helper()
	for _, name := range j.outputs {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestKillMatrix kills jobs of all kinds at random instants, with no chance to clean up, and
// runs them again. The delays follow the job's time on this machine now; the number of starts
// bounds the work. Every run that is not killed must succeed with the results of an
// undisturbed run, and leave no other files.
//
//	go test ./app -run KillMatrix -v -kills 200
func TestKillMatrix(t *testing.T) {
	hostile(t)
	total := 0
	for i, j := range killJobs {
		t.Run(j.name, func(t *testing.T) {
			// A census fills tables before it begins, so it is killed less often.
			wanted := (*kills + 6) / 7
			if j.args[1] == "census" {
				wanted = max(*kills/25, 1)
			}
			alone := t.TempDir()
			begin := time.Now()
			j.finish(t, alone)
			took := time.Since(begin)
			want := j.results(t, alone)
			j.complete(t, alone, want)

			random := rand.New(rand.NewPCG(uint64(i), 1))
			dir := t.TempDir()
			killed, refused, through, starts := 0, 0, 0, 0
			for ; killed < wanted; starts++ {
				if starts > 20*wanted+20 {
					t.Fatalf("killed %d times only", killed)
				}
				delay := time.Duration(random.Int64N(int64(took)))
				var died, turned bool
				if j.name == "two at once" {
					died, turned = j.compete(t, dir, delay, random.IntN(2) == 0)
				} else {
					died = j.kill(t, dir, delay)
				}
				if turned {
					refused++
				}
				if died {
					killed++
				} else {
					through++
					j.complete(t, dir, want)
					j.remove(t, dir)
					continue
				}
				if _, err := os.Stat(filepath.Join(dir, j.outputs[0])); err == nil && !j.growing {
					if got, _ := os.ReadFile(filepath.Join(dir, j.outputs[0])); string(got) != want[0] && len(j.outputs) == 1 && j.outputs[0] == "table" {
						t.Errorf("%s: after kill %d the table is another", j.name, killed)
					}
				}
				if left, _ := filepath.Glob(filepath.Join(dir, "*", ".*.part-*")); len(left) > 2 {
					t.Errorf("%s: files pile up: %v", j.name, left)
				}
			}
			j.finish(t, dir)
			j.complete(t, dir, want)
			total += killed
			note := ""
			if j.name == "two at once" {
				if note = fmt.Sprintf(", %d times the second was refused", refused); refused == 0 {
					t.Error("no second process was refused")
				}
			}
			outcome := "identical, nothing left, no run refused wrongly"
			if t.Failed() {
				outcome = "FAILED"
			}
			t.Logf("%-24s %3d starts, %3d killed, %3d through before; %s%s", j.name, starts+2, killed, through, outcome, note)
		})
	}
	t.Logf("%d kills", total)
}

// kill starts the job and kills it. A job that ends before the kill must have succeeded.
func (j *killJob) kill(t *testing.T, dir string, delay time.Duration) (died bool) {
	t.Helper()
	cmd, stderr := j.command(dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	if j.during != "" {
		for begun := false; !begun; {
			select {
			case err := <-done:
				if err != nil {
					t.Fatalf("%s: %v\n%s", j.name, err, stderr)
				}
				return false
			case <-time.After(200 * time.Microsecond):
				found, _ := filepath.Glob(filepath.Join(dir, j.during))
				begun = len(found) > 0
			}
		}
		delay %= 20 * time.Millisecond
	}
	select {
	case err := <-done:
		if err != nil {
			t.Fatalf("%s: %v\n%s", j.name, err, stderr)
		}
		return false
	case <-time.After(delay):
		err := cmd.Process.Kill()
		if wait := <-done; wait == nil || errors.Is(err, os.ErrProcessDone) {
			return false
		}
		return true
	}
}

// compete starts the job twice, and kills one of the two. With stop it stops the first while
// the second starts: the second must be refused, and name the first's process id.
func (j *killJob) compete(t *testing.T, dir string, delay time.Duration, stop bool) (died, refused bool) {
	t.Helper()
	first, firstSaid := j.command(dir)
	second, secondSaid := j.command(dir)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- first.Wait() }()
	if stop {
		time.Sleep(delay)
		if err := first.Process.Signal(syscall.SIGSTOP); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	held, _ := os.ReadFile(filepath.Join(dir, "work", ".lock"))
	holds := stop && bytes.Contains(held, fmt.Appendf(nil, `"pid":%d,`, first.Process.Pid))
	said := second.Run()
	busy := strings.Contains(secondSaid.String(), " is in use by ")
	switch {
	case holds && !strings.Contains(secondSaid.String(), fmt.Sprintf(" is in use by process %d on ", first.Process.Pid)):
		select {
		case err := <-done: // the first process ended before the second began
			done <- err
		default:
			t.Errorf("%s: two had the directory: %v, %s", j.name, said, secondSaid)
		}
	case said != nil && !busy:
		t.Errorf("%s: %v, %s", j.name, said, secondSaid)
	}
	if !stop {
		time.Sleep(delay / 4)
	}
	_ = first.Process.Kill()
	err := <-done
	if err != nil && strings.Contains(firstSaid.String(), " is in use by ") {
		return false, true // the other process had the directory
	}
	if err != nil && said == nil {
		// The second may have finished before the first started over and was killed: the next run
		// resumes.
		return true, false
	}
	return err != nil, busy
}

// TestAnswerAgain kills commands as soon as their answer, a text with times, is in its file,
// and runs them again: each replaces its own answer, and no other.
func TestAnswerAgain(t *testing.T) {
	t.Parallel()
	lines := []string{
		"search halma-star13-2p --limit 9", "analyse mnk-4x4k3 --time 1s", "probe mnk-3x3k3 start", "strong halma-5x5p1 --distances", "info mnk-3x3k3",
		"perft halma-star13-2p --depth 3", "mnk solve mnk-4x4k3",
	}
	for i, line := range lines {
		dir := t.TempDir()
		answer := filepath.Join(dir, "answer")
		command := func(line string) *exec.Cmd { return jobCommand(append(strings.Fields(line), "-o", answer)...) }
		cmd := command(line)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		for there := false; !there; {
			select {
			case err := <-done:
				if done <- err; err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				there = true
			case <-time.After(200 * time.Microsecond):
				_, err := os.Stat(answer)
				there = err == nil
			}
		}
		_ = cmd.Process.Kill()
		<-done
		if out, err := command(line + " --threads 1").CombinedOutput(); err != nil && !strings.Contains(string(out), "unknown flag") {
			t.Errorf("%s, again: %v\n%s", line, err, out)
		}
		if out, err := command(line).CombinedOutput(); err != nil {
			t.Errorf("%s, again: %v\n%s", line, err, out)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s: left is %v", line, left)
		}
		if out, err := command(lines[(i+1)%len(lines)]).CombinedOutput(); err == nil || !strings.Contains(string(out), "holds something else: --force replaces it") {
			t.Errorf("%s, then another: %v\n%s", line, err, out)
		}
	}
}

// ignored reports whether this process, and so its children, ignore a signal.
func ignored(s os.Signal) bool { return signal.Ignored(s) }

// TestSignals ends jobs by signals. Each job prints the command to resume it; that command
// gives the result of an undisturbed run. If -kills is at most the number of jobs each job
// gets one of the signals, else all.
func TestSignals(t *testing.T) {
	hostile(t)
	for n, i := range []int{0, 1, 3, 4, 5} {
		j := killJobs[i]
		alone := t.TempDir()
		begin := time.Now()
		j.finish(t, alone)
		took := time.Since(begin)
		want := j.results(t, alone)
		random := rand.New(rand.NewPCG(uint64(i), 2))
		signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
		if *kills <= len(killJobs) {
			signals = signals[n%3:][:1]
		}
		for _, signal := range signals {
			if ignored(signal) {
				t.Logf("%-24s %-20v ignored from the start, as under nohup", j.name, signal)
				continue
			}
			dir, saved := t.TempDir(), false
			for range 20 {
				cmd, stderr := j.command(dir)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(took/4 + time.Duration(random.Int64N(int64(took/2))))
				_ = cmd.Process.Signal(signal)
				if signal == syscall.SIGHUP { // a terminal may send it twice
					_ = cmd.Process.Signal(signal)
				}
				err := cmd.Wait()
				if err == nil { // the job ended before the signal
					j.complete(t, dir, want)
					j.remove(t, dir)
					continue
				}
				program := filepath.Base(cmd.Path)
				_, again, found := strings.Cut(stderr.String(), program+": interrupted; saved; continue with: ")
				if cmd.ProcessState.ExitCode() == -1 || !found && stderr.String() == program+": interrupted\n" {
					continue // the signal came before the job's work began
				}
				if cmd.ProcessState.ExitCode() != 130 || again != program+" "+strings.Join(j.args, " ")+"\n" {
					t.Fatalf("%s, %v: %v, %q", j.name, signal, err, stderr)
				}
				saved = true
				break
			}
			if !saved {
				t.Errorf("%s, %v: it never said how to go on", j.name, signal)
			}
			j.finish(t, dir)
			j.complete(t, dir, want)
			t.Logf("%-24s %-20v saved, gone on with, identical, nothing left", j.name, signal)
		}
	}
}

// TestFull gives jobs a disk that is too small and then large enough, and a full standard
// output: nothing is lost.
func TestFull(t *testing.T) {
	hostile(t)
	for _, x := range []struct{ job, kilobytes int }{{1, 16}, {3, 64}, {4, 40}, {5, 8}} {
		j := killJobs[x.job]
		alone := t.TempDir()
		j.finish(t, alone)
		want := j.results(t, alone)

		dir := smallDisk(t, x.kilobytes)
		cmd, stderr := j.command(dir)
		if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "no space left") {
			t.Fatalf("%s: %v, %s", j.name, err, stderr)
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=64m"); err != nil {
			t.Fatal(err)
		}
		j.finish(t, dir)
		j.complete(t, dir, want)
		t.Logf("%-24s disk of %d kB: refused with its reason, gone on with, identical, nothing left", j.name, x.kilobytes)

		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skipf("there is no device that is always full: %v", err)
		}
		dir = t.TempDir()
		cmd, stderr = j.command(dir)
		cmd.Stdout = full
		err = cmd.Run()
		full.Close()
		if err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "writing the answer: ") {
			t.Fatalf("%s: %v, %s", j.name, err, stderr)
		}
		if j.args[0] == "strong" {
			if saved, err := os.ReadDir(filepath.Join(dir, "work")); err != nil || len(saved) == 0 {
				t.Errorf("%s: the state went before the answer came: %v", j.name, err)
			}
			if !strings.Contains(stderr.String(), "; saved; continue with: solve strong") {
				t.Errorf("%s: %s", j.name, stderr)
			}
		}
		j.finish(t, dir)
		j.complete(t, dir, want)
		t.Logf("%-24s full standard output: gone on with, identical, nothing left", j.name)
	}
}
