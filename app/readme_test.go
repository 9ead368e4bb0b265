package app

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// shownCommand is a command of a document and the output printed below it.
type shownCommand struct {
	line  int
	stdin string
	args  []string // the program's name first
	want  []string
}

// commandLine matches a command in a document, with its input.
var commandLine = regexp.MustCompile(`^\$ (?:printf '([^']*)' \| )?go run \./cmd/((?:solve|lab) .*)$`)

// jobLine matches a command that submits the scripts of a job, or prints their results.
var jobLine = regexp.MustCompile(`^\$ ((?:sh|cat) .*)$`)

// shownCommands returns the commands of this module in a document's console blocks, each with
// the lines below it.
func shownCommands(t *testing.T, file string) []shownCommand {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []shownCommand
	inside, ours := false, false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "```console":
			inside, ours = true, false
		case line == "```":
			inside = false
		case !inside:
		case strings.HasPrefix(line, "$ "):
			c := shownCommand{line: i + 1}
			if m := commandLine.FindStringSubmatch(line); m != nil {
				c.stdin, c.args = strings.ReplaceAll(m[1], `\n`, "\n"), strings.Fields(m[2])
			} else if m := jobLine.FindStringSubmatch(line); m != nil {
				c.args = strings.Fields(m[1])
			}
			if ours = c.args != nil; ours {
				list = append(list, c)
			}
		case ours && line != "":
			c := &list[len(list)-1]
			c.want = append(c.want, line)
		}
	}
	return list
}

// measured matches the parts of a line that differ between runs and machines: times, rates,
// numbers of threads, and the machine's memory. All other numbers must agree.
var measured = regexp.MustCompile(`\b\d[\d,.]* ?[kMGT]?/s\b|\b\d+(\.\d+)?(ns|µs|ms|s)\b|\b(\d+h)?\d+m(\d+s)?\b|\b\d+ threads?\b|\bup to [\d.]+[KMG]iB\b`)

// skeleton is a line without measured parts and spacing. Of a record it keeps the columns up
// to the distance.
func skeleton(line string) string {
	if columns := strings.Split(line, ","); len(columns) == 16 && !strings.Contains(line, "  ") {
		return strings.Join(columns[:10], ",")
	}
	return strings.Join(strings.Fields(measured.ReplaceAllString(line, "#")), " ")
}

// documents returns README.md and the pages in docs.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("found the pages %v: %v", pages, err)
	}
	return append(pages, "../README.md")
}

// TestDocuments runs the commands of README.md and docs. Each page has its own directory, and its
// commands run in order. The output must hold the page's lines, in order; only [measured] numbers
// may differ. A picture drawn by a command must equal the picture in docs. The array runner of
// .ci/cluster runs the scripts of jobs instead of Slurm.
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("runs whole searches; not with -short")
	}
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("scripts of jobs need it: %v", err)
	}
	total := 0
	for _, page := range documents(t) {
		commands := shownCommands(t, page)
		total += len(commands)
		t.Run(filepath.Base(page), func(t *testing.T) {
			dir := t.TempDir()
			for _, c := range commands {
				c.check(t, page, dir)
			}
			drawn, _ := filepath.Glob(filepath.Join(dir, "*.svg"))
			if len(drawn) == 0 && page == "../README.md" {
				t.Error("README.md does not draw its picture")
			}
			for _, name := range drawn {
				got, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				want, err := os.ReadFile(filepath.Join("../docs", filepath.Base(name)))
				if err == nil && !bytes.Equal(got, want) {
					t.Errorf("docs/%s is not what %s draws", filepath.Base(name), page)
				}
			}
		})
	}
	if total < 15 {
		t.Errorf("the documents show %d commands only", total)
	}
}

// check runs a command and compares its output.
func (c shownCommand) check(t *testing.T, page, dir string) {
	t.Helper()
	runner, err := filepath.Abs("../.ci/cluster")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(c.args[0], c.args[1:]...) // solve and lab are the test binary, see TestMain
	cmd.Env = append(os.Environ(), "PATH="+runner+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(c.stdin)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("%s:%d: %v %s", page, c.line, err, stderr.String())
		return
	}
	got := strings.Split(string(out), "\n")
	if at := missing(got, c.want); at < len(c.want) {
		t.Errorf("%s:%d: the output has no such line in this place: %q\n%s", page, c.line, c.want[at], out)
		return
	}
	for i, line := range c.want {
		wrong := slices.Clone(c.want)
		if wrong[i] = misprint(line); wrong[i] != line && missing(got, wrong) == len(wrong) {
			t.Errorf("%s:%d: %q would pass for %q", page, c.line, wrong[i], line)
		}
	}
}

// missing returns the index of the first wanted line that the output lacks, or has only before an
// earlier wanted line. If no line is missing, it returns the number of wanted lines.
func missing(got, want []string) int {
	for i, line := range want {
		for len(got) > 0 && skeleton(got[0]) != skeleton(line) {
			got = got[1:]
		}
		if len(got) == 0 {
			return i
		}
		got = got[1:]
	}
	return len(want)
}

// misprint changes the last digit of a line that is not measured.
func misprint(line string) string {
	b := []byte(line)
	for _, at := range measured.FindAllStringIndex(line, -1) {
		copy(b[at[0]:], strings.Repeat("#", at[1]-at[0]))
	}
	at := bytes.LastIndexAny(b, "0123456789")
	if at < 0 {
		return line
	}
	return line[:at] + string('0'+(line[at]-'0'+1)%10) + line[at+1:]
}

// TestReadmeLength bounds README.md.
func TestReadmeLength(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 130 {
		t.Errorf("README.md has %d lines, more than 130", n)
	}
	for line := range strings.Lines(string(text)) {
		if utf8.RuneCountInString(line) > 111 {
			t.Errorf("README.md has a line of more than 110 columns: %s", line)
		}
	}
}

// links matches links to files of the tree.
var links = regexp.MustCompile(`(?:\]\(|src=")([^):#"]+)[)#"]`)

// TestLinks checks that the files linked by documents exist.
func TestLinks(t *testing.T) {
	pages := append(documents(t), "../ARCHITECTURE.md", "../CONTRIBUTING.md", "../CHANGELOG.md")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range links.FindAllSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), string(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// proofs matches commands of CONTRIBUTING.md that run a package's tests.
var proofs = regexp.MustCompile(`(?m)^    go test (?:-[a-z]+ )?(\./[a-z0-9/]+) -run '?([A-Za-z|]+)\$?'?((?: -[a-z.]+(?: [0-9.]+)?)*)`)

// TestContributing checks that the packages, tests and flags of the long proofs exist.
func TestContributing(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	found := proofs.FindAllStringSubmatch(string(text), -1)
	if len(found) < 10 {
		t.Errorf("found %d long proofs", len(found))
	}
	for _, m := range found {
		var source strings.Builder
		files, _ := filepath.Glob(filepath.Join("..", m[1], "*_test.go"))
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
		for name := range strings.SplitSeq(m[2], "|") {
			if ok, _ := regexp.MatchString(`(?m)^func Test[A-Za-z0-9]*`+name, source.String()); !ok {
				t.Errorf("CONTRIBUTING.md: %s has no test %s", m[1], name)
			}
		}
		for _, f := range strings.Fields(m[3]) {
			if name, ok := strings.CutPrefix(f, "-"); ok && name != "v" && !strings.Contains(source.String(), `("`+name+`",`) {
				t.Errorf("CONTRIBUTING.md: the tests of %s have no flag -%s", m[1], name)
			}
		}
	}
}

// TestCalls checks that the packages and functions named by docs/go.md exist, and that each
// package has an example.
func TestCalls(t *testing.T) {
	text, err := os.ReadFile("../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	found := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			continue
		}
		for _, pkg := range quoted.FindAllStringSubmatch(cells[2], -1) {
			if examples, _ := filepath.Glob(filepath.Join("..", pkg[1], "example*_test.go")); examples == nil {
				t.Errorf("docs/go.md: package %s has no example", pkg[1])
			}
			for _, call := range quoted.FindAllStringSubmatch(cells[3], -1) {
				if strings.Contains(call[1], ".") {
					continue // an interface that users implement needs no example
				}
				found++
				declared := regexp.MustCompile(`(?m)^func ` + call[1] + `\(`)
				files, _ := filepath.Glob(filepath.Join("..", pkg[1], "*.go"))
				if !slices.ContainsFunc(files, func(name string) bool {
					text, err := os.ReadFile(name)
					return err == nil && declared.Match(text)
				}) {
					t.Errorf("docs/go.md: package %s has no function %s", pkg[1], call[1])
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("docs/go.md names %d calls", found)
	}
}

// TestOutside builds and runs the programs of README.md and docs/go.md in separate modules, as
// these pages say.
func TestOutside(t *testing.T) {
	t.Parallel()
	tree, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		page, shows, prints string
		long                bool
	}{
		{"../README.md", "print `win 9`", "win 9 [", false},
		{"../docs/go.md", "prints `win in 7 ooox.o3.1xx1.1x2`", "win in 7 ooox.o3.1xx1.1x2\n", true},
	} {
		if c.long && testing.Short() {
			continue // the program solves the 4,4,4-game, which takes long
		}
		text, err := os.ReadFile(c.page)
		if err != nil {
			t.Fatal(err)
		}
		_, program, ok := strings.Cut(string(text), "```go\npackage main\n")
		program, _, end := strings.Cut(program, "```\n")
		if !ok || !end || strings.Count(program, "\n") > 24 || !strings.Contains(string(text), c.shows) {
			t.Fatalf("%s shows no program of at most 25 lines, or not that it %s", c.page, c.shows)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"+program), 0o600); err != nil {
			t.Fatal(err)
		}
		var out []byte
		for _, args := range [][]string{{"mod", "init", "mine"}, {"work", "init", ".", tree}, {"vet", "."}, {"run", "."}} {
			cmd := exec.Command("go", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOWORK=")
			if out, err = cmd.Output(); err != nil {
				t.Fatalf("%s: go %v: %v", c.page, args, err)
			}
		}
		if !strings.HasPrefix(string(out), c.prints) {
			t.Errorf("the program of %s prints %s", c.page, out)
		}
	}
}
