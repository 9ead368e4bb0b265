package solve

import (
	"time"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Record is one search as a row: an opening, or the whole. The fields are the columns of the CSV
// output and the keys of the JSON output, in this order.
type Record struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	Algo  string `json:"algo"`
	Sound bool   `json:"sound"` // false if Algo proves nothing
	Hero  string `json:"hero"`  // the seat that Value is about; empty for maxn
	Limit int    `json:"limit"` // limit in plies from the root
	// Opening is the number of the opening move in order of generation, from 1; 0 is the whole.
	Opening int    `json:"opening"`
	Move    string `json:"move"` // the opening move; for the whole the best move, if known
	// Value is the proved value for the hero, for maxn for the seat to move: win, loss or
	// draw, for proof win or no-win, open if unknown.
	Value  string `json:"value"`
	Winner string `json:"winner"` // the seat that wins under maxn
	// Distance is the number of plies from the root to the end of the game with best play, nil
	// unless Value is win or loss.
	Distance *int `json:"distance"`
	Final    bool `json:"final"` // Value is not open
	// NotWithin is the largest number of plies within which nobody forces a win (for proof: the
	// hero does not; for maxn: nobody wins), nil for a draw.
	NotWithin *int `json:"not_within"`
	Counts
	Seconds float64 `json:"seconds"`
}

// Counts are the statistics of a search.
type Counts struct {
	Nodes     uint64 `json:"nodes"`     // positions visited
	Terminals uint64 `json:"terminals"` // of these, finished games
	Cutoffs   uint64 `json:"cutoffs"`   // positions left before their last move
	Stored    uint64 `json:"tt_stored"` // results written to the table
	Hits      uint64 `json:"tt_hits"`   // positions found in the table
	Filled    uint64 `json:"-"`         // stores into an empty slot
	Replaced  uint64 `json:"-"`         // stores over another position
	MaxDepth  int    `json:"-"`         // plies from the root
}

// Add adds the statistics of another search to c.
func (c *Counts) Add(d *Counts) {
	c.Nodes += d.Nodes
	c.Terminals += d.Terminals
	c.Cutoffs += d.Cutoffs
	c.Stored += d.Stored
	c.Filled += d.Filled
	c.Replaced += d.Replaced
	c.Hits += d.Hits
	c.MaxDepth = max(c.MaxDepth, d.MaxDepth)
}

// Search is the result of one search: an opening, or the whole.
type Search struct {
	// Opening is the number of the opening move in order of generation, from 1; 0 is the whole.
	Opening int
	// Move is the opening move; for the whole the best move or NoMove.
	Move game.Move
	Name string // text of Move, empty for NoMove
	// Value is the proved value for the hero, for maxn for the seat to move at the root. Unknown
	// means that nothing is forced within Reached plies, or that play can go beyond them (see
	// the package). Under Proof a Draw means that the hero cannot force a win.
	Value    game.Value
	Winner   int // the winning seat of maxn, or −1
	Distance int // plies from the root to the end with best play for a win or a loss, else 0
	Reached  int // horizon up to which everything is proved: the limit unless interrupted
	Counts
	Elapsed time.Duration

	done bool // nothing is left up to the limit
}

// NotWithin is the largest number of plies within which nothing is decided, −1 if unlimited.
func (s *Search) NotWithin() int {
	switch {
	case s.Value == game.Win || s.Value == game.Loss:
		return s.Distance - 1
	case s.Value == game.Draw:
		return -1
	}
	return s.Reached
}

// Report is the result of a run.
type Report struct {
	// Game, Algo and Limit are the arguments of the call, with defaults filled in.
	Game  game.Game
	Algo  Algo
	Limit int
	Hero  int // the seat that values belong to, −1 for maxn
	// Whole is the position as a whole. In the scope OpeningsOnly it follows from the openings
	// and counts nothing of its own.
	Whole    Search
	Openings []Search // opening moves in order of generation; nil in the scope WholeOnly
	// Line is best play from a root that is won or lost: at each position the first move in
	// order of generation that keeps value and distance. It is empty if switched off or
	// interrupted, and cut off where it would take more nodes than the value did.
	Line        []string
	LineNodes   uint64 // positions visited for the line
	Total       Counts // statistics of all searches and the line
	Elapsed     time.Duration
	Table       table.Stats // state of the table at the end
	Interrupted bool        // the context or the time ended the run early
	Threads     int         // number of threads used
	Recalled    uint64      // facts taken from the book
}

// Word is the value of a search in one word, see [Record.Value].
func (r *Report) Word(s *Search) string {
	if r.Algo == Proof && s.Value == game.Draw {
		return "no-win"
	}
	return s.Value.String()
}

// Record returns a search of the run as a row.
func (r *Report) Record(s *Search) Record {
	row := Record{
		Game: r.Game.ID(), Rules: r.Game.Rules(), Algo: string(r.Algo), Sound: true,
		Limit: r.Limit, Opening: s.Opening, Move: s.Name, Value: r.Word(s), Final: s.Value != game.Unknown,
		Counts: s.Counts, Seconds: s.Elapsed.Seconds(),
	}
	if s.Opening == 0 && !row.Final {
		row.Move = "" // no move is best yet
	}
	if s.Winner >= 0 {
		row.Winner = r.Game.SeatName(s.Winner)
	}
	if s.Value == game.Win || s.Value == game.Loss {
		row.Distance = &s.Distance
	}
	if n := s.NotWithin(); n >= 0 {
		row.NotWithin = &n
	}
	if r.Hero >= 0 {
		row.Hero = r.Game.SeatName(r.Hero)
	}
	return row
}

// Records returns the rows of a report: the openings in order, then the whole.
func (r *Report) Records() []Record {
	var rows []Record
	for i := range r.Openings {
		rows = append(rows, r.Record(&r.Openings[i]))
	}
	return append(rows, r.Record(&r.Whole))
}
