package solve

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Algo is the name of an engine.
type Algo string

// The engines.
const (
	// AlphaBeta finds the value for the hero and its distance in games of one or two seats.
	AlphaBeta Algo = "alphabeta"
	// Paranoid is AlphaBeta for any number of seats: all others play against the hero.
	Paranoid Algo = "paranoid"
	// Proof finds whether, and how fast, the hero can force a win against all others.
	Proof Algo = "proof"
	// MaxN finds the outcome when every seat plays for itself.
	MaxN Algo = "maxn"
)

var algos = []string{string(AlphaBeta), string(Paranoid), string(Proof), string(MaxN)}

// AlgoNames lists the engines.
func AlgoNames() []string { return slices.Clone(algos) }

func (a Algo) deepest() int {
	if a == MaxN {
		return MaxLimitMaxN
	}
	return MaxLimit
}

// DefaultAlgo is AlphaBeta for one or two seats, else Paranoid.
func DefaultAlgo(g game.Game) Algo {
	if g.Seats() <= 2 {
		return AlphaBeta
	}
	return Paranoid
}

// Scope selects the searches of a run.
type Scope uint8

// The scopes. The limit counts plies from the root, the opening move included. Each search
// deepens until its own value is decided: the scope Both searches every other opening up to the
// limit even when the root is decided, which can cost far more than the root did.
const (
	Both         Scope = iota // the position as a whole, then each opening move
	WholeOnly                 // the position as a whole
	OpeningsOnly              // each opening move; the whole follows from them
)

// Ordering switches the sources of move ordering. Results do not depend on it.
type Ordering struct {
	Table   bool // the best move of the table first
	Wins    bool // then moves that win at once
	Killers bool // then moves that cut off at the same ply
	Gain    bool // then by the game's estimate, see game.Orderer
	History bool // then moves that cut off anywhere
	Learn   bool // use Killers, Gain and History only where they save nodes, see rehearsal.go
}

// AllOrdering switches on every source.
func AllOrdering() Ordering {
	return Ordering{Table: true, Wins: true, Killers: true, Gain: true, History: true, Learn: true}
}

// Limits of the options.
const (
	// MaxLimit is the largest limit in plies, MaxLimitMaxN the largest limit of MaxN.
	MaxLimit     = 30000
	MaxLimitMaxN = 1000
	MaxThreads   = 1024
	// MinMemory is the smallest table in bytes, DefaultMemory its size if the options name none.
	MinMemory     = table.MinBytes
	DefaultMemory = 256 << 20
	// DefaultBookNodes is the default of [Options].BookNodes: a few milliseconds of a thread.
	DefaultBookNodes = 20000
)

// ErrOptions is wrapped by every error about a bad option.
var ErrOptions = errors.New("solve: bad option")

// Options are the settings of a search. The zero value of each field stands for its default.
type Options struct {
	Algo Algo // default: DefaultAlgo(game)
	// Hero is the seat whose value is searched (not with MaxN), nil for the seat to move.
	Hero *int
	// Limit is the horizon in plies from the root; 0 for none: all searches deepen in step until
	// each value is final, the time is up or the context is cancelled.
	Limit int
	Scope Scope
	// Time bounds the run; 0 for no bound. The whole may take half of it, each opening an equal
	// share of the rest. Unused time goes to later searches, then to those that ran out of time.
	Time time.Duration
	// Nodes, if not 0, ends the run after that number of nodes, as if its time were up. Threads
	// report a thousand nodes at a time; with one thread the result is the same on every
	// machine.
	Nodes   uint64
	Threads int // default: GOMAXPROCS
	// Memory is the size of the transposition table in bytes; default: DefaultMemory. A search
	// needs some 10 MiB more, and up to 70 KiB a thread.
	Memory   int64
	Ordering *Ordering // default (nil): AllOrdering
	NoTable  bool      // search without a transposition table
	NoBound  bool      // ignore the game's lower bounds on turns to win
	NoLine   bool      // no line of best play
	Direct   bool      // search at the limit at once, without iterative deepening
	// Book, if not nil, gives the run its first facts and receives proofs of at least BookNodes
	// nodes (default: DefaultBookNodes). It needs a table, and an engine other than MaxN.
	Book      Book
	BookNodes uint64
	// Deeper, if not nil, is called on the goroutine of Run with the results so far: with a
	// limit after every search; without one after every depth, and whenever a search becomes
	// final, with the line of best play once the whole is decided. It must not keep or change
	// the report. If it returns false the run ends as if its time were up.
	Deeper func(*Report) bool
	// Yield, if not nil, is called by every thread at least every few milliseconds; it may
	// block, to let others work.
	Yield func()
	// Progress, if not nil, is called up to ten times a second by one of the searching
	// goroutines; it should return at once.
	Progress func(Progress)

	eager bool // tests: all threads join searches of any size, and ask the table to the end
	hasty bool // tests: Check gives up soon
}

// Progress describes how far a run has come.
type Progress struct {
	Search    int           // 0 is the whole, 1… are the openings
	Searches  int           // number of searches in the run
	Move      string        // the opening, empty for the whole
	Iteration int           // horizon of the current iteration in plies
	Limit     int           // horizon of the run
	Fraction  float64       // moves of this iteration's first position searched, 0…1
	Share     float64       // done part of all searches to the horizon, 0…1, estimated; −1 without a limit
	Nodes     uint64        // nodes of the whole run so far
	Elapsed   time.Duration // time since the run began
}

// plan is a set of checked options with all defaults filled in.
type plan struct {
	Options
	algo     Algo
	hero     int
	ordering Ordering
}

func (o Options) plan(g game.Game, s game.State) (*plan, error) {
	bad := func(format string, args ...any) (*plan, error) {
		return nil, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...)
	}
	p := &plan{Options: o, algo: o.Algo, hero: s.Seat(), ordering: AllOrdering()}
	if p.algo == "" {
		p.algo = DefaultAlgo(g)
	}
	if !slices.Contains(algos, string(p.algo)) {
		return bad("algorithm %q: not known: choose one of %s", string(p.algo), strings.Join(algos, ", "))
	}
	if g.Seats() > maxSeats {
		return bad("%s has %d seats: at most %d are supported", g.ID(), g.Seats(), maxSeats)
	}
	if p.algo == AlphaBeta && g.Seats() > 2 {
		return bad("algorithm alphabeta: %s has %d seats: use paranoid, proof or maxn", g.ID(), g.Seats())
	}
	if o.Hero != nil {
		if p.hero = *o.Hero; p.hero < 0 || p.hero >= g.Seats() {
			return bad("hero: seat %d: the game has seats 0 to %d", p.hero, g.Seats()-1)
		}
		if p.algo == MaxN {
			return bad("hero: maxn has none: every seat plays for itself")
		}
	}
	if o.Limit < 0 || o.Limit > p.algo.deepest() {
		return bad("limit %d: it must be from 1 to %d plies, or 0 for none", o.Limit, p.algo.deepest())
	}
	if o.Time < 0 {
		return bad("time %v: it must not be negative", o.Time)
	}
	if o.Scope > OpeningsOnly {
		return bad("scope %d: not known", o.Scope)
	}
	if p.Threads == 0 {
		p.Threads = runtime.GOMAXPROCS(0)
	}
	if p.Threads < 0 || p.Threads > MaxThreads {
		return bad("threads %d: it must be from 1 to %d", p.Threads, MaxThreads)
	}
	if p.Memory == 0 {
		p.Memory = DefaultMemory
	}
	if p.Memory < MinMemory {
		return bad("memory %d bytes: at least %d are needed", p.Memory, int64(MinMemory))
	}
	if o.Ordering != nil {
		p.ordering = *o.Ordering
	}
	if o.Book != nil {
		if _, keys := s.(game.Keyer); p.algo == MaxN || o.NoTable || !keys {
			return bad("a book goes with a table, and with alphabeta, paranoid and proof")
		}
		if p.BookNodes == 0 {
			p.BookNodes = DefaultBookNodes
		}
	}
	return p, nil
}
