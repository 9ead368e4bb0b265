package parts

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dgryski/go-farm"

	"perfectplay/internal/files"
)

// A part file is text, so that people can read it:
//
//	perfectplay part 2
//	{"command":["perft","mnk-4x4k4","--depth=6"],"program":…}    a [Header]
//	{"task":"a1 b1","seconds":0.02,"result":1716}                the result of a task
//	…                                                            one a line, in the order of tasks
//	sha256 f2ca1bb6…                                             of everything before
const magic = "perfectplay part 2\n"

var errDamaged = errors.New("damaged")

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
	Results []Result // results so far; Done is their number
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

func (f *File) write(w io.Writer) error {
	sum := sha256.New()
	w = io.MultiWriter(w, sum)
	put := json.NewEncoder(w)
	put.SetEscapeHTML(false)
	f.Done = len(f.Results)
	_, err := io.WriteString(w, magic)
	if err == nil {
		err = put.Encode(f.Header)
	}
	for i := 0; i < len(f.Results) && err == nil; i++ {
		err = put.Encode(f.Results[i])
	}
	if err == nil {
		_, err = fmt.Fprintf(w, sumLine, sum.Sum(nil))
	}
	return err
}

// sumLine is the last line of a file, of sumBytes.
const (
	sumLine  = "sha256 %x\n"
	sumBytes = int64(len("sha256 ") + 2*sha256.Size + len("\n"))
)

// Save writes the file under a name, whole or not at all.
func (f *File) Save(name string) error { return files.Write(name, f.write) }

// Load reads a file. It compares the checksum first, so a damaged file takes no memory.
func Load(name string) (*File, error) {
	in, err := files.Open(name, mostBytes)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	stat, err := in.Stat()
	if err != nil {
		return nil, err
	}
	start := make([]byte, len(magic))
	if n, err := io.ReadFull(in, start); err != nil || string(start) != magic {
		if err != nil && strings.HasPrefix(magic, string(start[:n])) {
			return nil, fmt.Errorf("%s: %w: the file is cut off", name, errDamaged)
		}
		return nil, fmt.Errorf("%s: not a part file, or one of another version of the program, which must finish and merge it", name)
	}
	f, err := parse(in, stat.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", filepath.Clean(name), errDamaged, err)
	}
	return f, nil
}

const mostBytes = 4 << 30

func parse(in io.ReaderAt, size int64) (*File, error) {
	end := size - sumBytes
	if end < int64(len(magic)) {
		return nil, errors.New("the file is cut off")
	}
	sum, last := sha256.New(), make([]byte, sumBytes)
	if _, err := io.Copy(sum, io.NewSectionReader(in, 0, end)); err != nil {
		return nil, err
	}
	if _, err := in.ReadAt(last, end); err != nil && err != io.EOF {
		return nil, err
	}
	if string(last) != fmt.Sprintf(sumLine, sum.Sum(nil)) {
		return nil, errors.New("it is cut off, or its checksum is wrong")
	}
	f := &File{}
	d := json.NewDecoder(bufio.NewReader(io.NewSectionReader(in, int64(len(magic)), end-int64(len(magic)))))
	d.DisallowUnknownFields()
	if err := d.Decode(&f.Header); err != nil {
		return nil, fmt.Errorf("its description: %w", err)
	}
	for {
		var r Result
		switch err := d.Decode(&r); {
		case err == io.EOF:
			return f, f.check()
		case err != nil:
			return nil, fmt.Errorf("result %d: %w", len(f.Results)+1, err)
		case len(f.Results) == f.Done:
			return nil, fmt.Errorf("more results than %d", f.Done)
		}
		f.Results = append(f.Results, r)
	}
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
