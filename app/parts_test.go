package app

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/internal/cli"
	"perfectplay/internal/parts"
)

// divided are jobs, each with a number of parts.
var divided = []struct {
	parts int
	args  string
}{
	{1, "search halma-star13-2p --rules house --limit 3"},
	{3, "match halma-star13-2p random random --pairs 4"},
	{3, "search halma-star13-2p --rules house --limit 9 --without ask"},
	{2, "search halma-star13-3p --rules house --limit 7 --algo proof --hero 3 --split 2"},
	{4, "search mnk-4x4k3 --limit 6 --without openings"},
	{3, "mnk solve 4 4 4 --split 1 --threads 1"},
	{2, "search halma-star37-3p --rules house --limit 5 --split 1"},
}

// TestPartsAnswerAsTheWhole: the merged parts of a job give the bytes of an undivided run,
// except for times.
func TestPartsAnswerAsTheWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("runs jobs; not with -short")
	}
	t.Parallel()
	for _, job := range divided {
		dir := t.TempDir()
		words := strings.Fields(job.args)
		run := func(args ...string) []byte { return []byte(answer(t, dir, args...)) }
		for i := job.parts; i >= 1; i-- {
			run(append(slices.Clone(words), "--part", fmt.Sprintf("%d/%d", i, job.parts), "--parts", "parts")...)
		}
		files, err := filepath.Glob(filepath.Join(dir, "parts", "*.part"))
		if err != nil || len(files) != job.parts {
			t.Fatalf("%s: files %v, %v", job.args, files, err)
		}
		merged := run(append(append([]string{"merge"}, files...), "--", "--csv")...)
		undivided := slices.Clone(words)
		if at := slices.Index(undivided, "--split"); at > 0 && words[0] == "search" {
			undivided = slices.Delete(undivided, at, at+2)
		}
		whole := run(append(undivided, "--csv")...)
		if got, want := timeless(t, merged), timeless(t, whole); !bytes.Equal(got, want) {
			t.Errorf("%s: merged\n%s\nthe whole\n%s", job.args, got, want)
		}
		// A second run leaves a complete part alone.
		before, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		run(append(slices.Clone(words), "--part", fmt.Sprintf("1/%d", job.parts), "--parts", "parts")...)
		if after, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: a complete part has changed: %v", job.args, err)
		}
	}
}

// ofJob are flags of commands with parts that change the answer: parts with other values
// belong to another job.
var ofJob = []string{
	"algo", "book", "book-nodes", "file", "grace", "hero", "limit", "max-nodes", "moves", "only", "opening-plies", "openings", "ordering",
	"pairs", "position", "rules", "scoring", "seatings", "seed", "split", "tables", "time", "without",
}

// TestPartFlags: every flag of a command with parts belongs to the job or to its run, so that
// only parts of the same job merge.
func TestPartFlags(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	walkAll(func(cmd *cobra.Command) {
		if !cli.HasParts(cmd) {
			return
		}
		check := func(f *pflag.Flag) {
			job := slices.Contains(ofJob, f.Name)
			used[f.Name] = true
			if f.Name == "help" || f.Hidden {
				return
			}
			if job == cli.OfRun(f.Name) {
				t.Errorf("%s --%s: put it into ofRun of internal/cli/parts.go if the answer does not depend on it, else into ofJob here", cmd.CommandPath(), f.Name)
			}
		}
		cmd.LocalFlags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
	})
	for _, name := range ofJob {
		if !used[name] {
			t.Errorf("no command with parts has --%s", name)
		}
	}
}

// visited are the columns of search that depend on the division.
var visited = []string{"nodes", "terminals", "cutoffs", "tt_stored", "tt_hits", "line_nodes"}

// timeless is a table without measured times and the counts of a search.
func timeless(t *testing.T, table []byte) []byte {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for c, name := range rows[0] {
		if strings.HasSuffix(name, "seconds") && !strings.HasPrefix(name, "published") || slices.Contains(visited, name) {
			for _, row := range rows[1:] {
				row[c] = ""
			}
		}
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestMergeForged: merge refuses a file whose command has no parts, or a flag that does not belong
// to the job, and runs nothing.
func TestMergeForged(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{
		{"info", "mnk-3x3k3", "-o", "victim"},
		{"merge", "x.part"},
		{"serve"},
		{"search", "mnk-3x3k3", "--limit=2", "--output=victim"},
		{"search", "mnk-3x3k3", "--limit=2", "-ovictim"},
		{"search", "mnk-3x3k3", "--limit=2", "--profile-dir=victim"},
		{"--profile=cpu", "search", "mnk-3x3k3", "--limit=2"},
		{"search", "mnk-3x3k3", "--book=victim"},
		{"search", "--help"},
		{"search", "mnk-3x3k3", "--limit=2"}, // its part file has no tasks
		{},
	} {
		dir := t.TempDir()
		victim := filepath.Join(dir, "victim")
		if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		tasks := []parts.Task{{Name: "1", Cost: 1}}
		forged := &parts.File{Results: []parts.Result{{Task: "1", Result: []byte("1")}}}
		if len(command) == 3 && command[2] == "--limit=2" && command[0] == "search" {
			tasks, forged.Results = nil, nil
		}
		forged.Header = parts.Header{Job: parts.NewJob(command, "x", tasks), I: 1, N: 1, Share: len(tasks)}
		if err := forged.Save(filepath.Join(dir, "x.part")); err != nil {
			t.Fatal(err)
		}
		cmd := solveCommand("merge", "x.part")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(string(out), "solve: the parts are of ") {
			t.Errorf("%q: %v, %.200s", command, err, out)
		}
		if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
			t.Errorf("%q: the victim holds %.20q, %v", command, text, err)
		}
	}
}
