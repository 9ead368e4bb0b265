// Mutants changes one thing at a time in some files and asks tests whether they notice:
//
//	go run ./.ci/mutants [flags] FILE...     these files; rows on standard output
//	go run ./.ci/mutants PACKAGE...          packages of results.csv; writes their results there
//
// It prints a row of comma-separated values for each mutant: its place, its change, and
// whether it is killed, alive, listed or does not compile. Files stay as they are: the
// compiler sees others in an overlay. A mutant is killed if a test fails, or if the tests take
// four times their processor time. A living mutant either gets a test or changes no answer:
// then listed.csv gives the reason, and it is not tried. Messages are not changed: the
// arguments of Errorf, Sprintf, New and panic.
//
// A row of results.csv names the tests of a package, in the words of the flags, and counts: its
// mutants, those killed when the row was new (before), those killed now, those listed, and
// those alive. A package takes most of an hour. If a row names tests for each mutant, only
// these ran, all mutants in one process, in minutes; solve:horizons is such a row, for the lines
// that decide whether more plies may change an answer. The rows of solve, solve/book and
// game/mnk/prove used the tests in the column first, with -short; all tests of these packages
// may kill more mutants.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"perfectplay/internal/rows"
)

// job is a package, the way to test its mutants, and the result. Lists are words with blanks
// between them.
type job struct {
	Package  string   `json:"package"`
	Files    []string `json:"files"`
	Lines    string   `json:"lines"`
	But      string   `json:"but"`
	First    string   `json:"first"`
	Each     []string `json:"each"`
	Tests    []string `json:"tests"`
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

// options are flags of a trial.
type options struct {
	memory      int
	nice        int
	again, list bool
	quick       bool
	earlier     string
}

func main() {
	var j job
	var o options
	var each, tests string
	flag.StringVar(&j.Lines, "lines", "", "change only lines that match this regular expression; FUNCTION: stands before each")
	flag.StringVar(&j.But, "but", "", "change no lines that match this regular expression")
	flag.StringVar(&j.First, "first", "", "regular expression of quick tests to run first, with -short")
	flag.StringVar(&each, "each", "", "ask only these tests, all mutants in one process, with -short; and flags for them")
	flag.StringVar(&tests, "tests", "", "packages whose tests should notice, with blanks between (default: the file's own)")
	flag.IntVar(&o.memory, "memory", 8<<10, "MiB of address space that they may take")
	flag.IntVar(&o.nice, "nice", 0, "how nice the tests are to other processes")
	flag.BoolVar(&o.again, "again", false, "try mutants that are listed, too")
	flag.BoolVar(&o.quick, "quick", false, "run the first tests only")
	flag.BoolVar(&o.list, "list", false, "only list the mutants")
	flag.StringVar(&o.earlier, "earlier", "", "rows of an earlier run: what is there is not tried again")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: mutants [flags] FILE...\n       mutants PACKAGE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	j.Files, j.Each, j.Tests = flag.Args(), strings.Fields(each), strings.Fields(tests)
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	do := func() error { return o.run(&j) }
	if !strings.HasSuffix(flag.Arg(0), ".go") {
		do = func() error { return o.packages(flag.Args()) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// read reads the rows of a file.
func read[T any](name string) (list []T, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return list, rows.Read(f, func(row T) { list = append(list, row) })
}

// packages tries mutants of packages as their rows of the results say.
func (o *options) packages(names []string) error {
	for _, name := range names {
		jobs, err := read[job](resultsFile)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(jobs, func(j job) bool { return j.Package == name })
		if i < 0 {
			return fmt.Errorf("%s: no row of %s", name, resultsFile)
		}
		j := jobs[i]
		if err := o.run(&j); err != nil {
			return err
		}
		if o.list {
			continue
		}
		// Other processes may have changed the rows of other packages.
		if jobs, err = read[job](resultsFile); err != nil {
			return err
		}
		var text bytes.Buffer
		w := rows.NewWriter[job](&text)
		err = w.Header()
		for _, old := range jobs {
			if old.Package == name {
				old = j
			}
			err = cmp.Or(err, w.Write(old))
		}
		if err := cmp.Or(err, os.WriteFile(resultsFile, text.Bytes(), 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// run tries the mutants of a job, and enters the sums in it.
func (o *options) run(j *job) error {
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
	before := map[tried]string{} // results of the earlier run
	if o.earlier != "" {
		list, err := read[tried](o.earlier)
		if err != nil {
			return err
		}
		for _, t := range list {
			t.Number = 0
			result := t.Result
			t.Result = ""
			before[t] = result
		}
	}
	t, err := newTrial(o, j, func(m mutant) bool {
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
	j.Mutants, j.Killed, j.Listed, j.Alive = 0, 0, 0, 0
	left := map[listed]bool{}
	for _, l := range reasons {
		l.Reason = ""
		left[l] = slices.Contains(j.Files, l.File)
	}
	list := make([]tried, len(t.mutants))
	var ask []int
	for i, m := range t.mutants {
		list[i] = tried{File: m.file, Function: m.function, Line: m.text, Mutant: m.about}
		row := &list[i]
		id := listed{m.file, m.function, m.text, m.about, ""}
		_, isListed := left[id]
		left[id] = false
		switch {
		case o.list:
			row.Result = "not tried"
		case isListed && !o.again:
			row.Result = "listed"
		case before[*row] != "":
			row.Result = before[*row]
		case !t.apart[i] && !t.broken[i+1]:
			ask = append(ask, i+1)
		}
		if row.Number = m.line; row.Result != "" {
			if err := out.Write(*row); err != nil {
				return err
			}
		}
	}
	if len(j.Each) > 0 {
		err := t.ask("all", ask, func(i int, result string) error {
			list[i-1].Result = result
			return out.Write(list[i-1])
		})
		if err != nil {
			return err
		}
	}
	for i := range list {
		row := &list[i]
		if row.Result == "" {
			if row.Result, err = t.judge(i); err == nil {
				err = out.Write(*row)
			}
			if err != nil {
				return err
			}
		}
		switch row.Result {
		case "killed":
			j.Killed++
		case "listed":
			j.Listed++
		case "alive":
			j.Alive++
		}
	}
	for id, lost := range left {
		if lost && j.Lines == "" {
			fmt.Fprintf(os.Stderr, "mutants: %s: a mutant of %s is listed and not there: %s\n", id.File, id.Function, id.Mutant)
		}
	}
	j.Mutants, j.Finished = j.Killed+j.Listed+j.Alive, time.Now().Format(time.DateOnly)
	if j.Before == 0 {
		j.Before = j.Killed
	}
	fmt.Fprintf(os.Stderr, "mutants: %d mutants: %d killed, %d listed, %d alive\n", j.Mutants, j.Killed, j.Listed, j.Alive)
	return nil
}
