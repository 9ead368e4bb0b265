// Package judge compares recorded games with perfect play: the value of each move, the best
// move, and the loss. It asks package explore and claims only proved values: a move of unknown
// value is not judged.
package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/play/explore"
	"perfectplay/play/transcript"
)

// Move is a judged move. All values and distances are for the seat that made the move. All
// distances count from the position before the move.
type Move struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Number is the number of the game in its file, Ply the number of the move in its game. Both
	// count from 1.
	Number int    `json:"game_number"`
	Ply    int    `json:"ply"`
	Phase  Phase  `json:"phase"`
	Seat   string `json:"seat"`
	Player string `json:"player"` // who plays the seat; the seat's name if the record does not say

	Position string `json:"position"`
	Text     string `json:"move"`
	Best     string `json:"best"` // a best move, Text itself if Text is best; empty if unknown
	// Value and Distance are those of the position, Kept and KeptDistance those after the move.
	Value        explore.Value `json:"value"`
	Kept         explore.Value `json:"kept_value"`
	Distance     *int          `json:"distance"`
	KeptDistance *int          `json:"kept_distance"`
	// ValueLost is the loss in half points: 1 from a win to a draw or a draw to a loss, 2 from
	// a win to a loss, 0 for no loss; nil if either value is unknown.
	ValueLost *int `json:"value_lost"`
	// DistanceLost is the number of plies by which the move delays a win or hastens a loss, if
	// it keeps the value and both distances are known.
	DistanceLost *int `json:"distance_lost"`
	ScoreLost    *int `json:"score_lost"` // points lost, in games that have them
	// Missed says that a win was proved, and the position after the move is of unknown value.
	Missed bool `json:"missed"`
}

// Phase is a third of a game's moves.
type Phase string

// The phases.
const (
	Opening Phase = "opening"
	Middle  Phase = "middle"
	End     Phase = "end"
)

// Phases lists them in order.
func Phases() []Phase { return []Phase{Opening, Middle, End} }

func phase(ply, plies int) Phase { return Phases()[3*ply/plies] }

// Judge judges the moves of a recorded game, in order, but no passes. Seconds and Nodes of bounds
// limit the work for each position without a source of values. each, if not nil, is called before
// every move. When the context ends, Judge returns the moves so far and the context's error.
func Judge(ctx context.Context, a explore.Analyst, g game.Game, rec *transcript.Game, bounds explore.Query, each func()) ([]Move, error) {
	c, err := rec.Course(g)
	if err != nil {
		return nil, err
	}
	players := map[string]string{}
	for _, seat := range rec.Seats {
		players[seat.Name] = seat.Player
	}
	var moves []Move
	s := c.From.Clone()
	for ply, m := range c.Path {
		if each != nil {
			each()
		}
		seat := g.SeatName(s.Seat())
		move := Move{
			Game: g.ID(), Rules: g.Rules(), Ply: ply + 1, Phase: phase(ply, len(rec.Moves)), Seat: seat, Player: cmp.Or(players[seat], seat),
			Position: s.String(), Text: s.MoveString(m), Value: explore.Open, Kept: explore.Open,
		}
		if s.Make(m); m == game.Pass {
			continue
		}
		if err := move.judge(ctx, a, bounds); err != nil {
			return moves, err
		}
		moves = append(moves, move)
	}
	return moves, nil
}

func (m *Move) judge(ctx context.Context, a explore.Analyst, bounds explore.Query) error {
	q := explore.Query{Game: m.Game, Rules: m.Rules, Position: m.Position, Seconds: bounds.Seconds, Nodes: bounds.Nodes}
	last, err := m.ask(ctx, a, q)
	if err != nil || last == nil {
		return err
	}
	i := slices.IndexFunc(last.Moves, func(other explore.Move) bool { return other.Move == m.Text })
	if i < 0 {
		return fmt.Errorf("judge: position %s: the analysis has no move %s", m.Position, m.Text)
	}
	played := &last.Moves[i]
	if last.Final && !played.Final && len(last.Force) == 0 {
		// The answer about all moves may lack the value of this one: ask about it alone.
		q.Moves = []string{m.Text}
		after, err := m.ask(ctx, a, q)
		if err != nil || after == nil {
			return err
		}
		played.Worth = before(after, m.Seat)
	}
	m.compare(&last.Worth, &last.Moves[0], played) // Moves[0] is a best move
	return nil
}

// ask returns the last answer to a query, nil if there is none.
func (m *Move) ask(ctx context.Context, a explore.Analyst, q explore.Query) (*explore.Answer, error) {
	last, err := explore.Last(ctx, a, q, (*explore.Answer).Settled)
	if err != nil {
		return nil, fmt.Errorf("judge: move %d: %w", m.Ply, err)
	}
	return last, ctx.Err()
}

// before returns the value of a position to one of at most two seats. Its distance counts from the
// position before.
func before(a *explore.Answer, seat string) explore.Worth {
	w := a.Worth
	if a.Seat != seat {
		switch a.Value {
		case explore.Win:
			w.Value = explore.Loss
		case explore.Loss:
			w.Value = explore.Win
		}
		if w.Score != nil {
			w.Score = new(-*w.Score)
		}
	}
	if w.Distance != nil {
		w.Distance = new(*w.Distance + 1)
	}
	return w
}

func (m *Move) compare(whole *explore.Worth, best, played *explore.Move) {
	m.Value, m.Distance = whole.Value, whole.Distance
	m.Kept, m.KeptDistance = played.Value, played.Distance
	if !whole.Final {
		return
	}
	if best.Value == whole.Value {
		m.Best = best.Move
	}
	if !played.Final {
		m.Missed = whole.Value == explore.Win
		return
	}
	lost := half[whole.Value] - half[played.Value]
	m.ValueLost = &lost
	if lost == 0 && whole.Distance != nil && played.Distance != nil {
		d := *played.Distance - *whole.Distance
		if whole.Value == explore.Loss {
			d = -d
		}
		m.DistanceLost = &d
	}
	if whole.Score != nil && played.Score != nil {
		m.ScoreLost = new(*whole.Score - *played.Score)
	}
	if lost == 0 && (m.DistanceLost == nil || *m.DistanceLost == 0) && (m.ScoreLost == nil || *m.ScoreLost == 0) {
		m.Best = m.Text
	}
}

// half has the values in half points.
var half = map[explore.Value]int{explore.Win: 2, explore.Draw: 1, explore.Loss: 0}
