package cluster

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestReplay: what can be said without a simulation.
func TestReplay(t *testing.T) {
	even := func(n int, cost float64) (list []float64) {
		for range n {
			list = append(list, cost)
		}
		return list
	}
	for _, c := range []struct {
		name   string
		farm   Farm
		passes [][]float64
		want   float64
	}{
		{"one node does all", Farm{Nodes: 1}, [][]float64{{1, 2, 3}}, 6},
		{"a task is not divided", Farm{Nodes: 10}, [][]float64{{5, 1, 1}}, 5},
		{"tasks are dealt in turn", Farm{Nodes: 2}, [][]float64{even(5, 1)}, 3},
		{"starts count", Farm{Nodes: 2, Start: 0.5}, [][]float64{even(4, 1)}, 3},
		{"passes wait for each other", Farm{Nodes: 2}, [][]float64{{3, 1}, {1, 1}}, 4},
		{"all nodes are slow", Farm{Nodes: 2, Stragglers: 1, Slow: 3}, [][]float64{even(2, 1)}, 3},
		{"nothing to do", Farm{Nodes: 3}, nil, 0},
	} {
		if got := c.farm.Replay(c.passes); got.Makespan != c.want {
			t.Errorf("%s: %v, want %v", c.name, got.Makespan, c.want)
		}
	}
	// A failure costs what it loses, in the mean half an interval: while it is noticed
	// the node does another task.
	f := Farm{Nodes: 1, MeanFailure: 100, Interval: 10, Notice: 2, Seed: 1}
	o := f.Replay([][]float64{even(1000, 50)})
	if want := 50000 + o.Lost; math.Abs(o.Makespan-want) > f.Notice {
		t.Errorf("%+v, want a makespan of %v", o, want)
	}
	if rate := float64(o.Failures) * 100 / (o.Work + o.Lost); rate < 0.8 || rate > 1.2 {
		t.Errorf("%d failures in %v s, one in 100 s is wanted", o.Failures, o.Work+o.Lost)
	}
	if each := o.Lost / float64(o.Failures); each < 4 || each > 5.5 {
		t.Errorf("a failure loses %v s, half of 10 s is wanted", each)
	}
	if again := f.Replay([][]float64{even(1000, 50)}); again != o {
		t.Errorf("%+v, and then %+v", o, again)
	}
}

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
