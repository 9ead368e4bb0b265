// Package wing is the contract between the games and those who show them: what a
// wing offers beside the rules. It lists ids and rule sets, opens games, draws
// positions as data, explains how a game ended, and names the sources that know
// values for sure.
//
// Each game/x/oracle returns its [Wing]. The command adds subcommands to it
// (app/family), package explore asks its sources; neither a flag nor an
// engine is known here, so that a program in a browser takes no more than it uses.
package wing

import (
	"context"
	"errors"
	"time"

	"perfectplay/game"
	"perfectplay/solve/table"
)

// RulesError is an error of [Wing.Open] that is about the rules, not the id.
type RulesError struct{ Err error }

func (e RulesError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e RulesError) Unwrap() error { return e.Err }

// Wing is a group of games whose ids begin alike and whose rule sets have the
// same names. Three fields are required; what the others mean where they are zero [Wing.Complete]
// says. It is immutable and safe for concurrent use.
type Wing struct {
	// Name is the first word of the ids: halma, mnk, domino. It is required.
	Name string
	// Title is what people call the games, About one line on which there are.
	Title, About string
	// Open returns the game of an id under rules; empty rules are the default. An
	// error that is about the rules is a [RulesError]; any other is about the id.
	// It is required.
	Open func(id, rules string) (game.Game, error)
	// IDs lists the ids to show and to complete; there may be more. It is
	// required.
	IDs func() []string
	// Lessons are the rules in a few pictures, for who does not know them.
	Lessons []Lesson
	// Gallery are games worth a look, each with what is known of it.
	Gallery []Sight
	// Settings are what the boards differ in, for choosing one, and Values those of an id in
	// the same order, nil where it is none; without settings ids are chosen by themselves.
	// Where settings take any number, Template is an id with {name} for each of them.
	Settings []Setting
	Values   func(id string) []string
	Template string
	// Rules are the rule sets, the default first.
	Rules []Rules
	// First is the id of the game to begin with, and FirstRules its rules; empty are the
	// first of IDs and the default.
	First, FirstRules string
	// Positions bounds the number of positions of a game, each with the seat to
	// move. Nil is for games that nobody has counted: those with keys and about a million
	// positions at most are counted and solved when they are asked about.
	Positions func(game.Game) float64
	// Endless says that play may go on for ever, which is a draw.
	Endless bool
	// Board returns what stays the same in all positions of a game.
	Board func(game.Game) Board
	// Picture returns what stands where in a position of a game.
	Picture func(game.Game, game.State) Picture
	// Compose returns the text of a position that was set up by hand: what stands where, and
	// the seat to move, unless the picture tells. Whether it is a position is for
	// [game.Game.Parse] to say. Nil where positions can be typed only.
	Compose func(g game.Game, p Picture, seat int) string
	// Counted says that the picture tells who is to move.
	Counted bool
	// Row returns the tiles played on the way from a state to another, as
	// [Picture.Row] says; nil for games without tiles. The state is not changed.
	Row func(g game.Game, from game.State, moves []game.Move) []string
	// Trace says which cells of the board a legal move of a position touches.
	Trace func(game.Game, game.State, game.Move) Trace
	// Ending says in a sentence why a finished game is over and who has won.
	Ending func(game.Game, game.State) string
	// Score returns the points of a finished game for a seat; nil for games without
	// points.
	Score func(g game.Game, s game.State, seat int) *int
	// Hidden is the game with hands that only their seats see; nil where there is none.
	Hidden *Hidden
	// Evaluation returns what judges positions of a game by heuristics, for players;
	// nil where states judge themselves ([game.Evaluator]) or nothing does.
	Evaluation func(game.Game) Evaluator
	// Player returns a player by its name: a level such as level-1, strongest, or one of
	// Opponents, which are written after others' reports; nil where players of any game
	// do as well. It asks for all its memory at once.
	Player    func(name string, g game.Game, r Resources, seed uint64) (Player, error)
	Opponents []string
	// Levels are the positions that level-4 to level-9 visit where Player is nil; nil is for
	// games of which a search sees a small part.
	Levels []int64
	// Look says how an undecided position looks to the wing's own player, deeper and
	// deeper, until the time is over, the context ends or nothing changes any more; nil
	// where the search of any game does as well. report is called with ever newer
	// outlooks, on the goroutine of the caller. The state comes back as it was.
	Look func(ctx context.Context, g game.Game, s game.State, r Resources, l Limits, report func(*Outlook)) error
	// Sources lists what knows values of a game for sure, beside tables, the cheapest first.
	Sources func(g game.Game) []Source
	// Numbering says what numbers the positions of a game in the table of a description, if
	// the game does it in a way of its own; it refuses what is not the game's. Nil where
	// tables are numbered by numbers or keys that every game may have.
	Numbering func(g game.Game, i table.Info) (table.Plan, error)
}

// Evaluator judges undecided positions of a race by heuristics, for players, never
// for proofs. The unit is a hundredth of a turn. It belongs to one goroutine, and its
// methods leave states as they are.
type Evaluator interface {
	// Costs writes for each seat what it still has to do to win: dst has a place for
	// each. It allocates nothing.
	Costs(s game.State, dst []int32)
	// Gain is by how much a legal move lowers the cost of the seat that makes it, as
	// far as that can be told without making it.
	Gain(s game.State, m game.Move) int32
	// Finish returns the turns that bring the seat to move to its win if no other seat
	// comes into its way any more, the first one being legal in s. It visits nodes
	// positions at most. shortest says that it has shown that fewer turns do not
	// suffice; nil is no answer, always so where others can still be met.
	Finish(s game.State, nodes int) (turns []game.Move, shortest bool)
}

// Player chooses moves by itself, one at a time.
type Player interface {
	// Move chooses a legal move in an undecided position, within the limits even if the
	// machine is busy, or soon after the context ends, and says in a few words how it was
	// found. The state comes back as it was.
	Move(ctx context.Context, s game.State, l Limits) (m game.Move, note string, err error)
	// Close gives back what the player holds.
	Close() error
}

// Limits bound a move of a [Player]; zero is no bound.
type Limits struct {
	Time time.Duration
	// Processor says that only time counts in which the process has a processor.
	Processor bool
	Depth     int // plies to look ahead
}

// Outlook is how an undecided position looks to a player: estimates, never a proof.
type Outlook struct {
	// Seats is how the seats stand, in turn order.
	Seats []Estimate
	// Moves are legal moves, the best first, and Estimates what they lead to for the seat
	// that makes them. Those that were not looked at are left out.
	Moves     []game.Move
	Estimates []Estimate
	// Line is how play may go on, Moves[0] first.
	Line []game.Move
	// Depth is the number of plies looked ahead, 0 for playouts, and Nodes the number of
	// positions visited.
	Depth int
	Nodes int64
	// Threats are what the seats would do with a turn of their own.
	Threats []Threat
}

// Estimate is how a seat stands.
type Estimate struct {
	// Share is the seat's part of what can be won, 0 to 1, by which it is compared.
	Share float64
	// Turns, in races, is by how many turns the seat is ahead of the others (alone: how many
	// it still needs); Race says whether that is so.
	Turns float64
	Race  bool
}

// Threat is what a seat would do with a turn of its own.
type Threat struct {
	Seat int
	// Cells are those that complete it, or on which alone the others can meet it.
	Cells []int
	// Text is the threat in a few words, without the seat: completes a line.
	Text string
}

// Lesson is a position of a game, a legal move there, and what is to be seen.
type Lesson struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Move     string `json:"move"`
	Text     string `json:"text"`
}

// Sight is a game worth a look, and what is known of it in a few words.
type Sight struct {
	Game  string `json:"game"`
	Rules string `json:"rules,omitempty"`
	Text  string `json:"text"`
}

// Setting is what boards differ in: one of the values that ids have, or where Most is not
// 0 any number from Least to Most.
type Setting struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Least int    `json:"least,omitempty"`
	Most  int    `json:"most,omitempty"`
}

// Rules is a rule set for lists and help.
type Rules struct {
	Name  string `json:"name"`  // empty if there is one only
	About string `json:"about"` // a sentence
}

// Hidden is a game whose seats do not see everything: deals, what is seen of them, and
// players who see no more.
type Hidden struct {
	// Deal returns the first position of a deal by its number, as text. Neighbouring
	// numbers have nothing to do with each other.
	Deal func(number uint64) string
	// Picture returns what a seat sees of a position that moves have led to.
	Picture func(g game.Game, s game.State, seat int) Picture
	// Players choose moves.
	Players []HiddenPlayer
	// Advise returns for each position that moves lead through, the last one included, what an
	// equilibrium says of it to the seat to move, by what that seat has seen; nil where it says nothing.
	Advise func(from game.State, moves []game.Move) []*Advice
}

// Advice is what an equilibrium says of a position in a game of hidden hands.
type Advice struct {
	// Gap is how much both seats' strategies lose together, in points, to their best answers.
	Gap   float64
	Moves []AdvisedMove
}

// AdvisedMove is a legal move with its probability. MeanScore is what it comes to for the mover if both
// go on by the equilibrium, NaN where that never leads here.
type AdvisedMove struct {
	Move                   game.Move
	Probability, MeanScore float64
}

// HiddenPlayer is a player who knows what its seat has seen.
type HiddenPlayer struct {
	Name  string `json:"name"`
	About string `json:"about"` // a sentence
	// Choose returns a move for the seat to move, after moves from the first position
	// of a deal. Equal seeds choose equally. It takes a tenth of a second at most.
	Choose func(from game.State, moves []game.Move, seed uint64) game.Move `json:"-"`
}

// Board is what stays the same in all positions of a game, for drawing.
type Board struct {
	// Squares says that the cells are squares side by side; else they are holes, joined
	// to their neighbours by lines.
	Squares bool `json:"squares"`
	// Width and Height are the extent of the cells. The unit is the distance of
	// neighbouring cells; all cells lie in 0…Width × 0…Height with half a unit to
	// spare on each side.
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Cells are in the order of the game; [Picture] and [Trace] count from 0.
	Cells []Cell `json:"cells"`
	// Seats are in turn order; those that are missing have discs.
	Seats []Seat `json:"seats"`
	// Tiles are all tiles, for games of hands and a row between them, which have no cells.
	Tiles []string `json:"tiles,omitempty"`
}

// Cell is a place where a piece can stand.
type Cell struct {
	Name string  `json:"name"` // as in moves, for instance c3
	X    float64 `json:"x"`    // centre, to the right
	Y    float64 `json:"y"`    // centre, downwards
	// Near are the neighbours with a greater number: edges of the board to draw.
	Near []int `json:"near,omitempty"`
}

// Seat is a player.
type Seat struct {
	// Name is the game's own, [game.Game.SeatName]; a wing leaves it out.
	Name string `json:"name"`
	// Sign is the form of the seat's pieces.
	Sign Sign `json:"sign,omitempty"`
	// Home and Goal are the cells where the seat's pieces start and where they
	// must go; nil where the game has no such thing.
	Home []int `json:"home,omitempty"`
	Goal []int `json:"goal,omitempty"`
}

// Sign is the form of a piece.
type Sign string

// The signs.
const (
	Disc  Sign = "" // with the name of its seat, or its number where the name is long
	Cross Sign = "cross"
	Ring  Sign = "ring"
)

// Picture is what stands where in a position.
type Picture struct {
	// Pieces holds for each cell of the board the seat whose piece stands there,
	// or −1.
	Pieces []int `json:"pieces"`
	// Kinds says for each cell what the piece there is, in a character or two that are drawn
	// on it; nil where the pieces of a seat are alike.
	Kinds []string `json:"kinds,omitempty"`
	// Won are the cells that won the game: a row of stones, a filled goal.
	Won []int `json:"won,omitempty"`
	// Hands are the tiles of each seat as text, for instance 2|5; nil without
	// hands.
	Hands [][]string `json:"hands,omitempty"`
	// Ends are the numbers at the left and right end of the row of tiles; nil
	// before the first tile and in other games.
	Ends []int `json:"ends,omitempty"`
	// Row are the tiles played, from the left end to the right, each turned as it
	// lies; what was played before the position that was asked for is not known.
	Row []string `json:"row,omitempty"`
}

// Trace is how a move is drawn, and how a person makes it: where a piece is put the cell is
// chosen, where one is moved its first and last cell, and a tile with its end of the row.
type Trace struct {
	// Path are the cells that the move touches, in order: one where a piece is
	// put, and where one is moved its start, the cells of a shortest chain of hops
	// and its end. A pass and a tile have none, and are chosen from the list.
	Path []int `json:"path,omitempty"`
	// Tile is the tile that is played, and End the end that it is put to: left,
	// right, or both where the ends are equal or the row is empty.
	Tile string `json:"tile,omitempty"`
	End  string `json:"end,omitempty"`
}

// Worth is what a source knows of a position, for the seat to move: the value,
// and what else it can tell.
type Worth struct {
	// Value is Unknown only with an error, or where the source gave up.
	Value game.Value
	// Distance is the number of plies to the end with best play, −1 where the
	// source does not know it; of draws it is −1.
	Distance int
	// Score is what the position counts in games with points, nil in others.
	Score *int
	// Line begins best play, as far as the source can tell: a first move keeps Value.
	Line []game.Move
}

// Source is a way to learn values of one game for sure, described before
// anything is done for it.
type Source struct {
	Kind Kind
	// Name is the file of a table, else empty. About says in a few words what the
	// source is, for instance "all positions solved, in memory".
	Name, About string
	// Memory is what the source holds in bytes at most while it is open, and Making
	// what it takes at most while it is being opened.
	Memory, Making int64
	// Partial says that the source knows some positions only: what the game is worth, and
	// most of its positions, may stay open.
	Partial bool
	// Slow says that an answer may take any time, which the context ends, and that
	// one question is asked at a time. Others answer in microseconds, to any number
	// of goroutines.
	Slow bool
	// Open makes the source ready: it opens a file or solves the game. It may take
	// seconds; the context ends it.
	Open func(context.Context, Resources) (Oracle, error)
}

// Resources are what a source may take.
type Resources struct {
	Memory  int64 // bytes
	Threads int
	// Yield, if not nil, is called by every thread at least every few milliseconds
	// while it works, also later by an open source that is slow; it may block, to
	// let others work.
	Yield func()
	// Proved, if not nil, is what was proved of the game before, in a form that its wing
	// knows: for m,n,k-games a prove.Book. Sources begin with it and add nothing to it.
	Proved any
}

// Kind is the kind of a source, in the words of records.
type Kind string

// The kinds.
const (
	ByRules      Kind = "rules"      // the game is over
	ByTable      Kind = "table"      // a file made by solve strong
	BySolution   Kind = "solution"   // all positions solved, in memory
	ByDeal       Kind = "deal"       // dominoes with open hands, solved exactly
	ByProof      Kind = "proof"      // m,n,k-proofs for both sides
	ByCoalitions Kind = "coalitions" // what all sets of seats can force, in memory
	ByBook       Kind = "book"       // a file of what searches have proved
	BySearch     Kind = "search"     // bounded search
)

// Oracle is an open source. It is safe for concurrent use, unless it is slow.
type Oracle interface {
	// Worth returns what a position that is not finished is worth. The state
	// belongs to the caller, who may change it afterwards; it is not changed. An
	// error is the context's, or says why this position cannot be answered.
	Worth(context.Context, game.State) (Worth, error)
	// Close gives back what the source holds. No call may be under way or follow.
	Close() error
}

// ErrNever is the error of a slow source that will not know a position, however long it is asked.
var ErrNever = errors.New("wing: the source does not know the position")

// Bounded is the ability of a slow source to bound its work by nodes. Without it only
// time does.
type Bounded interface {
	// WorthWithin is Worth that gives up after about so many nodes, with a Value of
	// Unknown and no error. It returns how many nodes it has taken.
	WorthWithin(ctx context.Context, s game.State, nodes uint64) (w Worth, taken uint64, err error)
}

// Seats is the ability to answer for any seat, which sources of games with more
// than two need.
type Seats interface {
	// WorthTo returns what a position that is not finished is worth to a seat that
	// plays alone against all others.
	WorthTo(ctx context.Context, s game.State, seat int) (Worth, error)
}

// SeatNames lists a game's seats in turn order.
func SeatNames(g game.Game) (names []string) {
	for seat := range g.Seats() {
		names = append(names, g.SeatName(seat))
	}
	return names
}

// WorthTo is what a position that is not finished is worth to a seat by an oracle: for two,
// or alone against all others.
func WorthTo(ctx context.Context, o Oracle, s game.State, seat int) (Worth, error) {
	if seats, ok := o.(Seats); ok {
		return seats.WorthTo(ctx, s, seat)
	}
	w, err := o.Worth(ctx, s)
	if s.Seat() != seat {
		w.Value = w.Value.Negate()
		if w.Score != nil {
			w.Score = new(-*w.Score)
		}
	}
	return w, err
}

// OpenTable opens a table of a game within memory bytes, numbered as the table says.
func (w *Wing) OpenTable(g game.Game, name string, memory uint64) (*table.Table, error) {
	return table.Open(name, memory, func(i table.Info) (game.Game, table.Plan, error) {
		p, err := w.NumberingOf(g, i)
		return g, p, err
	})
}

// NumberingOf is Numbering, and nothing where the table is numbered as that of any game.
func (w *Wing) NumberingOf(g game.Game, i table.Info) (table.Plan, error) {
	if w.Numbering == nil || !i.Own() || !i.Is(g) {
		return table.Plan{}, nil
	}
	return w.Numbering(g, i)
}

// TableMemory is what a table of a game takes in bytes while it numbers positions and holds
// one block.
func (w *Wing) TableMemory(g game.Game, i table.Info) (uint64, error) {
	p, err := w.NumberingOf(g, i)
	return p.Bytes + i.Numbers*uint64(8*i.KeyWords) + table.MaxBlock, err
}
