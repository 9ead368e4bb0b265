package strong

import (
	"context"
	"fmt"
	"sync"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/tablebase"
)

// Save writes a solved game to a table file. program names the version that
// solved it. The file is the same for any number of threads. progress, if not nil, is
// called now and then with the share that is written, also concurrently.
func Save(ctx context.Context, name string, t *halma.TwoArmy, s *Solution, program string, threads int, progress func(done float64)) (tablebase.Info, error) {
	distances := s.HasDistances()
	// The last pass finds nothing, so the longest distance is below it.
	if distances && s.Passes-1 > tablebase.MaxDistance {
		return tablebase.Info{}, fmt.Errorf("strong: %s: wins in up to %d plies: a table holds at most %d", t.ID, s.Passes-1, tablebase.MaxDistance)
	}
	info, numbering, err := tablebase.NewInfo(t, distances, program)
	if err != nil {
		return info, err
	}
	c := s.Counts()
	info.Wins, info.Losses, info.Draws, info.Illegal = c.Wins, c.Losses, c.Draws, c.Illegal
	if s.tiles != nil {
		return s.tiles.save(ctx, name, info, numbering, c, threads, progress)
	}
	readers := sync.Pool{New: func() any { return s.Rows() }}
	return tablebase.Write(ctx, name, info, threads, func(from uint64, codes []byte) {
		if progress != nil {
			progress(float64(from) / float64(info.Positions))
		}
		rows := readers.Get().(*Rows)
		defer readers.Put(rows)
		var last bitboard.Set128 // no army is empty
		numbering.Walk(from, len(codes), func(i int, mover, other bitboard.Set128) {
			if mover != last {
				rows.Seek(mover)
				last = mover
			}
			v, d := rows.Value(other)
			codes[i] = tablebase.Code(v, d, distances)
		})
	})
}
