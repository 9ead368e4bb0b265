package thesis2025

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"perfectplay/game/halma"
)

// Program holds the switches of the program: its rules, and which of its two devices are on.
// [Model.Program] has the settings of the four printed models.
type Program struct {
	// Rules of a star without illegal positions. Under base and house-code, the program's own
	// rules, no piece can hop over a piece of seats 3 to 6. Under all other rules, pieces can hop
	// over the pieces of every seat.
	Rules halma.Rules
	// Tables: visited boards are not searched again.
	Tables bool
	// Ordering: moves are sorted; with Tables, moves to visited boards are dropped.
	Ordering bool
}

// own reports whether the rules are the program's own, under any name.
func (p Program) own() bool {
	r := p.Rules
	r.Name = ""
	return r == (halma.Rules{}) || r == houseCode
}

// houseCode holds the rules house-code without their name.
var houseCode = halma.Rules{Win: halma.Win{Filled: true}, TipsClosed: true, Limits: halma.Limits{StayInGoal: true, StayOut: true}}

// free reports whether a piece may go anywhere, and a seat wins only with all pieces home.
func (p Program) free() bool {
	r := p.Rules
	r.Name = ""
	return r == (halma.Rules{})
}

// Readme returns the rules in the README of the program: a full goal with an own piece in it wins,
// no hop leaves the goal, a piece may pass other seats' tips but not rest there, and tips without a
// player are free.
func Readme() halma.Rules {
	return halma.Rules{Win: halma.Win{Filled: true}, TipsClosed: true, AbsentTipsOpen: true, Limits: halma.Limits{StayInGoal: true, ClosedTransit: true}}
}

// Model is a printed version of the program. Each model adds a device to the model before.
type Model string

// The models, by their names in the thesis.
const (
	Base         Model = "Base"         // rules base, no device
	Tables       Model = "Tables"       // with the set of visited boards
	SpecialRules Model = "SpecialRules" // with the rules house-code
	MoveOrdering Model = "MoveOrdering" // with sorted moves
)

// Models returns the printed models.
func Models() []Model { return []Model{Base, Tables, SpecialRules, MoveOrdering} }

// Program returns the switches of a model.
func (m Model) Program() Program {
	p := Program{Rules: halma.Rules{Name: "base"}, Tables: m != Base, Ordering: m == MoveOrdering}
	if m == SpecialRules || m == MoveOrdering {
		p.Rules = houseCode
		p.Rules.Name = "house-code"
	}
	return p
}

// Algorithm is a search of the published program.
type Algorithm string

// The algorithms. Minimax is for one player and two, the others for three, four and six.
const (
	Minimax  Algorithm = "minimax"
	Paranoid Algorithm = "paranoid"
	MaxN     Algorithm = "maxn"
)

// Config is one run of the program: the search after one opening move.
type Config struct {
	Program
	Players   int // 1, 2, 3, 4 or 6
	Pieces    int // per player: 1, 3, 6 or 10; the number decides the board
	Algorithm Algorithm
	Limit     int // turns after the opening move; 0: no limit, which needs Tables
	Opening   int // 1-based, in the program's order
	// MemoryBytes bounds the set of visited boards and the line being searched; 0 stands for
	// 2 GiB. A run that needs more ends with an error.
	MemoryBytes int64
	// ExpectBoards is the first size of the set; 0 if unknown. It changes no count.
	ExpectBoards uint64
}

func (c Config) memory() int64 { return cmp.Or(c.MemoryBytes, 2<<30) }

// MaxLimit is the largest turn limit.
const MaxLimit = 100_000

var errEndless = errors.New("without tables a search without a limit never ends, since boards come back: set a limit, or leave the tables on")

// turns returns the limit in turns, math.MaxInt without a limit.
func (c Config) turns() int { return cmp.Or(c.Limit, math.MaxInt) }

// Validate returns an error for a configuration that the program cannot run. It does not check
// the number of the opening.
func (c Config) Validate() error {
	switch {
	case c.Algorithm != Minimax && c.Algorithm != Paranoid && c.Algorithm != MaxN:
		return fmt.Errorf("thesis2025: unknown algorithm %q", c.Algorithm)
	case (c.Players <= 2) != (c.Algorithm == Minimax):
		return fmt.Errorf("thesis2025: %v with %d players: minimax is for one and two, paranoid and maxn for more", c.Algorithm, c.Players)
	case c.Limit < 0 || c.Limit > MaxLimit:
		return fmt.Errorf("thesis2025: limit %d: want 0 to %d", c.Limit, MaxLimit)
	case c.Limit == 0 && !c.Tables:
		return fmt.Errorf("thesis2025: %w", errEndless)
	case c.MemoryBytes < 0:
		return fmt.Errorf("thesis2025: negative memory budget")
	case c.Rules.Illegal != halma.NoIllegal:
		return fmt.Errorf("thesis2025: rules %s: the program knows no illegal positions", c.Rules)
	}
	b, _, err := c.board()
	if err == nil {
		_, err = halma.New(b, c.Players, c.Rules)
	}
	return err
}

// board returns the star and the seats in the order of their turns.
func (c Config) board() (*halma.Board, []int, error) {
	b, err := halma.Star(side(c.Pieces))
	if err != nil {
		return nil, nil, fmt.Errorf("thesis2025: %d pieces: want 1, 3, 6 or 10", c.Pieces)
	}
	seats, err := b.SeatTips(c.Players)
	return b, seats, err
}

// side returns the side of a triangle of 1, 3, 6 or 10 pieces, 0 for any other number.
func side(pieces int) int {
	for t := 1; t <= 4; t++ {
		if t*(t+1)/2 == pieces {
			return t
		}
	}
	return 0
}

// Game is the id of the game.
func (c Config) Game() string {
	t := side(c.Pieces)
	return fmt.Sprintf("halma-star%d-%dp", 6*t*(t+1)+1, c.Players)
}

// Counts are the program's figures about a search.
type Counts struct {
	Nodes     uint64 // positions visited
	Terminals uint64 // won positions among them
	Cutoffs   uint64
	Stored    uint64 // boards entered into the visited set
	Hits      uint64 // boards found in the visited set
}

// Row is the outcome of a run.
type Row struct {
	Config
	Counts
	Move    string  // the opening move, for instance a1-c3
	Winner  int     // seat, 0 for the program's draw
	Seconds float64 // wall time
}

// Result is the outcome as the thesis prints it: DRAW, WIN1 or WIN2, or with more than two players
// WINP1 to WINP6.
func (r Row) Result() string {
	switch {
	case r.Winner == 0:
		return "DRAW"
	case r.Players <= 2:
		return fmt.Sprintf("WIN%d", r.Winner)
	}
	return fmt.Sprintf("WINP%d", r.Winner)
}
