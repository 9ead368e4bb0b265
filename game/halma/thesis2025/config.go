package thesis2025

import (
	"cmp"
	"fmt"
	"strings"

	"perfectplay/game/halma"
)

// Model is a version of the published program; each adds to the one before.
type Model int

// The models.
const (
	Base         Model = iota // rest anywhere, all-home win, no table, no ordering
	Tables                    // with the set of visited boards
	SpecialRules              // with the additional rules, as the program plays them
	MoveOrdering              // with sorted moves, moves to visited boards dropped
)

var modelNames = []string{"Base", "Tables", "SpecialRules", "MoveOrdering"}

// String returns the name the thesis uses.
func (m Model) String() string { return modelNames[m] }

// Rules names the rule set of the model, as the rest of the module calls it.
func (m Model) Rules() string {
	if m >= SpecialRules {
		return "house-code"
	}
	return "base"
}

// parse finds a name, in upper or lower case.
func parse[T ~int](what, s string, names []string) (T, error) {
	for i, name := range names {
		if strings.EqualFold(s, name) {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("thesis2025: %s %q: want one of %s", what, s, strings.ToLower(strings.Join(names, ", ")))
}

// Algorithm is a search of the published program.
type Algorithm int

// The algorithms. Minimax is for two players, the others for three, four and six.
const (
	Minimax Algorithm = iota
	Paranoid
	MaxN
)

var algorithmNames = []string{"minimax", "paranoid", "maxn"}

// String returns minimax, paranoid or maxn.
func (a Algorithm) String() string { return algorithmNames[a] }

// Config is one run of the published program: the search after one opening move.
type Config struct {
	Model     Model
	Players   int // 2, 3, 4 or 6
	Pieces    int // per player: 1, 3, 6 or 10; it decides the board
	Algorithm Algorithm
	Limit     int // turns after the opening move
	Opening   int // 1-based, in the program's order
	// MemoryBytes bounds the set of visited boards, the only large memory of a
	// run; 0 stands for DefaultMemory. A run that needs more ends with an error.
	MemoryBytes int64
	// ExpectBoards sizes the set at the start, so that it need not grow. 0 if
	// unknown. It never changes a count.
	ExpectBoards uint64
}

// memory is the bound on a run's memory in bytes.
func (c Config) memory() int64 { return cmp.Or(c.MemoryBytes, DefaultMemory) }

// DefaultMemory is the bound on the set of visited boards if none is given.
const DefaultMemory = 2 << 30

// MaxLimit is the largest turn limit.
const MaxLimit = 1000

// Validate reports what makes the configuration one that the program cannot
// run, the opening's number apart.
func (c Config) Validate() error {
	switch {
	case c.Model < 0 || int(c.Model) >= len(modelNames):
		return fmt.Errorf("thesis2025: unknown model %d", int(c.Model))
	case c.Algorithm < 0 || int(c.Algorithm) >= len(algorithmNames):
		return fmt.Errorf("thesis2025: unknown algorithm %d", int(c.Algorithm))
	case (c.Players == 2) != (c.Algorithm == Minimax):
		return fmt.Errorf("thesis2025: %v with %d players: minimax is for two, paranoid and maxn for more", c.Algorithm, c.Players)
	case c.Limit < 0 || c.Limit > MaxLimit:
		return fmt.Errorf("thesis2025: limit %d: want 0 to %d", c.Limit, MaxLimit)
	case c.MemoryBytes < 0:
		return fmt.Errorf("thesis2025: negative memory budget")
	}
	_, _, err := c.board()
	return err
}

// board is the star that is played on and the seats in the order of their turns.
func (c Config) board() (*halma.Board, []int, error) {
	b, err := halma.Star(side(c.Pieces))
	if err != nil {
		return nil, nil, fmt.Errorf("thesis2025: %d pieces: want 1, 3, 6 or 10", c.Pieces)
	}
	seats, err := b.SeatTips(c.Players)
	return b, seats, err
}

// side returns the side t of the triangles that hold the given number of
// pieces, or 0 if there is no such star.
func side(pieces int) int {
	for t := 1; t <= 4; t++ {
		if t*(t+1)/2 == pieces {
			return t
		}
	}
	return 0
}

// Game is the id of the game played, as elsewhere in the module.
func (c Config) Game() string {
	t := side(c.Pieces)
	return fmt.Sprintf("halma-star%d-%dp", 6*t*(t+1)+1, c.Players)
}

// Counts are the figures the program reports about a search.
type Counts struct {
	Nodes     uint64 // positions visited
	Terminals uint64 // won positions among them (the program's leaves)
	Cutoffs   uint64
	Stored    uint64 // boards entered into the visited set
	Hits      uint64 // boards found there
}

// Row is the outcome of a run.
type Row struct {
	Config
	Counts
	Move    string  // the opening move, for instance a1-c3
	Winner  int     // seat, 0 for the program's draw
	Seconds float64 // wall time
}

// Result is the outcome as the thesis prints it: DRAW, WIN1 or WIN2, and WINP1
// to WINP6 with more than two players.
func (r Row) Result() string {
	switch {
	case r.Winner == 0:
		return "DRAW"
	case r.Players == 2:
		return fmt.Sprintf("WIN%d", r.Winner)
	}
	return fmt.Sprintf("WINP%d", r.Winner)
}
