// Package frame holds the words that all solvers of whole games share: the options of a
// solve, its plan, and how far it has come. It knows no game and solves nothing.
package frame

import (
	"fmt"
	"runtime"
	"time"
)

// Options say what a solve may take. The zero value of each field is its default.
type Options struct {
	// Threads is the number of goroutines; 0 means as many as Go may use. It changes the
	// time, never the result.
	Threads int
	// Memory bounds the memory of the solve in bytes; 0 means no bound. A solver that needs
	// more for its planes keeps them in files of Work.
	Memory uint64
	// Work, if not empty, is a directory for this solve alone. A solve that ended early goes
	// on from the state there.
	Work string
	// Interval is the least time between two states that a solve for two armies writes.
	Interval time.Duration
	// Distances asks for the plies to the end beside values, where those cost anything.
	Distances bool
	// Reachable adds the memory for counting reachable positions to the plan.
	Reachable bool
	// Named asks, with more than two armies, who can force the win of a named seat.
	Named bool
	// Stripes is the number of tiles of a new directory of two armies; 0 lets Memory decide.
	Stripes int
	// Method, if not empty, is the one to take for any game.
	Method Method
	// Resident, if not 0, keeps planes in files of Work with so many bytes of them in memory
	// at once, however much memory there is.
	Resident uint64
	// Progress, if not nil, is called now and then, one call at a time. Yield, if not nil, is
	// called by every goroutine every few milliseconds; it may block, to let others work.
	Progress func(Progress)
	Yield    func()
}

// Workers is the number of goroutines.
func (o *Options) Workers() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// Tell reports progress to whoever wants it.
func (o *Options) Tell(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Pause lets others work.
func (o *Options) Pause() {
	if o.Yield != nil {
		o.Yield()
	}
}

// Method is where the positions before a position of any game come from.
type Method string

// Progress is how far a solve has come.
type Progress struct {
	Step, Steps int     // the step under way, from 1, as in [Plan]; 0 while positions are listed
	Pass        int     // under way within the step; with distances a ply
	Decided     uint64  // positions so far, of this step or of all
	Share       float64 // of all the work, 0…1, estimated; it may decrease
}

// Plan forecasts a solve.
type Plan struct {
	// Positions is their number from the mover's side, 0 where it is not known. Places is the
	// number of places for them in arrays, 0 where positions are found by their keys.
	Positions, Places uint64
	// Steps are solved one after the other: questions about sets of seats.
	Steps  int
	Method Method // of a solve of any game
	// Bytes is the memory that a solve takes, all of its state included; Least the memory
	// without which it needs files, and InFiles the least memory with files, of Disk bytes,
	// equal to Least where files do not help. State is the part of Bytes, with a directory
	// the size of its files, that plies take once they are done.
	Bytes, Least, InFiles, Disk, State uint64
	// Limit is about how many positions found by their keys there is room for.
	Limit uint64
}

// Need is the least memory by options: with a directory, or without one.
func (p *Plan) Need(o Options) uint64 {
	if o.Work != "" {
		return min(p.Least, p.InFiles)
	}
	return p.Least
}

// Files says whether a solve by the options that the plan is for keeps planes in files.
func (p *Plan) Files(o Options) bool {
	return o.Work != "" && (o.Resident > 0 || o.Memory > 0 && o.Memory < p.Bytes)
}

// Check returns an error where the memory of options is too little.
func (p *Plan) Check(o Options) error {
	if need := p.Need(o); o.Memory > 0 && o.Memory < need {
		return &MemoryError{What: fmt.Sprintf("%d places for positions", p.Places), Bytes: need, Allowed: o.Memory, Files: o.Work == "" && p.InFiles < p.Least}
	}
	return nil
}

// MemoryError says that a solve needs more memory than it may take.
type MemoryError struct {
	What           string // is being made
	Bytes, Allowed uint64
	Files          bool // a directory would help
}

// Error names the remedy.
func (e *MemoryError) Error() string {
	remedy := "allow more (--mem)"
	if e.Files {
		remedy += ", or give a directory for the rest (--work)"
	}
	return fmt.Sprintf("%s: at least %s of memory are needed, %s are allowed: %s", e.What, mebibytes(e.Bytes), mebibytes(e.Allowed), remedy)
}

// mebibytes prints an amount of memory. A library of numbers would make small programs larger.
func mebibytes(n uint64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
