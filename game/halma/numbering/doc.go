// Package numbering numbers the positions of Chinese Checkers for the tables of package
// solve/table: [Two] for two armies, [Several] for more. solve/table/FORMAT.md specifies it.
package numbering

import (
	"bytes"
	"encoding/json"
	"fmt"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/solve/table"
)

// Of returns the numbering of a game's positions, by the description of a table. It is an error
// if the description names the game, but has another board or other rules.
func Of(of game.Game, i table.Info) (table.Plan, error) {
	g, ok := of.(*halma.Game)
	switch {
	case !ok:
	case i.Numbering == byTwo:
		return twoPlan(g, i)
	case i.Numbering == bySeveral:
		s, err := several(g, i)
		if err == nil {
			err = s.check(i.Choices)
		}
		if err != nil {
			return table.Plan{}, fmt.Errorf("the description contradicts itself: %w", err)
		}
		return table.Plan{Bytes: s.bytes(), Make: func() (table.Numbering, error) { s.make(); return s, nil }}, nil
	}
	return table.Plan{}, fmt.Errorf("numbers by %q are not known to Chinese Checkers", i.Numbering)
}

// parse reads the part of a description that belongs to a numbering.
func parse(i table.Info, board any) error {
	d := json.NewDecoder(bytes.NewReader(i.Board))
	d.DisallowUnknownFields()
	if err := d.Decode(board); err != nil {
		return fmt.Errorf("the board: %w", err)
	}
	return nil
}

func encode(board any) json.RawMessage {
	text, err := json.Marshal(board)
	if err != nil {
		panic(fmt.Errorf("numbering: a description of numbers: %w", err))
	}
	return text
}
