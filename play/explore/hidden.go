package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// HiddenQuery is a question about a deal of which a seat sees its part only.
type HiddenQuery struct {
	Game string `json:"game"`
	// Deal is the number of the deal.
	Deal uint64 `json:"deal"`
	// Seat names who looks; the others are played by Player.
	Seat   string `json:"seat"`
	Player string `json:"player"`
	// Moves are all that were made so far, passes included.
	Moves []string `json:"moves,omitempty"`
}

// HiddenAnswer is what a seat sees. As long as the game goes on it tells nothing of
// what other seats hold, except by their moves.
type HiddenAnswer struct {
	Game string   `json:"game"`
	Deal uint64   `json:"deal"`
	Path []string `json:"path"`
	// Seat names the seat to move, empty when the game is over.
	Seat    string       `json:"seat"`
	Over    bool         `json:"over"`
	Won     string       `json:"won,omitempty"`
	Text    string       `json:"text"` // a sentence
	Picture wing.Picture `json:"picture"`
	// Moves are the legal moves where it is the turn of who looks, without values;
	// Reply is the move that the player makes where it is the player's turn.
	Moves []Move `json:"moves"`
	Reply string `json:"reply,omitempty"`
	// Advice is what an equilibrium says of the moves where it is the turn of who looks, if it says anything.
	Advice *Advice `json:"advice,omitempty"`
	// When the game is over, Position is the first position, and Review tells of every
	// move what it was worth with all hands open.
	Position string   `json:"position,omitempty"`
	Review   []Review `json:"review,omitempty"`
}

// Review is a move held against perfect play with all hands open.
type Review struct {
	Seat string `json:"seat"`
	Move string `json:"move"`
	// Was is what the position was worth to the seat, Is what it was worth after the
	// move, and Best a move that keeps it.
	Was  Worth  `json:"was"`
	Is   Worth  `json:"is"`
	Best string `json:"best"`
	// Advice is what an equilibrium says of the seat's moves, by what the seat has seen.
	Advice *Advice `json:"advice,omitempty"`
}

// Advice is what an equilibrium of hidden hands says of the moves of a seat. Both strategies lose Gap points
// at most, taken together, to their best answers.
type Advice struct {
	Gap   float64       `json:"gap"`
	Moves []AdvisedMove `json:"moves"`
}

// AdvisedMove is a move with its probability, and the points that it comes to for the mover on average if both go on by the
// equilibrium, nil where that never leads here.
type AdvisedMove struct {
	Move        string   `json:"move"`
	Probability float64  `json:"probability"`
	MeanScore   *float64 `json:"mean_score"`
}

// advice reads what a wing says of a position.
func advice(s game.State, a *wing.Advice) *Advice {
	if a == nil {
		return nil
	}
	list := &Advice{Gap: a.Gap}
	for _, m := range a.Moves {
		said := AdvisedMove{Move: s.MoveString(m.Move), Probability: m.Probability}
		if !math.IsNaN(m.MeanScore) {
			said.MeanScore = &m.MeanScore
		}
		list.Moves = append(list.Moves, said)
	}
	return list
}

// The faults of requests that name no player or no seat of the game.
const (
	BadPlayer Fault = "player"
	BadSeat   Fault = "seat"
)

// Hidden answers for a seat that sees its part of a deal only.
func (s *Service) Hidden(ctx context.Context, q HiddenQuery) (a *HiddenAnswer, err error) {
	t, err := s.table(q.Game, "")
	if err != nil {
		return nil, err
	}
	h := t.wing.Hidden
	if h == nil {
		return nil, &Error{BadGame, q.Game, -1, fmt.Errorf("in %s nothing is hidden", q.Game)}
	}
	names := wing.SeatNames(t.game)
	viewer := slices.Index(names, q.Seat)
	if viewer < 0 {
		return nil, &Error{BadSeat, q.Seat, -1, fmt.Errorf("seat %q: the seats are %s", q.Seat, strings.Join(names, ", "))}
	}
	known := slices.IndexFunc(h.Players, func(p wing.HiddenPlayer) bool { return p.Name == q.Player })
	if known < 0 {
		names = nil
		for _, p := range h.Players {
			names = append(names, p.Name)
		}
		return nil, &Error{BadPlayer, q.Player, -1, fmt.Errorf("player %q: want %s", q.Player, strings.Join(names, ", "))}
	}
	from := h.Deal(q.Deal)
	p, err := s.read(Query{Game: q.Game, Position: from, Moves: q.Moves})
	if err != nil {
		var bad *Error
		if errors.As(err, &bad) && bad.Fault == BadMove { // its reason may tell what is hidden
			bad.Err = fmt.Errorf("%.40q is not legal here", bad.Given)
		}
		return nil, err
	}
	a = &HiddenAnswer{Game: q.Game, Deal: q.Deal, Path: append([]string{}, q.Moves...), Moves: []Move{}, Picture: h.Picture(t.game, p.state, viewer)}
	defer func() {
		if a != nil {
			listed(&a.Picture.Pieces)
		}
	}()
	if t.wing.Row != nil {
		a.Picture.Row = t.wing.Row(t.game, p.from, p.path)
	}
	mover := p.state.Seat()
	switch result := p.state.Result(); {
	case result != game.Ongoing:
		a.Over, a.Position, a.Text = true, from, t.wing.Ending(t.game, p.state)
		row := a.Picture.Row
		if a.Picture = t.wing.Picture(t.game, p.state); row != nil {
			a.Picture.Row = row
		}
		if seat, ok := result.Winner(); ok {
			a.Won = t.game.SeatName(seat)
		}
		if a.Review, err = s.review(ctx, q.Game, from, q.Moves); err != nil {
			return nil, err
		}
		list, err := s.advise(ctx, h, p)
		at := p.from.Clone()
		for i, said := range list {
			if i < len(p.path) {
				a.Review[i].Advice = advice(at, said)
				at.Make(p.path[i])
			}
		}
		return a, err
	case mover == viewer:
		a.Seat, a.Text = names[mover], names[mover]+" to move"
		for _, m := range p.state.Moves(nil) {
			a.Moves = append(a.Moves, Move{Move: p.state.MoveString(m), Worth: Worth{Value: Open}, Trace: t.wing.Trace(t.game, p.state, m)})
		}
		list, err := s.advise(ctx, h, p)
		if err != nil {
			return nil, err
		}
		a.Advice = advice(p.state, list[len(p.path)])
	default:
		turn, err := s.threads.begin(ctx, 1, t.hush)
		if err != nil {
			return nil, err
		}
		defer turn.end()
		a.Seat, a.Text = t.game.SeatName(mover), t.game.SeatName(mover)+" thinks"
		a.Reply = p.state.MoveString(h.Players[known].Choose(p.from, p.path, q.Deal))
	}
	return a, nil
}

// advise asks the wing when it is its turn.
func (s *Service) advise(ctx context.Context, h *wing.Hidden, p *place) ([]*wing.Advice, error) {
	turn, err := s.threads.begin(ctx, 1, p.hush)
	if err != nil {
		return nil, err
	}
	defer turn.end()
	return h.Advise(p.from, p.path), nil
}

// review asks what every move of a finished game was worth.
func (s *Service) review(ctx context.Context, id, from string, moves []string) (list []Review, err error) {
	for i, text := range moves {
		a, err := s.Ask(ctx, Query{Game: id, Position: from, Moves: moves[:i]})
		if err != nil {
			return nil, err
		}
		made := slices.IndexFunc(a.Moves, func(m Move) bool { return m.Move == text })
		list = append(list, Review{Seat: a.Seat, Move: text, Was: a.Worth, Is: a.Moves[made].Worth, Best: a.Moves[0].Move})
	}
	return list, nil
}
