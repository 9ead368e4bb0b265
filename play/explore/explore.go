// Package explore answers what any position of any game is worth: one service
// for page, terminal, server and protocol, which are thin clients of it.
//
// [New] makes a [Service] from the wings that the program has. A [Query] names a
// game, rules, and a position as text and moves from there. [Service.Ask] answers
// at once from the cheapest source that knows for sure, or with what a search
// proves within a bounded number of nodes; [Service.Analyse] goes on deeper and reports each
// step; [Service.Position] only reads and draws.
//
// # Sources
//
// In this order, those that fit the memory, until nothing is left open: the rules,
// where the game is over; a table in the directory of tables; a solution of the
// whole game made on the spot and kept (star 37 takes 0.3 s, once for all clients);
// the exact solver of dominoes; what all sets of more than two seats can force, by a
// table or a solution; m,n,k-games by threats, and where the board fits by proofs for both
// sides; a book of what searches have proved; bounded search that deepens. Only what is proved
// is said to be final. A horizon is no draw: what is not decided is open, with the number of
// plies within which it is proved that nothing is.
//
// Value, moves and line are one statement: the value is that of the first move, and the line
// begins with it. What is known of a position alone stays open until a move is known that
// brings it about.
//
// # More than two seats
//
// With three seats or more, what a position is worth depends on what the others
// are after. An answer says three things that can be proved:
//
//   - Value, for the seat to move alone against all others: win, it forces its own
//     win whatever they do; loss, together they force that one of them wins; draw,
//     neither. This is what a cautious player wants to know, and a win is a promise.
//     Each move has the same value, for the seat that makes it.
//   - Force, the same question for every seat: who can win by force on its own, and
//     whom the others can beat together.
//   - Winner, the seat that wins if everybody plays for himself and knows that the
//     others do (max^n): what happens among perfect players without alliances. Ties
//     are broken as solve search --algo maxn does. Empty where it is not known: Ask
//     looks for it on small boards only, Analyse as long as it goes on.
//
// # Shared use
//
// A Service is safe for concurrent use by any number of clients. Half of
// [Options.Memory] is for sources that stay open, the least recently asked closed
// first; a source that several clients want is made once, and one that nobody
// waits for any more is given up after ten seconds. The other half is divided into
// at most sixteen rooms for the tables of searches, a quarter of them for Ask.
// Whoever computes holds all [Options.Threads] threads for a slice of 20 ms and then
// hands them to the client that has waited longest, so that a quick question is
// never behind a long analysis; looking up a source that is open needs no turn. Where more
// analyses are asked for than there are rooms, those that have had theirs for two
// seconds make way and begin again later with twice the time, keeping what they had
// proved.
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
	// Warn, if not nil, is told why a table is not used or does not answer; it is
	// called by any number of goroutines, and again for the same reason.
	Warn func(error)
	// Book is what searches have proved before; nil is none. Answers come from it,
	// and searches start from it.
	Book Book
	// Proved, if not nil, returns what sources of a game begin with, see
	// [wing.Resources]; nil is nothing.
	Proved func(game.Game) any
	// Memory bounds all sources and searches together, in bytes; default 1 GiB.
	Memory int64
	// Threads bounds the threads that compute; default as many as Go may use.
	Threads int
	// Nodes bounds a question of Ask that no source answers: so many of a slow source and
	// so many of a search, each on one thread, so that an answer never depends on how busy
	// the machine is. It bounds neither a query with Seconds, nor a search to a query's
	// Limit, nor sources that are made. Default DefaultNodes.
	Nodes uint64
}

// DefaultNodes is the default of [Options.Nodes], a second or two of work.
const DefaultNodes = 1 << 20

// Book is what searches have proved before, such as a file of package solve/book.
type Book interface {
	solve.Book
	// Look returns what is known of positions, from the view of a hero where there
	// are more than two seats: a fact for each state, or false. Moves are in the
	// frame of the position.
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
	// Position is a position as text, or start, or where hands can be hidden deal- and the
	// number of a deal. Empty is an error.
	Position string `json:"position"`
	// Moves are played from there first.
	Moves []string `json:"moves,omitempty"`
	// Limit is the horizon of a search in plies, 0 for none. Seconds bounds the time
	// that is spent, three quarters of it for sources that are being made or are slow;
	// 0 is no bound.
	Limit   int     `json:"limit,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Nodes, where there are no Seconds, bounds the work as [Options.Nodes] does, of
	// Analyse as well; 0 is Options.Nodes for Ask, and else no bound.
	Nodes uint64 `json:"-"`
}

// Value is what a position or a move is worth, in the words of records.
type Value string

// The values. Open is what is not decided: nobody has forced anything within the
// plies that NotWithin says.
const (
	Win  Value = "win"
	Loss Value = "loss"
	Draw Value = "draw"
	Open Value = "open"
)

// Worth is a value with what is known of it, part of answers and moves.
type Worth struct {
	Value Value `json:"value"`
	// Distance is the number of plies to the end with best play, the winner
	// hurrying and the loser delaying; null for draws and where it is not known.
	Distance *int `json:"distance"`
	// Final says that Value is proved and that nothing changes it; it is not open.
	Final bool `json:"final"`
	// NotWithin is the largest number of plies for which it is proved that nothing
	// is decided within them; null for draws that are final, where that holds for
	// every number, and for wins and losses of unknown distance.
	NotWithin *int `json:"not_within"`
	// Score is the points in games that have them (dominoes), with best play; null
	// where unknown. Positive is good for the seat that the value is for.
	Score *int `json:"score,omitempty"`
	// Winner names the seat that wins among more than two if everybody plays for
	// himself; empty where nobody does or where it is not known.
	Winner string `json:"winner,omitempty"`
}

// Answer is what is known of a position. An Answer belongs to whoever gets it.
type Answer struct {
	// Game and Rules name the game; Rules is empty where there is one rule set.
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Position is the position as text, after the moves of Path, which were played
	// from From.
	Position string   `json:"position"`
	From     string   `json:"from"`
	Path     []string `json:"path"`
	// Repeated says how often the position has come up on that way, this time
	// included.
	Repeated int `json:"repeated"`
	// Seat names the seat to move, empty when the game is over.
	Seat string `json:"seat"`
	// Worth is for the seat to move; when the game is over, for the seat that
	// would be.
	Worth
	// Over says that the game is over. Won names the seat that has won, empty for a
	// draw.
	Over bool   `json:"over"`
	Won  string `json:"won,omitempty"`
	// Text is the answer for people, a sentence: "1 wins in 29 plies", or why the
	// game is over and who has won.
	Text string `json:"text"`
	// Source says how it is known.
	Source Source `json:"source"`
	// Moves are all legal moves, best first; a pass is one. Empty when the game is
	// over.
	Moves []Move `json:"moves"`
	// Line is best play from here as moves, as far as it is known.
	Line []string `json:"line"`
	// Force says of every seat what it can force alone against all others, where
	// there are more than two; else nil.
	Force []Force `json:"force,omitempty"`
	// Picture is what stands where, for [Game.Board].
	Picture wing.Picture `json:"picture"`
	// Progress is how far a search has come; nil where none was needed.
	Progress *Progress `json:"progress,omitempty"`
}

// Settled reports whether nothing can be added to an answer: value and distance, or
// points, of the position and of all moves are known.
func (a *Answer) Settled() bool {
	open := func(w Worth) bool { return !w.Final || w.Value != Draw && w.Distance == nil && w.Score == nil }
	return !open(a.Worth) && !slices.ContainsFunc(a.Moves, func(m Move) bool { return open(m.Worth) })
}

// Move is a legal move with what it is worth to the seat that makes it.
type Move struct {
	// Move is the move as text, as Query.Moves takes it.
	Move string `json:"move"`
	// Worth is for the seat that moves. Distance and NotWithin count from the
	// position before the move: a move that wins at once has distance 1.
	Worth
	// Position is the position after the move; empty where those of all moves
	// together are longer than 128 KiB.
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

// Source says how an answer is known.
type Source struct {
	Kind wing.Kind `json:"kind"`
	// Name is the file of a table, without its directory.
	Name string `json:"name,omitempty"`
	// Limit is the number of plies that a search has completed; else 0.
	Limit int `json:"limit,omitempty"`
	// About is the source in a few words, for instance "all positions solved, in
	// memory".
	About string `json:"about"`
}

// Progress is how far a search has come.
type Progress struct {
	// Depth is the number of plies under way, Fraction how much of it is done, 0…1.
	Depth    int     `json:"depth"`
	Fraction float64 `json:"fraction"`
	// Nodes is the number of positions visited, Rate how many a second.
	Nodes uint64  `json:"nodes"`
	Rate  float64 `json:"nodes_per_second"`
	// Seconds is the time since the question, waiting included.
	Seconds float64 `json:"seconds"`
	// Waiting says that the search waits for memory or threads that others use.
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
	// Settings are what the games differ in, and Values those of each of Games, see
	// [wing.Wing]; Template is an id with {name} for each setting that takes any number.
	Settings []wing.Setting `json:"settings,omitempty"`
	Values   [][]string     `json:"values,omitempty"`
	Template string         `json:"template,omitempty"`
}

// Game is a game under a rule set, described.
type Game struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// About says what the rules are; RuleSets are those that the board allows, the
	// default first; empty if there is one only.
	About    string       `json:"about"`
	RuleSets []wing.Rules `json:"rule_sets"`
	// Endless says that play may go on for ever, which is a draw.
	Endless bool `json:"endless"`
	// Start is the first position as text.
	Start string `json:"start"`
	// Source says what would answer a question about any position; kind search if
	// nothing knows them all. Solved says that it answers every question.
	Source Source     `json:"source"`
	Solved bool       `json:"solved"`
	Board  wing.Board `json:"board"`
	// Family is the name of its [Family], and Values are its settings there.
	Family string   `json:"family"`
	Values []string `json:"values,omitempty"`
	// Composed says that positions can be set up by hand, see [Explorer.Compose], and
	// Counted that what stands where tells who is to move.
	Composed bool `json:"composed"`
	Counted  bool `json:"counted,omitempty"`
	// Hidden lists the players of the game with hidden hands, where there is one.
	Hidden []wing.HiddenPlayer `json:"hidden,omitempty"`
}

// Explorer is what a Service does, for clients that have another one behind it: a
// worker in the browser, a server elsewhere, a test.
//
// Errors about the query are of type [*Error]. When the context ends, Ask returns
// its error, and Analyse returns nil after a last report.
type Explorer interface {
	// Games lists all games in a fixed order.
	Games() []Family
	// Game describes a game.
	Game(id, rules string) (*Game, error)
	// Position reads and draws a position, with all legal moves in the order of the
	// game, without asking what they are worth: values are open unless the game is
	// over, or a move ends it. It takes microseconds, however large the game.
	Position(Query) (*Answer, error)
	// Ask answers from a source that knows, and else by searching within the
	// query's limit and time. It takes milliseconds where a source is open.
	Ask(context.Context, Query) (*Answer, error)
	// Analyse answers like Ask as soon as anything is known, and goes on deeper as
	// long as anything is open: value and distance of the position and of each
	// move. It calls report with every change and at least once a second, one call
	// at a time, from the goroutine of the caller; the last report has
	// Progress.Done, or no Progress where no search was needed: then it is the only
	// one. An error of report ends the analysis and is returned.
	Analyse(ctx context.Context, q Query, report func(*Answer) error) error
	// Size is how many moves a position has, and how many bytes its text.
	Size(q Query) (moves, text int, err error)
	// Compose returns the text of a position that was set up by hand, whether it is one or
	// not: what stands where, and the name of the seat to move.
	Compose(id, rules string, p wing.Picture, seat string) (string, error)
	// Hidden answers for a seat that sees its part of a deal only, and plays the others.
	Hidden(context.Context, HiddenQuery) (*HiddenAnswer, error)
	// State returns the game of a query and a new state at its position, for
	// clients that play on by themselves, and Wing what a game belongs to.
	State(Query) (game.Game, game.State, error)
	Wing(id string) (wing.Wing, error)
}

// Fault says what about a query is wrong.
type Fault string

// The faults.
const (
	BadGame     Fault = "game"     // no such game
	BadRules    Fault = "rules"    // no such rules, or not on this board
	BadPosition Fault = "position" // the text is no position of the game
	BadMove     Fault = "move"     // no legal move, or the game was over before it
	BadQuery    Fault = "query"    // limit or time make no sense
)

// Error says what is wrong with a query, and where.
type Error struct {
	Fault Fault `json:"fault"`
	// Given is the part of the query that is wrong.
	Given string `json:"given"`
	// Index is the number of the move from 0 where Fault is BadMove, else −1.
	Index int `json:"index"`
	// Err is the reason. Its text is for people and names what would be right.
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
