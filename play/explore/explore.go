// Package explore answers questions about the value of any position of any game: one
// service for page, terminal, server and protocol, which are thin clients of it.
//
// [New] makes a [Service] from the wings that the program has. A [Query] names a
// game, rules, and a position as text and moves from there. [Service.Ask] answers
// at once from the cheapest source of certain values, or by a search of a bounded number
// of nodes; [Service.Analyse] searches deeper and reports each step; [Service.Position] only reads and draws.
//
// # Sources
//
// In this order, those that fit the memory, until nothing is left open: the rules,
// if the game is over; a table in the directory of tables; a solution of the
// whole game made on the spot and kept (star 37 takes 0.3 s, once for all clients);
// the exact solver of dominoes; tables and solutions for all sets of more
// than two seats; m,n,k-games by threats, and on boards that fit by proofs for both sides; a
// book of earlier proofs; bounded search that deepens. Only a proved value is final. A horizon
// is no draw: an undecided position is open, with the number of plies within which, by proof,
// nothing is decided.
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
//     neither. A win is a promise. Each move has a value of the same kind, for the
//     seat that makes it.
//   - Force, the same question for every seat: who can win by force on its own, and
//     whom the others can beat together.
//   - Winner, the seat that wins if everybody plays for himself and knows that the
//     others do (max^n): what happens among perfect players without alliances. Ties
//     are broken as in solve search --algo maxn. It is empty if unknown: Ask searches for
//     it on small boards only, Analyse on all.
//
// # Shared use
//
// A Service is safe for concurrent use by any number of clients. Half of
// [Options.Memory] is for sources that stay open, the least recently asked closed
// first. A source is made once for all clients; ten seconds after the last one stops
// waiting its making is cancelled. The other half is divided into
// at most sixteen rooms for the tables of searches, a quarter of them for Ask.
// A question at work holds all [Options.Threads] threads for a slice of 20 ms and then
// hands them to the one that has waited longest, so that a quick question never waits for
// a long analysis; looking up an open source needs no turn. With more analyses than rooms,
// those that have had theirs for two seconds make way and start over later with twice the
// time, with all that they had proved.
package explore

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/solve"
)

// Options say what a service may use. The zero value of each field stands for
// its default.
type Options struct {
	// Wings are the games.
	Wings []wing.Wing
	// Tables is a directory with files of solve strong --table; empty is none. It is
	// looked through when a game is first asked for.
	Tables string
	// Warn, if not nil, receives the reason why a table is not used or does not answer. Several
	// goroutines may call it, and again for the same reason.
	Warn func(error)
	// Book has the facts that earlier searches proved; nil for none. Answers come from it, and
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
	// those of a search, each on one thread. So an answer does not depend on how busy the
	// machine is. It does not bound a query with Seconds, a search to a query's Limit, or the
	// making of sources. Default DefaultNodes.
	Nodes uint64
}

// DefaultNodes is the default of [Options.Nodes], a second or two of work.
const DefaultNodes = 1 << 20

// Book holds facts that earlier searches proved, such as a file of package solve/book.
type Book interface {
	solve.Book
	// Look returns the fact for each state, or false, for a hero if there are more than two
	// seats. Moves are in the frame of the position.
	Look(g game.Game, hero int, states []game.State) ([]solve.Fact, []bool, error)
}

// MinMemory is the least that Options.Memory may be.
const MinMemory = 64 << 20

// Query is a question about a position.
type Query struct {
	// Game is an id, for instance halma-star37-2p; Rules the name of a rule set or
	// its choices, empty for the default.
	Game  string `json:"game"`
	Rules string `json:"rules,omitempty"`
	// Position is a position as text, or start, or, for games with hidden hands, deal- and the
	// number of a deal. Empty is an error.
	Position string `json:"position"`
	// Moves are played from there first.
	Moves []string `json:"moves,omitempty"`
	// Limit is the horizon of a search in plies, 0 for none. Seconds bounds the time, three
	// quarters of it for sources that are slow or being made; 0 for no bound.
	Limit   int     `json:"limit,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Nodes, without Seconds, bounds the work as [Options.Nodes] does, of Analyse as well; 0 is
	// Options.Nodes for Ask, and no bound for Analyse.
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
	// Final says that Value is proved for good; it is not open.
	Final bool `json:"final"`
	// NotWithin is the largest number of plies within which, by proof, nothing is decided; null
	// for final draws, where every number would do, and for wins and losses of unknown
	// distance.
	NotWithin *int `json:"not_within"`
	// Score is the points with best play in games with points (dominoes); null if unknown.
	// Positive is good for the seat of the value.
	Score *int `json:"score,omitempty"`
	// Winner names the seat that wins among more than two if everybody plays for himself; empty
	// if nobody does or if unknown.
	Winner string `json:"winner,omitempty"`
}

// Answer is the answer to a question about a position. It belongs to the caller.
type Answer struct {
	// Game and Rules name the game; Rules is empty where there is one rule set.
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Position is the position as text, after the moves of Path, which were played
	// from From.
	Position string   `json:"position"`
	From     string   `json:"from"`
	Path     []string `json:"path"`
	// Repeated counts how often the position has occurred on Path, this time included.
	Repeated int `json:"repeated"`
	// Seat names the seat to move, empty when the game is over.
	Seat string `json:"seat"`
	// Worth is for the seat to move; in a finished game, for the seat whose turn it would be.
	Worth
	// Over says that the game is over. Won names the seat that has won, empty for a
	// draw.
	Over bool   `json:"over"`
	Won  string `json:"won,omitempty"`
	// Text is the answer for people, a sentence: "1 wins in 29 plies", or why the
	// game is over and who has won.
	Text string `json:"text"`
	// Source says where the answer comes from.
	Source Source `json:"source"`
	// Moves are all legal moves, best first; a pass is one. Empty when the game is
	// over.
	Moves []Move `json:"moves"`
	// Line is best play from here as moves, as far as known.
	Line []string `json:"line"`
	// Force says for each of more than two seats what it can force alone against all others;
	// else nil.
	Force []Force `json:"force,omitempty"`
	// Picture is the pieces on their cells, for [Game.Board].
	Picture wing.Picture `json:"picture"`
	// Progress is the progress of a search; nil if none was needed.
	Progress *Progress `json:"progress,omitempty"`
}

// Settled reports whether an answer is complete: value and distance, or points, of the position
// and of all moves.
func (a *Answer) Settled() bool {
	open := func(w Worth) bool { return !w.Final || w.Value != Draw && w.Distance == nil && w.Score == nil }
	return !open(a.Worth) && !slices.ContainsFunc(a.Moves, func(m Move) bool { return open(m.Worth) })
}

// Move is a legal move and its value to the seat that makes it.
type Move struct {
	// Move is the move as text, as Query.Moves takes it.
	Move string `json:"move"`
	// Worth is for the seat that moves. Distance and NotWithin count from the
	// position before the move: a move that wins at once has distance 1.
	Worth
	// Position is the position after the move; empty if those of all moves together exceed 128
	// KiB.
	Position string `json:"position,omitempty"`
	// Over says that the move ends the game.
	Over bool `json:"over"`
	// Trace says what the move touches, for drawing.
	wing.Trace
}

// Force is what a seat can force alone against all others.
type Force struct {
	Seat     string `json:"seat"`
	Value    Value  `json:"value"`
	Distance *int   `json:"distance"`
}

// Source says where an answer comes from.
type Source struct {
	Kind wing.Kind `json:"kind"`
	// Name is the file of a table, without its directory.
	Name string `json:"name,omitempty"`
	// Limit is the number of plies completed by a search; else 0.
	Limit int `json:"limit,omitempty"`
	// About is the source in a few words, for instance "all positions solved, in
	// memory".
	About string `json:"about"`
}

// Progress is the progress of a search.
type Progress struct {
	// Depth is the number of plies under way, Fraction the share done, 0…1.
	Depth    int     `json:"depth"`
	Fraction float64 `json:"fraction"`
	// Nodes is the number of positions visited, Rate the number a second.
	Nodes uint64  `json:"nodes"`
	Rate  float64 `json:"nodes_per_second"`
	// Seconds is the time since the question, waiting included.
	Seconds float64 `json:"seconds"`
	// Waiting says that the search waits for memory or threads in use by others.
	Waiting bool `json:"waiting"`
	// Done says that this is the last report: all is decided, the limit is reached,
	// the time is up, or the client has stopped it. Why says which, for people.
	Done bool   `json:"done"`
	Why  string `json:"why,omitempty"`
}

// Family is a group of games for lists.
type Family struct {
	Name  string       `json:"name"`
	Title string       `json:"title"`
	About string       `json:"about"`
	Games []string     `json:"games"`
	Rules []wing.Rules `json:"rules"`
	// First is the game to begin with, and FirstRules its rules, empty for the default.
	First      string `json:"first"`
	FirstRules string `json:"first_rules,omitempty"`
	// Lessons are the rules in a few pictures.
	Lessons []wing.Lesson `json:"lessons,omitempty"`
	// Gallery are games worth a look.
	Gallery []wing.Sight `json:"gallery,omitempty"`
	// Settings are the choices that the games differ in, Values those of each of Games, see
	// [wing.Wing]; Template is an id with {name} for each setting that takes any number.
	Settings []wing.Setting `json:"settings,omitempty"`
	Values   [][]string     `json:"values,omitempty"`
	Template string         `json:"template,omitempty"`
}

// Game is a game under a rule set, described.
type Game struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// About describes the rules; RuleSets lists those that the board allows, the default first;
	// empty if there is only one.
	About    string       `json:"about"`
	RuleSets []wing.Rules `json:"rule_sets"`
	// Endless says that play may be endless, which is a draw.
	Endless bool `json:"endless"`
	// Start is the first position as text.
	Start string `json:"start"`
	// Source is the source of answers about any position; kind search if no source has them
	// all. Solved says that it answers every question.
	Source Source     `json:"source"`
	Solved bool       `json:"solved"`
	Board  wing.Board `json:"board"`
	// Family is the name of its [Family], and Values are its settings there.
	Family string   `json:"family"`
	Values []string `json:"values,omitempty"`
	// Composed says that positions can be set up by hand, see [Explorer.Compose], and Counted
	// that the pieces tell the seat to move.
	Composed bool `json:"composed"`
	Counted  bool `json:"counted,omitempty"`
	// Hidden lists the players of the game with hidden hands, if there is one.
	Hidden []wing.HiddenPlayer `json:"hidden,omitempty"`
}

// Explorer is the interface of a Service, for clients that reach one elsewhere: in a worker of
// the browser, on a server, in a test.
//
// Errors about the query are of type [*Error]. When the context ends, Ask returns its error,
// and Analyse returns nil after a last report.
type Explorer interface {
	// Games lists all games in a fixed order.
	Games() []Family
	// Game describes a game.
	Game(id, rules string) (*Game, error)
	// Position reads and draws a position, with all legal moves in the order of the game. It
	// asks for no values: they are open unless the game or a move ends it. It takes
	// microseconds for any game.
	Position(Query) (*Answer, error)
	// Ask answers from a source, or by a search within the query's limit and time. With an open
	// source it takes milliseconds.
	Ask(context.Context, Query) (*Answer, error)
	// Analyse answers like Ask as soon as anything is known, and searches deeper as long as
	// anything is open: value and distance of the position and of each move. It calls report
	// with every change and at least once a second, one call at a time, on the caller's
	// goroutine. The last report has Progress.Done; without a search it is the only one and has
	// no Progress. An error of report ends the analysis and is returned.
	Analyse(ctx context.Context, q Query, report func(*Answer) error) error
	// Size returns the number of moves of a position, and the bytes of its text.
	Size(q Query) (moves, text int, err error)
	// Compose returns the text of a position set up by hand from its pieces and the name of the
	// seat to move. The text need not be a legal position.
	Compose(id, rules string, p wing.Picture, seat string) (string, error)
	// Hidden answers for a seat that sees only its part of a deal, and plays the others.
	Hidden(context.Context, HiddenQuery) (*HiddenAnswer, error)
	// State returns the game of a query and a new state at its position, for clients that play
	// on by themselves, and Wing the wing of a game.
	State(Query) (game.Game, game.State, error)
	Wing(id string) (wing.Wing, error)
}

// Fault names the wrong part of a query.
type Fault string

// The faults.
const (
	BadGame     Fault = "game"     // no such game
	BadRules    Fault = "rules"    // no such rules, or not on this board
	BadPosition Fault = "position" // the text is not a position of the game
	BadMove     Fault = "move"     // no legal move, or the game was over before it
	BadQuery    Fault = "query"    // limit or time is not understood
)

// Error says which part of a query is wrong, and where.
type Error struct {
	Fault Fault `json:"fault"`
	// Given is the wrong part of the query.
	Given string `json:"given"`
	// Index is the number of the move from 0 if Fault is BadMove, else −1.
	Index int `json:"index"`
	// Err is the reason. Its text is for people and names the remedy.
	Err error `json:"-"`
}

// Error is the reason, with the number of the move from 1 before it.
func (e *Error) Error() string {
	if e.Fault == BadMove {
		return fmt.Sprintf("move %d: %v", e.Index+1, e.Err)
	}
	return e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }
