package cluster

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/internal/cli"
)

// FuzzWords puts arguments into scripts and manifests: each argument is refused, or passes through
// the shell and through YAML unchanged. No line begins with an argument.
func FuzzWords(f *testing.F) {
	for _, w := range []string{"a\ntouch x", "it's", `"`, "$(PATH) $$ $HOME `id`", "PASS", `", "--pass", "PASS`, "#", "\u0085x", "\u2028x", "\x00", "\xff", "-n", "\\", "a b\tc", "\r", "<&>", ""} {
		f.Add(w)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		f.Skip(err)
	}
	f.Fuzz(func(t *testing.T, w string) {
		for _, passes := range []bool{false, true} {
			j := Job{Command: []string{"strong", "halma-6x6p3", "--rules=" + w}, Answer: []string{"--output", w}, Passes: passes,
				Tasks: 2, Threads: 1, Memory: 1 << 30, Time: time.Minute, Image: "image" + w, Volume: w}
			plain := j
			plain.Command, plain.Answer, plain.Image, plain.Volume = []string{"strong", "halma-6x6p3", "--rules=x"}, []string{"--output", "x"}, "imagex", "x"
			for _, write := range []func(Job) ([]File, error){Slurm, Kubernetes} {
				list, err := write(j)
				if err != nil {
					if strings.IndexFunc(w, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
						t.Errorf("%q is refused: %v", w, err)
					}
					continue
				}
				want, err := write(plain)
				if err != nil {
					t.Fatal(err)
				}
				for i, file := range list {
					if got, lines := bytes.Count(file.Text, []byte("\n")), bytes.Count(want[i].Text, []byte("\n")); got != lines {
						t.Errorf("%q: %s has %d lines, want %d", w, file.Name, got, lines)
					}
					if strings.HasSuffix(file.Name, ".sh") {
						check := exec.Command(sh, "-n")
						check.Stdin = bytes.NewReader(file.Text)
						if out, err := check.CombinedOutput(); err != nil {
							t.Errorf("%q: %s: %v: %s\n%s", w, file.Name, err, out, file.Text)
						}
					}
				}
			}
			if j.printable() != nil {
				return
			}
			out, err := exec.Command(sh, "-c", `printf '%s\n' `+cli.Shell(j.Command)).Output()
			if err != nil || string(out) != strings.Join(j.Command, "\n")+"\n" {
				t.Errorf("%q comes through the shell as %q, %v", j.Command, out, err)
			}
			var back []string
			if err := json.Unmarshal([]byte("["+quoted(j.Command)+"]"), &back); err != nil {
				t.Fatal(err)
			}
			for i := range back {
				if back[i] = strings.ReplaceAll(back[i], "$$", "$"); back[i] != j.Command[i] {
					t.Errorf("%q comes to the container as %q", j.Command[i], back[i])
				}
			}
		}
	})
}

// TestPass: the number of a pass stands in its place and nowhere else.
func TestPass(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	word := `", "--pass", "PASS`
	j := Job{Command: []string{"strong", "halma-6x6p3", "--rules=PASS" + word}, Passes: true, Tasks: 2, Threads: 1, Memory: 1 << 30, Time: time.Minute, Image: "i", Volume: "v"}
	list, err := Kubernetes(j)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// This kubectl prints the manifests that it applies, finds no earlier job, and reports every
	// job as complete.
	fake := "kubectl() { case $* in *apply*) cat ;; *ignore-not-found*) ;; *) echo Complete ;; esac; }\npass=7\n"
	for _, f := range list {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pass", "finish"} {
		run, _, _ := strings.Cut(string(list[slices.IndexFunc(list, func(f File) bool { return f.Name == "submit.sh" })].Text), "\npass=0")
		_, run, _ = strings.Cut(run, "run() {")
		cmd := exec.Command(sh, "-c", fake+"run() {"+run+"\nrun "+name+".yaml "+j.Key()+"-"+name+"-7")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		want := strings.ReplaceAll(string(list[slices.IndexFunc(list, func(f File) bool { return f.Name == name+".yaml" })].Text), "-"+name+"-PASS", "-"+name+"-7")
		want = strings.Replace(want, `"--pass", "PASS", "--`, `"--pass", "7", "--`, 1)
		if err != nil || string(out) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, out, want)
		}
	}
}

// TestFiles: every scheduler has scripts for parts and for passes, with all fields filled in.
func TestFiles(t *testing.T) {
	for _, passes := range []bool{false, true} {
		j := Job{Command: []string{"strong", "halma-6x6p3", "--rules=it's"}, Answer: []string{"-o", "x y"}, Passes: passes, Tasks: 7, AtOnce: 3,
			Threads: 2, Memory: 3 << 30, Mem: true, Time: 90*time.Minute + 1, Image: "an/image:1", Volume: "claim"}
		for name, write := range map[string]func(Job) ([]File, error){"slurm": Slurm, "kubernetes": Kubernetes} {
			files, err := write(j)
			if err != nil || len(files) < 3 {
				t.Fatalf("%s: %d files, %v", name, len(files), err)
			}
			all := ""
			for _, f := range files {
				all += string(f.Text)
				if len(f.Text) == 0 || strings.Contains(string(f.Text), "<no value>") || strings.Contains(string(f.Text), "{{") {
					t.Errorf("%s: %s is\n%s", name, f.Name, f.Text)
				}
			}
			want := []string{"1-7%3", "--mem=3072M", "--time=91", "2688MiB", `'--rules=it'\''s'`}
			if name == "kubernetes" {
				want = []string{"completions: 7", "parallelism: 3", "memory: 3072Mi", `"--rules=it's"`, `image: "an/image:1"`, `claimName: "claim"`, "podFailurePolicy", "ttlSecondsAfterFinished", "/data/" + j.Key() + "/"}
				if strings.Contains(all, "kubectl delete --ignore-not-found") {
					t.Error("a job that is there is deleted first")
				}
			}
			for _, w := range want {
				if !strings.Contains(all, w) {
					t.Errorf("%s, passes %v: no %s", name, passes, w)
				}
			}
		}
	}
	one, other := Job{Command: []string{"strong", "x", "--rules=a"}}, Job{Command: []string{"strong", "x", "--rules=b"}}
	if one.Name() != other.Name() || one.Key() == other.Key() || len(one.Key()) != len(one.Name())+9 {
		t.Errorf("two jobs are %s and %s", one.Key(), other.Key())
	}
	for command, want := range map[string]string{"search halma-star37-2p --limit=3": "search-halma-star37-2p", "domino deal 0|1 X": "domino-deal-0-1-x",
		"strong " + strings.Repeat("long-", 20): "strong-" + strings.Repeat("long-", 6) + "lon"} {
		if got := (Job{Command: strings.Fields(command)}).Name(); got != want {
			t.Errorf("%s is called %s, want %s", command, got, want)
		}
	}
}
