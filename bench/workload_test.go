package bench

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sampled are the searches that TestWorkloads runs, twice each.
var sampled = []string{
	"game=halma-star13-2p/rules=base/algo=alphabeta/limit=40",
	"game=halma-star37-2p/rules=house-code/algo=proof/limit=22",
	"game=halma-star37-6p/rules=house/algo=paranoid/limit=12",
}

// TestWorkloads runs all jobs, except that it runs only a few searches. Each job checks its own
// answer.
func TestWorkloads(t *testing.T) {
	names := map[string]bool{}
	for _, w := range Workloads() {
		name := string(w.Kind) + "/" + w.Name
		if names[name] {
			t.Errorf("two jobs are named %s", name)
		}
		names[name] = true
		if w.Want == "" {
			t.Errorf("%s does not know its answer", name)
		}
		t.Run(name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("whole jobs take seconds; not with -short")
			}
			if w.Kind == Search && !slices.Contains(sampled, w.Name) {
				t.Skip("the signature runs it and checks its answer: lab bench --signature")
			}
			first, err := w.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if first.Positions == 0 {
				t.Error("no positions")
			}
			if w.Kind != Search {
				return
			}
			again, err := w.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if again.Positions != first.Positions {
				t.Errorf("%d positions, and then %d: one thread must repeat itself", first.Positions, again.Positions)
			}
		})
	}
}

func TestWorkloadIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, w := range Workloads() {
		if w.Kind == Perft {
			continue // perft does not stop early, and takes seconds at most
		}
		if out, err := w.Run(ctx); err == nil && out.Positions > 100_000 {
			t.Errorf("%s ran to its end although cancelled", w.Name)
		}
	}
}

// TestSignatureFile: the committed signature is a number. A stage of .ci/run checks it.
func TestSignatureFile(t *testing.T) {
	text, err := os.ReadFile("signature")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err != nil || n == 0 {
		t.Errorf("bench/signature holds %q", text)
	}
}

// BenchmarkWorkload runs every job under the name that lab bench gives it.
func BenchmarkWorkload(b *testing.B) {
	for _, w := range Workloads() {
		b.Run(string(w.Kind)+"/"+w.Name, func(b *testing.B) {
			var positions uint64
			for b.Loop() {
				out, err := w.Run(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				positions += out.Positions
			}
			b.ReportMetric(float64(positions)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
