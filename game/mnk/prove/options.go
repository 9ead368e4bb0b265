package prove

import "time"

// Method names a search.
type Method uint8

// The searches. They share table, leaves and answers.
const (
	Mixed        Method = iota // zones; each fourth thread, or the only one, takes turns with proof numbers
	Zones                      // depth-first with relevance zones
	ProofNumbers               // depth-first proof-number search
	Deepening                  // zones, with one more quiet move for the attacker each time
)

// Methods are the names of the searches, in the order of the constants.
func Methods() []string { return []string{"mixed", "zones", "numbers", "deepening"} }

// Options say how to search. The zero value of each field stands for its default.
type Options struct {
	Memory  int64  // bytes of the table; default 256 MiB
	Threads int    // default: GOMAXPROCS
	Nodes   uint64 // most nodes of a question, 0 for no limit
	Cuts    Cuts
	Method  Method
	// Yield, if not nil, is called by every thread at least every few milliseconds
	// while it works; it may block, to let others work.
	Yield func()
	// Book, if not nil, gives a prover its first proofs. It learns each answer, and each
	// proof that takes at least BookNodes nodes, by default [defaultBookNodes].
	Book      Book
	BookNodes uint64
	// Progress, if not nil, is called now and then, by one thread at a time.
	Progress func(nodes uint64, fill float64)
}

// Cuts switches off parts of the search. The zero value has all on. They change the work,
// never the result.
type Cuts struct {
	NoWeight    bool // Erdős–Selfridge weights
	NoPairing   bool // pairing strategies
	NoZone      bool // relevance zones; without them all moves are looked at
	NoForks     bool // double threats one move ahead
	NoSymmetry  bool // symmetries: rotations and mirrors
	NoWalls     bool // walls: without them cells that matter to neither side are told apart
	NoLambda    bool // λ-search at inner positions of the zone search
	SymmetryTo  int  // most stones for which symmetries are tried, 0 for the default
	PairingFrom int  // least empty cells for which pairings are tried, 0 for the default
}

// Result is the answer to one question.
type Result struct {
	Known bool // the search has an answer
	Won   bool // the attacker can complete a window first
	// Move is the proved move of the side to move: the attacker's winning move, or a
	// defender's move after which the attacker cannot win. It is −1 if the other side is to
	// move, or if the table has lost it.
	Move    int
	Nodes   uint64
	Hits    uint64
	Leaves  [6]uint64 // leaves by threats, forks, weights, pairings, table, λ-wins
	Fill    float64   // share of the table in use, 0…1
	Elapsed time.Duration
}

// Add adds the work of another result to r.
func (r *Result) Add(other Result) {
	r.Nodes += other.Nodes
	r.Hits += other.Hits
	r.Elapsed += other.Elapsed
	r.Fill = max(r.Fill, other.Fill)
	for i, n := range other.Leaves {
		r.Leaves[i] += n
	}
}
