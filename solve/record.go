package solve

import (
	"time"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Record is one search as a row: an opening, or the whole. The fields are the
// columns of the CSV output and the keys of the JSON output, in this order.
type Record struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	Algo  string `json:"algo"`
	// Sound is false if Algo proves nothing.
	Sound bool `json:"sound"`
	// Hero names the seat that Value is about; empty for maxn.
	Hero string `json:"hero"`
	// Limit is the horizon in plies from the root, the opening move included.
	Limit int `json:"limit"`
	// Opening is the number of the opening move in order of generation, from 1;
	// 0 is the whole.
	Opening int `json:"opening"`
	// Move is the opening move; for the whole the best move, if known.
	Move string `json:"move"`
	// Value is win, loss or draw for the hero, for maxn for the seat to move, as
	// proved: no deeper search changes it. For proof it is win or no-win. It is open if
	// unknown.
	Value string `json:"value"`
	// Winner names the seat that wins under maxn.
	Winner string `json:"winner"`
	// Distance is the number of plies from the root to the end of the game with
	// best play, nil where Value is neither win nor loss.
	Distance *int `json:"distance"`
	// Final says that Value is not open.
	Final bool `json:"final"`
	// NotWithin is the largest number of plies within which nothing is decided: nobody forces
	// a win, for proof the hero does not, for maxn nobody wins. It is nil for final draws,
	// where this holds for every number.
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
	// Opening is the number of the opening move in order of generation, from 1;
	// 0 is the whole.
	Opening int
	// Move is the opening move; for the whole the best move or NoMove. Name is
	// its text, empty for NoMove.
	Move game.Move
	Name string
	// Value is the proved value for the hero, for maxn for the seat to move at the root: no
	// deeper search changes it. It is Unknown where nothing is forced within Reached plies and
	// nothing is known beyond, or where play can go beyond Reached plies without a win (see the
	// package). Proof proves no losses: its Draw says that there is no win.
	Value game.Value
	// Winner is the winning seat of maxn, or −1.
	Winner int
	// Distance is the number of plies from the root to the end of the game with best play,
	// for a win or a loss; else 0.
	Distance int
	// Reached is the horizon up to which everything is proved: Limit, or less if the search
	// was interrupted.
	Reached int
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
	// Game, Algo and Limit are those of the call, defaults filled in.
	Game  game.Game
	Algo  Algo
	Limit int
	// Hero is the seat that values belong to, −1 for maxn.
	Hero int
	// Whole is the position as a whole. In the scope OpeningsOnly it follows
	// from the openings and counts nothing of its own.
	Whole Search
	// Openings are the opening moves in order of generation; nil in the scope
	// WholeOnly.
	Openings []Search
	// Line is a line of best play from the root as text, for decided values: at each position
	// the first move in order of generation that keeps value and distance. It is empty for
	// draws, if switched off or interrupted. It is shorter than the distance if the rest would
	// have taken more nodes than the value did.
	Line []string
	// LineNodes is the number of positions visited for the line.
	LineNodes uint64
	// Total is the sum over all searches, the line included.
	Total Counts
	// Elapsed is the time of the run.
	Elapsed time.Duration
	// Table is the state of the table at the end.
	Table table.Stats
	// Interrupted says that the context or the time ended the run early.
	Interrupted bool
	// Threads is the number of threads used.
	Threads int
	// Recalled is the number of facts that the run took from its book.
	Recalled uint64
}

// Word is the value of a search of the run in one word, see [Record.Value].
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
