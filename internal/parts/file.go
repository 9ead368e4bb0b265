package parts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dgryski/go-farm"

	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// fileFormat is the format of a part: a container without blocks, whose description, plain JSON, is the
// [File].
var fileFormat = blocks.Format{
	What: "part file", Anew: "finish and merge its job with the version that began it", Magic: "perfectplay part 3\n", Family: "perfectplay part", MaxDescription: mostBytes,
}

const mostBytes = 4 << 30

// Job identifies the job of a part. Files of different jobs do not go together.
type Job struct {
	// Command is the command line of the whole job, without the program's name, flags in order.
	Command []string `json:"command"`
	// Program is the version of the program.
	Program string `json:"program"`
	// Tasks is the number of tasks of the whole job, Digest a fingerprint of their names and costs.
	Tasks  int    `json:"tasks"`
	Digest string `json:"digest"`
}

func NewJob(command []string, program string, tasks []Task) Job {
	var list []byte
	for _, t := range tasks {
		list = fmt.Appendf(list, "%q %s\n", t.Name, strconv.FormatFloat(t.Cost, 'g', -1, 64))
	}
	lo, hi := farm.Fingerprint128(list)
	return Job{command, program, len(tasks), fmt.Sprintf("%016x%016x", hi, lo)}
}

// differs names the difference to another job; empty if there is none.
func (j Job) differs(other Job) string {
	switch a, b := strings.Join(j.Command, " "), strings.Join(other.Command, " "); {
	case a != b:
		return fmt.Sprintf("it belongs to %q, not to %q", b, a)
	case j.Program != other.Program:
		return fmt.Sprintf("version %s of the program wrote it, and this is %s", other.Program, j.Program)
	case j.Tasks != other.Tasks || j.Digest != other.Digest:
		return "its job has other tasks"
	}
	return ""
}

// Name returns the name of the file of a part: words of the command, a hash of the job, and the
// part.
func (j Job) Name(p Part) string {
	var words []string
	for _, w := range j.Command {
		if strings.HasPrefix(w, "-") {
			break
		}
		words = append(words, w)
	}
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, strings.Join(words, "-"))
	text, _ := json.Marshal(j) // strings and a number always encode
	return p.Name(fmt.Sprintf("%s-%08x", plain[:min(len(plain), 64)], uint32(farm.Fingerprint64(text))))
}

type Result struct {
	Task    string          `json:"task"`
	Seconds float64         `json:"seconds"` // time of the task
	Result  json.RawMessage `json:"result"`
}

type Header struct {
	Job
	I     int `json:"part"`
	N     int `json:"parts"`
	Share int `json:"share"` // number of tasks of the part
	Done  int `json:"done"`  // number of these tasks with a result
}

func (h Header) Part() Part { return Part{h.I, h.N} }

// File is a part with the results of its tasks.
type File struct {
	Header
	Results []Result `json:"results"` // results so far, in the order of tasks; Done is their number
}

// Seconds is the time of the tasks with a result.
func (f *File) Seconds() time.Duration {
	sum := 0.0
	for _, r := range f.Results {
		sum += r.Seconds
	}
	return time.Duration(sum * float64(time.Second))
}

// Continues refuses a file of another job or part.
func (f *File) Continues(old *File) error {
	if why := f.Job.differs(old.Job); why != "" {
		return errors.New("another job: " + why)
	}
	if old.Part() != f.Part() || old.Share != f.Share {
		return fmt.Errorf("it holds part %v, not %v", old.Part(), f.Part())
	}
	return nil
}

// Save writes the file under a name, whole or not at all.
func (f *File) Save(name string) error {
	f.Done = len(f.Results)
	return files.Write(name, func(out io.Writer) error {
		w, err := blocks.NewWriter(out, fileFormat)
		if err != nil {
			return err
		}
		return w.Close(f)
	})
}

// Load reads a file. It compares the checksum first, so a damaged file takes no memory.
func Load(name string) (*File, error) {
	in, err := files.Open(name, mostBytes)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f := &File{}
	stat, err := in.Stat()
	if err == nil {
		var r *blocks.Reader
		if r, err = blocks.Read(in, uint64(stat.Size()), fileFormat); err == nil {
			err = r.Describe(f)
		}
	}
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Clean(name), err)
	}
	return f, nil
}

// check returns an error if the file contradicts itself.
func (f *File) check() error {
	if err := f.Part().Check(); err != nil {
		return err
	}
	if f.Done != len(f.Results) || f.Done > f.Share || f.Share > f.Tasks {
		return fmt.Errorf("%d results, %d of %d tasks done, of %d in all", len(f.Results), f.Done, f.Share, f.Tasks)
	}
	seen := map[string]bool{}
	for _, r := range f.Results {
		if seen[r.Task] || r.Seconds < 0 || len(r.Result) == 0 {
			return fmt.Errorf("task %q is there twice, or has no result", r.Task)
		}
		seen[r.Task] = true
	}
	return nil
}
