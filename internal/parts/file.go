package parts

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"perfectplay/internal/files"
)

// A part file is text, so that one can look into it:
//
//	perfectplay part 1
//	{"command":["perft","mnk-4x4k4","--depth=6"],"program":…}    a [Header]
//	{"task":"a1 b1","seconds":0.02,"result":1716}                what a task has found
//	…                                                            one a line, as tasks are listed
//	sha256 f2ca1bb6…                                             of everything before
const magic = "perfectplay part 1\n"

// ErrDamaged is the reason to refuse a file that is not what was written.
var ErrDamaged = errors.New("damaged")

// Job says which job a part is of. Files of different jobs do not go together.
type Job struct {
	// Command is what does the whole job, without the program's name, flags in
	// order.
	Command []string `json:"command"`
	// Program is the version of the program: another one may find, or count,
	// something else.
	Program string `json:"program"`
	// Tasks is the number of tasks of the whole job, and Digest a checksum of their
	// names and costs.
	Tasks  int    `json:"tasks"`
	Digest string `json:"digest"`
}

// NewJob describes a job.
func NewJob(command []string, program string, tasks []Task) Job {
	h := sha256.New()
	for _, t := range tasks {
		fmt.Fprintf(h, "%q %s\n", t.Name, strconv.FormatFloat(t.Cost, 'g', -1, 64))
	}
	return Job{command, program, len(tasks), hex.EncodeToString(h.Sum(nil)[:16])}
}

// differs says in what another job is another one; empty if it is the same.
func (j Job) differs(other Job) string {
	switch a, b := strings.Join(j.Command, " "), strings.Join(other.Command, " "); {
	case a != b:
		return fmt.Sprintf("it is of %q, not of %q", b, a)
	case j.Program != other.Program:
		return fmt.Sprintf("it is by version %s of the program, not by %s", other.Program, j.Program)
	case j.Tasks != other.Tasks || j.Digest != other.Digest:
		return "its job has other tasks"
	}
	return ""
}

// Name returns the name of the file of a part: what the job is, for people, some
// digits that tell it from others, and the part.
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
	text, _ := json.Marshal(j) // of strings and a number
	sum := sha256.Sum256(text)
	return p.Name(fmt.Sprintf("%s-%x", plain[:min(len(plain), 64)], sum[:4]))
}

// Result is what a task has found.
type Result struct {
	Task    string          `json:"task"`
	Seconds float64         `json:"seconds"` // that it took
	Result  json.RawMessage `json:"result"`
}

// Header is what a file says about itself.
type Header struct {
	Job
	I     int `json:"part"`
	N     int `json:"parts"`
	Share int `json:"share"` // tasks of the part
	Done  int `json:"done"`  // of these, those that have a result
}

// Part returns the part.
func (h Header) Part() Part { return Part{h.I, h.N} }

// File is a part with what its tasks have found.
type File struct {
	Header
	Results []Result // Done of them
}

// Seconds is the time that the tasks took which have a result.
func (f *File) Seconds() time.Duration {
	sum := 0.0
	for _, r := range f.Results {
		sum += r.Seconds
	}
	return time.Duration(sum * float64(time.Second))
}

// Continues refuses a file whose job or part is another one.
func (f *File) Continues(old *File) error {
	if why := f.Job.differs(old.Job); why != "" {
		return errors.New("another job: " + why)
	}
	if old.Part() != f.Part() || old.Share != f.Share {
		return fmt.Errorf("it holds part %v, not %v", old.Part(), f.Part())
	}
	return nil
}

// WriteTo writes the file.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	put := json.NewEncoder(&b)
	put.SetEscapeHTML(false)
	f.Done = len(f.Results)
	if err := put.Encode(f.Header); err != nil {
		return 0, err
	}
	for _, r := range f.Results {
		if err := put.Encode(r); err != nil {
			return 0, err
		}
	}
	n, err := w.Write(sealed(b.Bytes()))
	return int64(n), err
}

// sealed is the text of a file with its first line and its checksum.
func sealed(body []byte) []byte {
	text := append([]byte(magic), body...)
	return fmt.Appendf(text, "sha256 %x\n", sha256.Sum256(text))
}

// Save writes the file under a name, whole or not at all.
func (f *File) Save(name string) error {
	return files.Write(name, func(w io.Writer) error { _, err := f.WriteTo(w); return err })
}

// Load reads a file. It refuses one that is damaged or does not make sense with
// [ErrDamaged].
func Load(name string) (*File, error) {
	in, err := files.Open(name, mostBytes)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	start := make([]byte, len(magic))
	if n, err := io.ReadFull(in, start); err != nil || string(start) != magic {
		if err != nil && strings.HasPrefix(magic, string(start[:n])) {
			return nil, fmt.Errorf("%s: %w: the file is cut off", name, ErrDamaged)
		}
		return nil, fmt.Errorf("%s: not a part file, or of another version", name)
	}
	rest, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	f, err := parse(rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", filepath.Clean(name), ErrDamaged, err)
	}
	return f, nil
}

// mostBytes bounds a part file, which is read as a whole.
const mostBytes = 4 << 30

// parse reads what follows the first line.
func parse(text []byte) (*File, error) {
	const sumLine = len("sha256 ") + 2*sha256.Size + 1
	if len(text) < sumLine {
		return nil, errors.New("the file is cut off")
	}
	body := text[:len(text)-sumLine]
	if !bytes.Equal(sealed(body)[len(magic):], text) {
		return nil, errors.New("it is cut off, or its checksum is wrong")
	}
	f := &File{}
	lines := bufio.NewReader(bytes.NewReader(body))
	for n := 2; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if n == 2 {
			err = d.Decode(&f.Header)
		} else {
			var r Result
			err = d.Decode(&r)
			f.Results = append(f.Results, r)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return f, f.check()
}

// check returns what does not make sense in a file.
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
			return fmt.Errorf("task %q: it is there twice, or has no result", r.Task)
		}
		seen[r.Task] = true
	}
	return nil
}
