package wing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfectplay/game"
)

// OnlyRules describes a wing's rules if the wing does not.
const OnlyRules = "the only rules"

// Complete checks the required fields and fills in the others: Title is Name, About is Title,
// there is one rule set without a name, the board has no cells, moves touch none, an ending names
// the winner, and values come only from tables and the solvers of any game. Seats of a board get
// the names of [game.Game.SeatName].
func (w Wing) Complete() (Wing, error) {
	for _, required := range []struct {
		missing bool
		field   string
	}{{w.Name == "", "Name"}, {w.Open == nil, "Open"}, {w.IDs == nil, "IDs"}} {
		if required.missing {
			return w, fmt.Errorf("wing: %q: the field %s is missing: Name, Open and IDs are required", w.Name, required.field)
		}
	}
	ids := w.IDs()
	for _, id := range ids {
		if word, _, _ := strings.Cut(id, "-"); word != w.Name {
			return w, fmt.Errorf("wing: %q: the id %q of IDs does not begin with %s-", w.Name, id, w.Name)
		}
	}
	if len(ids) == 0 {
		return w, fmt.Errorf("wing: %q: IDs lists no game", w.Name)
	}
	open := w.Open
	w.Open = func(id, rules string) (game.Game, error) {
		g, err := open(id, rules)
		if g == nil && err == nil {
			err = fmt.Errorf("wing: %q: Open returns no game for %q, and no error", w.Name, id)
		}
		return g, err
	}
	w.Title = cmp.Or(w.Title, w.Name)
	w.About = cmp.Or(w.About, w.Title)
	if w.Rules == nil {
		w.Rules = []Rules{{About: OnlyRules}}
	}
	board := w.Board
	w.Board = func(g game.Game) Board {
		b := Board{Width: 1, Height: 1, Cells: []Cell{}}
		if board != nil {
			b = board(g)
		}
		seats := make([]Seat, g.Seats())
		copy(seats, b.Seats)
		for s := range seats {
			seats[s].Name = g.SeatName(s)
		}
		b.Seats = seats
		return b
	}
	if w.Picture == nil {
		w.Picture = func(g game.Game, _ game.State) Picture {
			return Picture{Pieces: slices.Repeat([]int{-1}, len(w.Board(g).Cells))}
		}
	}
	if w.Trace == nil {
		w.Trace = func(game.Game, game.State, game.Move) Trace { return Trace{} }
	}
	if w.Ending == nil {
		w.Ending = func(g game.Game, s game.State) string {
			if seat, ok := s.Result().Winner(); ok {
				return g.SeatName(seat) + " has won."
			}
			return "The game is drawn."
		}
	}
	if w.Sources == nil {
		w.Sources = func(game.Game) []Source { return nil }
	}
	return w, nil
}
