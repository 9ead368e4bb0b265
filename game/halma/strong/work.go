package strong

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"

	"perfectplay/game/halma"
	"perfectplay/internal/files"
	"perfectplay/internal/store"
)

// A solve in memory keeps its state in the files of a solve in tiles: places worked on are in the
// tiles, and each tile sends its new positions to itself. So each kind of solve can resume the
// other kind.

const savedPlaces = 4 << 20

// solveIn solves in a directory, in memory or in tiles.
func solveIn(ctx context.Context, l *layout, plan plan, o Options, distances bool) (*Solution, error) {
	stripes, err := plan.stripes(l.spec, o, !plan.Files(o))
	if err != nil {
		return nil, err
	}
	tiles, err := openTiles(o.Work, l, stripes, distances)
	if err != nil {
		return nil, err
	}
	if !plan.Files(o) {
		r, err := solveLayout(ctx, l, o, tiles)
		if err == nil && !distances {
			r.dist, r.count.WinsIn, r.count.LossesIn = nil, nil, nil
		}
		return r, err
	}
	before, err := tiles.Passes()
	if err != nil {
		return nil, err
	}
	if err := tiles.Run(ctx, o); err != nil {
		return nil, err
	}
	r, err := tiles.Solution(distances)
	if err == nil {
		r.Resumed = len(before) > 0
	}
	return r, err
}

// stripes returns the number of tiles of a new directory, or 0 for a directory with tiles.
func (p plan) stripes(t *halma.TwoArmy, o Options, inMemory bool) (int, error) {
	if _, err := os.Stat(filepath.Join(o.Work, headName)); err == nil || o.Stripes != 0 {
		return o.Stripes, nil
	}
	if inMemory {
		return int(p.Places/savedPlaces) + 1, nil
	}
	n, err := p.work(t).Tiles(o.Workers(), o.Memory, o.Distances)
	if err != nil {
		return 0, fmt.Errorf("strong: %s: %w", t.ID, err)
	}
	return n, nil
}

// tileWorker returns the worker that reads and writes the state, while all others rest.
func (s *solver) tileWorker() *tileWorker {
	if s.kept == nil {
		s.kept = s.tiles.workerWith(s.workers[0].hand)
	}
	return s.kept
}

// save writes the state as the end of the current pass.
func (s *solver) save() error {
	t := s.tiles
	passes, err := t.Passes()
	if err != nil {
		return err
	}
	r := PassRecord{Pass: s.level, Memory: true}
	w := s.tileWorker()
	for i := range t.head.Tiles {
		name := t.name(i, s.level, true)
		err := files.Write(name, func(f io.Writer) error {
			if err := w.out.begin(f, t.fileHead(i, s.level)); err != nil {
				return err
			}
			return s.writeTile(i, w.s, w.out, &r)
		})
		var stat fs.FileInfo
		if err == nil {
			stat, err = os.Stat(name)
		}
		if err != nil {
			return fmt.Errorf("strong: writing %s: %w", name, err)
		}
		r.Written += stat.Size()
	}
	r.Final = r.Sent == 0
	r.Illegal = s.illegal.Load()
	r.Wins -= r.Illegal // illegal positions are kept as wins
	before := len(passes)
	for _, p := range passes {
		r.Wins, r.Losses, r.Illegal = r.Wins-p.Wins, r.Losses-p.Losses, r.Illegal-p.Illegal
	}
	for p := before; p < s.level; p++ {
		record := PassRecord{Pass: p, Memory: true}
		if s.Distances && p > 0 {
			record.Wins, record.Losses = s.byPly[0][p-1].Load(), s.byPly[1][p-1].Load()
			r.Wins, r.Losses = r.Wins-record.Wins, r.Losses-record.Losses
		}
		if err := t.writeRecord(record); err != nil {
			return err
		}
	}
	if err := t.writeRecord(r); err != nil {
		return err
	}
	for p := max(before-1, 0); p < s.level; p++ {
		if err := t.remove(p); err != nil {
			return err
		}
	}
	return nil
}

// writeTile writes a tile, and adds its counts to a record.
func (s *solver) writeTile(i int, tile *tile, out *tileWriter, r *PassRecord) error {
	from, to := s.tiles.rows(i)
	tile.size((to - from) * s.words)
	for row := from; row < to; row++ {
		wins, losses := 0, 0
		for j := range s.words {
			win, decided := s.table.halves(row, j)
			seen := s.seen[row*s.words+j]
			at := (row-from)*s.words + j
			fresh := decided &^ seen
			tile.win[at], tile.loss[at], tile.known[at] = win&^fresh, seen&^win, s.known[row*s.words+j]
			wins += bits.OnesCount64(win &^ fresh)
			losses += bits.OnesCount64(seen &^ win)
			if tile.dist != nil {
				copy(tile.dist[64*at:], s.dist[64*(row*s.words+j):][:64])
			}
			for ; fresh != 0; fresh &= fresh - 1 {
				bit := bits.TrailingZeros64(fresh)
				m := message(row-from)<<33 | message(j<<6|bit)<<1 | message(win>>bit&1)
				if err := out.send(i, m); err != nil {
					return err
				}
				r.Sent++
			}
		}
		r.Wins += s.weight(row) * uint64(wins)
		r.Losses += s.weight(row) * uint64(losses)
	}
	return out.finish(tile, PassRecord{Pass: s.level})
}

// restore reads the directory's last finished pass, and says whether the solve is complete.
func (s *solver) restore(ctx context.Context) (final bool, err error) {
	t := s.tiles
	passes, err := t.Passes()
	if err != nil || len(passes) < 2 {
		return false, err
	}
	last := passes[len(passes)-1]
	if s.level = last.Pass; s.Distances && s.level > maxPly+1 {
		return false, fmt.Errorf("strong: %s: pass %d", t.dir, s.level)
	}
	for _, p := range passes {
		s.illegal.Add(p.Illegal)
		if p.Pass > 0 && s.Distances {
			s.byPly[0][p.Pass-1].Store(p.Wins)
			s.byPly[1][p.Pass-1].Store(p.Losses)
		}
	}
	w := s.tileWorker()
	for i := range t.head.Tiles {
		if err := w.begin(ctx, last.Pass+1, i, last.Memory); err != nil {
			return false, err
		}
		s.take(w)
	}
	if err := s.checkRestored(ctx, passes); err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("strong: %s: its files are damaged: %w", t.dir, err)
		}
		return false, err
	}
	return last.Final, nil
}

// take enters the rows of a tile, read for the pass that comes next, into the solve.
func (s *solver) take(w *tileWorker) {
	tile, from, decided := w.s, w.first, 0
	for at, win := range tile.win {
		row, j := from+at/s.words, at%s.words
		fresh, all, to := tile.fresh[at], win|tile.loss[at], row*s.words+j
		decided += bits.OnesCount64(all)
		s.seen[to], s.known[to] = all&^fresh, tile.known[at]
		*s.table.word(row, 64*j) |= win&half | all<<32
		*s.table.word(row, 64*j+32) |= win>>32 | all&^half
		if fresh != 0 {
			s.due[row].Store(dueLoss | dueWin)
		}
		if s.dist != nil {
			plies := s.dist[64*to : 64*to+64]
			copy(plies, tile.dist[64*at:])
			for ; fresh != 0; fresh &= fresh - 1 { // the next pass enters the distance of new positions
				plies[bits.TrailingZeros64(fresh)] = 0
			}
		}
	}
	s.decided.Add(uint64(decided))
}

// State is the directory of a solve of a game, for a table with distances or without.
type State struct {
	Dir       string
	Game      *halma.TwoArmy
	Distances bool
}

// Saved reports whether the directory holds a state, by its description alone. It refuses a
// directory of another game, of other rules or without distances with [store.ErrOther].
func (s State) Saved() (bool, error) {
	have, err := readHead(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = have.check(s.Game, s.Distances)
	}
	if err != nil {
		return false, fmt.Errorf("strong: %s: %w", filepath.Join(s.Dir, headName), err)
	}
	_, err = os.Stat(filepath.Join(s.Dir, passName(1)))
	return err == nil && !have.Removed, nil
}

// Discard removes the state, of any version and even if damaged. It does not remove the state of
// another solve.
func (s State) Discard() error {
	if _, err := s.Saved(); errors.Is(err, store.ErrOther) {
		return err
	}
	return s.Remove()
}

// Remove removes the state. It marks the description as removed first and deletes it last, so a
// directory left by a killed process is no state. Call it once the result is safe.
func (s State) Remove() error {
	sayRemoved(s.Dir)
	if err := store.Remove(s.Dir, workFiles...); err != nil {
		return fmt.Errorf("strong: removing a solve: %w", err)
	}
	return nil
}

// workFiles are the names of the files of a state, in the order of removal.
var workFiles = []string{"tile-*.*", "pass-*.json", headName}

// sayRemoved marks the description as being removed, if the disk has room.
func sayRemoved(dir string) {
	if head, err := readHead(dir); err == nil && !head.Removed {
		head.Removed = true
		_ = writeJSON(filepath.Join(dir, headName), head)
	}
}

// endRemoval completes a removal that was cut short.
func endRemoval(dir string) error {
	if head, err := readHead(dir); err != nil || !head.Removed {
		return nil
	}
	return State{Dir: dir}.Remove()
}

func readHead(dir string) (head tilesHead, err error) {
	err = readJSON(filepath.Join(dir, headName), &head)
	return head, err
}

// check returns an error unless a directory is for a solve.
func (h tilesHead) check(t *halma.TwoArmy, distances bool) error {
	err := h.Is(job(t))
	switch {
	case h.Format != tilesFormat:
		return fmt.Errorf("its format is %d, this version of the program reads %d: finish it with the version that began it, or start over in another directory", h.Format, tilesFormat)
	case err != nil:
		return err
	case distances && !h.Distances:
		return fmt.Errorf("%w: of %s under rules %s, without distances", store.ErrOther, h.Game, h.Rules)
	}
	return nil
}
