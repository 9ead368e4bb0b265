//go:build linux

package cluster

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var report = flag.String("report", "", "write the matrix of faults to this file")

// bench is a scheduler with the programs that it runs.
type bench struct {
	*slurm     // nil if the local array runner runs the jobs
	solve, lab string
	env        []string
}

// newBench builds the programs, and returns a bench without a scheduler.
func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir, "../../cmd/solve", "../../cmd/lab").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b := &bench{solve: filepath.Join(dir, "solve"), lab: filepath.Join(dir, "lab")}
	b.env = append(os.Environ(), "SOLVE="+b.solve, "LAB="+b.lab)
	return b
}

// onSlurm returns a bench with Slurm. It skips the test if Slurm is missing.
func onSlurm(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.slurm = newSlurm(t)
	b.env = append(b.env, "SLURM_CONF="+b.conf)
	return b
}

// onRunner returns a bench with the local array runner.
func onRunner(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	b.env = append(b.env, "PATH="+here+":"+os.Getenv("PATH"))
	return b
}

func (b *bench) run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, b.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// write writes the scripts of a job into a new directory.
func (b *bench) write(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "job")
	b.run(t, ".", b.lab, append([]string{"cluster", "slurm", dir}, args...)...)
	return dir
}

// done waits until every submitted job has ended.
func (b *bench) done(t *testing.T) {
	t.Helper()
	if b.slurm != nil {
		b.settle(t)
	}
}

// TestJobs runs whole jobs as an administrator would, and compares their answers with the answers
// of one process.
func TestJobs(t *testing.T) {
	t.Run("Slurm", func(t *testing.T) { jobs(t, onSlurm(t)) })
	t.Run("local runner", func(t *testing.T) { jobs(t, onRunner(t)) })
}

func jobs(t *testing.T, b *bench) {
	for _, job := range []string{
		"match mnk-4x4k3 random level-1 --pairs 12 --csv",
		"mnk solve mnk-5x4k4 --split 1 --csv",
	} {
		dir := b.write(t, append([]string{"--tasks", "6", "--mem", "512MiB", "--time", "5m", "--"}, strings.Fields(job)...)...)
		b.run(t, dir, "sh", "submit.sh")
		b.done(t)
		got, err := os.ReadFile(filepath.Join(dir, "answer"))
		if err != nil {
			t.Fatalf("%s: %v\n%s", job, err, logs(dir))
		}
		want := b.run(t, dir, b.solve, append(strings.Fields(job), "--threads", "1", "--progress", "off")...)
		if a, b := timeless(t, got), timeless(t, []byte(want)); a != b {
			t.Errorf("%s: the array answers\n%s\none process\n%s", job, a, b)
		}
	}
}

// timeless returns a table without the columns of times and of the fill of search tables.
func timeless(t *testing.T, table []byte) string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows: %v\n%s", len(rows), err, table)
	}
	var b strings.Builder
	for _, row := range rows {
		for c, cell := range row {
			if name := rows[0][c]; !strings.HasSuffix(name, "seconds") && name != "tt_fill" {
				b.WriteString(cell + ",")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// logs returns the output of a job's tasks.
func logs(dir string) string {
	var b strings.Builder
	list, _ := filepath.Glob(filepath.Join(dir, "log", "*"))
	for _, name := range list {
		text, _ := os.ReadFile(name)
		fmt.Fprintf(&b, "%s:\n%s", filepath.Base(name), text)
	}
	return b.String()
}

// With few parts, one part of the census of all deals takes minutes. The tests divide the census
// into many parts and run the first of them, each in seconds.
const (
	censusParts = 60000
	tasks       = 3
	moreTasks   = 8
)

// censusFile names the file of a part of the census.
func censusFile(dir string, part int) string {
	return filepath.Join(dir, "parts", fmt.Sprintf("census.%05d-of-%d.part", part, censusParts))
}

func (b *bench) census(t *testing.T) string {
	t.Helper()
	dir := b.write(t, "--tasks", fmt.Sprint(censusParts), "--mem", "768MiB", "--time", "5m", "--", "domino", "census", "--interval", "100ms")
	for _, sub := range []string{"log", "parts"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (b *bench) submit(t *testing.T, dir string, tasks int) {
	t.Helper()
	b.run(t, dir, "sbatch", fmt.Sprintf("--array=1-%d", tasks), "array.sh")
}

// wrong names the first part that differs from the part computed by one process, and the reason.
// The text is empty if all parts agree.
func wrong(dir, whole string, tasks int) string {
	for i := 1; i <= tasks; i++ {
		want, err := os.ReadFile(censusFile(whole, i))
		if err != nil {
			return err.Error()
		}
		got, err := os.ReadFile(censusFile(dir, i))
		if err != nil {
			return err.Error()
		}
		if !bytes.Equal(got, want) {
			return fmt.Sprintf("part %d has other bytes", i)
		}
	}
	return ""
}

// fault is an accident during a job.
type fault struct {
	name string
	// strike causes the fault and brings the job to its end, if need be by submitting it
	// again.
	strike func(t *testing.T, b *bench, dir string)
	// says is text that must be in a log; empty if the fault does not stop the job.
	says string
}

var faults = []fault{
	{"nothing", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
	}, ""},
	{"scancel of a running task, submitted again", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		_, task := b.running(t, dir)
		b.run(t, dir, "scancel", task)
		b.done(t)
		b.submit(t, dir, tasks)
	}, "CANCELLED"},
	{"scontrol requeue of a running task", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		_, task := b.running(t, dir)
		b.run(t, dir, "scontrol", "requeue", task)
	}, ""},
	{"SIGKILL of a task, submitted again", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		pid, _ := b.running(t, dir)
		signal(t, pid, syscall.SIGKILL)
		b.done(t)
		b.submit(t, dir, tasks)
	}, ""},
	{"SIGKILL of a node daemon, started again", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		b.running(t, dir)
		b.kill(t, nodes[0], syscall.SIGKILL)
		time.Sleep(time.Second)
		b.start(t, nodes[0])
	}, ""},
	{"SIGKILL of a node daemon that stays away, submitted again", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		b.running(t, dir)
		b.kill(t, nodes[1], syscall.SIGKILL)
		b.wait(t, "node that is down", time.Minute, func() bool {
			out, _ := b.command("sinfo", "-h", "-n", nodes[1], "-o", "%t").Output()
			return bytes.Contains(out, []byte("down"))
		})
		b.done(t)
		b.submit(t, dir, tasks)
		b.done(t)
		b.start(t, nodes[1])
		b.run(t, dir, "scontrol", "update", "NodeName="+nodes[1], "State=RESUME")
	}, ""},
	{"SIGKILL of the controller, started again; jobs that it forgot, submitted again", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		b.running(t, dir)
		b.kill(t, "slurmctld", syscall.SIGKILL)
		b.start(t, "slurmctld")
		b.done(t)
		b.submit(t, dir, tasks)
	}, ""},
	{"a full disk, then room and submitted again", func(t *testing.T, b *bench, dir string) {
		parts := filepath.Join(dir, "parts")
		if err := syscall.Mount("tmpfs", parts, "tmpfs", 0, "size=64k"); err != nil {
			t.Skipf("no file system of its own: %v", err)
		}
		t.Cleanup(func() { syscall.Unmount(parts, syscall.MNT_DETACH) })
		b.submit(t, dir, tasks)
		b.done(t)
		if err := syscall.Mount("tmpfs", parts, "tmpfs", syscall.MS_REMOUNT, "size=256m"); err != nil {
			t.Fatal(err)
		}
		b.submit(t, dir, tasks)
	}, "no space left on device"},
	{"a task that stops and goes on after another one of the same part began", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		pid, _ := b.running(t, dir)
		signal(t, pid, syscall.SIGSTOP)
		t.Cleanup(func() { syscall.Kill(pid, syscall.SIGCONT) })
		b.submit(t, dir, tasks)
		b.wait(t, "refusal", time.Minute, func() bool { return strings.Contains(logs(dir), "is in use by process") })
		signal(t, pid, syscall.SIGCONT)
	}, "is in use by process"},
	{"a task that is submitted again after the end", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		b.done(t)
		b.submit(t, dir, tasks)
	}, ""},
	{"a part that is cut off, removed and submitted again", func(t *testing.T, b *bench, dir string) {
		b.submit(t, dir, tasks)
		b.done(t)
		if err := os.Truncate(censusFile(dir, 2), 1000); err != nil {
			t.Fatal(err)
		}
		b.submit(t, dir, tasks)
		b.done(t)
		if err := os.Remove(censusFile(dir, 2)); err != nil {
			t.Fatal(err)
		}
		b.submit(t, dir, tasks)
	}, "census.00002-of-60000.part: the end is missing"},
}

// signal sends a signal to a process of solve that this test started through Slurm.
func signal(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil {
		t.Fatal(err)
	}
}

// TestFaults computes the first parts of the census on three nodes under faults: each part equals
// the part computed by one process, or a log names part and cause.
func TestFaults(t *testing.T) {
	b := onSlurm(t)
	whole := t.TempDir()
	for i := 1; i <= moreTasks; i++ {
		b.run(t, whole, b.solve, "domino", "census", "--part", fmt.Sprintf("%d/%d", i, censusParts), "--parts", "parts", "--threads", "1")
	}
	t.Run("array of eight", func(t *testing.T) {
		dir := b.census(t)
		b.submit(t, dir, moreTasks)
		b.done(t)
		if why := wrong(dir, whole, moreTasks); why != "" {
			t.Errorf("%s\n%s", why, logs(dir))
		}
	})
	underFaults(t, *report, faults, func(t *testing.T, f fault) (dir, result string) {
		dir = b.census(t)
		f.strike(t, b, dir)
		b.done(t)
		return dir, wrong(dir, whole, tasks)
	})
}

// underFaults runs a job under each fault: its result is right, or a log names the cause. try returns
// the job's directory, and how the result is wrong. The matrix of results goes to a file, if it has
// a name.
func underFaults(t *testing.T, file string, faults []fault, try func(t *testing.T, f fault) (dir, wrong string)) {
	matrix := "| fault | result | a log says |\n|---|---|---|\n"
	defer func() {
		t.Log("\n" + matrix)
		if file != "" {
			if err := os.WriteFile(file, []byte(matrix), 0o644); err != nil {
				t.Error(err)
			}
		}
	}()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			dir, result := try(t, f)
			if result != "" {
				t.Errorf("%s\n%s", result, logs(dir))
			}
			if !strings.Contains(logs(dir), f.says) {
				t.Errorf("no log says %q\n%s", f.says, logs(dir))
			}
			matrix += fmt.Sprintf("| %s | %s | %s |\n", f.name, cmp.Or(result, "equal"), f.says)
		})
	}
}
