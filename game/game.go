// Package game is the contract between rules and solvers. It names values, results and
// moves, and defines the calls that every game answers ([Game], [State]) and those of games
// that can do more (the optional abilities).
//
// A new game implements Game and State; gametest.Run checks that it keeps the contract, and
// solve.Run searches it (an example there is complete).
//
// The package knows no rules and no search. Rules live in the packages below it, engines
// that know only this contract in package solve.
package game

import "fmt"

// Value is the value of a position to the player to move (or to the side that a function
// names), ordered from worst to best known.
type Value uint8

// The values, in order.
const (
	Unknown Value = iota // not known, or beyond the horizon; "open" in text
	Loss                 // the opponents can force a win
	Draw                 // neither side can force a win
	Win                  // the side can force a win
)

// String returns the value's name in records: open, loss, draw or win.
func (v Value) String() string {
	return [...]string{"open", "loss", "draw", "win"}[v&3]
}

// MarshalText returns the value as [Value.String] does, for JSON and CSV.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (v *Value) UnmarshalText(text []byte) error {
	for *v = Unknown; *v <= Win; *v++ {
		if v.String() == string(text) {
			return nil
		}
	}
	return fmt.Errorf("game: %q is no value: want open, loss, draw or win", text)
}

// Negate returns the value for the other side: Win becomes Loss and Loss Win.
func (v Value) Negate() Value {
	switch v {
	case Win:
		return Loss
	case Loss:
		return Win
	}
	return v
}

// Result is the state of a game by its rules: still going on, drawn, or won by
// a seat. Results ≥ 0 are the winner's seat index.
type Result int8

// The results that name no winner.
const (
	Ongoing Result = -2
	Drawn   Result = -1
)

// Winner returns the winning seat, and false if there is none.
func (r Result) Winner() (seat int, ok bool) { return int(r), r >= 0 }

// Move is a turn in the encoding of its game. It is meaningful only in the
// position it was generated for. Games keep moves below 1<<24, so that tables
// can store one in three bytes.
type Move uint32

// Pass is the turn of a player who has no legal move; the next player is then to move.
// NoMove is no turn at all. Neither is ever a game's own encoding.
const (
	Pass   Move = 1<<24 - 1
	NoMove Move = 1<<24 - 2
)

// Game is one game on one board under one rule set. It is immutable and safe
// for concurrent use.
type Game interface {
	// ID is the game's id in flags, files and benchmark names, for instance
	// halma-star37-2p. It never ends in -digits.
	ID() string
	// Rules names the rule set, for instance house; empty if there is only one.
	Rules() string
	// Seats is the number of players, at least 1. Seat indices 0…Seats()−1
	// are in turn order: after seat s the turn goes to (s+1) mod Seats().
	Seats() int
	// SeatName is the usual name of a seat, for instance "1" or "P3".
	SeatName(seat int) string
	// Start returns a new state at the start position.
	Start() State
	// Parse returns a new state at the position of a text. It accepts the text of
	// State.String. The error says what is wrong and where.
	Parse(text string) (State, error)
}

// State is a position in play: it holds the current position and the moves
// made to reach it. A State belongs to one goroutine; Clone makes another.
type State interface {
	// Seat is the seat to move.
	Seat() int
	// Result is decided by the current position alone, never by the path.
	Result() Result
	// Moves appends the legal moves to buf in a fixed order and returns it.
	// A player without a legal move has exactly one: Pass. A position whose
	// result is not Ongoing has none.
	Moves(buf []Move) []Move
	// Make plays a legal move; anything else is a broken promise of the caller.
	Make(Move)
	// Unmake takes back the last move made.
	Unmake()
	// Clone returns an independent state at the same position. It need not
	// keep the history: the clone may not be unmade beyond this point.
	Clone() State
	// String is the position as one line of text without spaces that fits in
	// a URL; Game.Parse reads it back to an equal position.
	String() string
	// MoveString is a legal move as text without spaces, for instance a1-c3.
	MoveString(Move) string
	// ParseMove reads the text of MoveString and checks that the move is legal here.
	ParseMove(text string) (Move, error)
}

// Keyer is the ability to identify positions exactly, in a few words. Without
// it a search has no transposition table.
type Keyer interface {
	// KeyWords is the number of words of a key, 1…6, constant per game.
	KeyWords() int
	// Key writes the identity of the current position, mover included, to
	// dst[:KeyWords()] and returns the symmetry sym that was applied. Two
	// positions have the same key if and only if a symmetry of the game maps one
	// to the other, mover to mover: then their values for the mover and the
	// distances are equal. For games of more than two seats only equal positions
	// share a key. Tables hash keys themselves.
	Key(dst []uint64) (sym uint8)
	// Canonical maps a move of the current position to the key's frame, and
	// Actual maps it back. Both keep Pass and NoMove.
	Canonical(m Move, sym uint8) Move
	Actual(m Move, sym uint8) Move
}

// NextKeyer is the ability of a [Keyer] to see keys one turn ahead. Without it a
// search waits for memory whenever it asks the table.
type NextKeyer interface {
	// NextKey writes to dst[:KeyWords()] and returns what Key would after a legal move
	// of the current position, and leaves the position as it is.
	NextKey(m Move, dst []uint64) (sym uint8)
}

// Counter is the ability to count legal moves without listing them, Pass
// included as one. Without it perft visits every leaf.
type Counter interface {
	CountMoves() int
}

// LeafMaker is the ability to make every leaf of a tree in the game's own loop. Without it
// a perft that makes its leaves uses lists of moves.
type LeafMaker interface {
	// MakeAll makes and takes back all sequences of depth ≥ 0 turns from the
	// current position, passes included, and returns their number. It allocates
	// nothing, and the state is at its position again afterwards.
	MakeAll(depth int) uint64
}

// Racer is the ability to bound a race from below. Without it a search cannot
// prune lines that are too long to win.
type Racer interface {
	// TurnsToWin is a lower bound on the number of turns of its own that seat needs before
	// it can have won, whatever the others do: 0 if nothing is known or it may already have
	// won, NeverWins if it cannot any more. It does not depend on the seat to move. If the
	// game ends before the seat could make that many turns, NeverWins lets a search see a
	// draw.
	TurnsToWin(seat int) int
}

// RaceLister is the ability of a [Racer] to list only moves that stay in a race. Without it
// a search makes all moves to see that most are too slow. It promises that no turn of one
// seat ever lowers TurnsToWin of another.
type RaceLister interface {
	// MovesWithin appends, in the order of Moves, the legal moves after which
	// TurnsToWin of the seat that makes them may be at most turns, and maybe others.
	// all is true only if no legal move was left out.
	MovesWithin(buf []Move, turns int) (moves []Move, all bool)
}

// ThreatLister is the ability of a [RaceLister] to list only moves that meet a threat.
// Without it a search makes all moves to see that most leave the threat standing.
type ThreatLister interface {
	// MovesAgainst looks for a turn by which the next seat wins at once unless the seat to move
	// prevents it. If there is such a threat, it appends, in the order of Moves, the legal moves
	// after which the next seat may have no win at once, or after which the mover has won, and
	// maybe others. With turns ≥ 0 it appends only those of them that MovesWithin lists; all is
	// true only if that left out none. After every other legal move the next seat wins with its
	// next turn. Without a threat, or if none is seen, nothing is appended.
	MovesAgainst(buf []Move, turns int) (moves []Move, all, threat bool)
}

// A Chance is the race of a seat of a coalition that has no turn to spare: to stay in it, its
// next turn must leave its TurnsToWin at most Turns. Before that turn come Allies turns of
// other seats of the coalition, and one of the adversary if Adversary is true.
type Chance struct {
	Seat, Turns, Allies int
	Adversary           bool
}

// AllyLister is the ability of a [RaceLister] to list only moves that help an ally, for three
// seats and more where all but one, the adversary, play together. Without it a search makes
// all moves of an ally to see that most help nobody.
type AllyLister interface {
	// Hopeless reports that the seat to move, the adversary, has a legal move after which
	// none of the chances comes true, whatever the allies do. If false, nothing is known.
	Hopeless(chances []Chance) bool
	// MovesHelping appends, in the order of Moves, the legal moves of an ally after which its
	// own TurnsToWin may be at most turns, and those that may help other allies. After any
	// other move the adversary can prevent all the chances, which are of other allies. Before
	// the adversary's turn come before turns of allies, this one included; a negative number
	// says that no chance waits for it. all is true only if no legal move was left out.
	MovesHelping(buf []Move, turns int, chances []Chance, adversary, before int) (moves []Move, all bool)
}

// NeverWins is the bound of a seat that can no longer win.
const NeverWins = 1 << 20

// Orderer is the ability to guess good moves. Without it moves are tried in
// the order of generation.
type Orderer interface {
	// Gain estimates the gain of a legal move for its mover; larger is better. It is an
	// integer in a unit of the game's own. A search adds history to it: in package solve
	// one unit weighs as much as 16 plies of history (a move that cuts off with d plies
	// left earns min(d, 64) of them, up to 4096), and 2 under max^n. It must not change the
	// state.
	Gain(m Move) int32
}

// MoveTester is the ability to tell whether a move known from elsewhere is legal.
// Without it a search lists all moves first.
type MoveTester interface {
	// IsLegal reports whether a move that is legal in some position of the game with
	// the same seat to move, and is not Pass, is legal in the current one.
	IsLegal(m Move) bool
}

// Finisher is the ability to see a win one turn ahead. Without it a search makes
// moves to see whether they win.
type Finisher interface {
	// Wins reports whether a legal move of the current position ends the game in
	// favour of the seat that makes it. It must not change the state.
	Wins(m Move) bool
}

// SafeLister is the ability to see wins two turns ahead. Without it a search makes moves to
// see that the next seat answers most of them by a win. It promises that a turn wins for the
// seat that makes it or for nobody.
type SafeLister interface {
	// WinningMove is a legal move that wins at once for the seat to move, NoMove if there is
	// none or the game is over.
	WinningMove() Move
	// SafeMoves appends, in the order of Moves, the legal moves after which the next seat has
	// no move that wins at once: those that end the game, and Pass, are among them. After each
	// other move the next seat wins with its next turn. It is asked only where WinningMove is
	// NoMove and the game is not over.
	SafeMoves(buf []Move) []Move
}

// Evaluator is the ability to judge an undecided position by heuristics, for
// players, never for proofs.
type Evaluator interface {
	// Evaluate is seat's standing, larger is better, within ±30000.
	Evaluate(seat int) int32
}

// Numberer is the ability of a [Game] to number its positions. Without it a complete
// solution takes the positions reached from the start, by their keys, in some 50 bytes each
// and 12 for each move, instead of one byte.
type Numberer interface {
	// Numbers bounds the numbers: they are 0…Numbers()−1, at most 1<<40 of them. A number
	// need not have a position. It is 0 if there are too many: such a game is treated as
	// one without numbers.
	Numbers() uint64
	// At sets a state of the game to the position of a number and drops its history. It
	// returns false if the number has none; the state is then good for another At only. It
	// allocates nothing, and Number afterwards returns n.
	At(s State, n uint64) bool
	// Number is the number of a state's position. The start has one, and every move from a
	// position with a number leads to one. Positions may share a number only if they could
	// share a key, see [Keyer]; or if they end alike, see [Ending].
	Number(s State) uint64
}

// Ending is the number of plies to the end where a [SafeLister] of two seats sees it: 0 if the
// position is over, 1 if the seat to move wins at once. Else, and for other games, it is −1. To
// positions with an ending a complete solution lists no moves backwards, so all that are over with
// equal results for the seat to move may share a number, and all that it wins at once.
func Ending(s State, seats int) int {
	l, ok := s.(SafeLister)
	switch {
	case !ok || seats != 2:
		return -1
	case s.Result() != Ongoing:
		return 0
	case l.WinningMove() != NoMove:
		return 1
	}
	return -1
}

// NumbererOf returns the Numberer of a game, nil if its positions have no numbers.
func NumbererOf(g Game) Numberer {
	if by, ok := g.(Numberer); ok && by.Numbers() > 0 {
		return by
	}
	return nil
}

// Follower is the ability of states of a [Numberer] to see numbers one turn ahead.
// Without it a complete solution makes each move and takes it back.
type Follower interface {
	// After appends the number of the position that each legal move leads to, in the
	// order of Moves.
	After(buf []uint64) []uint64
}

// Unmover is the ability of states of a [Numberer] to list the positions before them. Without
// it a complete solution lists all moves twice and keeps them, 7 bytes a number and 4 a move,
// in files if memory is too small.
type Unmover interface {
	// Before appends the number of every position from which a legal move leads to this
	// one, once for each such move. Numbers of finished positions, or without a position,
	// do no harm. Those with an [Ending] need not be there, and are not asked.
	Before(buf []uint64) []uint64
}
