package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// refused runs solve, which must fail with the exit code, print no answer, and print one line that
// contains what. Before this line, the program may print that the solve works from files.
func refused(t *testing.T, code int, what string, cmd *exec.Cmd) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != code {
		t.Errorf("%v: %v, want exit %d\n%s", cmd.Args, err, code, stderr.String())
		return
	}
	lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
	if len(lines) > 1 && strings.HasPrefix(lines[0], "working from files") {
		lines = lines[1:]
	}
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "solve: ") || !strings.Contains(lines[0], what) || stdout.Len() > 0 {
		t.Errorf("%v: stderr %q, stdout %q, want one line about %q", cmd.Args, stderr.String(), stdout.String(), what)
	}
}

// holds checks that a directory holds exactly these files, hidden ones included.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, known := want[e.Name()]
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || !known || text != string(data) {
			t.Errorf("%s: %d bytes, %v; want it there: %v, with %d bytes", e.Name(), len(data), err, known, len(text))
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files are left, want %d", len(entries), len(want))
	}
}

// The board of these tests has a table of 370 kB and a state of more than 100 kB.
var failing = []string{"strong", "halma-5x5p3", "--rules", "sturtevant", "--distances", "--threads", "2"}

func failWith(more ...string) *exec.Cmd {
	return solveCommand(append(failing[:len(failing):len(failing)], more...)...)
}

// smallDisk mounts a file system of some kilobytes.
func smallDisk(t *testing.T, kilobytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kilobytes)); err != nil {
		t.Skipf("a small file system cannot be mounted: %v; TestFileLimit tries the same by a limit", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestNoSpace writes tables, states and plots to a disk that is too small: old files stay, and
// no new ones remain.
func TestNoSpace(t *testing.T) {
	hostile(t)
	dir := smallDisk(t, 128)
	old := map[string]string{"table": "an older table"}
	if err := os.WriteFile(filepath.Join(dir, "table"), []byte(old["table"]), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, 1, "no space left", failWith("--force", "--table", filepath.Join(dir, "table")))
	refused(t, 1, "no space left", failWith("--table", dir))
	holds(t, dir, old)
	refused(t, 1, "no space left", failWith("--mem", "39MiB", "--work", smallDisk(t, 128)))

	// A disk that fills up between two states keeps the earlier state. A solve elsewhere resumes
	// from this state to the same table.
	points, tables := t.TempDir(), t.TempDir()
	full := smallDisk(t, 128)
	refused(t, 1, "no space left", failWith("--work", full, "--interval", "0s"))
	if err := os.CopyFS(points, os.DirFS(full)); err != nil {
		t.Fatal(err)
	}
	if passes, err := filepath.Glob(filepath.Join(points, "pass-*.json")); err != nil || len(passes) < 2 {
		t.Fatalf("%v, %v: want a state", passes, err)
	}
	for name, more := range map[string][]string{"resumed": {"--work", points}, "whole": nil} {
		answer(t, "", slices.Concat(failing, more, []string{"--table", filepath.Join(tables, name)})...)
	}
	compareFiles(t, filepath.Join(tables, "whole"), filepath.Join(tables, "resumed"))

	// A plot on a full disk leaves nothing behind.
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer filler.Close()
	for err == nil {
		_, err = filler.Write(make([]byte, 1024))
	}
	if err := os.Symlink("table", filepath.Join(dir, "plot.svg")); err != nil {
		t.Fatal(err)
	}
	refused(t, 1, "no space left", failWith("--force", "--plot", filepath.Join(dir, "plot.svg")))
	if data, err := os.ReadFile(filepath.Join(dir, "table")); err != nil || string(data) != old["table"] {
		t.Errorf("the older file holds %q, %v", data, err)
	}
}

// TestFileLimit limits the size of files instead, which needs no rights.
func TestFileLimit(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skipf("there is no shell to set a limit: %v", err)
	}
	limited := func(cmd *exec.Cmd) *exec.Cmd {
		// Units are 512 bytes, or 1024 in some shells: 25 or 50 kB.
		return exec.Command(shell, append([]string{"-c", `ulimit -f 50; exec "$@"`, "sh"}, cmd.Args...)...)
	}
	dir := t.TempDir()
	refused(t, 1, "file too large", limited(failWith("--table", filepath.Join(dir, "table"))))
	holds(t, dir, nil)
	refused(t, 1, "file too large", limited(failWith("--work", dir, "--interval", "0s")))
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v: want no parts of files", left, err)
	}
}

// TestReadOnly: solve refuses directories that cannot be written before the work.
func TestReadOnly(t *testing.T) {
	var dir string
	if os.Geteuid() == 0 {
		// Permissions do not bind the superuser.
		dir = smallDisk(t, 64)
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			t.Skipf("a file system cannot be made read-only, and the superuser may write everywhere: %v", err)
		}
	} else {
		dir = t.TempDir()
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	// The board would take minutes, so it cannot be solved before the refusal.
	room := t.TempDir()
	big := func(more ...string) *exec.Cmd {
		return solveCommand(append([]string{"strong", "halma-6x6p4", "--distances", "--mem", "100MiB", "--work", room}, more...)...)
	}
	refused(t, 1, "the table cannot be written", big("--table", filepath.Join(dir, "table")))
	refused(t, 1, "the table cannot be written", big("--table", dir))
	refused(t, 1, "the state cannot be written", big("--work", dir))
	refused(t, 1, "the state cannot be written", big("--work", filepath.Join(dir, "new")))
	refused(t, 1, "the plot cannot be written", big("--plot", filepath.Join(dir, "plot.svg")))
	holds(t, dir, nil)
}

// TestDamagedTable changes a bit of a block, and of the description: readers name the damaged
// part, and blame the file, not the command line.
func TestDamagedTable(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table")
	answer(t, "", "strong", "halma-4x4p3", "--rules", "sturtevant", "--table", table)
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	for at, what := range map[int]string{40: "block 0 of 1: damaged", len(data) - 50: "the index or the description is damaged"} {
		bad := bytes.Clone(data)
		bad[at] ^= 4
		if err := os.WriteFile(table, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		refused(t, 1, what, solveCommand("verify", table))
		refused(t, 1, what, solveCommand("probe", table, "start"))
	}
}
