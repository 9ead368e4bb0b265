package cluster

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dgryski/go-farm"

	"perfectplay/internal/cli"
)

// Job is what is to be run.
type Job struct {
	// Command is the command line of the whole job, a command of solve, without that word
	// and without what says how much of the machine it takes and where its answer goes.
	Command []string
	// Answer are the flags of merge that say where the answer goes.
	Answer []string
	// Passes says that the job, solve strong, is done pass by pass on tiles, not in parts.
	Passes bool
	Tasks  int           // of the array
	AtOnce int           // tasks that may run at the same time; 0 is any number
	Memory uint64        // bytes that a task gets
	Mem    bool          // the command takes --mem
	Time   time.Duration // that a task may take

	Threads int // of a task
	// Image and Volume are for Kubernetes: a container image with the program for
	// its entry point, and a claim of a volume that all pods can write to.
	Image, Volume string
}

// File is a file that a scheduler, or who submits the job, reads.
type File struct {
	Name string
	Text []byte
}

//go:embed templates
var templates embed.FS

// Slurm returns the scripts that run a job as array jobs of Slurm: submit.sh is to be
// run on the login node.
func Slurm(j Job) ([]File, error) { return j.files("slurm") }

// Kubernetes returns the manifests that run a job as Indexed Jobs: submit.sh is to be
// run where kubectl is set up.
func Kubernetes(j Job) ([]File, error) { return j.files("kubernetes") }

// printable refuses a word of a job that scripts and manifests cannot keep: comments name
// the job on one line, and YAML has line breaks of its own.
func (j Job) printable() error {
	for _, w := range slices.Concat(j.Command, j.Answer, []string{j.Image, j.Volume}) {
		for _, r := range w {
			if !unicode.IsPrint(r) || r == utf8.RuneError {
				return fmt.Errorf("cluster: %q: job scripts take printable characters only", w)
			}
		}
	}
	return nil
}

// files fills in the templates of a scheduler. The error says which word of the job does
// not fit into scripts.
func (j Job) files(scheduler string) (list []File, err error) {
	if err := j.printable(); err != nil {
		return nil, err
	}
	dir := "templates/" + scheduler + "-parts"
	if j.Passes {
		dir = "templates/" + scheduler + "-passes"
	}
	entries, err := fs.ReadDir(templates, dir)
	if err != nil {
		return nil, err
	}
	words := template.FuncMap{"shell": cli.Shell, "quoted": quoted, "yaml": yaml}
	for _, e := range entries {
		t, err := template.New(e.Name()).Funcs(words).ParseFS(templates, "templates/*.*", path.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		var b bytes.Buffer
		if err := t.Execute(&b, j); err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		list = append(list, File{e.Name(), b.Bytes()})
	}
	return list, nil
}

// Line is the command line of the whole job, for comments.
func (j Job) Line() string { return "solve " + cli.Shell(j.Command) }

// Board is the game of a solve in passes, with its flags, as lab cluster pass takes it.
func (j Job) Board() []string { return j.Command[1:] }

// Minutes is the time of a task, rounded up.
func (j Job) Minutes() int { return int((j.Time + time.Minute - 1) / time.Minute) }

// MiB is the memory of a task, rounded up.
func (j Job) MiB() uint64 { return (j.Memory + 1<<20 - 1) >> 20 }

// JobMiB is what the command is told to take of it: the rest is for the program itself
// and for buffers of the system, which count against limits.
func (j Job) JobMiB() uint64 { return j.MiB() * 7 / 8 }

// Name is a name for the job that all schedulers take: small letters, digits and
// hyphens, at most 40.
func (j Job) Name() string {
	var words []string
	for _, w := range j.Command {
		if strings.HasPrefix(w, "-") {
			break
		}
		words = append(words, w)
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(strings.Join(words, "-")))
	return strings.Trim(name[:min(len(name), 40)], "-")
}

// Key is the name with digits of the whole command: jobs that differ in a flag alone have
// different ones, so that they run beside each other in one place.
func (j Job) Key() string {
	sum := farm.Fingerprint64(fmt.Appendf(nil, "%q %d", j.Command, j.Tasks))
	return fmt.Sprintf("%s-%08x", j.Name(), uint32(sum))
}

// quoted joins arguments of a container for a list in YAML. Kubernetes reads $(NAME) there as a
// variable, and two dollar signs as one.
func quoted(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, yaml(strings.ReplaceAll(w, "$", "$$")))
	}
	return strings.Join(list, ", ")
}

// yaml is a text in YAML, of which JSON is a part.
func yaml(text string) string {
	b, _ := json.Marshal(text) // of a string
	return string(b)
}
