package retro

import (
	"context"
	"fmt"
	"slices"
	"sync"

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
		Positions: s.positions, Bits: 8, Sets: table.Sets(len(s.layers)), Program: program}
	c, err := s.Mover(ctx)
	if err != nil {
		return info, nil, from, err
	}
	info.Wins, info.Losses, info.Draws = c.Wins, c.Losses, c.Draws
	if s.stages != nil {
		info.Numbering, info.KeyWords, info.Sets = table.ByKeys, s.stages.words, table.Sets(s.stages.layers)
		numbering = table.Keys(info.Numbers)
		from, err = s.stages.contents(&info, numbering)
		return info, numbering, from, err
	}
	info.Numbers = s.source.size()
	for _, l := range s.layers {
		if l.far != nil || len(l.cells) > 0 && slices.Max(l.cells) > table.LongDistance+1 {
			info.Bits = 16
		}
	}
	number := func(n uint64) uint64 { return n }
	numbering = table.Keys(info.Numbers)
	if g, ok := s.source.(*graph); ok && g.keys != nil {
		info.Numbering, info.KeyWords = table.ByKeys, g.keys.width
		order := make([]uint32, info.Numbers)
		for n := range order {
			order[n] = uint32(n)
		}
		slices.SortFunc(order, func(a, b uint32) int { return slices.Compare(g.keys.key(a), g.keys.key(b)) })
		number = func(n uint64) uint64 { return uint64(order[n]) }
		first := numbering.Size().Largest
		from.Keys = func(block int, keys []uint64) ([]uint64, error) {
			for _, n := range order[block*first : min((block+1)*first, len(order))] {
				keys = append(keys, g.keys.key(n)...)
			}
			return keys, nil
		}
	} else if numbering, err = table.Numbers(s.game); err != nil {
		return info, nil, from, err
	}
	workers := sync.Pool{New: func() any { return s.source.worker() }}
	first := uint64(numbering.Size().Largest)
	from.Fill = func(task int, codes [][]byte) (err error) {
		w := workers.Get().(worker)
		defer workers.Put(w)
		g, state, fresh := w.guards()
		defer game.Guard(&err, g, state, fresh)
		for n := uint64(task) * first; n < min(uint64(task+1)*first, info.Numbers); n++ {
			n, seat, ok := number(n), 0, true
			if info.Seats > 2 { // which of two seats moves makes no difference
				seat, _, ok = w.at(n)
			}
			for i, l := range s.layers {
				code := table.Code(game.Draw, 0, true)
				if winner, plies, decided := l.outcome(n, seat); ok && decided {
					v := game.Loss
					if winner == l.side[seat] {
						v = game.Win
					}
					code = table.Code(v, plies, true)
				}
				if codes[i] = append(codes[i], byte(code)); info.Bits == 16 {
					codes[i] = append(codes[i], byte(code>>8))
				}
			}
		}
		return nil
	}
	return info, numbering, from, nil
}
