package census

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game/domino"
)

// A part file is
//
//	the line "perfectplay domino census 1"
//	the header: its length as 4 bytes, lowest first, and so many bytes of JSON
//	a zstd frame: for both roles and the six fields of Role in order, the values
//	    of all hands by rank as signed varints
//	the SHA-256 of everything before it
//
// It is the same whether the part ran in one piece or not. A part that is not
// complete is a checkpoint in the same form.
const fileMagic = "perfectplay domino census 1\n"

// ErrDamaged is the reason to refuse a file that is not what was written.
var ErrDamaged = errors.New("damaged")

// header is the JSON of a part file.
type header struct {
	Part, Parts, Units, Done              int
	ByDouble                              [domino.Numbers]Counts
	Classes, Positions, Moves, Operations int64
	MostLeaves                            int64
	Widest                                []domino.Deal
}

// fields returns the fields of r in the order of files.
func (r *Role) fields() [6]*int64 {
	return [6]*int64{&r.Games, &r.Wins, &r.Draws, &r.Score, &r.Leaves, &r.Blocked}
}

// summing passes on what is written and adds it to a checksum.
type summing struct {
	w io.Writer
	h hash.Hash
}

func (s summing) Write(p []byte) (int, error) {
	s.h.Write(p)
	return s.w.Write(p)
}

// WriteTo writes the part as a file.
func (c *Census) WriteTo(to io.Writer) (int64, error) {
	t := c.Tally
	h, err := json.Marshal(header{c.Part, c.Parts, Units, c.Done, t.ByDouble,
		t.Classes, t.Positions, t.Moves, t.Operations, t.MostLeaves, t.Widest})
	if err != nil {
		return 0, err
	}
	count := &counting{w: to}
	sum := summing{count, sha256.New()}
	out := bufio.NewWriter(sum)
	out.WriteString(fileMagic)
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(h))))
	out.Write(h)
	z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	buf := make([]byte, 0, 1<<16)
	for role := range 2 {
		for field := range 6 {
			for i := range t.Hands {
				buf = binary.AppendVarint(buf, *t.Hands[i][role].fields()[field])
				if len(buf) > 1<<16-binary.MaxVarintLen64 || i == len(t.Hands)-1 {
					if _, err := z.Write(buf); err != nil {
						return count.n, err
					}
					buf = buf[:0]
				}
			}
		}
	}
	if err := z.Close(); err != nil {
		return count.n, err
	}
	if err := out.Flush(); err != nil {
		return count.n, err
	}
	_, err = count.Write(sum.h.Sum(nil))
	return count.n, err
}

// counting counts the bytes written.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Save writes the part to a file, which appears complete or not at all.
func (c *Census) Save(path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("census: save: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
			err = fmt.Errorf("census: save %s: %w", path, err)
		}
	}()
	if _, err = c.WriteTo(f); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// Load reads a part file. It refuses one that is damaged, with [ErrDamaged], or
// that does not make sense.
func Load(path string) (*Census, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("census: load: %w", err)
	}
	c, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("census: load %s: %w", path, err)
	}
	return c, nil
}

// parse reads a part file.
func parse(data []byte) (*Census, error) {
	body, ok := bytes.CutPrefix(data, []byte(fileMagic))
	if !ok {
		return nil, errors.New("not a census part, or of another version")
	}
	if len(body) < 4+sha256.Size {
		return nil, fmt.Errorf("%w: the file is cut off", ErrDamaged)
	}
	sum := sha256.Sum256(data[:len(data)-sha256.Size])
	if !bytes.Equal(sum[:], data[len(data)-sha256.Size:]) {
		return nil, fmt.Errorf("%w: the checksum is wrong", ErrDamaged)
	}
	body = body[:len(body)-sha256.Size]
	n := binary.LittleEndian.Uint32(body)
	if body = body[4:]; uint64(n) > uint64(len(body)) {
		return nil, fmt.Errorf("%w: the header is cut off", ErrDamaged)
	}
	var h header
	if err := json.Unmarshal(body[:n], &h); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrDamaged, err)
	}
	c, err := New(h.Part, h.Parts)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if h.Units != Units || h.Done < 0 || h.Done > Units {
		return nil, fmt.Errorf("%w: %d of %d units", ErrDamaged, h.Done, h.Units)
	}
	c.Done = h.Done
	t := c.Tally
	t.ByDouble, t.Classes, t.Positions, t.Moves, t.Operations = h.ByDouble, h.Classes, h.Positions, h.Moves, h.Operations
	t.MostLeaves, t.Widest = h.MostLeaves, h.Widest
	z, err := zstd.NewReader(bytes.NewReader(body[n:]), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	in := bufio.NewReader(z)
	for role := range 2 {
		for field := range 6 {
			for i := range t.Hands {
				v, err := binary.ReadVarint(in)
				if err != nil {
					return nil, fmt.Errorf("%w: hands: %w", ErrDamaged, err)
				}
				*t.Hands[i][role].fields()[field] = v
			}
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("%w: more hands than there are", ErrDamaged)
	}
	return c, nil
}

// Merge reads part files and adds them up. It refuses parts that are not
// complete, belong to different divisions, overlap, or do not cover all deals,
// and the error lists them.
func Merge(paths []string) (*Census, error) {
	if len(paths) == 0 {
		return nil, errors.New("census: merge: no parts given")
	}
	var sum *Census
	from := map[int]string{}
	var problems []string
	for _, path := range paths {
		c, err := Load(path)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		if sum == nil {
			sum = &Census{Part: 1, Parts: c.Parts, Tally: newTally()}
		}
		switch {
		case !c.Complete():
			problems = append(problems, fmt.Sprintf("%s: part %d/%d is not complete: %d of %d units", path, c.Part, c.Parts, c.Done, Units))
		case c.Parts != sum.Parts:
			problems = append(problems, fmt.Sprintf("%s: part %d/%d does not go with parts of %d", path, c.Part, c.Parts, sum.Parts))
			continue
		case from[c.Part] != "":
			problems = append(problems, fmt.Sprintf("%s: part %d/%d is the same as %s", path, c.Part, c.Parts, from[c.Part]))
		}
		if from[c.Part] == "" {
			from[c.Part] = path
		}
		if len(problems) == 0 {
			sum.Tally.add(c.Tally)
		}
	}
	if sum != nil {
		if missing := missing(from, sum.Parts); missing != "" {
			problems = append(problems, "missing of "+fmt.Sprint(sum.Parts)+": "+missing)
		}
	}
	if len(problems) > 0 {
		return nil, &MergeError{problems}
	}
	sum.Parts, sum.Done = 1, Units
	return sum, nil
}

// MergeError lists why parts do not make a whole.
type MergeError struct{ Problems []string }

// Error returns the list, one problem a line.
func (e *MergeError) Error() string {
	s := "census: merge: refused"
	for _, p := range e.Problems {
		s += "\n  " + p
	}
	return s
}

// missing lists the parts 1…n that are not there, as ranges.
func missing(have map[int]string, n int) string {
	s := ""
	for i := 1; i <= n; i++ {
		if have[i] != "" {
			continue
		}
		first := i
		for i < n && have[i+1] == "" {
			i++
		}
		if s != "" {
			s += ", "
		}
		if s += fmt.Sprint(first); i > first {
			s += fmt.Sprintf("–%d", i)
		}
	}
	return s
}
