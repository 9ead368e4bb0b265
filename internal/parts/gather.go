package parts

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Whole is a job with all its parts.
type Whole struct {
	Job
	Parts   int
	results map[string]Result
}

// Gather reads the files of all parts of a job. The error names all damaged, incomplete, repeated
// and missing parts, and parts of other jobs or divisions.
func Gather(names []string) (*Whole, error) {
	w := &Whole{results: map[string]Result{}}
	l := NewList()
	var all []*File
	for _, name := range names {
		f, err := Load(name)
		if err != nil {
			l.Refuse("%w", err)
			continue
		}
		if w.Parts == 0 {
			w.Job, w.Parts = f.Job, f.N
		}
		if why := w.Job.differs(f.Job); why != "" {
			l.Refuse("%s: %s", name, why)
			continue
		}
		if f.Done < f.Share {
			l.Refuse("%s: part %v is not complete: %d of %d tasks are done", name, f.Part(), f.Done, f.Share)
		}
		if l.Add(name, f.Part()) {
			all = append(all, f)
		}
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	for _, f := range all {
		for _, r := range f.Results {
			if _, twice := w.results[r.Task]; twice {
				return nil, fmt.Errorf("task %q is in more than one part", r.Task)
			}
			w.results[r.Task] = r
		}
	}
	if len(w.results) != w.Tasks {
		return nil, fmt.Errorf("the parts hold %d tasks, not %d", len(w.results), w.Tasks)
	}
	return w, nil
}

// Of returns the results of the tasks of a job, in their order. It refuses any job but that of the
// parts.
func (w *Whole) Of(job Job, tasks []Task) ([]json.RawMessage, error) {
	if why := job.differs(w.Job); why != "" {
		return nil, errors.New("a part of another job: " + why)
	}
	list := make([]json.RawMessage, len(tasks))
	for i, t := range tasks {
		r, ok := w.results[t.Name]
		if !ok {
			return nil, fmt.Errorf("no part has the task %q", t.Name)
		}
		list[i] = r.Result
	}
	return list, nil
}

// List collects the parts of a whole, and errors about them.
type List struct {
	n        int
	from     map[int]string
	problems []error
}

// NewList returns an empty list; the first part gives the number of parts.
func NewList() *List { return &List{from: map[int]string{}} }

// Refuse records an error.
func (l *List) Refuse(format string, args ...any) {
	l.problems = append(l.problems, fmt.Errorf(format, args...))
}

// Add adds the part of a file. It returns false and records an error if the part is repeated, or
// one of another division.
func (l *List) Add(name string, p Part) bool {
	if l.n == 0 {
		l.n = p.N
	}
	switch {
	case p.N != l.n:
		l.Refuse("%s: part %v does not go with parts of %d", name, p, l.n)
	case l.from[p.I] != "":
		l.Refuse("%s: part %v is the same as %s", name, p, l.from[p.I])
	default:
		l.from[p.I] = name
		return true
	}
	return false
}

// Err returns all errors of the parts, missing ones last, or nil.
func (l *List) Err() error {
	var texts []string
	for _, p := range l.problems {
		texts = append(texts, p.Error())
	}
	if missing := missing(l.n, func(i int) bool { return l.from[i] != "" }); missing != "" {
		texts = append(texts, fmt.Sprintf("missing of %d: %s", l.n, missing))
	}
	if len(texts) == 0 && l.n > 0 {
		return nil
	}
	if l.n == 0 && len(texts) == 0 {
		texts = []string{"no parts"}
	}
	return errors.New("the parts do not make a whole: " + strings.Join(texts, "; "))
}
