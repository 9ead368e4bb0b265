//go:build linux

package cluster

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	long         = flag.Bool("long", false, "solve larger boards over three nodes, too")
	passesReport = flag.String("passes-report", "", "write the matrix of faults during passes to this file")
)

// passesJob writes a job that solves a board pass by pass. It returns the directory of the job, and
// the table that one process computes. With arrays every pass becomes an array of tasks, however
// short it is.
func (b *bench) passesJob(t *testing.T, board string, arrays bool) (dir string, want []byte) {
	t.Helper()
	job := []string{"strong", board, "--rules", "sturtevant"}
	dir = b.write(t, append([]string{"--tasks", fmt.Sprint(tasks), "--mem", "512MiB", "--time", "10m", "--"}, job...)...)
	if arrays {
		b.run(t, dir, "sed", "-i", "s/--short 1s/--short 0s/", "finish.sh")
	}
	b.run(t, dir, b.solve, append(job, "--table", "one", "--progress", "off")...)
	want, err := os.ReadFile(filepath.Join(dir, "one"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, want
}

// solved compares the table of a job with the table of one process.
func solved(dir string, want []byte) error {
	got, err := os.ReadFile(filepath.Join(dir, "table"))
	switch {
	case err != nil:
		return err
	case !bytes.Equal(got, want):
		return fmt.Errorf("%d bytes, other than the %d of one process", len(got), len(want))
	}
	return nil
}

// TestPasses solves boards pass by pass on three nodes: the table equals the table of one process,
// byte for byte.
func TestPasses(t *testing.T) {
	t.Run("Slurm", func(t *testing.T) { passes(t, onSlurm(t)) })
	t.Run("local runner", func(t *testing.T) { passes(t, onRunner(t)) })
}

func passes(t *testing.T, b *bench) {
	boards := []string{"halma-4x4p3"}
	if *long {
		boards = append(boards, "halma-6x6p3", "halma-5x5p4")
	}
	for _, board := range boards {
		for _, arrays := range []bool{true, false} {
			dir, want := b.passesJob(t, board, arrays)
			b.run(t, dir, "sh", "submit.sh")
			b.done(t)
			if err := solved(dir, want); err != nil {
				t.Errorf("%s: %v\n%s", board, err, logs(dir))
			}
			chained, want := b.passesJob(t, board, arrays)
			for n := 0; n < 20 && solved(chained, want) != nil; n++ { // each run does four passes, fewer than the board needs
				b.run(t, chained, "sh", "submit.sh", "4")
				b.done(t)
			}
			if err := solved(chained, want); err != nil {
				t.Errorf("%s, a chain at once: %v\n%s", board, err, logs(chained))
			}
			t.Logf("%s: %d bytes, %d passes, %d arrays", board, len(want), finished(dir), strings.Count(logs(dir), "task 1 of"))
		}
	}
}

// finished counts the finished passes.
func finished(dir string) int {
	list, _ := filepath.Glob(filepath.Join(dir, "tiles", "pass-*.json"))
	return len(list)
}

// begun submits a job and waits until it has finished some passes.
func (b *bench) begun(t *testing.T, dir string, passes int) {
	t.Helper()
	b.run(t, dir, "sh", "submit.sh")
	b.wait(t, "finished pass", 2*time.Minute, func() bool { return finished(dir) >= passes })
}

// again runs a job to its end, and submits it again whenever it stops.
func (b *bench) again(t *testing.T, dir string) {
	t.Helper()
	b.done(t)
	for n := 0; n < 3; n++ {
		if _, err := os.Stat(filepath.Join(dir, "table")); err == nil {
			return
		}
		b.run(t, dir, "sh", "submit.sh")
		b.done(t)
	}
}

// tileFile names the file of a tile after a pass.
func tileFile(dir string, tile, pass int) string {
	return filepath.Join(dir, "tiles", fmt.Sprintf("tile-%05d.%03d", tile, pass))
}

var passFaults = []fault{
	{"nothing", func(t *testing.T, b *bench, dir string) {
		b.run(t, dir, "sh", "submit.sh")
		b.done(t)
	}, ""},
	{"SIGKILL of a task, submitted again", func(t *testing.T, b *bench, dir string) {
		b.begun(t, dir, 3)
		pid, _ := b.running(t, dir)
		signal(t, pid, syscall.SIGKILL)
		b.again(t, dir)
	}, "no such file"},
	{"scontrol requeue of a running task", func(t *testing.T, b *bench, dir string) {
		b.begun(t, dir, 3)
		pid, task := b.running(t, dir)
		signal(t, pid, syscall.SIGSTOP) // the task runs until Slurm requeues it
		b.run(t, dir, "scontrol", "requeue", task)
		b.again(t, dir)
	}, ""},
	{"SIGKILL of a node daemon, started again", func(t *testing.T, b *bench, dir string) {
		b.begun(t, dir, 3)
		b.running(t, dir)
		b.kill(t, nodes[0], syscall.SIGKILL)
		time.Sleep(time.Second)
		b.start(t, nodes[0])
		b.again(t, dir)
	}, ""},
	{"a node that Slurm has given up goes on passes later", func(t *testing.T, b *bench, dir string) {
		b.begun(t, dir, 3)
		pid, _ := b.running(t, dir)
		signal(t, pid, syscall.SIGSTOP)
		t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
		node := variable(pid, "SLURMD_NODENAME")
		pass, err := strconv.Atoi(variable(pid, "PASS"))
		if err != nil {
			t.Fatal(err)
		}
		b.kill(t, node, syscall.SIGKILL)
		b.wait(t, "pass after the one that stopped", 3*time.Minute, func() bool { return finished(dir) > pass+2 })
		signal(t, pid, syscall.SIGCONT)
		b.wait(t, "end of the late task", time.Minute, func() bool { return variable(pid, "PASS") == "" })
		b.again(t, dir)
		b.start(t, node)
		b.run(t, dir, "scontrol", "update", "NodeName="+node, "State=RESUME")
	}, ""},
	{"a full disk, then room and submitted again", func(t *testing.T, b *bench, dir string) {
		at := filepath.Join(dir, "tiles")
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("tmpfs", at, "tmpfs", 0, "size=200k"); err != nil {
			t.Skipf("no file system of its own: %v", err)
		}
		t.Cleanup(func() { syscall.Unmount(at, syscall.MNT_DETACH) })
		b.run(t, dir, "sh", "submit.sh")
		b.done(t)
		if err := syscall.Mount("tmpfs", at, "tmpfs", syscall.MS_REMOUNT, "size=256m"); err != nil {
			t.Fatal(err)
		}
		b.again(t, dir)
	}, "no space left on device"},
	{"a tile that is cut off before its pass ends, removed and submitted again", func(t *testing.T, b *bench, dir string) {
		cut(t, b, dir, false)
	}, "tile 1: "},
	{"a tile that is cut off after its pass, removed with the pass's record and submitted again", func(t *testing.T, b *bench, dir string) {
		cut(t, b, dir, true)
	}, "tile 1: "},
	{"a job that is submitted twice at once", func(t *testing.T, b *bench, dir string) {
		b.run(t, dir, "sh", "submit.sh")
		b.run(t, dir, "sh", "submit.sh")
		b.done(t)
	}, ""},
}

// cut stops a job between two passes, truncates a file that the next pass needs, and repairs the
// job as docs/cluster.md says for the error in the log.
func cut(t *testing.T, b *bench, dir string, finish bool) {
	t.Helper()
	b.begun(t, dir, 3)
	// Without this script no pass submits the next one.
	submit := filepath.Join(dir, "submit.sh")
	if err := os.Rename(submit, submit+".away"); err != nil {
		t.Fatal(err)
	}
	b.done(t)
	if err := os.Rename(submit+".away", submit); err != nil {
		t.Fatal(err)
	}
	last := finished(dir) - 1
	record := filepath.Join(dir, "tiles", fmt.Sprintf("pass-%03d.json", last))
	if !finish {
		if err := os.Remove(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Truncate(tileFile(dir, 1, last), 100); err != nil {
		t.Fatal(err)
	}
	b.run(t, dir, "sh", "submit.sh")
	b.done(t)
	if _, err := os.Stat(filepath.Join(dir, "table")); err == nil {
		t.Error("a table was made of a tile that is cut off")
	}
	for _, name := range []string{tileFile(dir, 1, last), record} {
		if err := os.Remove(name); err != nil && (finish || name != record) {
			t.Fatal(err)
		}
	}
	b.again(t, dir)
}

// variable returns a variable of a process's environment; empty if the process has ended.
func variable(pid int, name string) string {
	env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if n, value, _ := strings.Cut(string(v), "="); n == name {
			return value
		}
	}
	return ""
}

// TestPassFaults solves a board pass by pass on three nodes under faults: the table equals the
// table of one process, or a log names the tile and the cause.
func TestPassFaults(t *testing.T) {
	b := onSlurm(t)
	underFaults(t, *passesReport, passFaults, func(t *testing.T, f fault) (dir, result string) {
		dir, want := b.passesJob(t, "halma-4x4p4", true)
		f.strike(t, b, dir)
		if err := solved(dir, want); err != nil {
			result = err.Error()
		}
		return dir, result
	})
}
