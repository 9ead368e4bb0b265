package cli

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/dustin/go-humanize"
	"github.com/pbnjay/memory"
	"github.com/spf13/cobra"
)

// Size is a number of bytes that reads and prints as people write it: 512MiB or 4GiB, but not
// 1e9. It implements pflag.Value.
type Size uint64

func (s Size) String() string {
	return strings.NewReplacer(".0 ", "", " ", "").Replace(humanize.IBytes(uint64(s)))
}

// Set reads a size. Units may be binary (MiB) or decimal (MB); none means bytes.
func (s *Size) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 || strings.ContainsAny(text, "+-") {
		return fmt.Errorf("%q is not a size: want for instance 512MiB or 4GiB", text)
	}
	if n > math.MaxInt64 {
		return fmt.Errorf("%q is more than any machine has", text)
	}
	*s = Size(n)
	return nil
}

func (s *Size) Type() string { return "SIZE" }

// Enough returns a value of --mem that is at least the size: whole MiB, or GiB if there are
// many.
func (s Size) Enough() string {
	const mib, gib = 1 << 20, 1 << 30
	if s > 100*gib {
		return fmt.Sprintf("%dGiB", (s+gib-1)/gib)
	}
	return fmt.Sprintf("%dMiB", (s+mib-1)/mib)
}

// Machine returns the memory that a job of this process may use: the machine's, its control
// group's limit if that is lower, or the rest of the process's own limits; 0 if unknown.
func Machine() Size {
	total := Size(memory.TotalMemory())
	if limit, err := memlimit.FromCgroup(); err == nil && limit > 0 && (total == 0 || Size(limit) < total) {
		total = Size(limit)
	}
	if left, ok := addressSpace(); ok && (total == 0 || left < total+runtimeMemory) {
		total = max(left, runtimeMemory+1) - runtimeMemory
	}
	return total
}

// beside returns the text of the size in an error about too little memory.
func (s Size) beside() string {
	if s == 1 {
		return fmt.Sprintf("no more than the %v that the program itself needs", runtimeMemory)
	}
	return s.String()
}

// runtimeMemory is address space of the program that no job can use: stacks of threads, and
// reserved room.
const runtimeMemory Size = 384 << 20

// enoughMemory refuses limits under which the program would crash at any task.
func enoughMemory() error {
	if left, ok := addressSpace(); ok && left < runtimeMemory {
		return fmt.Errorf("the limits of memory (ulimit -v, -d) leave this process %v: at least %v are needed", left, runtimeMemory)
	}
	return nil
}

// ProgramMemory is the program's memory besides that counted by a job. codeMemory is the part
// outside Go's runtime: the file's resident pages and variables.
const (
	ProgramMemory Size = 32 << 20
	codeMemory    Size = 26 << 20
)

// LimitHeap makes the collector hold the process within Mem, for jobs with garbage, until undo
// is called.
func (r *Resources) LimitHeap() (undo func()) { return r.LimitHeapBeside(0) }

// LimitHeapBeside is [Resources.LimitHeap] for a job with the given bytes outside Go's heap,
// as search tables are.
func (r *Resources) LimitHeapBeside(outside int64) (undo func()) {
	old := debug.SetMemoryLimit(max(int64(min(r.Mem, math.MaxInt64))-outside-int64(codeMemory), leastHeap))
	return func() { debug.SetMemoryLimit(old) }
}

// leastHeap is the least limit of the heap. The collector never reaches less, and trying costs
// half of the processor time.
const leastHeap = 6 << 20

// TableBesideGarbage is the part of Mem for the table of a search that also leaves garbage: all but
// the program's memory and an eighth of Mem, and no less than least bytes.
func (r *Resources) TableBesideGarbage(least int64) int64 {
	return max(int64(r.Mem-ProgramMemory-r.Mem/8), least)
}

// Share is the default memory of a job: a quarter of what the process may use, at most half of
// the available memory, and at least least. If nothing is known it is 1 GiB.
func Share(least Size) Size {
	share := Size(1 << 30)
	if total := Machine(); total > 0 {
		share = total / 4
	}
	meminfo, _ := os.ReadFile("/proc/meminfo")
	if free := available(string(meminfo)); free > 0 {
		share = min(share, free/2)
	}
	return max(share.round(), least)
}

// available is the memory that programs can get without swapping, by the text of Linux'
// /proc/meminfo. It includes the cache of files, which free memory does not. Without that text it
// is the free memory.
func available(meminfo string) Size {
	var kib Size
	if _, after, ok := strings.Cut(meminfo, "MemAvailable:"); ok {
		if _, err := fmt.Sscanf(after, "%d kB", &kib); err == nil {
			return kib << 10
		}
	}
	return Size(memory.FreeMemory())
}

// round drops all but the leading binary digits, so that defaults print short.
func (s Size) round() Size {
	unit := Size(1)
	for unit*16 <= s {
		unit *= 2
	}
	return s / unit * unit
}

// Resources are the resources of a job: the flags --threads and --mem. The zero value means all
// threads and a safe share of the memory.
type Resources struct {
	Threads int
	Mem     Size
}

// Flags adds --threads and --mem.
func (r *Resources) Flags(cmd *cobra.Command) {
	r.ThreadFlag(cmd)
	r.MemFlag(cmd)
}

// MemFlag adds --mem alone.
func (r *Resources) MemFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&r.Mem, "mem", "memory for the job, as 4GiB (default: a safe share)")
	cmd.Flags().Lookup("mem").DefValue = "" // a default that help must not show
	CompleteBy(cmd, "mem", CompleteSizes)
}

// ThreadFlag adds --threads alone.
func (r *Resources) ThreadFlag(cmd *cobra.Command) {
	cmd.Flags().IntVar(&r.Threads, "threads", 0, "`N` worker threads (default: all processors)")
	CompleteBy(cmd, "threads", completeThreads)
}

const maxThreads = 1024

// Resolve checks the flags and fills in the defaults: least is the smallest memory that the job
// can work with, most the largest that it can use (0: no limit).
func (r *Resources) Resolve(cmd *cobra.Command, least, most Size) error {
	threads := cmd.Flags().Lookup("threads")
	switch {
	case threads == nil:
		r.Threads = 1
	case threads.Changed && (r.Threads < 1 || r.Threads > maxThreads):
		return Usagef("--threads %d: want 1 to %d", r.Threads, maxThreads)
	case !threads.Changed:
		r.Threads = runtime.GOMAXPROCS(0)
	}
	mem := cmd.Flags().Lookup("mem")
	switch {
	case mem == nil:
	case !mem.Changed:
		r.Mem = Share(least)
		if most > 0 {
			r.Mem = min(r.Mem, max(most, least))
		}
		if total := Machine(); total > 0 && r.Mem > total {
			return Usagef("%v of memory are needed: this process may use %s", r.Mem, total.beside())
		}
	case r.Mem < least:
		return Usagef("--mem %v: at least %s is needed", r.Mem, least.Enough())
	default:
		if total := Machine(); total > 0 && r.Mem > total {
			return Usagef("--mem %v: this process may use %s", r.Mem, total.beside())
		}
	}
	return nil
}
