package bench

import (
	"context"
	"fmt"
	"time"

	"perfectplay/solve"
)

// Kind is the kind of work that a workload measures.
type Kind string

const (
	Search Kind = "search" // a sound search; counts towards the signature
	Perft  Kind = "perft"  // move generation alone
	Strong Kind = "strong" // a complete solution
)

// Workload is one job. It may run any number of times.
type Workload struct {
	// Name distinguishes the jobs, as key=value parts joined by slashes.
	Name string
	Kind Kind
	Want string // the right answer
	run  func(context.Context) (answer string, positions uint64, err error)
}

// New returns a job. run returns its answer and the number of positions visited.
func New(kind Kind, name, want string, run func(context.Context) (answer string, positions uint64, err error)) Workload {
	return Workload{Name: name, Kind: kind, Want: want, run: run}
}

// Outcome is the result of one run of a job.
type Outcome struct {
	Answer    string
	Positions uint64 // positions visited; leaves for perft, all positions for complete solutions
	Elapsed   time.Duration
}

// Run does the job. It fails if the answer is wrong.
func (w Workload) Run(ctx context.Context) (Outcome, error) {
	start := time.Now()
	answer, positions, err := w.run(ctx)
	if err != nil {
		return Outcome{}, fmt.Errorf("bench: %s: %w", w.Name, err)
	}
	out := Outcome{answer, positions, time.Since(start)}
	if out.Answer != w.Want {
		return out, fmt.Errorf("bench: %s: answer %q, want %q", w.Name, out.Answer, w.Want)
	}
	return out, nil
}

// searchMemory is the size of the table of all searches; the signature depends on it.
const searchMemory = 64 << 20

// Workloads returns the jobs in printed order. Each takes around a second on one core.
func Workloads() []Workload {
	return []Workload{
		search("halma-star13-2p", "base", solve.AlphaBeta, 40, "win 9"),
		search("halma-star37-2p", "house", solve.AlphaBeta, 22, "open 0"),
		search("halma-star37-2p", "base", solve.AlphaBeta, 20, "open 0"),
		search("halma-star37-2p", "house-code", solve.Proof, 22, "open 0"),
		search("halma-star37-3p", "house", solve.Paranoid, 18, "open 0"),
		search("halma-star37-3p", "house", solve.MaxN, 20, "open 0"),
		search("halma-star37-4p", "base", solve.MaxN, 24, "open 0"),
		search("halma-star37-6p", "house", solve.Paranoid, 12, "loss 6"),
		search("halma-star73-2p", "base", solve.AlphaBeta, 23, "open 0"),
		search("halma-star73-2p", "house", solve.AlphaBeta, 18, "open 0"),
		search("halma-star121-2p", "base", solve.AlphaBeta, 30, "open 0"),
		search("halma-7x7p3", "sturtevant", solve.AlphaBeta, 19, "open 0"),
		search("halma-7x7p6", "sturtevant", solve.AlphaBeta, 13, "open 0"),
		search("mnk-5x4k4", "", solve.AlphaBeta, 14, "open 0"),
		search("mnk-6x6k4", "", solve.AlphaBeta, 11, "win 11"),
		count("halma-star37-2p", "house", 8, "28892996"),
		count("halma-star73-2p", "base", 7, "273191288"),
		count("halma-star121-2p", "base", 6, "87946884"),
		count("halma-star121-6p", "base", 7, "198781520"),
		count("halma-7x7p6", "sturtevant", 7, "174736764"),
		complete("halma-6x6p3", "sturtevant", "values", "win 0, 22474634 won 16343266 lost 34276 drawn 103664 illegal"),
		complete("halma-5x5p3", "sturtevant", "distances", "win 29, 2105590 won 1394132 lost 13018 drawn 29260 illegal"),
		complete("halma-4x4p6", "sturtevant", "distances", "win 33, 877249 won 558910 lost 42811 drawn 202710 illegal"),
		complete("halma-star37-2p", "house-code", "distances", "win 29, 2134339 won 1393781 lost 13880 drawn 0 illegal"),
		coalitions("halma-star13-4p", "base", "loss 4, loss 4, loss 4, loss 3, 54080 positions"),
		crossing("halma-7x7p6", "base", "17 moves, none shorter"),
		deals(20_000, "10342 won 8743 lost 915 drawn, 23070 pips"),
		proof("mnk-7x4k4", "draw"),
	}
}
