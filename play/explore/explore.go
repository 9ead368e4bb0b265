// Package explore answers questions about the value of any position of any game. Page, terminal,
// server and protocol are thin clients of its service.
//
// [New] makes a [Service] from the wings of the program. A [Query] names a game, rules, and a
// position as text and moves from there. [Service.Ask] answers from the cheapest source of proved
// values, or by a search of a bounded number of nodes; [Service.Analyse] searches deeper and
// reports each step; [Service.Position] only reads and draws.
//
// # Sources
//
// The service asks these in order, if they fit the memory, until nothing is left open:
//
//   - the rules, if the game is over;
//   - a table in the directory of tables;
//   - the sources of the wing, such as the exact solver of dominoes, proofs of m,n,k-games, and
//     a solution of the whole game, made on the spot and kept;
//   - a book of earlier proofs;
//   - bounded search that deepens.
//
// Only a proved value is final. An undecided position is open, not a draw, with the number of
// plies within which, by proof, nothing is decided.
//
// Value, moves and line are one statement: the value is that of the first move, and the line
// begins with it. A value known of a position alone stays open until a move is known that
// achieves it.
//
// # More than two seats
//
// With three seats or more, the value of a position depends on the aims of the others.
// An answer has three values that can be proved:
//
//   - Value, for the seat to move alone against all others: win, it forces its own
//     win whatever they do; loss, together they force that one of them wins; draw,
//     neither. Each move has a value of the same kind, for the seat that makes it.
//   - Force, the same for every seat.
//   - Winner, the seat that wins if everybody plays for himself and knows that the
//     others do (max^n), ties broken as in solve search --algo maxn. It is empty if unknown:
//     Ask searches for it on small boards only, Analyse on all.
//
// # Shared use
//
// A Service is safe for concurrent use by any number of clients. Half of [Options.Memory] is
// for sources that stay open; the least recently asked is closed first. A source is made once
// for all clients. The other half is divided into at most sixteen rooms for the tables of
// searches, a quarter of them for Ask.
//
// A search holds all [Options.Threads] threads for a slice of 20 ms and then hands them to the
// question that has waited longest, so a quick question never waits for a long analysis. If there
// are more analyses than rooms, an analysis makes way after two seconds, and starts over later
// with twice the time and all that it has proved.
package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/solve"
)

// Options say what a service may use. The zero value of each field stands for
// its default.
type Options struct {
	Wings []wing.Wing // the games
	// Tables is a directory with files of solve strong --table, or empty. The service looks
	// through it when a game is first asked for.
	Tables string
	// Warn, if not nil, receives the reason why a table is not used, or does not answer, or why
	// a game that contradicts itself is not solved. Several goroutines may call it, and again
	// for the same reason.
	Warn func(error)
	// Book has the facts that earlier searches proved, or is nil. Answers come from it, and
	// searches start from it.
	Book Book
	// Proved, if not nil, returns the proofs that sources of a game start from, see
	// [wing.Resources].
	Proved func(game.Game) any
	// Memory bounds all sources and searches together, in bytes; default 1 GiB.
	Memory int64
	// Threads bounds the threads that compute; default as many as Go may use.
	Threads int
	// Nodes bounds a question of Ask that no source answers: the nodes of a slow source, and
	// those of a search, each on one thread, so that the answer is the same on a busy machine.
	// It does not bound a query with Seconds, a search to a query's Limit, or the making of
	// sources. Default DefaultNodes.
	Nodes uint64
}

// DefaultNodes is the default of [Options.Nodes], a second or two of work.
const DefaultNodes = 1 << 20

// Book holds facts that earlier searches proved, such as a file of package solve/book.
type Book interface {
	solve.Book
	// Look returns for each state its fact, or false if there is none. With more than two seats
	// the facts are about the hero. Moves are in the frame of the position.
	Look(g game.Game, hero int, states []game.State) ([]solve.Fact, []bool, error)
}

// MinMemory is the least that Options.Memory may be.
const MinMemory = 64 << 20

// Query is a question about a position.
type Query struct {
	Game  string `json:"game"`            // an id, for instance halma-star37-2p
	Rules string `json:"rules,omitempty"` // a rule set by its name or choices; empty for the default
	// Position is a position as text, or start, or, for games with hidden hands, deal- and the
	// number of a deal. Empty is an error.
	Position string   `json:"position"`
	Moves    []string `json:"moves,omitempty"` // moves that lead from Position to the position asked about
	// Limit is the horizon of a search in plies, 0 for none. Seconds bounds the time, three
	// quarters of it for sources that are slow or being made; 0 for no bound.
	Limit   int     `json:"limit,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Nodes, without Seconds, bounds the work of Ask and Analyse as [Options.Nodes] does. 0 stands
	// for Options.Nodes in Ask, and for no bound in Analyse.
	Nodes uint64 `json:"-"`
}

// Value is the value of a position or a move, in the words of records.
type Value string

// The values. Open means that nobody can force anything within NotWithin plies.
const (
	Win  Value = "win"
	Loss Value = "loss"
	Draw Value = "draw"
	Open Value = "open"
)

// Worth is a value and how well it is known, a part of answers and moves.
type Worth struct {
	Value Value `json:"value"`
	// Distance is the number of plies to the end with best play, the winner hurrying and the
	// loser delaying; null for draws and if unknown.
	Distance *int `json:"distance"`
	Final    bool `json:"final"` // Value is proved, so it is not open
	// NotWithin is the largest number of plies within which, by proof, nothing is decided; null
	// for final draws, where every number would do, and for wins and losses of unknown
	// distance.
	NotWithin *int `json:"not_within"`
	// Score is the points with best play in games with points (dominoes); null if unknown.
	// Positive is good for the seat of the value.
	Score *int `json:"score,omitempty"`
	// Winner names the seat that wins among more than two if everybody plays for himself; empty
	// if that is a draw or unknown.
	Winner string `json:"winner,omitempty"`
}

// Answer is the answer to a question about a position. It belongs to the caller.
type Answer struct {
	Game  string `json:"game"`
	Rules string `json:"rules"` // empty if the game has one rule set
	// Position is the position as text, after the moves of Path from From. Repeated counts its
	// occurrences on Path.
	Position string   `json:"position"`
	From     string   `json:"from"`
	Path     []string `json:"path"`
	Repeated int      `json:"repeated"`
	Seat     string   `json:"seat"` // the seat to move; empty when the game is over
	// Worth is for the seat to move; in a finished game, for the seat whose turn it would be.
	Worth
	Over bool   `json:"over"`          // the game is over
	Won  string `json:"won,omitempty"` // the seat that has won; empty for a draw
	// Text is the answer as a sentence: "1 wins in 29 plies", or why the game is over and who
	// has won.
	Text   string   `json:"text"`
	Source Source   `json:"source"`
	Moves  []Move   `json:"moves"` // all legal moves, best first, also a pass; none when the game is over
	Line   []string `json:"line"`  // the moves of best play, as far as known
	// Force has the results that each of more than two seats can force; else nil.
	Force    []Force      `json:"force,omitempty"`
	Picture  wing.Picture `json:"picture"`            // for [Game.Board]
	Progress *Progress    `json:"progress,omitempty"` // progress of a search; nil if none was needed
	// Warning says how the game contradicts itself, if the solver of all positions has found
	// that and a search answers instead.
	Warning string `json:"warning,omitempty"`
}

// Settled reports whether an answer is complete: value and distance, or points, of the position
// and of all moves.
func (a *Answer) Settled() bool {
	open := func(w Worth) bool { return !w.Final || w.Value != Draw && w.Distance == nil && w.Score == nil }
	return !open(a.Worth) && !slices.ContainsFunc(a.Moves, func(m Move) bool { return open(m.Worth) })
}

// Move is a legal move and its value to the seat that makes it.
type Move struct {
	Move string `json:"move"` // as in Query.Moves
	// Worth is for the seat that moves. Distance and NotWithin count from the
	// position before the move: a move that wins at once has distance 1.
	Worth
	// Position is the position after the move. It is empty if the positions after all moves
	// together exceed 128 KiB.
	Position string `json:"position,omitempty"`
	Over     bool   `json:"over"` // the move ends the game
	wing.Trace
}

// Force is the result that a seat can force alone against all others.
type Force struct {
	Seat     string `json:"seat"`
	Value    Value  `json:"value"`
	Distance *int   `json:"distance"`
}

// Source says where an answer comes from.
type Source struct {
	Kind  wing.Kind `json:"kind"`
	Name  string    `json:"name,omitempty"`  // the file of a table, without its directory
	Limit int       `json:"limit,omitempty"` // plies completed by a search; else 0
	About string    `json:"about"`           // a few words, such as "all positions solved, in memory"
}

// Progress describes a search under way.
type Progress struct {
	Depth    int     `json:"depth"`    // plies under way
	Fraction float64 `json:"fraction"` // share of these plies done, 0…1
	Nodes    uint64  `json:"nodes"`    // positions visited
	Rate     float64 `json:"nodes_per_second"`
	Seconds  float64 `json:"seconds"`       // since the question
	Waiting  bool    `json:"waiting"`       // the question waits for memory or threads in use by others
	Done     bool    `json:"done"`          // this is the last report
	Why      string  `json:"why,omitempty"` // the reason of the end, for people
}

// Family is a group of games for lists.
type Family struct {
	Name  string       `json:"name"`
	Title string       `json:"title"`
	About string       `json:"about"`
	Games []string     `json:"games"`
	Rules []wing.Rules `json:"rules"`
	// First is the game to begin with, and FirstRules its rules, empty for the default.
	First      string        `json:"first"`
	FirstRules string        `json:"first_rules,omitempty"`
	Lessons    []wing.Lesson `json:"lessons,omitempty"` // the rules in a few pictures
	Gallery    []wing.Sight  `json:"gallery,omitempty"` // games worth a look
	// Settings are the choices in which the games differ. Values holds the choices of each of
	// Games, see [wing.Wing]. Template is an id with {name} for each setting that takes any number.
	Settings []wing.Setting `json:"settings,omitempty"`
	Values   [][]string     `json:"values,omitempty"`
	Template string         `json:"template,omitempty"`
}

// Game is a game under a rule set, described.
type Game struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// About describes the rules; RuleSets lists the rule sets that the board allows, the default
	// first; it is empty if there is only one.
	About    string       `json:"about"`
	RuleSets []wing.Rules `json:"rule_sets"`
	Endless  bool         `json:"endless"` // play may be endless, which is a draw
	Start    string       `json:"start"`   // the first position as text
	// Source is the source of answers about any position; kind search if no source has them
	// all. Solved says that it answers every question.
	Source Source     `json:"source"`
	Solved bool       `json:"solved"`
	Board  wing.Board `json:"board"`
	Family string     `json:"family"`           // the name of its [Family]
	Values []string   `json:"values,omitempty"` // the game's values of the family's settings
	// Composed says that positions can be set up by hand, see [Explorer.Compose], and Counted
	// that the pieces tell the seat to move.
	Composed bool                `json:"composed"`
	Counted  bool                `json:"counted,omitempty"`
	Hidden   []wing.HiddenPlayer `json:"hidden,omitempty"` // players with hidden hands
}

// Analyst answers questions about the values of moves. A [Service] is one.
type Analyst interface {
	Game(id, rules string) (*Game, error)
	Analyse(ctx context.Context, q Query, report func(*Answer) error) error
}

// Last returns the last answer of an analysis, which ends as soon as an answer is enough; nil if
// there is none.
func Last(ctx context.Context, a Analyst, q Query, enough func(*Answer) bool) (last *Answer, err error) {
	ended := errors.New("enough")
	err = a.Analyse(ctx, q, func(now *Answer) error {
		if last = now; enough(now) {
			return ended
		}
		return nil
	})
	if errors.Is(err, ended) {
		return last, nil
	}
	return last, err
}

// Explorer has the methods of a [Service], some of which tests replace.
type Explorer interface {
	Analyst
	Games() []Family
	Position(Query) (*Answer, error)
	Ask(context.Context, Query) (*Answer, error)
	Size(q Query) (moves, text int, err error)
	Compose(id, rules string, p wing.Picture, seat string) (string, error)
	Hidden(context.Context, HiddenQuery) (*HiddenAnswer, error)
	Course(Query) (*game.Course, error)
	Wing(id string) (wing.Wing, error)
}

// Fault names the wrong part of a query.
type Fault string

// The faults.
const (
	BadGame     Fault = "game"     // unknown game
	BadRules    Fault = "rules"    // unknown rules, or rules that this board does not allow
	BadPosition Fault = "position" // the text is not a position of the game
	BadMove     Fault = "move"     // an illegal move, or a move after the end of the game
	BadQuery    Fault = "query"    // limit or time is not understood
)

// Error says which part of a query is wrong, and where.
type Error struct {
	Fault Fault  `json:"fault"`
	Given string `json:"given"` // the wrong part of the query
	Index int    `json:"index"` // index of the wrong move, from 0, if Fault is BadMove, else −1
	Err   error  `json:"-"`     // the reason, with the remedy
}

// wrong is the error of a part of a query that is not a move.
func wrong(f Fault, given, format string, args ...any) *Error {
	return &Error{f, given, -1, fmt.Errorf(format, args...)}
}

// Error returns the reason. Before it stands the number of a wrong move, counted from 1.
func (e *Error) Error() string {
	if e.Fault == BadMove {
		return fmt.Sprintf("move %d: %v", e.Index+1, e.Err)
	}
	return e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }
