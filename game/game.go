// Package game is the contract between rules and solvers: values, results and moves, the calls
// that every game answers ([Game], [State]), and optional abilities. It knows no rules and no
// search. gametest.Run checks that a game keeps the contract; package solve has an example of
// one.
package game

import "fmt"

// Value is the value of a position for the player to move, or for the side that a function
// names, ordered from worst to best known.
type Value uint8

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

// Negate returns the value for the other side.
func (v Value) Negate() Value {
	switch v {
	case Win:
		return Loss
	case Loss:
		return Win
	}
	return v
}

// Result is ongoing, drawn, or the seat index of the winner, by the rules.
type Result int8

const (
	Ongoing Result = -2
	Drawn   Result = -1
)

// Winner returns the winning seat, and false if nobody has won.
func (r Result) Winner() (seat int, ok bool) { return int(r), r >= 0 }

// Move is a turn in the encoding of its game, below 1<<24. It has a meaning only in the position
// for which it was generated.
type Move uint32

// Pass is the turn of a player who has no legal move. NoMove is no turn at all. Games encode no move
// as either.
const (
	Pass   Move = 1<<24 - 1
	NoMove Move = 1<<24 - 2
)

// Game is one game on one board under one rule set. It is immutable and safe for concurrent use.
type Game interface {
	// ID is the game's name in flags and files, for instance halma-star37-2p. It does not end in
	// -digits.
	ID() string
	// Rules names the rule set, for instance house; empty if there is only one.
	Rules() string
	// Seats is the number of players, at least 1. Seat indices 0…Seats()−1 are in turn order.
	Seats() int
	// SeatName is the printed name of a seat, for instance "1" or "P3".
	SeatName(seat int) string
	// Start returns a new state at the start position.
	Start() State
	// Parse returns a new state at the position of a text, as State.String prints it. The error
	// says what is wrong in the text, and where.
	Parse(text string) (State, error)
}

// State is a position in play with the moves made to reach it. It belongs to one goroutine;
// Clone makes another.
type State interface {
	Seat() int
	// Result depends on the current position, not on the path.
	Result() Result
	// Moves appends the legal moves to buf in a fixed order and returns it. A player without a
	// legal move has exactly one turn, Pass. A position whose result is not Ongoing has no moves.
	Moves(buf []Move) []Move
	// Make plays a legal move. Other moves are not checked.
	Make(Move)
	// Unmake takes back the last move made.
	Unmake()
	// Clone returns an independent state at the same position. It need not keep the history: the
	// clone may not be unmade beyond this point.
	Clone() State
	// String is the position as text without spaces or line breaks that fits in a URL;
	// Game.Parse reads it.
	String() string
	// MoveString is a legal move as text without spaces, for instance a1-c3.
	MoveString(Move) string
	// ParseMove reads the text of MoveString and checks that the move is legal here.
	ParseMove(text string) (Move, error)
}

// Keyer is the ability to identify positions exactly, in a few words. Without it a search has no
// transposition table.
type Keyer interface {
	// KeyWords is the number of words of a key, 1…6, constant per game.
	KeyWords() int
	// Key writes the identity of the current position, mover included, to dst[:KeyWords()] and
	// returns the symmetry that it applied. Two positions have the same key if and only if a
	// symmetry of the game maps one to the other, mover to mover; their values for the mover and
	// their distances are equal. With more than two seats only equal positions share a key. Keys
	// need not be hashed.
	Key(dst []uint64) (sym uint8)
	// Canonical maps a move of the current position to the key's frame, and Actual maps it back.
	// Both keep Pass and NoMove.
	Canonical(m Move, sym uint8) Move
	Actual(m Move, sym uint8) Move
}

// NextKeyer is the ability of a [Keyer] to compute keys one turn ahead. Without it a search
// waits for memory at every lookup.
type NextKeyer interface {
	// NextKey writes and returns what Key would after a legal move. It does not change the
	// state.
	NextKey(m Move, dst []uint64) (sym uint8)
}

// Counter is the ability to count legal moves, Pass included, without listing them. Without it
// perft visits every leaf.
type Counter interface {
	CountMoves() int
}

// Racer is the ability to bound a race from below. Without it a search cannot prune lines that
// are too long to win.
type Racer interface {
	// TurnsToWin is a lower bound on the number of turns of its own that a seat needs before it can
	// have won, whatever the others do: 0 if nothing is known or the seat may already have won,
	// NeverWins if the seat can no longer win before the game ends. It does not depend on the seat
	// to move.
	TurnsToWin(seat int) int
}

// RaceLister is the ability of a [Racer] to list only moves that stay in a race. Without it a
// search makes all moves to find that most are too slow. It promises that no turn of one seat
// lowers TurnsToWin of another.
type RaceLister interface {
	// MovesWithin appends, in the order of Moves, at least the legal moves after which
	// TurnsToWin of their maker may be at most turns. all is true only if no legal move was left
	// out.
	MovesWithin(buf []Move, turns int) (moves []Move, all bool)
}

// ThreatLister is the ability of a [RaceLister] to list only moves that meet a threat. Without
// it a search makes all moves to find that most leave the threat standing.
type ThreatLister interface {
	// MovesAgainst looks for a threat: a turn by which the next seat wins at once unless the seat
	// to move prevents it. If it sees a threat, it appends, in the order of Moves, at least the
	// legal moves after which the next seat may have no win at once or the mover has won. With
	// turns ≥ 0 it also leaves out the moves that MovesWithin leaves out; all is true only if
	// MovesWithin leaves out no move. After every other legal move the next seat wins with its next
	// turn.
	MovesAgainst(buf []Move, turns int) (moves []Move, all, threat bool)
}

// A Chance is the race of a seat of a coalition that has no turn to spare: its next turn must
// leave its TurnsToWin at most Turns. Before that turn come Allies turns of other seats of the
// coalition, and one of the adversary if Adversary is true.
type Chance struct {
	Seat, Turns, Allies int
	Adversary           bool
}

// AllyLister is the ability of a [RaceLister] to list only moves that help an ally, for three
// seats and more where all but one, the adversary, play together. Without it a search makes all
// moves of an ally to find that most help nobody.
type AllyLister interface {
	// Hopeless reports whether the seat to move, the adversary, is known to have a legal move after
	// which no chance comes true, whatever the allies do.
	Hopeless(chances []Chance) bool
	// MovesHelping appends, in the order of Moves, at least the legal moves of an ally after which
	// its own TurnsToWin may be at most turns, and the moves that may help other allies, whose
	// chances are given. After any other move the adversary can prevent all chances. before is the
	// number of allies' turns, this one included, before the adversary's turn; it is negative if no
	// chance waits for that turn. all is true only if no legal move was left out.
	MovesHelping(buf []Move, turns int, chances []Chance, adversary, before int) (moves []Move, all bool)
}

// NeverWins is the bound of a seat that can no longer win.
const NeverWins = 1 << 20

// Orderer is the ability to guess good moves. Without it moves are tried in the order of
// generation.
type Orderer interface {
	// Gain estimates the gain of a legal move for its mover, in the game's own unit; larger is
	// better. It does not change the state. In package solve one unit weighs as much as 16 plies of
	// history, and 2 under max^n: a move that cuts off with d plies left earns min(d, 64) plies of
	// history, up to 4096 in all.
	Gain(m Move) int32
}

// MoveTester is the ability to tell whether a move known from elsewhere is legal. Without it a
// search lists all moves first.
type MoveTester interface {
	// IsLegal reports whether a move other than Pass, legal in some position with the same seat
	// to move, is legal in the current one.
	IsLegal(m Move) bool
}

// Finisher is the ability to see a win one turn ahead. Without it a search makes moves to see
// whether they win.
type Finisher interface {
	// Wins reports whether a legal move wins the game for its maker. It does not change the
	// state.
	Wins(m Move) bool
}

// SafeLister is the ability to see wins two turns ahead. Without it a search makes moves to find
// that the next seat answers most of them by a win. It promises that a turn wins for its maker
// or for nobody.
type SafeLister interface {
	// WinningMove is a legal move that wins at once for the seat to move. It is NoMove if no move
	// wins at once or the game is over.
	WinningMove() Move
	// SafeMoves appends, in the order of Moves, the legal moves after which the next seat has no
	// move that wins at once; moves that end the game are among them. It is called only where
	// WinningMove is NoMove and the game is not over.
	SafeMoves(buf []Move) []Move
}

// Evaluator is the ability to judge a position by heuristics, for players, not for proofs.
type Evaluator interface {
	// Evaluate is the standing of a seat within ±30000, larger is better.
	Evaluate(seat int) int32
}

// Numberer is the ability of a [Game] to number its positions. Without it a complete solution lists
// the positions reached from the start, by their keys. That takes some 50 bytes a position and 12 a
// move, instead of one byte a position.
type Numberer interface {
	// Numbers bounds the numbers: they are 0…Numbers()−1, at most 1<<40 of them; some may have
	// no position. It is 0 if there are too many: then the game counts as one without numbers.
	Numbers() uint64
	// At sets a state of the game to the position of a number and drops its history. It returns
	// false if the number has no position; then only At may be called on the state. It does not
	// allocate.
	At(s State, n uint64) bool
	// Number is the number of a state's position. The start has a number, and every move from a
	// position with a number leads to another such position. Positions may share a number only if
	// they could share a key, see [Keyer], or if they have equal endings, see [Ending].
	Number(s State) uint64
}

// Ending is the number of plies to the end where a [SafeLister] of two seats sees it: 0 if the
// position is over, 1 if the seat to move wins at once, else −1. A complete solution lists no moves
// backwards to positions with an ending. So finished positions with equal results for the seat to
// move may share a number, and all positions that it wins at once may share another number.
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

// Follower is the ability of states of a [Numberer] to compute numbers one turn ahead. Without
// it a complete solution makes each move and takes it back.
type Follower interface {
	// After appends the number of the position after each legal move, in the order of Moves.
	After(buf []uint64) []uint64
}

// Unmover is the ability of states of a [Numberer] to list predecessors. Without it a complete
// solution lists all moves twice and keeps them, 7 bytes a number and 4 a move, in files if
// memory is too small.
type Unmover interface {
	// Before appends the number of every position from which a legal move leads to this one, once
	// for each such move. It may append numbers of finished positions, and numbers without a
	// position. It may leave out positions with an [Ending], and is not called at such positions.
	Before(buf []uint64) []uint64
}
