package retro

import (
	"context"
	"fmt"

	"perfectplay/game"
	"perfectplay/solve/table"
)

// Save writes the table of a solution and returns its description. The file depends neither on
// threads nor on the method. It names program.
func (s *Solution) Save(ctx context.Context, name, program string, report func(share float64)) (table.Info, error) {
	info, numbering, from, err := s.contents(ctx, program)
	if err != nil {
		return info, fmt.Errorf("retro: %s: %w", s.game.ID(), err)
	}
	return table.Write(ctx, name, info, numbering, from, s.threads, report)
}

// Make makes the table within memory bytes, unpacked blocks included, and opens it.
func (s *Solution) Make(ctx context.Context, memory uint64) (*table.Table, error) {
	info, numbering, from, err := s.contents(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("retro: %s: %w", s.game.ID(), err)
	}
	return table.Make(ctx, s.game, info, numbering, from, s.threads, memory/2, memory/2)
}

// contents returns a solution as the contents of a table.
func (s *Solution) contents(ctx context.Context, program string) (info table.Info, numbering table.Numbering, from table.Contents, err error) {
	info = table.Info{Game: s.game.ID(), Rules: s.game.Rules(), Fingerprint: game.Fingerprint(s.game), Seats: s.game.Seats(), Numbering: table.ByGame, Numbers: s.positions,
		Positions: s.positions, Sets: table.Sets(s.layers), Program: program}
	c, err := s.Mover(ctx)
	if err != nil {
		return info, nil, from, err
	}
	info.Wins, info.Losses, info.Draws = c.Wins, c.Losses, c.Draws
	numbering, from, err = s.results.contents(&info)
	return info, numbering, from, err
}
