package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// selector is a file that reads the number of the mutant in force from the environment.
const selector = `package %s

import (
	"os"
	"strconv"
)

var mutantInForce = func() int { n, _ := strconv.Atoi(os.Getenv("MUTANT")); return n }()
`

// trial is a job in progress: its mutants and the compiled test programs. All mutants are
// compiled together, each as a copy of its function's body. Numbers of mutants begin at 1.
type trial struct {
	*job
	dir      string // directory of the test programs
	mutants  []mutant
	packages []string       // packages whose tests run
	broken   map[int]bool   // mutants that do not compile, by number
	seconds  map[string]int // processor time of a round of tests without a mutant
}

func newTrial(j *job, chooses func(mutant) bool) (t *trial, err error) {
	t = &trial{job: j, packages: j.Tests, broken: map[int]bool{}, seconds: map[string]int{}}
	for _, name := range j.Files {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list, err := mutants(name, src)
		if err != nil {
			return nil, err
		}
		t.mutants = append(t.mutants, slices.DeleteFunc(list, func(m mutant) bool { return !chooses(m) })...)
		if len(j.Tests) == 0 {
			t.packages = append(t.packages, "./"+filepath.Dir(name))
		}
	}
	t.packages = slices.Compact(t.packages)
	if t.dir, err = os.MkdirTemp("", "mutants"); err != nil {
		return nil, err
	}
	if err = t.compile(); err == nil {
		_, err = t.test(0)
	}
	if err != nil {
		os.RemoveAll(t.dir)
	}
	return t, err
}

// compile compiles the tests with all mutants, and finds the mutants that do not compile.
func (t *trial) compile() error {
	for {
		overlay, err := t.overlay()
		if err != nil {
			return err
		}
		var said []byte
		var failed error
		for i, p := range t.packages {
			cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", overlay, "-o", t.program(i), p)
			if said, failed = cmd.CombinedOutput(); failed != nil {
				break
			}
		}
		if failed == nil {
			return nil
		}
		blamed := regexp.MustCompile(`mutant(\d+)\.go:`).FindAllSubmatch(said, -1)
		if len(blamed) == 0 {
			return fmt.Errorf("%w\n%s", failed, said)
		}
		for _, match := range blamed {
			n, err := strconv.Atoi(string(match[1]))
			if err != nil {
				return err
			}
			t.broken[n] = true
		}
	}
}

func (t *trial) program(i int) string { return filepath.Join(t.dir, fmt.Sprintf("%d.test", i)) }

// overlay writes the files with mutants, and a list of these files for the go command.
func (t *trial) overlay() (string, error) {
	replace := map[string]string{}
	write := func(file string, text []byte) error {
		file, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		replace[file] = filepath.Join(t.dir, fmt.Sprintf("%d.go", len(replace)))
		return os.WriteFile(replace[file], text, 0o666)
	}
	for _, name := range t.Files {
		text, pkg, err := t.withMutants(name)
		if err == nil {
			err = write(name, text)
		}
		if err == nil {
			err = write(filepath.Join(filepath.Dir(name), "zmutants.go"), fmt.Appendf(nil, selector, pkg))
		}
		if err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(t.dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o666)
}

// withMutants returns the text of a file with its mutants, and the name of the package. Each
// function first looks whether a mutant of its own is in force. The compiler reports errors of
// mutant 7 in mutant7.go.
func (t *trial) withMutants(name string) (text []byte, pkg string, err error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, "", err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	done := 0
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		begin, end := at(f.Body.Pos())+1, at(f.Body.End()) // places after the opening and closing brace
		results, call, after := "", "return ", ""
		if f.Type.Results != nil {
			results = string(src[at(f.Type.Results.Pos()):at(f.Type.Results.End())])
		} else {
			call, after = "", "; return"
		}
		text = append(text, src[done:begin]...)
		text = append(text, "\nswitch mutantInForce {\n"...)
		for i, m := range t.mutants {
			if m.file != name || m.start < begin || m.end > end || t.broken[i+1] {
				continue
			}
			text = fmt.Appendf(text, "case %d:\n%sfunc() %s {\n//line mutant%d.go:1\n%s%s%s()%s\n",
				i+1, call, results, i+1, src[begin:m.start], m.instead, src[m.end:end], after)
		}
		text = append(text, "}\n//line "+filepath.Base(name)+":1\n"...)
		done = begin
	}
	return append(text, src[done:]...), file.Name.Name, nil
}

// testMemory is the address space for the tests of a mutant, in bytes.
const testMemory = 8 << 30

// test runs the tests with a mutant in force. Mutant 0 is the unchanged program. A round of tests
// may take four times its processor time without a mutant.
func (t *trial) test(mutant int) (result string, err error) {
	for i, p := range t.packages {
		var rounds []string // flags of each run of the test program
		switch {
		case len(t.Each) > 0:
			names, flags := t.Each, []string(nil)
			if k := slices.IndexFunc(names, func(word string) bool { return word[0] == '-' }); k >= 0 {
				names, flags = names[:k], names[k:]
			}
			rounds = []string{"-test.timeout=10m -test.short -test.run=^(" + strings.Join(names, "|") + ")$ " + strings.Join(flags, " ")}
		case i == 0 && t.First != "":
			rounds = append(rounds, "-test.timeout=10m -test.short -test.run="+t.First)
		}
		if len(t.Each) == 0 {
			rounds = append(rounds, "-test.timeout=20m")
		}
		for _, flags := range rounds {
			round := p + " " + flags
			seconds, measured := t.seconds[round]
			limits := ""
			if measured {
				limits = fmt.Sprintf("ulimit -t %d; ulimit -v %d; ", 4*(seconds+1), testMemory>>10)
			}
			cmd := exec.Command("sh", slices.Concat([]string{"-c", limits + `exec "$0" "$@"`, t.program(i), "-test.failfast"}, strings.Fields(flags))...)
			cmd.Dir, cmd.Env = p, append(os.Environ(), "MUTANT="+strconv.Itoa(mutant))
			said, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			switch {
			case err != nil && !measured:
				return "", fmt.Errorf("without a mutant: %w\n%s", err, said)
			case errors.As(err, &exit):
				return "killed", nil
			case err != nil:
				return "", err
			}
			if !measured {
				t.seconds[round] = int((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
			}
		}
	}
	return "alive", nil
}
