package strong

import (
	"context"
	"fmt"
	"sync"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/game/halma/numbering"
	"perfectplay/solve/table"
)

// Save writes a solved game to a table file, the same for any number of threads. program names the
// version that solved it. progress, if not nil, is called with the share written, also
// concurrently.
func Save(ctx context.Context, name string, t *halma.TwoArmy, s *Solution, program string, threads int, progress func(done float64)) (table.Info, error) {
	info, n, from, err := s.contents(t, program)
	if err != nil {
		return info, err
	}
	if s.tiles != nil {
		return s.tiles.save(ctx, name, info, n, s.Counts(), threads, progress)
	}
	return table.Write(ctx, name, info, n, from, threads, progress)
}

// Make makes the table of a game solved in memory, in at most most bytes, and opens the table.
// Unpacked blocks of the open table take up to cache bytes more.
func Make(ctx context.Context, g *halma.Game, t *halma.TwoArmy, s *Solution, threads int, most, cache uint64) (*table.Table, error) {
	info, n, from, err := s.contents(t, "")
	if err != nil {
		return nil, err
	}
	return table.Make(ctx, g, info, n.Of(g), from, threads, most, cache)
}

// atOnce is the number of positions of a row written at once.
const atOnce = 1 << 10

func (s *Solution) contents(t *halma.TwoArmy, program string) (table.Info, *numbering.Two, table.Contents, error) {
	distances := s.HasDistances()
	// The last pass finds nothing, so the longest distance is below it.
	if distances && s.Passes-1 > table.LongDistance {
		return table.Info{}, nil, table.Contents{}, fmt.Errorf("strong: %s: wins in up to %d plies, a table of distances holds at most %d: leave out --distances", t.ID, s.Passes-1, table.LongDistance)
	}
	info, n, err := numbering.TwoInfo(t, distances, program)
	if err != nil {
		return info, nil, table.Contents{}, err
	}
	c := s.Counts()
	info.Wins, info.Losses, info.Draws, info.Illegal = c.Wins, c.Losses, c.Draws, c.Illegal
	readers := sync.Pool{New: func() any { return s.rowReader(s.l.kernel.newHand()) }}
	fill := func(task int, codes [][]byte) (err error) {
		w := readers.Get().(*rowReader)
		defer readers.Put(w)
		from := uint64(task) * uint64(n.Per)
		codes[0], err = w.codes(n, from, min(uint64(n.Per), n.Numbers-from), codes[0])
		return err
	}
	return info, n, table.Contents{Fill: fill}, nil
}

// shortCodes are the codes of places without distances, by the bits of rowReader.is.
var shortCodes = func() (codes [len(worth)]byte) {
	for is, v := range worth {
		codes[is] = byte(table.Code(v, 0, false))
	}
	return codes
}()

// codes appends the codes of count positions. from is the number of the first one in the table.
func (w *rowReader) codes(n *numbering.Two, from, count uint64, to []byte) (_ []byte, err error) {
	distances := w.r.HasDistances()
	n.Runs(from, count, func(mover, free, x bitboard.Set128, run int) {
		if err == nil {
			err = w.seek(w.face(mover, free))
		}
		for columns := []uint32(nil); run > 0 && err == nil; run -= len(columns) {
			columns, x = w.columns(x, min(run, atOnce))
			for _, c := range columns {
				is := w.is(int(c))
				code := shortCodes[is]
				if distances {
					v, d := w.at(int(c))
					code = byte(table.Code(v, d, true))
				}
				to = append(to, code)
			}
		}
	})
	return to, err
}
