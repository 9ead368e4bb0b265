// Package wing is the contract between the games and the programs that show them. A wing
// offers more than the rules: it lists ids and rule sets, opens games, draws positions as
// data, explains how a game ended, and names the sources of certain values.
//
// Each game/x/oracle returns its [Wing]. The command adds subcommands to it (app/family),
// package explore asks its sources. The package knows neither flags nor engines, so that a
// program in a browser takes no more than it uses.
package wing

import (
	"cmp"
	"context"
	"errors"
	"time"

	"perfectplay/game"
	"perfectplay/solve/table"
)

// RulesError is an error of [Wing.Open] about the rules, not the id.
type RulesError struct{ Err error }

func (e RulesError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e RulesError) Unwrap() error { return e.Err }

// Wing is a group of games whose ids begin alike and whose rule sets have the same names. Name,
// Open and IDs are required; [Wing.Complete] gives the meaning of the other fields when they are
// zero. It is immutable and safe for concurrent use.
type Wing struct {
	// Name is the first word of the ids: halma, mnk, domino.
	Name string
	// Title is the usual name of the games, About one line that lists them.
	Title, About string
	// Open returns the game of an id under rules; empty rules mean the default. An error about
	// the rules is a [RulesError]; any other is about the id.
	Open func(id, rules string) (game.Game, error)
	// IDs lists the ids to show and to complete; there may be more.
	IDs func() []string
	// Lessons explain the rules in a few pictures.
	Lessons []Lesson
	// Gallery lists games worth a look, each with its known results.
	Gallery []Sight
	// Settings are the choices that boards differ in; without them people choose among ids. Values
	// returns the values of an id in the same order, nil if the id has no settings. If settings
	// take any number, Template is an id with {name} for each.
	Settings []Setting
	Values   func(id string) []string
	Template string
	// Rules are the rule sets, the default first.
	Rules []Rules
	// First and FirstRules are the game to begin with; if empty, the first of IDs and the
	// default.
	First, FirstRules string
	// Positions bounds the number of positions of a game, each with the seat to move. Nil means
	// unknown: games with keys and up to about a million positions are counted and solved on
	// demand.
	Positions func(game.Game) float64
	// Endless says that play may go on for ever, which is a draw.
	Endless bool
	// Board returns the part of the drawing that all positions of a game share.
	Board func(game.Game) Board
	// Picture returns the pieces of a position of a game.
	Picture func(game.Game, game.State) Picture
	// Compose returns the text of a position set up by hand, from its pieces and the seat to
	// move, unless the picture tells that. [game.Game.Parse] checks it. Nil if positions can only
	// be typed.
	Compose func(g game.Game, p Picture, seat int) string
	// Counted says that the picture tells the seat to move.
	Counted bool
	// Row returns the tiles played between two states, as [Picture.Row]; nil for games without
	// tiles. It leaves the state as it is.
	Row func(g game.Game, from game.State, moves []game.Move) []string
	// Trace returns the cells of the board that a legal move of a position touches.
	Trace func(game.Game, game.State, game.Move) Trace
	// Ending explains in a sentence why a finished game is over and who won.
	Ending func(game.Game, game.State) string
	// Score returns the points of a finished game for a seat; nil for games without
	// points.
	Score func(g game.Game, s game.State, seat int) *int
	// Hidden is the game with hands that only their seats see; nil if there is none.
	Hidden *Hidden
	// Evaluation returns heuristics that judge positions of a game, for players; nil if states
	// judge themselves ([game.Evaluator]) or there are none.
	Evaluation func(game.Game) Evaluator
	// Player returns a player by its name: a level such as level-1, strongest, or one of
	// Opponents, which are written after others' reports. It allocates all its memory at once.
	// Nil if the players of any game serve.
	Player    func(name string, g game.Game, r Resources, seed uint64) (Player, error)
	Opponents []string
	// Levels are the numbers of positions that level-4 to level-9 visit if Player is nil; nil
	// where a search sees a small part of the game.
	Levels []int64
	// Look estimates an undecided position with the wing's own player, deeper and deeper, until
	// the time is over, the context ends or nothing changes any more. report receives ever newer
	// outlooks on the caller's goroutine. The state comes back unchanged. Nil if the search of
	// any game serves.
	Look func(ctx context.Context, g game.Game, s game.State, r Resources, l Limits, report func(*Outlook)) error
	// Sources lists the sources of certain values of a game besides tables, the cheapest first.
	Sources func(g game.Game) []Source
	// Numbering returns the numbering of a described table, if the game has one of its own; it
	// refuses a description of another game. Nil if tables use numbers or keys.
	Numbering func(g game.Game, i table.Info) (table.Plan, error)
}

// Evaluator judges undecided positions of a race by heuristics, never for proofs. The unit is a
// hundredth of a turn. It belongs to one goroutine and leaves states as they are.
type Evaluator interface {
	// Costs writes for each seat the cost of its remaining way to a win, into dst by seat.
	// It allocates nothing.
	Costs(s game.State, dst []int32)
	// Gain estimates the cost that a legal move saves the seat that makes it, without making it.
	Gain(s game.State, m game.Move) int32
	// Finish returns the turns that bring the seat to move to its win, the first one legal in s;
	// nil if it finds none within nodes positions, or if another seat can still interfere.
	// shortest says that fewer turns are proved not to suffice.
	Finish(s game.State, nodes int) (turns []game.Move, shortest bool)
}

// Player chooses moves in one game. Its methods are for one goroutine.
type Player interface {
	// Move chooses a legal move in an undecided position. It keeps the limits even if the machine is
	// busy, and returns soon after the context ends, with the best move so far. The state comes back
	// unchanged. Positions need not follow each other.
	Move(ctx context.Context, s game.State, l Limits) (Choice, error)
	// Close releases the player's memory.
	Close() error
}

// Choice is a move. Note says in a few words how it was found.
type Choice struct {
	Move game.Move
	Note string
}

// Limits bound a move of a [Player]; zero means no bound.
type Limits struct {
	Time time.Duration
	// Processor counts only time in which the process has a processor.
	Processor bool
	Depth     int // plies to look ahead
}

// Outlook is a player's estimate of an undecided position, never a proof.
type Outlook struct {
	// Seats are the estimates of the seats, in turn order.
	Seats []Estimate
	// Moves are legal moves, the best first, and Estimates the estimates after these moves, for the
	// seat that makes them. Moves that were not looked at are left out.
	Moves     []game.Move
	Estimates []Estimate
	// Line is a likely continuation, Moves[0] first.
	Line []game.Move
	// Depth is the number of plies looked ahead, 0 for playouts, and Nodes the number of
	// positions visited.
	Depth int
	Nodes int64
	// Threats are the wins or chains that seats would have with a turn of their own.
	Threats []Threat
}

// Estimate is the standing of a seat: its share of a win, 0 to 1, for comparison; in races also the
// turns that it is ahead of the others, and for one seat alone the turns that it still needs.
type Estimate struct {
	Share float64  `json:"share"`
	Turns *float64 `json:"turns"`
}

// Threat is a seat's best use of a turn of its own.
type Threat struct {
	Seat int
	// Cells are the cells that complete the threat, or the only cells where the others can meet the
	// threat.
	Cells []int
	// Text describes the threat in a few words, without the seat: completes a line.
	Text string
}

// Lesson is a position of a game, a legal move there, and an explanation.
type Lesson struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Move     string `json:"move"`
	Text     string `json:"text"`
}

// Sight is a game worth a look, and its known results in a few words.
type Sight struct {
	Game  string `json:"game"`
	Rules string `json:"rules,omitempty"`
	Text  string `json:"text"`
}

// Setting is a choice that boards differ in: a value that occurs in ids, or if Most is not 0 any
// number from Least to Most.
type Setting struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Least int    `json:"least,omitempty"`
	Most  int    `json:"most,omitempty"`
}

// Rules is a rule set for lists and help.
type Rules struct {
	Name  string `json:"name"`  // empty if there is only one
	About string `json:"about"` // a sentence
}

// Hidden is a game whose seats do not see everything: its deals, the views of its seats, and
// players with such a view.
type Hidden struct {
	// Deal returns the first position of a deal by its number, as text. Neighbouring
	// numbers give unrelated deals.
	Deal func(number uint64) string
	// Picture returns a seat's view of a position after moves.
	Picture func(g game.Game, s game.State, seat int) Picture
	// Players choose moves.
	Players []HiddenPlayer
	// Advise returns an equilibrium's advice for each position along moves, the last one
	// included, to the seat to move by its view; nil for a position without advice.
	Advise func(from game.State, moves []game.Move) []*Advice
}

// Advice is an equilibrium's advice in a game of hidden hands.
type Advice struct {
	// Gap is the loss of both seats' strategies together, in points, to their best answers.
	Gap   float64       `json:"gap"`
	Moves []AdvisedMove `json:"moves"`
}

// AdvisedMove is a legal move with the probability that the equilibrium gives it. MeanScore is the
// mover's mean result if both follow the equilibrium, nil if the equilibrium never leads here.
type AdvisedMove struct {
	Move        string   `json:"move"`
	Probability float64  `json:"probability"`
	MeanScore   *float64 `json:"mean_score"`
}

// HiddenPlayer is a player with the view of its seat.
type HiddenPlayer struct {
	Name  string `json:"name"`
	About string `json:"about"` // a sentence
	// Choose returns a move for the seat to move, after moves from the first position
	// of a deal. Equal seeds choose equally. It takes a tenth of a second at most.
	Choose func(from game.State, moves []game.Move, seed uint64) game.Move `json:"-"`
}

// Board is the part of a drawing that all positions of a game share.
type Board struct {
	// Squares says that the cells are squares side by side; otherwise they are holes,
	// joined to their neighbours by lines.
	Squares bool `json:"squares"`
	// Width and Height are the extent of the cells. The unit is the distance of
	// neighbouring cells; all cells lie in 0…Width × 0…Height with half a unit of margin.
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Cells are in the order of the game; [Picture] and [Trace] count from 0.
	Cells []Cell `json:"cells"`
	// Seats are in turn order; missing seats have discs.
	Seats []Seat `json:"seats"`
	// Tiles are all tiles, for games of hands and a row between them, which have no cells.
	Tiles []string `json:"tiles,omitempty"`
}

// Cell is a place where a piece can stand.
type Cell struct {
	Name string  `json:"name"` // name as in moves, for instance c3
	X    float64 `json:"x"`    // x of the centre, to the right
	Y    float64 `json:"y"`    // y of the centre, downwards
	// Near are the neighbours with a greater number: edges of the board to draw.
	Near []int `json:"near,omitempty"`
}

// Seat is a player.
type Seat struct {
	// Name is the game's own, [game.Game.SeatName]; a wing leaves it out.
	Name string `json:"name"`
	// Sign is the form of the seat's pieces.
	Sign Sign `json:"sign,omitempty"`
	// Home and Goal are the cells where the seat's pieces start and where they must go; nil
	// in games without them.
	Home []int `json:"home,omitempty"`
	Goal []int `json:"goal,omitempty"`
}

// Sign is the form of a piece.
type Sign string

// The signs.
const (
	Disc  Sign = "" // a disc with the name of its seat, or the seat's number if the name is long
	Cross Sign = "cross"
	Ring  Sign = "ring"
)

// Picture shows the pieces of a position.
type Picture struct {
	// Pieces holds for each cell of the board the seat of its piece, or −1.
	Pieces []int `json:"pieces"`
	// Kinds holds for each cell the kind of its piece, in a character or two that are drawn
	// on it; nil if the pieces of a seat are alike.
	Kinds []string `json:"kinds,omitempty"`
	// Won are the cells that won the game: a row of stones, a filled goal.
	Won []int `json:"won,omitempty"`
	// Hands are the tiles of each seat as text, for instance 2|5; nil without
	// hands.
	Hands [][]string `json:"hands,omitempty"`
	// Ends are the numbers at the left and right end of the row of tiles; nil
	// before the first tile and in other games.
	Ends []int `json:"ends,omitempty"`
	// Row are the tiles played, from the left end to the right, each turned as it lies;
	// tiles played before the given position are not known.
	Row []string `json:"row,omitempty"`
}

// Trace describes how a move is drawn and made by a person: by the cell of a new piece, the first
// and last cell of a moved one, or the end of the row for a tile.
type Trace struct {
	// Path are the cells that the move touches, in order: one if a piece is put; the start, the
	// cells of a shortest chain of hops and the end if one is moved; none for a pass or a tile.
	Path []int `json:"path,omitempty"`
	// Tile is the tile played, and End its end of the row: left, right, or both if the ends
	// are equal or the row is empty.
	Tile string `json:"tile,omitempty"`
	End  string `json:"end,omitempty"`
}

// Worth is a source's answer for a position and the seat to move.
type Worth struct {
	// Value is Unknown only with an error, or if the source gave up.
	Value game.Value
	// Distance is the number of plies to the end with best play, −1 for draws and if the
	// source does not know it.
	Distance int
	// Score is the position's score in games with points, nil in others.
	Score *int
	// Line is the beginning of best play, as far as known. Its first move keeps Value.
	Line []game.Move
}

// Compare is negative if a move of this worth is better than one of another. The order is wins,
// the fastest first; draws; Unknown; losses, the slowest first; more points come first. An
// unknown distance counts as the longest.
func (w Worth) Compare(other Worth) int {
	rank := [...]int{game.Unknown: 1, game.Loss: 0, game.Draw: 2, game.Win: 3}
	far := func(d int) uint { return uint(d) } // an unknown distance is farther than any
	switch {
	case w.Value != other.Value:
		return rank[other.Value] - rank[w.Value]
	case w.Score != nil && other.Score != nil:
		return *other.Score - *w.Score
	case w.Value == game.Win:
		return cmp.Compare(far(w.Distance), far(other.Distance))
	case w.Value == game.Loss:
		return cmp.Compare(far(other.Distance), far(w.Distance))
	}
	return 0
}

// Source describes a way to learn values of one game for sure, before any work.
type Source struct {
	Kind Kind
	// Name is the file of a table, else empty. About describes the source in a few words,
	// for instance "all positions solved, in memory".
	Name, About string
	// Memory is the most memory in bytes of the open source, and Making the most while it
	// is being opened.
	Memory, Making int64
	// Partial says that the value of the start, and of most other positions, may stay open.
	Partial bool
	// Slow says that an answer may take any time, which the context ends, and that the source
	// answers one question at a time. Others answer in microseconds, to any number of goroutines.
	Slow bool
	// Open opens a file or solves the game. It may take seconds; the context ends it.
	Open func(context.Context, Resources) (Oracle, error)
}

// Resources are the limits of a source.
type Resources struct {
	Memory  int64 // bytes
	Threads int
	// Yield, if not nil, is called by every working thread at least every few milliseconds, also
	// by an open slow source; it may block, to let others work.
	Yield func()
	// Proved, if not nil, holds earlier proofs about the game in a form that its wing knows.
	// Sources begin with these proofs and add no proofs.
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
	ByCoalitions Kind = "coalitions" // results that all sets of seats can force, in memory
	ByBook       Kind = "book"       // a file of proofs by searches
	BySearch     Kind = "search"     // bounded search
)

// Oracle is an open source. It is safe for concurrent use, unless it is slow.
type Oracle interface {
	// Worth returns the value of a position that is not finished. The state belongs to the
	// caller, who may change it afterwards; it is not changed. An error is the context's,
	// or says why this position has no answer.
	Worth(context.Context, game.State) (Worth, error)
	// Close releases the source. No call may be under way or follow.
	Close() error
}

// ErrNever is the error of a slow source that cannot decide a position in any time.
var ErrNever = errors.New("wing: the source does not know the position")

// Bounded is the ability of a slow source to bound its work by nodes. Without it only time
// bounds the work.
type Bounded interface {
	// WorthWithin is Worth that gives up after about the given nodes, with a Value of
	// Unknown and no error. It returns the nodes taken.
	WorthWithin(ctx context.Context, s game.State, nodes uint64) (w Worth, taken uint64, err error)
}

// Seats is the ability to answer for any seat, which sources of games with more
// than two need.
type Seats interface {
	// WorthTo returns the value of a position that is not finished to a seat that plays
	// alone against all others.
	WorthTo(ctx context.Context, s game.State, seat int) (Worth, error)
}

// SeatNames lists a game's seats in turn order.
func SeatNames(g game.Game) (names []string) {
	for seat := range g.Seats() {
		names = append(names, g.SeatName(seat))
	}
	return names
}

// WorthTo returns an oracle's value of a position that is not finished to a seat: for two,
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

// OpenTable opens a table of a game within memory bytes, with the numbering of its
// description.
func (w *Wing) OpenTable(g game.Game, name string, memory uint64) (*table.Table, error) {
	return table.Open(name, memory, func(i table.Info) (game.Game, table.Plan, error) {
		p, err := w.NumberingOf(g, i)
		return g, p, err
	})
}

// NumberingOf is Numbering, and nil if the table has a numbering of any game.
func (w *Wing) NumberingOf(g game.Game, i table.Info) (table.Plan, error) {
	if w.Numbering == nil || !i.Own() || !i.Is(g) {
		return table.Plan{}, nil
	}
	return w.Numbering(g, i)
}

// TableMemory is the memory in bytes of an open table of a game, for numbering positions
// and one block.
func (w *Wing) TableMemory(g game.Game, i table.Info) (uint64, error) {
	p, err := w.NumberingOf(g, i)
	return p.Bytes + i.Numbers*uint64(8*i.KeyWords) + table.MaxBlock, err
}
