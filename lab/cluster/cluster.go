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

type Job struct {
	// Command is the command line of the whole job, a command of solve, without the word solve and
	// without flags for resources and output.
	Command []string
	// Answer are the output flags, for merge.
	Answer []string
	// Passes says that solve strong runs pass by pass on tiles, not in parts.
	Passes bool
	Tasks  int           // number of tasks in the array
	AtOnce int           // tasks that may run at the same time; 0 means any number
	Memory uint64        // bytes of memory for a task
	Mem    bool          // the command takes --mem
	Time   time.Duration // time limit of a task

	Threads int // threads of a task
	// Image and Volume are for Kubernetes: a container image with the program as its entry point,
	// and the claim of a volume that all pods can write to.
	Image, Volume string
}

// File is a file for a scheduler, or for the person who submits the job.
type File struct {
	Name string
	Text []byte
}

//go:embed templates
var templates embed.FS

// Slurm returns scripts that run a job as array jobs of Slurm: run submit.sh on the login node.
func Slurm(j Job) ([]File, error) { return j.files("slurm") }

// Kubernetes returns manifests that run a job as Indexed Jobs: run submit.sh where kubectl is set
// up.
func Kubernetes(j Job) ([]File, error) { return j.files("kubernetes") }

// printable refuses a word that scripts and manifests cannot keep.
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

// files fills in the templates of a scheduler. The error names a word that does not fit into
// scripts.
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

// Board is the game of a solve in passes, with its flags, for lab cluster pass.
func (j Job) Board() []string { return j.Command[1:] }

func (j Job) Minutes() int { return int((j.Time + time.Minute - 1) / time.Minute) }

func (j Job) MiB() uint64 { return (j.Memory + 1<<20 - 1) >> 20 }

// JobMiB is the memory that the command may use, in MiB. The rest is for the program itself and for
// buffers of the system, which count against limits.
func (j Job) JobMiB() uint64 { return j.MiB() * 7 / 8 }

// Name is a name that all schedulers accept: lower-case letters, digits and hyphens, at most 40.
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

// Key is the name with a hash of the whole command, so that jobs that differ only in a flag run
// beside each other in one directory.
func (j Job) Key() string {
	sum := farm.Fingerprint64(fmt.Appendf(nil, "%q %d", j.Command, j.Tasks))
	return fmt.Sprintf("%s-%08x", j.Name(), uint32(sum))
}

// quoted joins arguments of a container for a list in YAML. Kubernetes reads $(NAME) there as a
// variable, and $$ as one dollar sign.
func quoted(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, yaml(strings.ReplaceAll(w, "$", "$$")))
	}
	return strings.Join(list, ", ")
}

// yaml quotes a text for YAML, which includes JSON.
func yaml(text string) string {
	b, _ := json.Marshal(text) // strings always marshal
	return string(b)
}
