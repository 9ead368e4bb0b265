// Mutants changes one thing at a time in the files of a package and asks tests whether they notice:
//
//	go run ./.ci/mutants PACKAGE...          a row of results.csv each
//
// It prints a row of comma-separated values for each mutant: its place, its change, and the result,
// which is killed, alive, listed or "does not compile"; and writes the counts into results.csv. Files
// stay unchanged: the compiler reads copies in an overlay. A mutant is killed if a test fails, or if
// the tests take four times their processor time. A living mutant needs a test, unless it changes no
// answer: then listed.csv gives the reason, and the mutant is not tried. Arguments of Errorf,
// Sprintf, New and panic stay as they are.
//
// A row of results.csv says what to change and how to test it, see [job]. It counts mutants: killed
// when the row was new (before), killed now, listed, and alive. A package takes most of an hour; a
// row that names tests in its column each runs only these tests, in minutes. The rows of solve/book
// and game/mnk/prove come from the tests in their column first; all tests may kill more mutants.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	"perfectplay/internal/rows"
)

// job is a package, the way to test its mutants, and the result. Blanks separate the words of
// lists.
type job struct {
	Package  string   `json:"package"`
	Files    []string `json:"files"`
	Lines    string   `json:"lines"` // regular expression: change only these lines; FUNCTION: stands before each
	But      string   `json:"but"`   // regular expression: do not change these lines
	First    string   `json:"first"` // regular expression of quick tests to run first, with -short
	Each     []string `json:"each"`  // run only these tests, with -short; flags for them follow
	Tests    []string `json:"tests"` // packages whose tests should notice; the files' own if empty
	Mutants  int      `json:"mutants"`
	Before   int      `json:"before"`
	Killed   int      `json:"killed"`
	Listed   int      `json:"listed"`
	Alive    int      `json:"alive"`
	Finished string   `json:"date"`
}

// listed is a mutant that changes no answer, and the reason.
type listed struct {
	File     string `json:"file"`
	Function string `json:"function"`
	Line     string `json:"line"`
	Mutant   string `json:"mutant"`
	Reason   string `json:"reason"`
}

// tried is a mutant and the verdict of the tests.
type tried struct {
	File     string `json:"file"`
	Number   int    `json:"number"`
	Function string `json:"function"`
	Line     string `json:"line"`
	Mutant   string `json:"mutant"`
	Result   string `json:"result"`
}

const (
	resultsFile = ".ci/mutants/results.csv"
	listedFile  = ".ci/mutants/listed.csv"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: mutants PACKAGE...")
		os.Exit(2)
	}
	for _, name := range os.Args[1:] {
		if err := try(name); err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(1)
		}
	}
}

func read[T any](name string) (list []T, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return list, rows.Read(f, func(row T) { list = append(list, row) })
}

// try tries the mutants of a package, and writes the result into its row.
func try(name string) error {
	jobs, err := read[job](resultsFile)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(jobs, func(j job) bool { return j.Package == name })
	if i < 0 {
		return fmt.Errorf("%s: no row of %s", name, resultsFile)
	}
	if err := jobs[i].run(); err != nil {
		return err
	}
	var text bytes.Buffer
	w := rows.NewWriter[job](&text)
	err = w.Header()
	for _, j := range jobs {
		err = cmp.Or(err, w.Write(j))
	}
	return cmp.Or(err, os.WriteFile(resultsFile, text.Bytes(), 0o666))
}

func (j *job) run() error {
	only, err := regexp.Compile(j.Lines)
	if err != nil {
		return err
	}
	but, err := regexp.Compile(cmp.Or(j.But, "$^"))
	if err != nil {
		return err
	}
	reasons, err := read[listed](listedFile)
	if err != nil {
		return err
	}
	t, err := newTrial(j, func(m mutant) bool {
		where := m.function + ": " + m.text
		return only.MatchString(where) && !but.MatchString(where)
	})
	if err != nil {
		return err
	}
	defer os.RemoveAll(t.dir)
	out := rows.NewWriter[tried](os.Stdout)
	if err := out.Header(); err != nil {
		return err
	}
	missing := map[listed]bool{} // entries of listed.csv that match no mutant
	for _, l := range reasons {
		l.Reason = ""
		missing[l] = slices.Contains(j.Files, l.File)
	}
	counts := map[string]int{} // mutants by result
	for i, m := range t.mutants {
		row := tried{m.file, m.line, m.function, m.text, m.about, ""}
		id := listed{m.file, m.function, m.text, m.about, ""}
		_, isListed := missing[id]
		missing[id] = false
		switch {
		case isListed:
			row.Result = "listed"
		case t.broken[i+1]:
			row.Result = "does not compile"
		default:
			if row.Result, err = t.test(i + 1); err != nil {
				return err
			}
		}
		counts[row.Result]++
		if err := out.Write(row); err != nil {
			return err
		}
	}
	for id, lost := range missing {
		if lost && j.Lines == "" {
			fmt.Fprintf(os.Stderr, "mutants: %s: listed.csv has a mutant of %s that does not exist: %s\n", id.File, id.Function, id.Mutant)
		}
	}
	j.Killed, j.Listed, j.Alive = counts["killed"], counts["listed"], counts["alive"]
	j.Mutants, j.Before = j.Killed+j.Listed+j.Alive, cmp.Or(j.Before, j.Killed)
	j.Finished = time.Now().Format(time.DateOnly)
	fmt.Fprintf(os.Stderr, "mutants: %d mutants: %d killed, %d listed, %d alive\n", j.Mutants, j.Killed, j.Listed, j.Alive)
	return nil
}
