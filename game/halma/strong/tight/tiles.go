package tight

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

	"github.com/dgryski/go-farm"

	"perfectplay/game/halma"
	"perfectplay/internal/files"
)

// Tiles is a solve, with distances, in passes over the tiles of a directory, which
// many machines may share. A tile is a stripe of neighbouring rows. Pass 0 finds what is
// over, pass p > 0 what is decided in p plies. A task does a pass for one tile: it reads
// the tile's file of pass p−1 and what the other files of that pass send to it, and
// writes the tile's file of pass p, whole or not at all. Tasks of one pass need nothing
// of each other, and one that is killed, run twice or run late changes nothing: a file
// has the same bytes whoever writes it. When the tasks of a pass are done,
// [Tiles.Finish] checks their files and says whether another pass is needed.
//
//	solve.json      what is solved, in how many tiles
//	tile-T.P        tile T after pass P, and what the pass sends to others: see file.go
//	pass-P.json     pass P is finished: see PassRecord
type Tiles struct {
	l    *layout
	dir  string
	head tilesHead
}

// tilesHead says what a directory holds.
type tilesHead struct {
	Format int    `json:"format"`
	Game   string `json:"game"`
	Rules  string `json:"rules"`
	Mark   string `json:"mark"` // of the whole description of the game
	Tiles  int    `json:"tiles"`
}

const tilesFormat = 1

// PassRecord says what a pass has done.
type PassRecord struct {
	Pass int `json:"pass"`
	// Positions at distance Pass−1, mirror images included; illegal ones in pass 1.
	Wins    uint64 `json:"wins"`
	Losses  uint64 `json:"losses"`
	Illegal uint64 `json:"illegal"`
	Sent    uint64 `json:"sent"`  // places decided for the next pass
	Bytes   int64  `json:"bytes"` // of the files written
	Final   bool   `json:"final"` // nothing is left to be decided
}

// maxPass is the last pass: distances are bytes.
const maxPass = 256

// OpenTiles opens the directory of a solve, and makes an empty one that of a solve in
// so many tiles. It refuses that of another game, of other rules or in another number
// of tiles; 0 stands for the number it has.
func OpenTiles(dir string, t *halma.TwoArmy, tiles int) (*Tiles, error) {
	b, err := newBoard(t)
	if err != nil {
		return nil, err
	}
	if _, err := b.plan(1); err != nil {
		return nil, err
	}
	l, err := newLayout(b)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	lo, hi := farm.Fingerprint128(text)
	head := tilesHead{tilesFormat, t.ID, t.Rules, fmt.Sprintf("%016x%016x", hi, lo), tiles}
	name := filepath.Join(dir, "solve.json")
	var have tilesHead
	switch err := readJSON(name, &have); {
	case errors.Is(err, fs.ErrNotExist) && (tiles < 1 || tiles > l.rows):
		return nil, fmt.Errorf("tight: %s: %d tiles of %d rows", t.ID, tiles, l.rows)
	case errors.Is(err, fs.ErrNotExist):
		if err := writeJSON(name, head); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, fmt.Errorf("tight: %w", err)
	default:
		if tiles == 0 {
			head.Tiles = have.Tiles
		}
		if have != head || have.Tiles < 1 || have.Tiles > l.rows {
			return nil, fmt.Errorf("tight: %s: it is of %s under rules %s in %d tiles: not what is to be solved", name, have.Game, have.Rules, have.Tiles)
		}
	}
	return &Tiles{l, dir, head}, nil
}

// HasTiles says whether a directory is that of a solve in tiles.
func HasTiles(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "solve.json"))
	return err == nil
}

// Count is the number of tiles.
func (t *Tiles) Count() int { return t.head.Tiles }

// rows returns the rows of a tile.
func (t *Tiles) rows(tile int) (from, to int) {
	return tile * t.l.rows / t.head.Tiles, (tile + 1) * t.l.rows / t.head.Tiles
}

// tileOf returns the tile of a row.
func (t *Tiles) tileOf(row int) int { return ((row+1)*t.head.Tiles - 1) / t.l.rows }

// name returns the file of a tile after a pass.
func (t *Tiles) name(tile, pass int) string {
	return filepath.Join(t.dir, fmt.Sprintf("tile-%05d.%03d", tile, pass))
}

func (t *Tiles) passName(pass int) string {
	return filepath.Join(t.dir, fmt.Sprintf("pass-%03d.json", pass))
}

// Passes returns the records of the passes that are finished.
func (t *Tiles) Passes() (list []PassRecord, err error) {
	for {
		name := t.passName(len(list))
		var r PassRecord
		err := readJSON(name, &r)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("tight: %w", err)
		case r.Pass != len(list):
			return nil, fmt.Errorf("tight: %s: it is of pass %d", name, r.Pass)
		}
		list = append(list, r)
	}
}

// Task does a pass for a tile. It does nothing if its file is there, the pass is
// finished, or the solve is complete without it.
func (t *Tiles) Task(ctx context.Context, pass, tile int) error {
	passes, err := t.Passes()
	switch n := len(passes); {
	case err != nil:
		return err
	case n > pass, n > 0 && passes[n-1].Final:
		return nil
	case n < pass:
		return fmt.Errorf("tight: %s: pass %d: pass %d is not finished", t.dir, pass, n)
	case tile < 0 || tile >= t.head.Tiles:
		return fmt.Errorf("tight: %s: tile %d of %d", t.dir, tile, t.head.Tiles)
	case pass > maxPass:
		return fmt.Errorf("tight: %s: a distance of more than 255 plies does not fit a byte", t.head.Game)
	}
	if _, err := os.Stat(t.name(tile, pass)); err == nil {
		return nil // checked at the end of the pass
	}
	return files.Write(t.name(tile, pass), func(w io.Writer) error {
		out, err := newTileWriter(w, t.fileHead(tile, pass))
		if err != nil {
			return err
		}
		return t.work(ctx, pass, tile, out)
	})
}

// tile is the rows of a tile in memory: a bit for each place, and its distance. known
// has the positions against the army of a row that are found before.
type tile struct {
	win, loss, known []uint64
	dist             []uint8
	fresh            []uint64 // decided in the pass before; not in files
}

func (t *Tiles) newTile(i int) *tile {
	from, to := t.rows(i)
	plane := func() []uint64 { return make([]uint64, (to-from)*t.l.words) }
	return &tile{plane(), plane(), plane(), make([]uint8, (to-from)*t.l.words*64), plane()}
}

// work does a pass for a tile.
func (t *Tiles) work(ctx context.Context, pass, i int, out *tileWriter) error {
	l := t.l
	from, to := t.rows(i)
	s, r, record := t.newTile(i), newRow(l), PassRecord{Pass: pass}
	if pass > 0 {
		if err := t.read(i, pass-1, s, nil); err != nil {
			return err
		}
	}
	for row := from; row < to && pass < 2; row++ {
		l.terminal(r, row, func(c int, state state) {
			at, bit := (row-from)*l.words+c>>6, uint64(1)<<(c&63)
			switch state {
			case isIllegal:
				record.Illegal += l.weight(row)
				s.win[at] |= bit
				return
			case isWon:
				record.Wins += l.weight(row)
				s.win[at] |= bit
			case isLost:
				record.Losses += l.weight(row)
				s.loss[at] |= bit
			}
			s.fresh[at] |= bit
		})
	}
	if pass == 0 {
		record = PassRecord{Pass: 0}
		return out.finish(s, record)
	}
	for source := range t.head.Tiles {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.receive(source, pass-1, i, s, &record); err != nil {
			return err
		}
	}
	for row := from; row < to; row++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := (row - from) * l.words
		any := uint64(0)
		for w := range r.win {
			fresh, win := s.fresh[at+w], s.win[at+w]
			any |= fresh
			r.win[w], r.newWin[w], r.newLoss[w] = win, fresh&win, fresh&^win
		}
		if any == 0 {
			continue
		}
		r.known = s.known[at : at+l.words]
		r.propagate(row)
		for list, columns := range [2][]uint32{r.losses, r.wins} {
			for _, c := range columns {
				to, col, image := l.before(r, c)
				n := t.tileOf(to)
				first, _ := t.rows(n)
				m := message(to-first)<<33 | message(list)
				if err := out.send(n, m|message(col)<<1); err != nil {
					return err
				}
				record.Sent++
				if image != col {
					if err := out.send(n, m|message(image)<<1); err != nil {
						return err
					}
				}
			}
		}
	}
	return out.finish(s, record)
}

// message says that a place of a tile is decided: its row in the tile in the upper 31
// bits, its column, and 1 if it is won.
type message uint64

// receive enters into a tile what a file sends to it.
func (t *Tiles) receive(source, pass, i int, s *tile, record *PassRecord) error {
	return t.read(source, pass, nil, func(dest int, payload []byte) error {
		if dest != i {
			return nil
		}
		return t.accept(payload, pass, i, s, record)
	})
}

// accept enters messages to a tile.
func (t *Tiles) accept(payload []byte, pass, i int, s *tile, record *PassRecord) error {
	from, to := t.rows(i)
	for ; len(payload) >= 8; payload = payload[8:] {
		m := message(binary.LittleEndian.Uint64(payload))
		row, col := int(m>>33), int(m>>1&(1<<32-1))
		if row >= to-from || col >= t.l.cols {
			return fmt.Errorf("it sends to row %d, column %d of tile %d", row, col, i)
		}
		at, bit := row*t.l.words+col>>6, uint64(1)<<(col&63)
		if (s.win[at]|s.loss[at])&bit != 0 {
			if s.fresh[at]&bit == 0 || s.win[at]&bit != 0 != (m&1 != 0) {
				return fmt.Errorf("it sends another value for row %d, column %d of tile %d", row, col, i)
			}
			continue // the mirror image of the same
		}
		if m&1 != 0 {
			s.win[at] |= bit
			record.Wins += t.l.weight(from + row)
		} else {
			s.loss[at] |= bit
			record.Losses += t.l.weight(from + row)
		}
		s.fresh[at] |= bit
		s.dist[at*64+col&63] = uint8(pass)
	}
	if len(payload) != 0 {
		return errors.New("a message is cut off")
	}
	return nil
}

// read reads the file of a tile: its rows into s, or what it sends through receive.
func (t *Tiles) read(i, pass int, s *tile, receive func(dest int, payload []byte) error) error {
	name := t.name(i, pass)
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("tight: tile %d: %w", i, err)
	}
	defer f.Close()
	if _, err := readTile(f, t.fileHead(i, pass), s, receive); err != nil {
		return fmt.Errorf("tight: tile %d: %s: %w", i, name, err)
	}
	return nil
}

// fileHead is the first line of the file of a tile.
func (t *Tiles) fileHead(i, pass int) fileHead { return fileHead{t.head, i, pass} }

// Finish ends a pass: it checks the files of all its tasks, writes the pass's record,
// and removes files that no task needs any more. Where the pass is finished it only
// returns the record.
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
		return sum, fmt.Errorf("tight: %s: pass %d: pass %d is not finished", t.dir, pass, n)
	}
	sum.Pass = pass
	for i := range t.head.Tiles {
		if err := ctx.Err(); err != nil {
			return sum, err
		}
		name := t.name(i, pass)
		f, err := os.Open(name)
		if err != nil {
			return sum, fmt.Errorf("tight: tile %d: %w", i, err)
		}
		stat, err := f.Stat()
		if err == nil {
			var r PassRecord
			r, err = readTile(f, t.fileHead(i, pass), nil, func(int, []byte) error { return nil })
			sum.Wins, sum.Losses, sum.Illegal, sum.Sent = sum.Wins+r.Wins, sum.Losses+r.Losses, sum.Illegal+r.Illegal, sum.Sent+r.Sent
		}
		f.Close()
		if err != nil {
			return sum, fmt.Errorf("tight: tile %d: %s: %w", i, name, err)
		}
		sum.Bytes += stat.Size()
	}
	sum.Final = pass > 0 && sum.Sent == 0
	if err := writeJSON(t.passName(pass), sum); err != nil {
		return sum, err
	}
	if pass > 1 {
		for i := range t.head.Tiles {
			if err := files.Remove(t.name(i, pass-2)); err != nil {
				return sum, fmt.Errorf("tight: %w", err)
			}
		}
	}
	return sum, nil
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
		return fmt.Errorf("tight: writing %s: %w", name, err)
	}
	return nil
}
