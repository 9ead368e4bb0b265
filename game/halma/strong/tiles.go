package strong

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/dgryski/go-farm"

	"perfectplay/game/halma"
	"perfectplay/internal/files"
	"perfectplay/internal/store"
)

// Tiles is a solve in passes over the tiles of a directory, which many machines may share. A tile
// is a range of neighbouring rows. Pass 0 finds the positions that are over. With distances, pass p
// > 0 finds the positions decided in p plies; without distances, also the positions that follow
// from these within the tile.
//
// A task does a pass for one tile: it reads the tile's file of pass p−1 and the messages to it in
// the other files of that pass, and writes the tile's file of pass p, whole or not at all. Tasks of
// one pass do not depend on each other. A file has the same bytes whoever writes it, so a task may
// be killed, run twice or run late. When all tasks of a pass are done, [Tiles.Finish] checks their
// files and says whether another pass is needed.
//
//	solve.json      the game and the number of tiles
//	tile-T.P        tile T after pass P, and the messages from it: see file.go
//	pass-P.json     pass P is finished: see PassRecord
type Tiles struct {
	l    *layout
	dir  string
	head tilesHead
	idle sync.Pool // idle workers, of type *tileWorker
}

type tilesHead struct {
	Format int `json:"format"`
	store.Job
	Tiles int `json:"tiles"`

	Distances bool `json:"distances"`
	// Removed says that the rest of the directory is being removed.
	Removed bool `json:"removed,omitempty"`
}

const tilesFormat = 10

const headName = "solve.json"

func job(t *halma.TwoArmy) store.Job { return store.NewJob(t.ID, t.Rules, t.Fingerprint(), t) }

// PassRecord counts the results of a pass.
type PassRecord struct {
	Pass int `json:"pass"`
	// Positions that the pass decided, mirror images included: with distances, the positions at
	// distance Pass−1. Pass 1 counts the illegal positions.
	Wins    uint64 `json:"wins"`
	Losses  uint64 `json:"losses"`
	Illegal uint64 `json:"illegal"`
	Sent    uint64 `json:"sent"`    // places decided for the next pass
	Read    int64  `json:"read"`    // bytes read by the tasks of the pass and by Finish
	Written int64  `json:"written"` // bytes written: the size of the pass's files
	Final   bool   `json:"final"`   // no position is left to decide
	// Memory says that a solve in memory wrote the files of the pass. Each tile sends the
	// positions decided last to itself.
	Memory bool `json:"memory,omitempty"`

	// Sum is the fingerprint of the other fields, in hexadecimal digits.
	Sum string `json:"sum,omitempty"`
}

func (r PassRecord) sum() string {
	r.Sum = ""
	text, err := json.Marshal(r)
	if err != nil {
		panic("strong: a record cannot be written: " + err.Error())
	}
	return fmt.Sprintf("%016x", farm.Fingerprint64(text))
}

const maxPass = maxPly + 1

// OpenTiles opens the directory of a solve. In an empty one it begins a solve in Stripes tiles, or
// as many as the memory needs. It refuses a directory of another game, other rules, another number
// of tiles, or without the distances that are wanted.
func OpenTiles(t *halma.TwoArmy, o Options) (*Tiles, error) {
	plan, err := newPlan(t, o)
	if err != nil {
		return nil, err
	}
	if err := endRemoval(o.Work); err != nil {
		return nil, err
	}
	stripes, err := plan.stripes(t, o, false)
	if err != nil {
		return nil, err
	}
	l, err := newLayout(t, false)
	if err != nil {
		return nil, err
	}
	return openTiles(o.Work, l, stripes, o.Distances)
}

// openTiles is OpenTiles with a number of tiles, which may be 0 if the directory has a solve.
func openTiles(dir string, l *layout, tiles int, distances bool) (*Tiles, error) {
	t := l.spec
	head := tilesHead{Format: tilesFormat, Job: job(t), Tiles: tiles, Distances: distances}
	name := filepath.Join(dir, headName)
	have, err := readHead(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (tiles < 1 || tiles > l.rows):
		return nil, fmt.Errorf("strong: %s: %d tiles of %d rows", t.ID, tiles, l.rows)
	case errors.Is(err, fs.ErrNotExist):
		if err := writeJSON(name, head); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, fmt.Errorf("strong: %w", err)
	default:
		if err := have.check(t, distances); err != nil {
			return nil, fmt.Errorf("strong: %s: %w", name, err)
		}
		if tiles != 0 && tiles != have.Tiles || have.Tiles < 1 || have.Tiles > l.rows {
			return nil, fmt.Errorf("strong: %s: it is in %d tiles, not in %d", name, have.Tiles, tiles)
		}
		head = have
	}
	return &Tiles{l: l, dir: dir, head: head}, nil
}

// Count is the number of tiles.
func (t *Tiles) Count() int { return t.head.Tiles }

func (t *Tiles) rows(tile int) (from, to int) {
	return tile * t.l.rows / t.head.Tiles, (tile + 1) * t.l.rows / t.head.Tiles
}

func (t *Tiles) tileOf(row int) int { return ((row+1)*t.head.Tiles - 1) / t.l.rows }

// name returns the file of a tile after a pass, made by a task or by a solve in memory.
func (t *Tiles) name(tile, pass int, memory bool) string {
	name := fmt.Sprintf("tile-%05d.%03d", tile, pass)
	if memory {
		name += ".memory"
	}
	return filepath.Join(t.dir, name)
}

func (t *Tiles) passName(pass int) string {
	return filepath.Join(t.dir, passName(pass))
}

func passName(pass int) string { return fmt.Sprintf("pass-%03d.json", pass) }

// Passes returns the records of the finished passes. Records without files at the end are left out:
// a solve in memory was killed before it wrote the record with files.
func (t *Tiles) Passes() (list []PassRecord, err error) {
	for {
		name := t.passName(len(list))
		var r PassRecord
		err := readJSON(name, &r)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			for n := len(list); n > 0 && list[n-1].Memory && list[n-1].Written == 0; n-- {
				list = list[:n-1]
			}
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("strong: %w", err)
		case r.Pass != len(list):
			return nil, fmt.Errorf("strong: %s: it is of pass %d", name, r.Pass)
		case r.Sum != r.sum():
			return nil, fmt.Errorf("strong: %s: damaged: its checksum is wrong", name)
		}
		r.Sum = ""
		list = append(list, r)
	}
}

// Task does a pass for a tile. It does nothing if the tile's file exists, the pass is finished, or
// the solve is complete.
func (t *Tiles) Task(ctx context.Context, pass, tile int) error {
	passes, err := t.Passes()
	switch n := len(passes); {
	case err != nil:
		return err
	case n > pass, n > 0 && passes[n-1].Final:
		return nil
	case n < pass:
		return fmt.Errorf("strong: %s: pass %d: pass %d is not finished", t.dir, pass, n)
	case tile < 0 || tile >= t.head.Tiles:
		return fmt.Errorf("strong: %s: tile %d of %d", t.dir, tile, t.head.Tiles)
	case pass > maxPass && t.head.Distances:
		return fmt.Errorf("strong: %s: a distance of more than 255 plies does not fit a byte", t.head.Game)
	}
	if _, err := os.Stat(t.name(tile, pass, false)); err == nil {
		return nil // Finish and the next pass check an existing file
	}
	w := t.worker()
	defer t.idle.Put(w)
	memory := pass > 0 && passes[pass-1].Memory
	return files.Write(t.name(tile, pass, false), func(f io.Writer) error {
		if err := w.out.begin(f, t.fileHead(tile, pass)); err != nil {
			return err
		}
		return w.work(ctx, pass, tile, memory, w.out)
	})
}

// tile holds the rows of a tile in memory. known are the positions against the army of a row that
// are over, illegal or found before.
type tile struct {
	win, loss, known []uint64
	dist             []uint8  // nil without distances
	fresh            []uint64 // decided but not yet propagated; not written to files
}

// newTile returns memory for the largest tile, so that it never grows beyond the plan.
func (t *Tiles) newTile() *tile {
	rows := (t.l.rows + t.head.Tiles - 1) / t.head.Tiles
	s, words := &tile{}, rows*t.l.words
	for _, plane := range []*[]uint64{&s.win, &s.loss, &s.known, &s.fresh} {
		*plane = make([]uint64, words)
	}
	if t.head.Distances {
		s.dist = make([]uint8, words*64)
	}
	return s
}

// size makes a tile empty, with the given number of words of 64 places.
func (s *tile) size(words int) {
	for _, plane := range []*[]uint64{&s.win, &s.loss, &s.known, &s.fresh} {
		*plane = (*plane)[:words]
		clear(*plane)
	}
	if s.dist != nil {
		s.dist = s.dist[:words*64]
		clear(s.dist)
	}
}

// tileWorker does one task after the other in the memory of one tile.
type tileWorker struct {
	*Tiles
	hand
	r      *row
	s      *tile
	in     *tileReader
	out    *tileWriter
	pass   int
	tile   int
	first  int // first row of the tile
	record PassRecord
	places []place
}

func (t *Tiles) worker() *tileWorker {
	if w, ok := t.idle.Get().(*tileWorker); ok {
		return w
	}
	return t.workerWith(t.l.kernel.newHand())
}

// workerWith returns a worker with a hand that nobody else uses meanwhile.
func (t *Tiles) workerWith(h hand) *tileWorker {
	return &tileWorker{Tiles: t, hand: h, r: h.scratch(), s: t.newTile(), in: newTileReader(), out: newTileWriter(t.head.Tiles)}
}

// begin reads a tile as it is before a pass, with the messages of the pass before; memory says that
// a solve in memory wrote these files.
func (w *tileWorker) begin(ctx context.Context, pass, i int, memory bool) error {
	l, s := w.l, w.s
	from, to := w.rows(i)
	w.pass, w.tile, w.first, w.record = pass, i, from, PassRecord{Pass: pass}
	w.in.bytes = 0
	s.size((to - from) * l.words)
	if pass > 0 {
		if _, err := w.open(w.in, i, pass-1, memory, func() error { return w.in.whole(s) }); err != nil {
			return err
		}
	}
	for row := from; row < to && pass < 2 && !memory; row++ {
		at, weight := (row-from)*l.words, l.weight(row)
		w.terminal(row, func(c int, state state) {
			at, bit := at+c>>6, uint64(1)<<(c&63)
			switch state {
			case isIllegal:
				w.record.Illegal += weight
				s.win[at] |= bit
				return
			case isWon:
				w.record.Wins += weight
				s.win[at] |= bit
			case isLost:
				w.record.Losses += weight
				s.loss[at] |= bit
			}
			s.fresh[at] |= bit
		})
		w.overBefore(row, s.known[at:at+l.words])
	}
	for source := 0; source < w.head.Tiles && pass > 0; source++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, err := w.open(w.in, source, pass-1, memory, func() error { return w.in.messages(i, w.accept) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *tileWorker) work(ctx context.Context, pass, i int, memory bool, out *tileWriter) error {
	if err := w.begin(ctx, pass, i, memory); err != nil {
		return err
	}
	if pass == 0 {
		return out.finish(w.s, PassRecord{})
	}
	from, to := w.rows(i)
	for again := true; again; {
		again = false
		for row := from; row < to; row++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			found, err := w.visit(row, out)
			if err != nil {
				return err
			}
			again = again || found
		}
	}
	w.record.Read = w.in.bytes
	return out.finish(w.s, w.record)
}

// visit works on a row, and says whether it adds new positions to the tile.
func (w *tileWorker) visit(row int, out *tileWriter) (found bool, err error) {
	l, r, s := w.l, w.r, w.s
	at := (row - w.first) * l.words
	any := uint64(0)
	for i := range r.win {
		fresh, win := s.fresh[at+i], s.win[at+i]
		any |= fresh
		s.fresh[at+i] = 0
		r.win[i], r.newWin[i], r.newLoss[i] = win, fresh&win, fresh&^win
	}
	if any == 0 {
		return false, nil
	}
	r.known = s.known[at : at+l.words]
	w.propagate(row)
	for list, columns := range [2][]uint32{r.losses, r.wins} {
		for len(columns) > 0 {
			n := min(len(columns), fetched)
			w.places = w.before(columns[:n], w.places[:0])
			columns = columns[n:]
			here, err := w.send(message(list), out)
			if found = found || here; err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// send enters decided places into this tile or sends them to theirs, and says whether it entered
// any here.
func (w *tileWorker) send(value message, out *tileWriter) (found bool, err error) {
	for _, p := range w.places {
		n := w.tileOf(int(p.row))
		first, _ := w.rows(n)
		local := n == w.tile && !w.head.Distances
		found = found || local
		if !local {
			w.record.Sent++
		}
		for _, col := range [2]uint32{p.col, p.image} {
			m := message(int(p.row)-first)<<33 | message(col)<<1 | value
			if local {
				err = w.enter(m)
			} else {
				err = out.send(n, m)
			}
			if err != nil || p.image == p.col {
				break
			}
		}
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// message says that a place of a tile is decided: the upper 31 bits are the row in the tile, then
// comes the column; the lowest bit is 1 for a win.
type message uint64

func (w *tileWorker) accept(payload []byte) error {
	for ; len(payload) >= 8; payload = payload[8:] {
		if err := w.enter(message(binary.LittleEndian.Uint64(payload))); err != nil {
			return err
		}
	}
	if len(payload) != 0 {
		return errors.New("a message is cut off")
	}
	return nil
}

func (w *tileWorker) enter(m message) error {
	s := w.s
	row, col := int(m>>33), int(m>>1&(1<<32-1))
	at, bit := row*w.l.words+col>>6, uint64(1)<<(col&63)
	if col >= w.l.cols || at >= len(s.win) {
		return fmt.Errorf("it sends to row %d, column %d of tile %d", row, col, w.tile)
	}
	if (s.win[at]|s.loss[at])&bit != 0 {
		if s.win[at]&bit != 0 != (m&1 != 0) || w.head.Distances && s.fresh[at]&bit == 0 {
			return fmt.Errorf("it sends another value for row %d, column %d of tile %d", row, col, w.tile)
		}
		return nil // the mirror image of this column was entered before
	}
	if m&1 != 0 {
		s.win[at] |= bit
		w.record.Wins += w.l.weight(w.first + row)
	} else {
		s.loss[at] |= bit
		w.record.Losses += w.l.weight(w.first + row)
	}
	s.fresh[at] |= bit
	if w.head.Distances {
		s.dist[at*64+col&63] = uint8(w.pass - 1)
	}
	return nil
}

// open opens the file of a tile, calls do, and returns the file's record with its size.
func (t *Tiles) open(in *tileReader, i, pass int, memory bool, do func() error) (r PassRecord, err error) {
	name := t.name(i, pass, memory)
	f, err := os.Open(name)
	if err != nil {
		return r, fmt.Errorf("strong: tile %d: %w", i, err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err == nil {
		err = in.open(f, stat.Size(), t.fileHead(i, pass))
	}
	if err == nil {
		err = do()
	}
	if err != nil {
		return r, fmt.Errorf("strong: tile %d: %s: %w", i, name, err)
	}
	r = in.info.Record
	r.Written = stat.Size()
	return r, nil
}

func (t *Tiles) fileHead(i, pass int) fileHead { return fileHead{t.head, i, pass} }

// Finish ends a pass: it checks that the files of all its tasks are complete, writes the pass's
// record, and removes files that no task needs any more. It reads a little of each file; the next
// task of a tile checks the whole file. For a finished pass it only returns the record.
func (t *Tiles) Finish(ctx context.Context, pass int) (sum PassRecord, err error) {
	passes, err := t.Passes()
	switch n := len(passes); {
	case err != nil:
		return sum, err
	case n > pass:
		return passes[pass], nil
	case n > 0 && passes[n-1].Final:
		return passes[n-1], nil
	case n < pass:
		return sum, fmt.Errorf("strong: %s: pass %d: pass %d is not finished", t.dir, pass, n)
	}
	in := newTileReader()
	sum.Pass = pass
	for i := range t.head.Tiles {
		if err := ctx.Err(); err != nil {
			return sum, err
		}
		before := in.bytes
		r, err := t.open(in, i, pass, false, func() error { return nil })
		if err != nil {
			return sum, err
		}
		sum.Wins, sum.Losses, sum.Illegal, sum.Sent = sum.Wins+r.Wins, sum.Losses+r.Losses, sum.Illegal+r.Illegal, sum.Sent+r.Sent
		sum.Read, sum.Written = sum.Read+r.Read+in.bytes-before, sum.Written+r.Written
	}
	sum.Final = pass > 0 && sum.Sent == 0
	if err := t.writeRecord(sum); err != nil {
		return sum, err
	}
	if pass > 1 {
		err = t.remove(pass - 2)
	}
	return sum, err
}

func (t *Tiles) writeRecord(r PassRecord) error {
	r.Sum = r.sum()
	return writeJSON(t.passName(r.Pass), r)
}

// remove removes the files of all tiles of a pass.
func (t *Tiles) remove(pass int) error {
	for i := range t.head.Tiles {
		for _, memory := range []bool{false, true} {
			if err := files.Remove(t.name(i, pass, memory)); err != nil {
				return fmt.Errorf("strong: %w", err)
			}
		}
	}
	return nil
}

// readJSON reads a small file; unknown keys are refused.
func readJSON(name string, v any) error {
	f, err := files.Open(name, 1<<16)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func writeJSON(name string, v any) error {
	err := files.Write(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
	if err != nil {
		return fmt.Errorf("strong: writing %s: %w", name, err)
	}
	return nil
}
