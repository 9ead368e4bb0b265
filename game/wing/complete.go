package wing

import (
	"fmt"
	"slices"

	"perfectplay/game"
)

// OnlyRules is what is said of the rules of a wing that says nothing of them.
const OnlyRules = "the only rules"

// Complete returns the wing with what it leaves out: fields that are zero get what holds for
// any game. Name, Open and IDs are required, and the error says which is missing.
func (w Wing) Complete() (Wing, error) {
	for _, required := range []struct {
		missing bool
		field   string
	}{{w.Name == "", "Name"}, {w.Open == nil, "Open"}, {w.IDs == nil, "IDs"}} {
		if required.missing {
			return w, fmt.Errorf("wing: %q: the field %s is missing: Name, Open and IDs are required", w.Name, required.field)
		}
	}
	if w.Title == "" {
		w.Title = w.Name
	}
	if w.About == "" {
		w.About = w.Title
	}
	if w.Rules == nil {
		w.Rules = []Rules{{About: OnlyRules}}
	}
	if w.Board == nil {
		w.Board = func(g game.Game) Board {
			b := Board{Width: 1, Height: 1, Cells: []Cell{}}
			for s := range g.Seats() {
				b.Seats = append(b.Seats, Seat{Name: g.SeatName(s)})
			}
			return b
		}
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
