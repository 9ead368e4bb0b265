package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// trial is a job in progress: its mutants, and the directory of compiled programs.
type trial struct {
	*options
	*job
	dir      string // of the compiled programs
	mutants  []mutant
	apart    map[int]bool // compiled alone
	packages []string
	broken   map[int]bool      // mutants that do not compile, by number from 1
	takes    map[string]int    // processor seconds of each round of tests
	results  map[int]string    // of mutants that a loop has tried, by number from 1
	helpers  map[string]string // files that all mutants need, for an overlay
}

// newTrial lists the mutants of a job and compiles them.
func newTrial(o *options, j *job, chooses func(mutant) bool) (t *trial, err error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	overlay := map[string]string{}
	t = &trial{options: o, job: j, dir: dir, apart: map[int]bool{}, broken: map[int]bool{}, takes: map[string]int{}, helpers: map[string]string{}}
	packages := map[string]*checked{}
	var makers []func() error // one a file
	for i, name := range j.Files {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list, err := mutants(name, src)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(m mutant) bool { return !chooses(m) })
		first := len(t.mutants)
		t.mutants = append(t.mutants, list...)
		at := filepath.Dir(name)
		if t.packages = append(t.packages, "./"+at); o.list {
			continue
		}
		if packages[at] == nil {
			if packages[at], err = check(at); err != nil {
				return nil, err
			}
			file := filepath.Join(at, "zmutants.go")
			if t.helpers[file], err = t.write(fmt.Sprintf("%dforce.go", i), fmt.Appendf(nil, force, packages[at].pkg.Name())); err != nil {
				return nil, err
			}
			if len(j.Each) > 0 {
				file := filepath.Join(at, "zmutants_test.go")
				names := slices.DeleteFunc(slices.Clone(j.Each), func(word string) bool { return word[0] == '-' })
				if t.helpers[file], err = t.write(fmt.Sprintf("%dloop.go", i), fmt.Appendf(nil, loop, packages[at].pkg.Name(), strings.Join(names, ", "))); err != nil {
					return nil, err
				}
			}
		}
		places, apart := packages[at].choices(name, list)
		for _, k := range apart {
			t.apart[first+k] = true
		}
		makers = append(makers, func() (err error) {
			overlay[name], err = t.write(fmt.Sprintf("%d.go", i), chosen(src, list, places, first+1, t.broken))
			return err
		})
	}
	if len(j.Tests) > 0 {
		t.packages = j.Tests
	}
	if t.packages = slices.Compact(t.packages); o.list {
		return t, nil
	}
	for again := true; again; {
		for _, make := range makers {
			if err := make(); err != nil {
				return nil, err
			}
		}
		maps.Copy(overlay, t.helpers)
		said, failed := t.compile("all", overlay)
		list, err := blamed(said, t.dir)
		if again = failed != nil; err != nil || again && len(list) == 0 {
			return nil, fmt.Errorf("%w\n%s", cmp.Or(err, failed), said)
		}
		for _, n := range list {
			t.broken[n] = true
		}
	}
	if len(j.Each) > 0 {
		return t, nil
	}
	_, err = t.test("all", 0)
	return t, err
}

// ask runs the tests of the job for each on mutants in the test program of a name, in one
// process unless a mutant ends it, and passes each result to tell. A mutant may take four
// times the processor time of the run without one, number 0.
func (t *trial) ask(name string, list []int, tell func(n int, result string) error) error {
	most := time.Minute
	for todo := []int{0}; len(todo) > 0; {
		names := make([]string, len(todo))
		for i, n := range todo {
			names[i] = strconv.Itoa(n)
		}
		cmd := exec.Command("nice", "-n", strconv.Itoa(t.nice), t.program(name, 0), "-test.run=^TestEachMutant$", "-test.timeout=0", "-test.short")
		cmd.Args = append(cmd.Args, slices.DeleteFunc(slices.Clone(t.Each), func(word string) bool { return word[0] != '-' })...)
		cmd.Dir, cmd.Env = t.packages[0], append(os.Environ(), "MUTANT=0", "MUTANTS="+strings.Join(names, " "), "MOST="+most.String())
		said, err := cmd.StdoutPipe()
		if err := cmp.Or(err, cmd.Start()); err != nil {
			return err
		}
		begun, result := 0, ""
		for lines := bufio.NewScanner(said); lines.Scan(); {
			var n int
			var word string
			if _, err := fmt.Sscanf(lines.Text(), "%d %s", &n, &word); err != nil || begun >= len(todo) || n != todo[begun] {
				continue
			}
			if result = word; word == "begun" {
				continue
			}
			begun++
			if n > 0 {
				if err := tell(n, word); err != nil {
					return err
				}
			}
		}
		err = cmd.Wait()
		if begun < len(todo) && result == "begun" { // it has ended the process
			if result = "killed"; todo[begun] > 0 {
				if err := tell(todo[begun], result); err != nil {
					return err
				}
			}
			begun++
		}
		switch {
		case begun == 0:
			return fmt.Errorf("no mutant was tried: %w", err)
		case todo[0] > 0:
			todo = todo[begun:]
		case list == nil:
			return tell(0, result)
		case result == "killed":
			return fmt.Errorf("killed without a mutant: %w", err)
		default:
			most = 4 * (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() + time.Second/4)
			todo = list
		}
	}
	return nil
}

func (t *trial) write(name string, text []byte) (string, error) {
	name = filepath.Join(t.dir, name)
	return name, os.WriteFile(name, text, 0o666)
}

// compile compiles the test programs of a name with an overlay of files.
func (t *trial) compile(name string, overlay map[string]string) (said []byte, err error) {
	whole := map[string]string{}
	for file, instead := range overlay {
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		whole[file] = instead
	}
	text, err := json.Marshal(map[string]any{"Replace": whole})
	if err != nil {
		return nil, err
	}
	file, err := t.write(name+".json", text)
	if err != nil {
		return nil, err
	}
	for i, p := range t.packages {
		if said, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", file, "-o", t.program(name, i), p).CombinedOutput(); err != nil {
			return said, err
		}
	}
	return nil, nil
}

func (t *trial) program(name string, i int) string {
	return filepath.Join(t.dir, fmt.Sprintf("%s.%d.test", name, i))
}

// judge runs the tests on a mutant.
func (t *trial) judge(i int) (result string, err error) {
	switch {
	case t.broken[i+1]:
		return "does not compile", nil
	case !t.apart[i]:
		return t.test("all", i+1)
	}
	m := t.mutants[i]
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	file, err := t.write("alone.go", slices.Concat(src[:m.start], []byte(m.instead), src[m.end:]))
	if err != nil {
		return "", err
	}
	overlay := map[string]string{m.file: file}
	maps.Copy(overlay, t.helpers)
	if said, err := t.compile("alone", overlay); err != nil {
		if bytes.Contains(said, []byte(filepath.Base(m.file))) || bytes.Contains(said, []byte("alone.go")) {
			return "does not compile", nil
		}
		return "", fmt.Errorf("%w\n%s", err, said)
	}
	if len(t.Each) > 0 {
		err := t.ask("alone", nil, func(_ int, said string) error {
			result = said
			return nil
		})
		return result, err
	}
	return t.test("alone", 0)
}

// test runs the test programs of a name with a mutant, from 1, in force. A round of tests may
// take four times its processor time without a mutant.
func (t *trial) test(name string, mutant int) (result string, err error) {
	for i, p := range t.packages {
		rounds := []string{"-test.timeout=20m"}
		if t.quick {
			rounds = nil
		}
		if t.First != "" && i == 0 {
			rounds = slices.Insert(rounds, 0, "-test.timeout=10m -test.short -test.run="+t.First)
		}
		for _, flags := range rounds {
			round := p + " " + flags
			seconds, measured := t.takes[round]
			limits := fmt.Sprintf(`ulimit -t %d; ulimit -v %d; `, 4*(seconds+1), t.memory<<10)
			if !measured {
				limits = ""
			}
			limits += fmt.Sprintf(`exec nice -n %d "$0" "$@"`, t.nice)
			cmd := exec.Command("sh", slices.Concat([]string{"-c", limits, t.program(name, i), "-test.failfast"}, strings.Fields(flags))...)
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
				t.takes[round] = int((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
			}
		}
	}
	return "alive", nil
}
