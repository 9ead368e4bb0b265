package prove

import "time"

// Method names a search.
type Method uint8

// The searches. Both share table, leaves and answers.
const (
	Mixed        Method = iota // zones, and proof numbers in turn on the second thread of four (or the only one)
	Zones                      // depth-first with relevance zones
	ProofNumbers               // depth-first proof-number search
	Deepening                  // zones, with one more quiet move for the attacker each time
)

// Methods are the names of the searches, in the order of the constants.
func Methods() []string { return []string{"mixed", "zones", "numbers", "deepening"} }

// Options say how to search. The zero value of each field stands for its default.
type Options struct {
	Memory  int64 // bytes of the table; default 256 MiB
	Threads int   // default: as many as Go may use
	Nodes   uint64
	Cuts    Cuts
	Method  Method
	// Yield, if not nil, is called by every thread at least every few milliseconds
	// while it works; it may block, to let others work.
	Yield func()
	// Book, if not nil, is what a prover begins with, and learns what takes at least
	// BookNodes nodes to prove, by default [DefaultBookNodes], and each answer.
	Book      Book
	BookNodes uint64
	// Progress, if not nil, is called about ten times a second.
	Progress func(nodes uint64, fill float64)
}

// Cuts switches off parts of the search. The zero value has all on. Results do
// not depend on it, only the work does.
type Cuts struct {
	NoWeight    bool // Erdős–Selfridge weights
	NoPairing   bool // pairing strategies
	NoZone      bool // relevance zones: all moves are looked at
	NoForks     bool // double threats one move ahead
	NoSymmetry  bool // rotations and mirrors
	NoWalls     bool // cells that matter to nobody are told apart
	NoLambda    bool // λ-search at inner positions of the zone search
	SymmetryTo  int  // most stones for which symmetries are tried; 0 is the default
	PairingFrom int  // least empty cells for which pairings are tried; 0 is the default
}

// Result is the answer to one question.
type Result struct {
	Known bool // the search came to an end
	Won   bool // the attacker can complete a window first
	// Move does what was proved for the side to move: the attacker's winning move,
	// or a move of the defender after which the attacker cannot win. It is −1 if it
	// is the other side's turn, or if the table has lost it.
	Move    int
	Nodes   uint64
	Hits    uint64
	Leaves  [6]uint64 // threats, forks, weights, pairings, table, λ-wins
	Fill    float64   // of the table
	Elapsed time.Duration
}
