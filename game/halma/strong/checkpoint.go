package strong

import (
	"bufio"
	"context"
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

	"perfectplay/game/halma"
	"perfectplay/internal/files"
)

// checkpointName is the file of a checkpoint in its directory.
const checkpointName = "strong.checkpoint"

// checkpointHead is the first line of a checkpoint. After it come the planes win
// and loss, with distances the distances, else for each row whether it has wins
// that are not yet propagated; all of it is one zstd stream with a checksum. What
// else a solver needs follows from these, so that it cannot contradict them.
type checkpointHead struct {
	Format  int    `json:"format"`
	Game    string `json:"game"`
	Rules   string `json:"rules"`
	Mark    string `json:"mark"`   // of the whole description of the game
	ByPly   bool   `json:"strict"` // with distances
	Level   int    `json:"level"`  // the next pass
	Decided uint64 `json:"decided"`
	Illegal uint64 `json:"illegal"`
}

const checkpointFormat = 3

// maxHead bounds the first line: a file that is none may have no other.
const maxHead = 1 << 12

// checkpointWindow bounds what the decoder of a checkpoint keeps. It is what the
// encoder uses.
const checkpointWindow = 4 << 20

// chunkWords is how much of a plane is read or written at once.
const chunkWords = 1 << 16

func (s *solver) mark() string { return mark(s.spec) }

// mark identifies a game by its whole description.
func mark(t *halma.TwoArmy) string {
	text, err := json.Marshal(t)
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
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithWindowSize(checkpointWindow))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(z, 1<<20)
	head := checkpointHead{checkpointFormat, s.spec.ID, s.spec.Rules, s.mark(), s.byPly, s.level, s.decided.Load(), s.illegal}
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(text, '\n')); err != nil {
		return err
	}
	buf := make([]byte, 0, 8*chunkWords)
	for _, p := range []plane{s.win, s.loss} {
		for words := range slices.Chunk([]uint64(p), chunkWords) {
			s.space.Charge(8 * len(words))
			if buf, err = binary.Append(buf[:0], binary.LittleEndian, words); err != nil {
				return err
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
	}
	if s.byPly {
		var numbers [64]uint8
		for at := range s.win {
			if at%chunkWords == 0 {
				s.space.Charge(len(s.dist.planes) * 8 * chunkWords)
			}
			s.dist.spread(at, &numbers)
			if _, err := w.Write(numbers[:]); err != nil {
				return err
			}
		}
	}
	if !s.byPly {
		for row := range s.reps {
			due := byte(0)
			if s.newWin[row].Load() {
				due = 1
			}
			if err := w.WriteByte(due); err != nil {
				return err
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return z.Close()
}

// restore reads the checkpoint of a directory and reports whether there is one.
func (s *solver) restore(ctx context.Context, dir string) (found bool, err error) {
	name := filepath.Join(dir, checkpointName)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("strong: reading a checkpoint: %w", err)
	}
	defer f.Close()
	if err := s.restoreFrom(ctx, f); err != nil {
		return false, fmt.Errorf("strong: checkpoint %s: %w", name, err)
	}
	return true, nil
}

func (s *solver) restoreFrom(ctx context.Context, f io.Reader) error {
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(checkpointWindow))
	if err != nil {
		return err
	}
	defer z.Close()
	r := bufio.NewReaderSize(z, maxHead)
	var head checkpointHead
	line, err := r.ReadSlice('\n')
	if err == nil {
		err = json.Unmarshal(line, &head)
	}
	switch {
	case err != nil:
	case head.Format != checkpointFormat:
		return fmt.Errorf("its format is %d, this program reads %d", head.Format, checkpointFormat)
	case head.Mark != s.mark() || head.ByPly != s.byPly || head.Game != s.spec.ID || head.Rules != s.spec.Rules:
		return fmt.Errorf("it is of %s under rules %s, distances %v: not what is to be solved", head.Game, head.Rules, head.ByPly)
	default:
		if err = s.read(r, &head); err == nil {
			err = s.checkRestored(ctx)
		}
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("it is damaged: %w", err)
	}
	return err
}

// read reads what follows the head of a checkpoint, and derives what the solver
// needs besides.
func (s *solver) read(r *bufio.Reader, head *checkpointHead) error {
	if head.Level < 1 || s.byPly && head.Level > 256 {
		return fmt.Errorf("pass %d", head.Level)
	}
	buf, masks := make([]byte, 8*chunkWords), s.columnMasks()
	for _, p := range []plane{s.win, s.loss} {
		at := 0
		for words := range slices.Chunk([]uint64(p), chunkWords) {
			s.space.Charge(8 * len(words))
			if _, err := io.ReadFull(r, buf[:8*len(words)]); err != nil {
				return err
			}
			if _, err := binary.Decode(buf, binary.LittleEndian, words); err != nil {
				return err
			}
			for _, x := range words {
				if x != 0 {
					row, word := at%s.gap, at/s.gap
					if x&^masks[word] != 0 || row >= s.reps || row >= s.pairs && word >= s.gap/64 {
						return fmt.Errorf("word %d holds what is no position", at)
					}
				}
				at++
			}
		}
	}
	if s.byPly {
		if err := s.readDistances(r, head.Level); err != nil {
			return err
		}
	} else {
		for row := range s.reps {
			due, err := r.ReadByte()
			if err != nil {
				return err
			}
			if due > 1 {
				return fmt.Errorf("row %d is marked %d", row, due)
			}
			s.newWin[row].Store(due == 1)
		}
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return fmt.Errorf("it does not end where it should (%v)", err)
	}
	frontier := s.frontier
	if !s.byPly {
		frontier = s.loss
	}
	for j := range s.words {
		s.space.Charge(2 * 8 * s.gap)
		for row := range s.reps {
			at := j*s.gap + row
			if x := frontier[at]; x != 0 && (s.byPly || x&s.win[at] != 0) {
				s.newLoss[row].Store(true)
			}
		}
	}
	// Which positions must pass is found when a row is next worked on.
	for row := range s.reps {
		s.unscanned[row] = true
	}
	s.level, s.illegal = head.Level, head.Illegal
	s.decided.Store(head.Decided)
	return nil
}

// readDistances reads the distances and finds the frontier: the losses of the ply
// before. Each ply before this one has decided something.
func (s *solver) readDistances(r io.Reader, level int) error {
	if err := s.dist.grow(s.space, level-1); err != nil {
		return err
	}
	var seen [256]bool
	var numbers [64]uint8
	for at := range s.win {
		if at%chunkWords == 0 {
			s.space.Charge((len(s.dist.planes) + 3) * 8 * chunkWords)
		}
		if _, err := io.ReadFull(r, numbers[:]); err != nil {
			return err
		}
		win, loss := s.win[at], s.loss[at]
		if win&loss != 0 {
			return fmt.Errorf("word %d holds positions both won and lost", at)
		}
		for bit, d := range numbers {
			if (win|loss)>>bit&1 == 0 {
				if d != 0 {
					return fmt.Errorf("word %d: a position that is not decided has distance %d", at, d)
				}
				continue
			}
			if int(d) >= level {
				return fmt.Errorf("word %d: distance %d before pass %d", at, d, level)
			}
			seen[d] = true
			if int(d) == level-1 {
				s.frontier[at] |= loss & (1 << bit)
				if win>>bit&1 != 0 {
					s.newWin[at%s.gap].Store(true)
				}
			}
		}
		s.dist.gather(at, &numbers)
	}
	for d := 1; d < level; d++ {
		if !seen[d] {
			return fmt.Errorf("pass %d, but pass %d decided nothing", level, d)
		}
	}
	return nil
}

// columnMasks returns for each word of a row which of its bits are columns.
func (l *layout) columnMasks() []uint64 {
	masks := make([]uint64, l.words)
	for c := range l.cols {
		if !l.inGap(c) {
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
