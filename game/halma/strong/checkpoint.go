package strong

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgryski/go-farm"
	"github.com/klauspost/compress/zstd"

	"perfectplay/internal/files"
)

// checkpointName is the file of a checkpoint in its directory.
const checkpointName = "strong.checkpoint"

// checkpointHead is the first line of a checkpoint. After it come the planes win,
// loss and frontier, with distances the distances, and the flags of the rows; all
// of it is one zstd stream with a checksum.
type checkpointHead struct {
	Format  int        `json:"format"`
	Game    string     `json:"game"`
	Rules   string     `json:"rules"`
	Mark    string     `json:"mark"`   // of the whole description of the game
	ByPly   bool       `json:"strict"` // with distances
	Level   int        `json:"level"`  // the next pass
	Decided uint64     `json:"decided"`
	Illegal uint64     `json:"illegal"`
	Pass    [][]uint32 `json:"stuck"` // row, then its mustPass columns
}

const checkpointFormat = 2

// chunkWords is how much of a plane is read or written at once.
const chunkWords = 1 << 16

// mark identifies a game by its whole description.
func (s *solver) mark() string {
	text, err := json.Marshal(s.b.spec)
	if err != nil {
		panic("strong: a description cannot be written: " + err.Error())
	}
	lo, hi := farm.Fingerprint128(text)
	return fmt.Sprintf("%016x%016x", hi, lo)
}

// save writes a checkpoint. The one before stays until this one is complete and
// on the disk.
func (s *solver) save(dir string) error {
	if err := files.Write(filepath.Join(dir, checkpointName), s.write); err != nil {
		return fmt.Errorf("strong: writing a checkpoint: %w", err)
	}
	return nil
}

// write writes what a checkpoint holds.
func (s *solver) write(f io.Writer) error {
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(z, 1<<20)
	head := checkpointHead{checkpointFormat, s.b.spec.ID, s.b.spec.Rules, s.mark(), s.byPly, s.level, s.decided.Load(), s.illegal, nil}
	for row, columns := range s.mustPass {
		if len(columns) > 0 {
			head.Pass = append(head.Pass, append([]uint32{uint32(row)}, columns...))
		}
	}
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(text, '\n')); err != nil {
		return err
	}
	buf := make([]byte, 0, 8*chunkWords)
	for _, p := range []plane{s.win, s.loss, s.frontier} {
		for words := range slices.Chunk([]uint64(p), chunkWords) {
			s.space.charge(8 * len(words))
			if buf, err = binary.Append(buf[:0], binary.LittleEndian, words); err != nil {
				return err
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
	}
	for dist := range slices.Chunk(s.dist, 8*chunkWords) {
		s.space.charge(len(dist))
		if _, err := w.Write(dist); err != nil {
			return err
		}
	}
	for row := range s.reps {
		flags := byte(0)
		if s.newLoss[row].Load() {
			flags |= 1
		}
		if s.newWin[row].Load() {
			flags |= 2
		}
		if err := w.WriteByte(flags); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return z.Close()
}

// restore reads the checkpoint of a directory and reports whether there is one.
func (s *solver) restore(dir string) (found bool, err error) {
	name := filepath.Join(dir, checkpointName)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("strong: reading a checkpoint: %w", err)
	}
	defer f.Close()
	if err := s.restoreFrom(f); err != nil {
		return false, fmt.Errorf("strong: checkpoint %s: %w", name, err)
	}
	return true, nil
}

func (s *solver) restoreFrom(f io.Reader) error {
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	r := bufio.NewReaderSize(z, 1<<20)
	var head checkpointHead
	line, err := r.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &head)
	}
	switch {
	case err != nil:
	case head.Format != checkpointFormat:
		return fmt.Errorf("its format is %d, this program reads %d", head.Format, checkpointFormat)
	case head.Mark != s.mark() || head.ByPly != s.byPly:
		return fmt.Errorf("it is of %s under rules %s, distances %v: not what is to be solved", head.Game, head.Rules, head.ByPly)
	default:
		err = s.read(r, &head)
	}
	if err != nil {
		return fmt.Errorf("it is damaged: %w", err)
	}
	return nil
}

// read reads what follows the head of a checkpoint. It accepts nothing that the
// solver could not go on from without a panic.
func (s *solver) read(r *bufio.Reader, head *checkpointHead) error {
	buf, masks := make([]byte, 8*chunkWords), s.columnMasks()
	for _, p := range []plane{s.win, s.loss, s.frontier} {
		at := 0
		for words := range slices.Chunk([]uint64(p), chunkWords) {
			s.space.charge(8 * len(words))
			if _, err := io.ReadFull(r, buf[:8*len(words)]); err != nil {
				return err
			}
			if _, err := binary.Decode(buf, binary.LittleEndian, words); err != nil {
				return err
			}
			for _, x := range words {
				if x&^masks[at/s.gap] != 0 || x != 0 && at%s.gap >= s.reps {
					return fmt.Errorf("word %d holds what is no position", at)
				}
				at++
			}
		}
	}
	for dist := range slices.Chunk(s.dist, 8*chunkWords) {
		s.space.charge(len(dist))
		if _, err := io.ReadFull(r, dist); err != nil {
			return err
		}
	}
	for row := range s.reps {
		flags, err := r.ReadByte()
		if err != nil {
			return err
		}
		s.newLoss[row].Store(flags&1 != 0)
		s.newWin[row].Store(flags&2 != 0)
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return fmt.Errorf("it does not end where it should (%v)", err)
	}
	for _, list := range head.Pass {
		if len(list) < 2 || int(list[0]) >= s.reps {
			return fmt.Errorf("%d positions that must pass in row %v", len(list)-1, list)
		}
		for _, c := range list[1:] {
			if int(c) >= s.cols || s.army[c] == 0 {
				return fmt.Errorf("a position that must pass in column %d", c)
			}
		}
		s.mustPass[list[0]] = list[1:]
	}
	if head.Level < 1 {
		return fmt.Errorf("pass %d", head.Level)
	}
	s.level, s.illegal = head.Level, head.Illegal
	s.decided.Store(head.Decided)
	return nil
}

// columnMasks returns for each word of a row which of its bits are columns.
func (l *layout) columnMasks() []uint64 {
	masks := make([]uint64, l.words)
	for c, army := range l.army {
		if army != 0 { // not in the gap
			masks[c>>6] |= 1 << (c & 63)
		}
	}
	return masks
}

// RemoveCheckpoint removes the checkpoint of a directory, if there is one, and
// what is left of another. Call it once the result is safe.
func RemoveCheckpoint(dir string) error {
	if err := files.Remove(filepath.Join(dir, checkpointName)); err != nil {
		return fmt.Errorf("strong: removing a checkpoint: %w", err)
	}
	return nil
}
