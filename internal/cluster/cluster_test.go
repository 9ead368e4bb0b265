package cluster

import (
	"strings"
	"testing"
	"time"
)

// TestFiles: every scheduler has scripts for parts and for passes, with everything
// filled in.
func TestFiles(t *testing.T) {
	for _, passes := range []bool{false, true} {
		j := Job{Program: "solve", Command: []string{"strong", "halma-6x6p3", "--rules=it's"}, Answer: []string{"-o", "x y"}, Passes: passes, Tasks: 7, AtOnce: 3,
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
				want = []string{"completions: 7", "parallelism: 3", "memory: 3072Mi", `"--rules=it's"`, "an/image:1", "claimName: claim", "podFailurePolicy", "ttlSecondsAfterFinished", "/data/" + j.Key() + "/"}
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
	one, other := Job{Program: "solve", Command: []string{"strong", "x", "--rules=a"}}, Job{Program: "solve", Command: []string{"strong", "x", "--rules=b"}}
	if one.Name() != other.Name() || one.Key() == other.Key() || len(one.Key()) != len(one.Name())+9 {
		t.Errorf("two jobs are %s and %s", one.Key(), other.Key())
	}
	for command, want := range map[string]string{"perft halma-star37-2p --depth=3": "perft-halma-star37-2p", "domino deal 0|1 X": "domino-deal-0-1-x",
		"strong " + strings.Repeat("long-", 20): "strong-" + strings.Repeat("long-", 6) + "lon"} {
		if got := (Job{Command: strings.Fields(command)}).Name(); got != want {
			t.Errorf("%s is called %s, want %s", command, got, want)
		}
	}
}
