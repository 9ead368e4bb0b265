package strong

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"time"

	"perfectplay/game"
	"perfectplay/game/halma/numbering"
	"perfectplay/internal/files"
	"perfectplay/internal/host"
	"perfectplay/solve/table"
)

// Run does all remaining tasks of all passes, several at once.
func (t *Tiles) Run(ctx context.Context, o Options) error {
	passes, err := t.Passes()
	if err != nil {
		return err
	}
	var done uint64
	for _, p := range passes {
		done += p.Wins + p.Losses
	}
	for pass := len(passes); pass == 0 || !passes[pass-1].Final; pass++ {
		err := t.Tasks(ctx, pass, 0, t.head.Tiles, o.Workers(), func(int) {
			share := float64(done) / float64(t.l.positions())
			o.Tell(Progress{Step: 1, Steps: 1, Pass: pass, Share: min(share, 0.99), Decided: done})
		})
		if err != nil {
			return err
		}
		record, err := t.Finish(ctx, pass)
		if err != nil {
			return err
		}
		done += record.Wins + record.Losses
		passes = append(passes, record)
	}
	return nil
}

// FinishOn ends a pass as [Tiles.Finish] does. Then it does the passes that follow, n tiles at
// once, while it estimates each pass at no more processor time than most: for so short a pass,
// starting an array of tasks would cost more. It returns the records of the passes that it has
// ended.
func (t *Tiles) FinishOn(ctx context.Context, pass, n int, most time.Duration) (list []PassRecord, err error) {
	for ; ; pass++ {
		record, err := t.Finish(ctx, pass)
		if err != nil {
			return list, err
		}
		list = append(list, record)
		// Pass 0 does not show the work of pass 1.
		if record.Final || pass == 0 || t.takes(record) > most {
			return list, nil
		}
		if err := t.Tasks(ctx, pass+1, 0, t.head.Tiles, n, func(int) {}); err != nil {
			return list, err
		}
	}
}

// takes estimates the processor time of the pass after p.
func (t *Tiles) takes(p PassRecord) time.Duration {
	return time.Duration(float64(p.Sent)*sentTime + float64(t.l.rows*t.l.words*64)*placeTime)
}

// Processor time of a pass, in nanoseconds. sentTime is for each place sent to the pass; 200 to 600
// are measured. placeTime is for each place of the table, to read and write it.
const (
	sentTime  = 600.0
	placeTime = 2.2
)

// Traffic counts the bytes that the passes of a solve have read and written, and the most that
// their files took at once.
type Traffic struct{ Read, Written, Peak int64 }

// Traffic adds up the traffic of the passes so far.
func (t *Tiles) Traffic() (sum Traffic, err error) {
	passes, err := t.Passes()
	for i, p := range passes {
		sum.Read, sum.Written = sum.Read+p.Read, sum.Written+p.Written
		// Finish removes the files of the pass before the last one.
		at := int64(0)
		for _, p := range passes[max(i-2, 0) : i+1] {
			at += p.Written
		}
		sum.Peak = max(sum.Peak, at)
	}
	return sum, err
}

// Tasks does a pass for the tiles from…to−1, n at once. told is called after each tile with the
// number done, never concurrently.
func (t *Tiles) Tasks(ctx context.Context, pass, from, to, n int, told func(done int)) error {
	var mu sync.Mutex
	done := 0
	return host.Parallel(ctx, host.Threads(n), to-from, func(_ struct{}, i int) error {
		if err := t.Task(ctx, pass, from+i); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		told(done)
		return nil
	})
}

// tilesSolution has the values of a complete solve in tiles, with one tile at a time in memory.
type tilesSolution struct {
	t         *Tiles
	last      PassRecord
	distances bool
	w         *tileWorker // owns the one tile and reader: a second tile would exceed the memory
	at        int         // the tile in memory, −1 at first
	mu        sync.Mutex  // guards the fields below
	rows      *rowReader
	err       error // first error in reading a tile
}

// Solution returns the solution of a complete solve, with distances or without.
func (t *Tiles) Solution(distances bool) (*Solution, error) {
	passes, err := t.Passes()
	if err != nil {
		return nil, err
	}
	n := len(passes)
	if n == 0 || !passes[n-1].Final {
		return nil, fmt.Errorf("strong: %s: the solve is not complete: %d passes are finished", t.dir, n)
	}
	if distances && !t.head.Distances {
		return nil, fmt.Errorf("strong: %s: it is a solve without distances", t.dir)
	}
	r := &Solution{l: t.l, Passes: n - 1, tiles: &tilesSolution{t: t, last: passes[n-1], distances: distances, w: t.worker(), at: -1}}
	r.tiles.rows = r.rowReader(r.tiles.w.hand)
	c := &r.count
	for i, p := range passes {
		if distances && i > 0 {
			c.Add(true, i-1, p.Wins)
			c.Add(false, i-1, p.Losses)
		} else {
			c.Wins, c.Losses = c.Wins+p.Wins, c.Losses+p.Losses
		}
		c.Illegal += p.Illegal
	}
	c.Draws = t.l.positions() - c.Positions()
	return r, nil
}

// load reads the tile of a row, and returns the row's first word in it.
func (r *tilesSolution) load(row int) (at int, err error) {
	i := r.t.tileOf(row)
	from, to := r.t.rows(i)
	if i != r.at {
		r.at = -1
		r.w.s.size((to - from) * r.t.l.words)
		_, err := r.t.open(r.w.in, i, r.last.Pass, r.last.Memory, func() error { return r.w.in.whole(r.w.s) })
		if err != nil {
			return 0, err
		}
		r.at = i
	}
	return (row - from) * r.t.l.words, nil
}

// value returns the value and distance of a place, Unknown if its tile cannot be read.
func (r *tilesSolution) value(row, col int) (game.Value, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.rows.seek(row); err != nil {
		r.err = err
		return game.Unknown, 0
	}
	return r.rows.at(col)
}

// save writes a table file. It needs the size of the uncompressed table on the disk: it reads rows
// in the order of the tiles and writes them in the order of the table.
func (r *tilesSolution) save(ctx context.Context, name string, info table.Info, n *numbering.Two, c Counts, threads int, progress func(done float64)) (table.Info, error) {
	f, err := files.Scratch(r.t.dir)
	if err != nil {
		return info, fmt.Errorf("strong: %w", err)
	}
	defer f.Close()
	l, rows := r.t.l, r.rows
	codes := make([]byte, 0, l.against())
	again := Counts{Draws: c.Draws} // number of positions by value, counted in the planes
	for row := range l.rows {
		if err := ctx.Err(); err != nil {
			return info, err
		}
		col := 0
		mover, other := l.kernel.cells(row, col)
		for mover.Meets(other) {
			col++
			mover, other = l.kernel.cells(row, col)
		}
		from, err := n.Index(mover, other)
		if err != nil {
			return info, err
		}
		from -= from % l.against()
		if codes, err = rows.codes(n, from, l.against(), codes[:0]); err != nil {
			return info, err
		}
		weight := l.weight(row)
		for i, win := range rows.win {
			again.Wins += weight * uint64(bits.OnesCount64(win&^rows.illegal[i]))
			again.Losses += weight * uint64(bits.OnesCount64(rows.lost[i]))
			again.Illegal += weight * uint64(bits.OnesCount64(win&rows.illegal[i]))
		}
		if _, err := f.WriteAt(codes, int64(from)); err != nil {
			return info, fmt.Errorf("strong: %w", err)
		}
		if progress != nil && row%64 == 0 {
			progress(float64(row) / float64(l.rows) / 2)
		}
	}
	if again != c {
		return info, fmt.Errorf("strong: %s: the records of the passes count %+v, the tiles hold %+v", r.t.dir, c, again)
	}
	fill := func(task int, codes [][]byte) error {
		from := uint64(task) * uint64(n.Per)
		codes[0] = slices.Grow(codes[0], n.Per)[:min(uint64(n.Per), info.Numbers-from)]
		_, err := f.ReadAt(codes[0], int64(from))
		return err
	}
	return table.Write(ctx, name, info, n, table.Contents{Fill: fill}, threads, func(done float64) {
		if progress != nil {
			progress((1 + done) / 2)
		}
	})
}
