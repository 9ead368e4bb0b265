package family

import (
	"fmt"
	"io"

	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/solve/frame"
)

// Solved is the answer of solve strong. Values that a solver does not find, or the user did not
// ask for, are left out.
type Solved struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Distances bool   `json:"distances"`
	// Worth is the value of the start for the first seat alone against all others.
	Worth
	Openings SolvedMoves `json:"moves"`
	// With more than two seats: the value that each set of seats can force, and whether a set can
	// force the win of a named member.
	Coalitions []Forced `json:"coalitions,omitempty"`
	Named      []Named  `json:"named,omitempty"`
	// Deciders counts positions by the seat that decides the winner, counted from the seat to move.
	// The deciding seat cannot win alone. But together with any of at least two other seats it can
	// force the win of that seat.
	Deciders []uint64 `json:"deciders,omitempty"`
	Vectors  []Vector `json:"vectors,omitempty"`
	// Counts of all positions by their value for the seat to move alone.
	Positions uint64  `json:"positions"`
	Wins      uint64  `json:"wins"`
	Losses    uint64  `json:"losses"`
	Draws     uint64  `json:"draws"`
	Illegal   *uint64 `json:"illegal,omitempty"`
	// The same counts as publications give them: each placement with either seat to move, and
	// wins of the first seat.
	PublishedPositions *uint64  `json:"published_positions,omitempty"`
	PublishedWins      *uint64  `json:"published_wins,omitempty"`
	PublishedDraws     *uint64  `json:"published_draws,omitempty"`
	PublishedIllegal   *uint64  `json:"published_illegal,omitempty"`
	Reachable          *Reached `json:"reachable,omitempty"`
	// Wins and losses by distance in plies.
	WinsIn   []uint64 `json:"wins_in,omitempty"`
	LossesIn []uint64 `json:"losses_in,omitempty"`

	Passes      int         `json:"passes,omitempty"`
	Threads     int         `json:"threads"`
	Resumed     bool        `json:"resumed"` // the solve continued a saved state; times are of this run
	Seconds     cli.Seconds `json:"seconds"`
	PerSecond   *float64    `json:"positions_per_second"` // nil if resumed
	MemoryBytes cli.Size    `json:"memory_bytes"`         // largest resident memory before a table was written
	Traffic     *Traffic    `json:"traffic,omitempty"`    // nil unless the solve ran in tiles
	File        string      `json:"file,omitempty"`
	Signature   string      `json:"table_signature,omitempty"`

	// These fields are only for the printed text.
	Speed string `json:"-"`
	Under string `json:"-"` // the rules in words
	Side  string `json:"-"` // the side from which positions are counted
	Files string `json:"-"`
	g     game.Game
}

// Forced is the value of the start to a set of seats against all others, and counts of such
// values over all positions.
type Forced struct {
	Seats string `json:"coalition"`
	Worth
	Longest int      `json:"longest_win"` // longest forced win, in plies
	Wins    uint64   `json:"wins"`
	Losses  uint64   `json:"losses"`
	Draws   uint64   `json:"draws"`
	WinsIn  []uint64 `json:"wins_in"` // wins by plies to the end, from 0 on
}

// Named says whether a set of seats can force the win of one named member.
type Named struct {
	Seats   string   `json:"coalition"`
	Winner  string   `json:"winner"`
	Forced  bool     `json:"forced"`   // whether the set can force that win from the start
	Plies   *int     `json:"distance"` // plies to the forced win; nil if not forced
	Longest int      `json:"longest_win"`
	Wins    uint64   `json:"wins"`
	WinsIn  []uint64 `json:"wins_in"` // wins by plies to the end, from 0 on

	Start string `json:"-"` // the result from the start, in words
}

// Vector counts positions by the result that each seat can force alone, in turn order from the
// seat to move.
type Vector struct {
	Alone     []game.Value `json:"alone"`
	Positions uint64       `json:"positions"` // number of positions, with any seat to move
	Reachable *uint64      `json:"reachable,omitempty"`
}

// Traffic counts the bytes that a solve in tiles read and wrote.
type Traffic struct {
	Tiles   int      `json:"tiles"`
	Read    cli.Size `json:"read_bytes"`
	Written cli.Size `json:"written_bytes"`
	Peak    cli.Size `json:"peak_bytes"` // most bytes on disk at one time
}

// Reached counts the positions that play from the start can reach. A position and its half turn
// with the seats exchanged may count once.
type Reached struct {
	Positions   uint64 `json:"positions"`
	Wins        uint64 `json:"wins"`
	Losses      uint64 `json:"losses"`
	Draws       uint64 `json:"draws"`
	LongestWin  *int   `json:"longest_win"` // nil without distances
	LongestLoss *int   `json:"longest_loss"`
}

func (r *Solved) reached(c *frame.Count) {
	if c == nil {
		return
	}
	r.Reachable = &Reached{Positions: c.Positions(), Wins: c.Wins, Losses: c.Losses, Draws: c.Draws}
	if win, loss := c.Longest(); r.Distances {
		r.Reachable.LongestWin, r.Reachable.LongestLoss = &win, &loss
	}
}

func (r Reached) String() string {
	text := fmt.Sprintf("%v positions: %v won, %v lost, %v drawn", cli.Count(r.Positions), cli.Count(r.Wins), cli.Count(r.Losses), cli.Count(r.Draws))
	if r.LongestWin != nil && *r.LongestWin > 0 {
		text += fmt.Sprintf("; longest win %d plies", *r.LongestWin)
	}
	return text
}

var solvedText = cli.Fields[*Solved]("game=game,Under:%s%s", "start=Worth", "positions=positions,Side:%s%s",
	"  won=wins", "  lost=losses", "  drawn=draws", "  illegal=illegal",
	"both movers=published_positions,published_wins,published_draws,published_illegal:%s positions, %s won by the first player, %s drawn, %s illegal",
	"reachable=reachable", "passes=passes?", "solved in=seconds,threads,Speed,memory_bytes:%s, %d threads, %s, %s of memory",
	"files=Files?", "table=file?", "signature=table_signature?")

// turns names the seats, from the seat to move on.
var turns = []string{"to move", "2nd", "3rd", "4th", "5th", "6th"}

// maxVectors bounds the printed rows of vectors.
const maxVectors = 27

func (r *Solved) write(w io.Writer) {
	if r.Rules != "" {
		r.Under = ", rules " + r.Rules
	}
	if r.Illegal != nil {
		r.Side = " from the mover's side"
	}
	solvedText(w, []*Solved{r})
	if len(r.Coalitions) > 0 {
		fmt.Fprintln(w, "\nWhat sets of seats can force from the start against all others, and over all positions:")
		cli.Grid[Forced]("seats=coalition", "from the start=Worth", "longest win=longest_win", "won=wins", "lost=losses", "drawn=draws")(w, r.Coalitions)
	}
	if len(r.Named) > 0 {
		fmt.Fprintln(w, "\nWhether they can force the win of one of them:")
		cli.Grid[Named]("seats=coalition", "winner", "start=Start", "longest=longest_win", "positions=wins")(w, r.Named)
	}
	if r.Deciders != nil {
		fmt.Fprintln(w, "\nPositions where a seat that cannot win alone decides which of two others does:")
		t := cli.NewTable("seat", ">positions")
		for i, positions := range r.Deciders {
			t.Row(turns[i], positions)
		}
		t.Write(w)
	}
	if len(r.Openings) > 0 {
		fmt.Fprintln(w, "\nOpening moves, best first:")
		WriteMoves(w, r.Openings, r.g)
	}
	if len(r.WinsIn) > 0 {
		fmt.Fprintln(w, "\nPositions by distance in plies:")
		t := cli.NewTable(">plies", ">won", ">lost")
		for d := range r.WinsIn {
			t.Row(d, r.WinsIn[d], r.LossesIn[d])
		}
		t.Write(w)
	}
	if len(r.Vectors) == 0 || len(r.Vectors) > maxVectors {
		return
	}
	fmt.Fprintln(w, "\nPositions by what each seat can force alone, from the one to move:")
	heads := append(turns[:r.g.Seats():r.g.Seats()], ">positions")
	if r.Reachable != nil {
		heads = append(heads, ">reachable")
	}
	t := cli.NewTable(heads...)
	for _, v := range r.Vectors {
		var row []any
		for _, alone := range v.Alone {
			row = append(row, alone)
		}
		if row = append(row, v.Positions); v.Reachable != nil {
			row = append(row, *v.Reachable)
		}
		t.Row(row...)
	}
	t.Write(w)
}
