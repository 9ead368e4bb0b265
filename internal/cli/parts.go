package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/internal/files"
	"perfectplay/internal/host"
	"perfectplay/internal/parts"
)

// Parts adds --part and --parts to a command that consists of independent tasks. Without them the
// command does all tasks. With --part [RunPart] does the tasks of a part and keeps their results in
// a file. solve merge runs the command again with the results of all parts, which [Merged] returns,
// so that it answers as if it had done everything itself.
type Parts struct {
	text, dir string
	every     time.Duration
	program   string
	merging   *Merging
}

// Merging is the input of solve merge for the command whose parts it merges.
type Merging struct {
	Whole *parts.Whole // nil in any other run
}

// Flags adds --part, --parts and --interval. Files name the version of the program.
func (p *Parts) Flags(cmd *cobra.Command, program string, m *Merging) {
	p.program, p.merging = program, m
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[hasParts] = ""
	PartFlags(cmd, &p.text, &p.dir)
	IntervalFlag(cmd, &p.every, 10*time.Second)
	Rules(cmd, Needs("parts", "part"), Needs(intervalFlag, "part"))
}

// PartFlags adds --part and --parts alone.
func PartFlags(cmd *cobra.Command, text, dir *string) {
	cmd.Flags().StringVar(text, "part", "", "do part `I/N` of the work only; auto/N takes I from a scheduler's array")
	PartsFlag(cmd, dir)
}

// PartsFlag adds --parts alone.
func PartsFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "parts", ".", "`DIR` for the files of parts")
}

// SplitFlag adds --split; with 0 the command chooses.
func SplitFlag(cmd *cobra.Command, n *int) {
	Number(cmd, n, "split", 0, "divide the work by the positions after `N` plies (default: chosen by the command)")
}

// ReadPart returns the part that --part names.
func ReadPart(text string) (parts.Part, error) {
	part, err := parts.Parse(text, os.Getenv)
	if err != nil {
		return part, Usage(fmt.Errorf("--part %w", err))
	}
	return part, nil
}

// One reports whether to do a single part.
func (p *Parts) One() bool { return p.text != "" }

// Merging reports whether parts are merged.
func (p *Parts) Merging() bool { return p.merging.Whole != nil }

// ofRun lists flags that change how a job runs, or the form and destination of its answer, but
// not the job.
var ofRun = []string{
	"color", "force", profileFlag, profileDirFlag, "progress", "output", "json", "csv", "verbose", intervalFlag,
	"threads", "mem", "work", "part", "parts", "certificate", "check", "sample", "save", "journal", "plot",
}

// OfRun reports whether a flag may differ between parts of the same job.
func OfRun(name string) bool { return slices.Contains(ofRun, name) }

const hasParts = "parts"

// HasParts reports whether a command has parts that solve merge joins.
func HasParts(cmd *cobra.Command) bool {
	_, ok := cmd.Annotations[hasParts]
	return ok
}

// OfJob reports whether a word of a command line is a flag in a job's description:
// --NAME=VALUE, of the command itself, and not a destination of output.
func OfJob(cmd *cobra.Command, word string) bool {
	name, long := strings.CutPrefix(word, "--")
	name, _, valued := strings.Cut(name, "=")
	f := cmd.LocalNonPersistentFlags().Lookup(name)
	return long && valued && f != nil && !f.Hidden && name != "help" && name != "book" && !OfRun(name)
}

// jobWords are the words of a command line that describe its job, however it runs.
func jobWords(cmd *cobra.Command) []string {
	words := append(strings.Fields(cmd.CommandPath())[1:], cmd.Flags().Args()...)
	return append(words, FlagWords(cmd, func(name string) bool { return !OfRun(name) })...)
}

// FlagWords are the flags of a command line with the wanted names, each as a word with its value.
func FlagWords(cmd *cobra.Command, want func(name string) bool) (words []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || !f.Changed || !want(f.Name) {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+value)
	})
	return words
}

func (p *Parts) job(cmd *cobra.Command, tasks []parts.Task) parts.Job {
	return parts.NewJob(jobWords(cmd), p.program, tasks)
}

// Merged returns the results of the tasks of all parts, in the order of the tasks, under solve
// merge, else nil. It refuses the parts of another job.
func Merged[T any](p *Parts, cmd *cobra.Command, tasks []parts.Task) ([]T, error) {
	whole := p.merging.Whole
	if whole == nil {
		return nil, nil
	}
	results, err := whole.Of(p.job(cmd, tasks), tasks)
	if err != nil {
		return nil, err
	}
	list := make([]T, len(results))
	for i, text := range results {
		if err := json.Unmarshal(text, &list[i]); err != nil {
			return nil, fmt.Errorf("task %q: %w", tasks[i].Name, err)
		}
	}
	return list, nil
}

// partRecord is a command's answer about a part.
type partRecord struct {
	File    string  `json:"file"`
	Part    string  `json:"part"`
	Done    int     `json:"done"`
	Tasks   int     `json:"tasks"` // number of tasks of the part
	All     int     `json:"all_tasks"`
	Seconds Seconds `json:"seconds"` // time of the finished tasks, in all runs
	Verdict string  `json:"verdict"` // complete, or interrupted
}

// RunPart does the tasks of the part of --part on several goroutines, and writes the results of
// do to the part's file: every --interval, and at the end. It skips tasks with a result in the
// file. The answer is the progress of the part.
//
// JSON must be able to hold T.
func RunPart[T any](p *Parts, o *Output, progress *Progress, cmd *cobra.Command, tasks []parts.Task, threads int, do func(ctx context.Context, i int) (T, error)) error {
	part, err := ReadPart(p.text)
	if err != nil {
		return err
	}
	if p.merging.Whole != nil {
		return Usagef("--part does not go with merging")
	}
	if err := files.MakeDir("parts", p.dir); err != nil {
		return err
	}
	job, share := p.job(cmd, tasks), parts.Divide(tasks, part.N)[part.I-1]
	r := &partRun{name: filepath.Join(p.dir, job.Name(part)), every: p.every, tasks: tasks, share: share, number: map[string]int{},
		file: &parts.File{Header: parts.Header{Job: job, I: part.I, N: part.N, Share: len(share)}}}
	for _, i := range share {
		r.number[tasks[i].Name] = i
	}
	if err := o.Apart(files.Named{What: "the part", Name: r.name}); err != nil {
		return err
	}
	claim, err := files.Take("the part", r.name)
	if err != nil {
		return err
	}
	defer claim.Release()
	if err := r.load(); err != nil {
		return err
	}
	return Run(o, progress, cmd, "part "+part.String(), int64(len(share)), func(ctx context.Context, bar *Bar) ([]partRecord, error) {
		var err error
		if left := r.left(); len(left) > 0 || len(share) == 0 {
			bar.Set(int64(len(share) - len(left)))
			err = r.do(ctx, left, threads, func(ctx context.Context, i int) (json.RawMessage, error) {
				defer bar.Add(1)
				found, err := do(ctx, i)
				if err != nil {
					return nil, err
				}
				return json.Marshal(found)
			})
		}
		return []partRecord{r.record()}, err
	}, Fields[partRecord]("part=part,verdict,file:%s, %s, in %s", "tasks=done,tasks:%d of %d", "tasks of all parts=all_tasks", "time=seconds"))
}

type partRun struct {
	name   string
	every  time.Duration
	tasks  []parts.Task
	share  []int          // tasks of the part
	number map[string]int // numbers of the part's tasks, by name
	file   *parts.File
}

func (r *partRun) load() error {
	old, err := parts.Load(r.name)
	if errors.Is(err, fs.ErrNotExist) {
		return files.Replaceable("the part", r.name)
	}
	if err != nil {
		return err
	}
	if err := r.file.Continues(old); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	for _, x := range old.Results {
		if _, mine := r.number[x.Task]; !mine {
			return fmt.Errorf("%s: task %q is not of this part", r.name, x.Task)
		}
	}
	r.file = old
	return nil
}

// left returns the tasks of the part without a result.
func (r *partRun) left() []int {
	done := map[int]bool{}
	for _, x := range r.file.Results {
		done[r.number[x.Task]] = true
	}
	return slices.DeleteFunc(slices.Clone(r.share), func(i int) bool { return done[i] })
}

// do does tasks and saves their results. It saves after an error, too.
func (r *partRun) do(ctx context.Context, left []int, threads int, do func(ctx context.Context, i int) (json.RawMessage, error)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	saved, took := time.Now(), time.Duration(0)
	save := func() error {
		begin := time.Now()
		if err := r.file.Save(r.name); err != nil {
			return fmt.Errorf("the part cannot be written: %w", err)
		}
		saved = time.Now()
		took = saved.Sub(begin)
		return nil
	}
	_ = host.Parallel(ctx, host.Threads(threads), len(left), func(_ struct{}, k int) error {
		task := r.tasks[left[k]]
		begin := time.Now()
		found, err := do(ctx, left[k])
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ctx.Err() != nil && err != nil:
		case err != nil:
			stop(fmt.Errorf("task %q: %w", task.Name, err))
		default:
			r.file.Results = append(r.file.Results, parts.Result{Task: task.Name, Seconds: time.Since(begin).Seconds(), Result: found})
			if len(r.file.Results) < len(r.share) && time.Since(saved) >= max(r.every, took) {
				if err := save(); err != nil {
					stop(err)
				}
			}
		}
		return nil
	})
	// The results are in the order of tasks, so that the file does not depend on the order of
	// finishing.
	slices.SortFunc(r.file.Results, func(a, b parts.Result) int { return r.number[a.Task] - r.number[b.Task] })
	if err := save(); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return Saved(err)
	}
	return nil
}

func (r *partRun) record() partRecord {
	f := r.file
	rec := partRecord{File: r.name, Part: f.Part().String(), Done: len(f.Results), Tasks: len(r.share), All: f.Tasks,
		Seconds: Seconds(f.Seconds()), Verdict: "complete"}
	if rec.Done < rec.Tasks {
		rec.Verdict = "interrupted"
	}
	return rec
}
