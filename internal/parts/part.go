package parts

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Part is one of N parts of a job: I counts from 1.
type Part struct{ I, N int }

// Most bounds the number of parts; a scheduler's arrays end earlier.
const Most = 100_000

// MostTasks bounds the tasks of a job, of which every process holds a list.
const MostTasks = 250_000

// String returns the part as [Parse] reads it, for instance 3/64.
func (p Part) String() string { return fmt.Sprintf("%d/%d", p.I, p.N) }

// Name is the name of the part's file among the files of a job.
func (p Part) Name(job string) string {
	return fmt.Sprintf("%s.%0*d-of-%d.part", job, len(strconv.Itoa(p.N)), p.I, p.N)
}

// Check returns an error if a part is impossible.
func (p Part) Check() error {
	if p.N < 1 || p.N > Most || p.I < 1 || p.I > p.N {
		return fmt.Errorf("part %v: want I/N with 1 ≤ I ≤ N ≤ %d", p, Most)
	}
	return nil
}

// Parse reads a part: I/N, or auto/N or auto for the task of an array that a scheduler names in the
// environment. env is [os.Getenv].
//
// Slurm counts the tasks of an array by its --array. With auto/N the task's number is I, so a
// failed part can be submitted again by its number. With auto the whole array is the job.
// Kubernetes counts the pods of an Indexed Job from 0, and gives their number only if the manifest
// passes it on as JOB_COMPLETIONS.
func Parse(text string, env func(string) string) (Part, error) {
	word, of, divided := strings.Cut(text, "/")
	n, err := 0, error(nil)
	if divided {
		n, err = strconv.Atoi(of)
	}
	p := Part{N: n}
	switch {
	case err != nil || divided && n < 1:
	case word == "auto":
		if p, err = automatic(n, env); err != nil {
			return p, fmt.Errorf("%q: %w", text, err)
		}
		if err := p.Check(); err != nil {
			return p, fmt.Errorf("%q: the scheduler says %w", text, err)
		}
		return p, nil
	case divided:
		if p.I, err = strconv.Atoi(word); err == nil {
			return p, p.Check()
		}
	}
	return p, fmt.Errorf("%q: want I/N as in 3/64, auto/N or auto", text)
}

// automatic returns the part that a scheduler assigns, of n, or of the scheduler's number if n is
// 0.
func automatic(n int, env func(string) string) (Part, error) {
	id, slurm := number(env, "SLURM_ARRAY_TASK_ID")
	index, indexed := number(env, "JOB_COMPLETION_INDEX")
	switch {
	case slurm && n > 0:
		return Part{id, n}, nil
	case slurm:
		count, ok1 := number(env, "SLURM_ARRAY_TASK_COUNT")
		first, ok2 := number(env, "SLURM_ARRAY_TASK_MIN")
		last, ok3 := number(env, "SLURM_ARRAY_TASK_MAX")
		step, ok4 := number(env, "SLURM_ARRAY_TASK_STEP")
		if !ok1 || !ok2 || !ok3 || !ok4 || step < 1 || (last-first)/step+1 != count || (id-first)%step != 0 {
			return Part{}, errors.New("these are not all tasks of an array: want auto/N")
		}
		return Part{(id-first)/step + 1, count}, nil
	case indexed:
		if n == 0 {
			n, _ = number(env, "JOB_COMPLETIONS")
		}
		if n == 0 {
			return Part{}, errors.New("JOB_COMPLETIONS does not say how many parts there are: want auto/N")
		}
		return Part{index + 1, n}, nil
	}
	return Part{}, errors.New("no task of an array: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set to a number")
}

func number(env func(string) string, name string) (int, bool) {
	n, err := strconv.Atoi(env(name))
	return n, err == nil && n >= 0
}

// Task is a piece of a job with its own name. Costs, in any unit, decide only which part does the
// task.
type Task struct {
	Name string
	Cost float64
}

// Divide returns the task numbers of every part, the costliest first. Each task in turn goes to the
// part with the least to do so far, which makes the longest part at most a third longer than
// necessary (Graham 1969).
func Divide(tasks []Task, n int) [][]int {
	order := make([]int, len(tasks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tasks[b].Cost, tasks[a].Cost) })
	shares, least := make([][]int, n), make(loads, n)
	for p := range least {
		least[p].part = p
	}
	for _, i := range order {
		l := &least[0]
		shares[l.part] = append(shares[l.part], i)
		l.cost += tasks[i].Cost
		l.tasks++
		heap.Fix(&least, 0)
	}
	return shares
}

// loads is a heap of the work of parts, the least first.
type loads []load

type load struct {
	cost        float64
	tasks, part int
}

func (l loads) Len() int      { return len(l) }
func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *loads) Push(any)     {} // the number of parts does not change
func (l *loads) Pop() any     { return nil }

func (l loads) Less(i, j int) bool {
	a, b := l[i], l[j]
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.tasks, b.tasks), cmp.Compare(a.part, b.part)) < 0
}

// missing lists the missing parts of n as ranges; empty if there are none.
func missing(n int, have func(i int) bool) string {
	var list []string
	for i := 1; i <= n; i++ {
		if have(i) {
			continue
		}
		first := i
		for i < n && !have(i+1) {
			i++
		}
		text := strconv.Itoa(first)
		if i > first {
			text += fmt.Sprintf("–%d", i)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}
