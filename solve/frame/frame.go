// Package frame defines the terms that all solvers of whole games share: options, plan, progress
// and counts. It knows no game and solves nothing.
package frame

import (
	"fmt"
	"runtime"
	"time"
)

// Options are the settings of a solve. The zero value of each field is its default.
type Options struct {
	// Threads is the number of goroutines; 0 means GOMAXPROCS. It never changes the result.
	Threads int
	// Memory bounds the memory of the solve in bytes; 0 means no bound. A solver that needs more
	// for its planes keeps them in files of Work.
	Memory uint64
	// Work, if not empty, is a directory for this solve alone. An interrupted solve resumes from
	// its checkpoint there.
	Work string
	// Interval is the least time between two checkpoints of a solve for two armies.
	Interval time.Duration
	// Distances asks for the plies to the end as well, where they cost extra.
	Distances bool
	// Reachable adds the memory for counting reachable positions to the plan.
	Reachable bool
	// Named asks, with more than two armies, which sides can force the win of a named seat.
	Named bool
	// Stripes is the number of tiles of a new directory of two armies; 0 lets Memory decide.
	Stripes int
	// Method, if not empty, forces a method for a game of any kind.
	Method Method
	// Resident, if not 0, keeps planes in files of Work, with at most Resident bytes of them in
	// memory at once.
	Resident uint64
	// Progress, if not nil, is called now and then, never concurrently. Yield, if not nil, is
	// called by every goroutine every few milliseconds; it may block, to let others work.
	Progress func(Progress)
	Yield    func()
}

// Workers returns the number of goroutines.
func (o *Options) Workers() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

func (o *Options) Tell(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

func (o *Options) Pause() {
	if o.Yield != nil {
		o.Yield()
	}
}

// Method says how a solver of any game finds the positions before a position.
type Method string

type Progress struct {
	Step, Steps int     // the current step, from 1, as in [Plan]; 0 while positions are listed
	Pass        int     // pass within the step; with distances a pass is one ply
	Decided     uint64  // positions decided in the step, or in all steps, depending on the solver
	Share       float64 // finished share of all the work, 0…1, estimated; it may decrease
}

type Plan struct {
	// Positions is the number of positions from the mover's side, 0 if unknown. Places is the
	// number of array entries for them, 0 where positions are found by their keys.
	Positions, Places uint64
	// Steps is the number of questions about sets of seats, solved one after the other.
	Steps  int
	Method Method // method chosen by package retro, empty for other solvers
	// Bytes is the memory that a solve without files takes, and Least the least memory that it
	// needs. InFiles is the least memory with Disk bytes of files; it equals Least, and Disk is 0,
	// where files do not help. State is the part of Bytes for finished plies; a solve with a directory keeps them
	// in files.
	Bytes, Least, InFiles, Disk, State uint64
	// Limit estimates how many positions found by keys fit the memory.
	Limit uint64
}

// Need is the least memory of a solve with these options.
func (p *Plan) Need(o Options) uint64 {
	if o.Work != "" {
		return min(p.Least, p.InFiles)
	}
	return p.Least
}

// Files says whether a solve with these options keeps planes in files.
func (p *Plan) Files(o Options) bool {
	return p.Disk > 0 && o.Work != "" && (o.Resident > 0 || o.Memory > 0 && o.Memory < p.Bytes)
}

// Check returns an error if the options allow too little memory.
func (p *Plan) Check(o Options) error {
	if need := p.Need(o); o.Memory > 0 && o.Memory < need {
		return &MemoryError{What: fmt.Sprintf("%d places for positions", p.Places), Bytes: need, Allowed: o.Memory, Files: o.Work == "" && p.InFiles < p.Least}
	}
	return nil
}

// MemoryError says that a solve needs more memory than its options allow.
type MemoryError struct {
	What           string // the thing that does not fit
	Bytes, Allowed uint64
	Files          bool // with a directory for files the solve would fit
}

func (e *MemoryError) Error() string {
	remedy := "allow more (--mem)"
	if e.Files {
		remedy += ", or give a directory for the rest (--work)"
	}
	return fmt.Sprintf("%s: at least %s of memory are needed, %s are allowed: %s", e.What, mebibytes(e.Bytes), mebibytes(e.Allowed), remedy)
}

// mebibytes prints a number of bytes. A formatting library would make small programs larger.
func mebibytes(n uint64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
