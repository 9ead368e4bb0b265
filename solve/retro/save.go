package retro

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/solve/retro/table"
)

// Save writes the table of a solution and returns its description. The file depends neither
// on threads nor on the method. program is named in it.
func (s *Solution) Save(ctx context.Context, name, program string, threads int, report func(share float64)) (table.Info, error) {
	info := table.Info{Game: s.game.ID(), Rules: s.game.Rules(), Seats: s.game.Seats(), Numbering: table.ByGame, Numbers: s.source.size(),
		Positions: s.positions, Sets: table.Sets(s.game.Seats()), Program: program}
	threads = (&Options{Threads: threads}).threads()
	c, err := s.Mover(ctx, threads)
	if err != nil {
		return info, fmt.Errorf("retro: %s: %w", s.game.ID(), err)
	}
	info.Wins, info.Losses, info.Draws = c.Wins, c.Losses, c.Draws
	for _, l := range s.layers {
		info.Odd = append(info.Odd, l.odd.Load() != nil)
	}
	from := contents{s.layers, nil, nil}
	if g, ok := s.source.(*graph); ok && g.keys != nil {
		info.Numbering, info.KeyWords = table.ByKeys, g.keys.width
		from.keys = g.keys
		from.order = make([]uint32, info.Numbers)
		for n := range from.order {
			from.order[n] = uint32(n)
		}
		slices.SortFunc(from.order, func(a, b uint32) int { return slices.Compare(g.keys.key(a), g.keys.key(b)) })
	}
	return table.Write(ctx, name, info, from, threads, report)
}

// contents is a solution as a table has it.
type contents struct {
	layers []*layer
	keys   *keys    // nil where the game has numbers
	order  []uint32 // of keys, ascending
}

func (c contents) Key(n uint64) []uint64 { return c.keys.key(c.order[n]) }

func (c contents) Code(layer int, n uint64) (code byte, odd bool) {
	if c.keys != nil {
		n = uint64(c.order[n])
	}
	l := c.layers[layer]
	return l.cells[n], l.isOdd(n) == 1
}
