package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// HiddenQuery is a question about a deal by a seat that sees only its part.
type HiddenQuery struct {
	Game   string   `json:"game"`
	Deal   uint64   `json:"deal"`            // number of the deal
	Seat   string   `json:"seat"`            // the seat that sees only its part
	Player string   `json:"player"`          // the player of the other seats
	Moves  []string `json:"moves,omitempty"` // all moves so far, passes included
}

// HiddenAnswer is the view of a seat. During the game it reveals nothing about other hands
// beyond their moves.
type HiddenAnswer struct {
	Game    string       `json:"game"`
	Deal    uint64       `json:"deal"`
	Path    []string     `json:"path"`
	Seat    string       `json:"seat"` // the seat to move; empty when the game is over
	Over    bool         `json:"over"`
	Won     string       `json:"won,omitempty"`
	Text    string       `json:"text"` // a sentence
	Picture wing.Picture `json:"picture"`
	// Moves are the legal moves, without values, if it is the turn of the seat that sees; Reply
	// is the player's move if it is the player's turn.
	Moves []Move `json:"moves"`
	Reply string `json:"reply,omitempty"`
	// Advice is about the moves of the seat that sees; nil without advice.
	Advice *wing.Advice `json:"advice,omitempty"`
	// When the game is over, Position is the first position, and Review values every move with
	// all hands open.
	Position string   `json:"position,omitempty"`
	Review   []Review `json:"review,omitempty"`
}

// Review compares a move with perfect play with all hands open.
type Review struct {
	Seat string `json:"seat"`
	Move string `json:"move"`
	// Was is the value of the position to the seat, Is that after the move, and Best a move
	// that keeps it.
	Was    Worth        `json:"was"`
	Is     Worth        `json:"is"`
	Best   string       `json:"best"`
	Advice *wing.Advice `json:"advice,omitempty"`
}

// The faults of requests that name no player or no seat of the game.
const (
	BadPlayer Fault = "player"
	BadSeat   Fault = "seat"
)

// Hidden answers for a seat that sees only its part of a deal, and plays the others.
func (s *Service) Hidden(ctx context.Context, q HiddenQuery) (a *HiddenAnswer, err error) {
	t, err := s.table(q.Game, "")
	if err != nil {
		return nil, err
	}
	h := t.wing.Hidden
	if h == nil {
		return nil, wrong(BadGame, q.Game, "in %s nothing is hidden", q.Game)
	}
	names := wing.SeatNames(t.game)
	viewer := slices.Index(names, q.Seat)
	if viewer < 0 {
		return nil, wrong(BadSeat, q.Seat, "seat %q: the seats are %s", q.Seat, strings.Join(names, ", "))
	}
	known := slices.IndexFunc(h.Players, func(p wing.HiddenPlayer) bool { return p.Name == q.Player })
	if known < 0 {
		names = nil
		for _, p := range h.Players {
			names = append(names, p.Name)
		}
		return nil, wrong(BadPlayer, q.Player, "player %q: want %s", q.Player, strings.Join(names, ", "))
	}
	from := h.Deal(q.Deal)
	p, err := s.read(Query{Game: q.Game, Position: from, Moves: q.Moves})
	if err != nil {
		var bad *Error
		if errors.As(err, &bad) && bad.Fault == BadMove { // the reason may reveal a hidden tile
			bad.Err = fmt.Errorf("%.40q is not legal here", bad.Given)
		}
		return nil, err
	}
	a = &HiddenAnswer{Game: q.Game, Deal: q.Deal, Path: append([]string{}, q.Moves...), Moves: []Move{}}
	result := p.State.Result()
	if result == game.Ongoing {
		a.Picture = h.Picture(t.game, p.State, viewer)
	} else {
		a.Picture = t.wing.Picture(t.game, p.State)
	}
	listed(&a.Picture.Pieces)
	if t.wing.Row != nil {
		a.Picture.Row = t.wing.Row(t.game, p.From, p.Path)
	}
	mover := p.State.Seat()
	switch {
	case result != game.Ongoing:
		a.Over, a.Position, a.Text = true, from, t.wing.Ending(t.game, p.State)
		if seat, ok := result.Winner(); ok {
			a.Won = t.game.SeatName(seat)
		}
		if a.Review, err = s.review(ctx, q.Game, from, q.Moves); err != nil {
			return nil, err
		}
		list, err := s.advise(ctx, h, p)
		if err != nil {
			return nil, err
		}
		for i := range a.Review {
			a.Review[i].Advice = list[i]
		}
	case mover == viewer:
		a.Seat, a.Text = names[mover], names[mover]+" to move"
		for _, m := range p.State.Moves(nil) {
			a.Moves = append(a.Moves, Move{Move: p.State.MoveString(m), Worth: Worth{Value: Open}, Trace: t.wing.Trace(t.game, p.State, m)})
		}
		list, err := s.advise(ctx, h, p)
		if err != nil {
			return nil, err
		}
		a.Advice = list[len(p.Path)]
	default:
		turn, err := s.threads.begin(ctx, 1, t.hush)
		if err != nil {
			return nil, err
		}
		defer turn.end()
		a.Seat, a.Text = t.game.SeatName(mover), t.game.SeatName(mover)+" thinks"
		a.Reply = p.State.MoveString(h.Players[known].Choose(p.From, p.Path, q.Deal))
	}
	return a, nil
}

func (s *Service) advise(ctx context.Context, h *wing.Hidden, p *place) ([]*wing.Advice, error) {
	turn, err := s.threads.begin(ctx, 1, p.hush)
	if err != nil {
		return nil, err
	}
	defer turn.end()
	return h.Advise(p.From, p.Path), nil
}

// review asks for the value of every move of a finished game.
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
