package lint

import (
	"go/parser"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block returns the lines of the first fenced block below a heading of ARCHITECTURE.md.
func block(t *testing.T, heading string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, below, ok := strings.Cut(string(text), "\n"+heading+"\n")
	_, below, begun := strings.Cut(below, "\n```\n")
	body, _, ended := strings.Cut(below, "\n```\n")
	if !ok || !begun || !ended {
		t.Fatalf("ARCHITECTURE.md has no block below %q", heading)
	}
	return strings.Split(body, "\n")
}

// TestTree compares the tree in ARCHITECTURE.md with the directories of Go files.
func TestTree(t *testing.T) {
	drawn := map[string]bool{}
	var above []string // enclosing directories of the line, by indentation
	entry := regexp.MustCompile(`^((?:  )*)([a-z0-9.]+)/(?: |$)`)
	for _, line := range block(t, "## Where everything is") {
		m := entry.FindStringSubmatch(line)
		if m == nil {
			continue // a continuation of the line before
		}
		depth := len(m[1]) / 2
		if depth > len(above) {
			t.Fatalf("ARCHITECTURE.md: %q is indented too far", line)
		}
		above = append(above[:depth:depth], m[2])
		dir := path.Join(above...)
		drawn[dir] = true
		if stat, err := os.Stat(filepath.Join(root, dir)); err != nil || !stat.IsDir() {
			t.Errorf("ARCHITECTURE.md names %s/, which is no directory", dir)
		}
	}
	for _, f := range files(t, parser.PackageClauseOnly) {
		if !drawn[f.dir] {
			t.Errorf("%s/ is not in the tree of ARCHITECTURE.md", f.dir)
			drawn[f.dir] = true
		}
	}
}

// TestWalks checks the walks of ARCHITECTURE.md: no file occurs twice, and no directory is entered
// again.
func TestWalks(t *testing.T) {
	name := regexp.MustCompile(`^(\S+\.go) `)
	for _, command := range []string{"search", "strong", "mnk solve"} {
		seen, left, here := map[string]bool{}, map[string]bool{}, ""
		for _, line := range block(t, "### solve "+command) {
			m := name.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if seen[m[1]] {
				t.Errorf("solve %s passes %s twice", command, m[1])
			}
			seen[m[1]] = true
			if dir := path.Dir(m[1]); dir != here {
				if left[dir] {
					t.Errorf("solve %s comes to %s twice", command, dir)
				}
				left[here], here = true, dir
			}
		}
		if len(seen) < 8 {
			t.Errorf("solve %s passes %d files only", command, len(seen))
		}
	}
}

// TestArchitectureLength: the page stays short, and so does its list of words.
func TestArchitectureLength(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 250 {
		t.Errorf("ARCHITECTURE.md has %d lines, more than 250", n)
	}
	_, words, ok := strings.Cut(string(text), "\n## Words\n")
	words, _, end := strings.Cut(words, "\n## ")
	if n := strings.Count(words, "\n| "); !ok || !end || n < 10 || n > 30 {
		t.Errorf("ARCHITECTURE.md explains %d words, want 10 to 30", n)
	}
}

// TestFilesNamed looks for every file that ARCHITECTURE.md names by its path.
func TestFilesNamed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`[a-z0-9_.]+(?:/[a-z0-9_.]+)+\.(?:go|md)\b`).FindAllString(string(text), -1) {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Errorf("ARCHITECTURE.md: %v", err)
		}
	}
}
