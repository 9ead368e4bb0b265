package census

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game/domino"
	"perfectplay/internal/files"
	"perfectplay/internal/parts"
)

// A part file is
//
//	the line "perfectplay domino census 1"
//	the header: its length as 4 bytes, lowest first, and its JSON
//	a zstd frame: for both roles and the six fields of Role in order, the values
//	    of all hands by rank as signed varints
//	the SHA-256 of everything before it
//
// Interruptions do not change it. A checkpoint is a part that is not complete.
const fileMagic = Magic + "\n"

// Magic is the first line of every part file.
const Magic = "perfectplay domino census 1"

// errDamaged is the error about a file that has changed since it was written.
var errDamaged = errors.New("damaged")

type header struct {
	Part, Parts, Units, Done int
	Tally                    // without its hands
}

func (h header) part() parts.Part { return parts.Part{I: h.Part, N: h.Parts} }

// fields returns the fields of r in the order of files.
func (r *Role) fields() [6]*int64 {
	return [6]*int64{&r.Games, &r.Wins, &r.Draws, &r.Score, &r.Leaves, &r.Blocked}
}

// Write writes the part as a file.
func (c *Census) Write(to io.Writer) error {
	t := c.Tally
	h, err := json.Marshal(header{c.Part, c.Parts, Units, c.Done, *t})
	if err != nil {
		return err
	}
	sum := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(to, sum))
	out.WriteString(fileMagic)
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(h))))
	out.Write(h)
	z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	buf := make([]byte, 0, 1<<16)
	for role := range 2 {
		for field := range 6 {
			for i := range t.Hands {
				buf = binary.AppendVarint(buf, *t.Hands[i][role].fields()[field])
				if len(buf) > 1<<16-binary.MaxVarintLen64 || i == len(t.Hands)-1 {
					if _, err := z.Write(buf); err != nil {
						return err
					}
					buf = buf[:0]
				}
			}
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = to.Write(sum.Sum(nil))
	return err
}

// Save writes the part to a file, whole or not at all.
func (c *Census) Save(path string) error {
	if err := files.Write(path, c.Write); err != nil {
		return fmt.Errorf("census: save %s: %w", path, err)
	}
	return nil
}

// Load reads a part file. It refuses a damaged or contradictory one with [errDamaged].
func Load(path string) (*Census, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("census: %s: %w", path, err)
	}
	c, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("census: %s: %w", path, err)
	}
	return c, nil
}

var errOther = errors.New("not a census part, or of another version")

// Bounds of a part file.
const (
	maxHeader = 1 << 24
	maxFile   = maxHeader + 12*domino.HandCount*binary.MaxVarintLen64 + 1<<20
)

// readFile reads a part file. It reads only the beginning of any other file.
func readFile(path string) ([]byte, error) {
	f, err := files.Open(path, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var data bytes.Buffer
	if _, err := io.CopyN(&data, f, int64(len(fileMagic))); err != nil && err != io.EOF {
		return nil, err
	}
	if data.String() != fileMagic {
		return nil, errOther
	}
	if _, err = data.ReadFrom(io.LimitReader(f, maxFile)); err == nil && data.Len() > maxFile {
		err = fmt.Errorf("%w: longer than any part", errDamaged)
	}
	return data.Bytes(), err
}

func parse(data []byte) (*Census, error) {
	h, hands, err := parseHeader(data)
	if err != nil {
		return nil, err
	}
	h.Hands = new(Hands)
	c := &Census{Part: h.Part, Parts: h.Parts, Done: h.Done, Tally: &h.Tally}
	if err := parseHands(hands, c.Tally.Hands); err != nil {
		return nil, err
	}
	if wrong := c.Tally.checkHands(); len(wrong) > 0 {
		return nil, fmt.Errorf("%w: %s", errDamaged, wrong[0])
	}
	return c, nil
}

func parseHeader(data []byte) (h header, hands []byte, err error) {
	body, ok := bytes.CutPrefix(data, []byte(fileMagic))
	if !ok {
		return h, nil, errOther
	}
	if len(body) < 4+sha256.Size {
		return h, nil, fmt.Errorf("%w: the file is cut off", errDamaged)
	}
	sum := sha256.Sum256(data[:len(data)-sha256.Size])
	if !bytes.Equal(sum[:], data[len(data)-sha256.Size:]) {
		return h, nil, fmt.Errorf("%w: the checksum is wrong", errDamaged)
	}
	body = body[:len(body)-sha256.Size]
	n := binary.LittleEndian.Uint32(body)
	if body = body[4:]; uint64(n) > min(maxHeader, uint64(len(body))) {
		return h, nil, fmt.Errorf("%w: the header is cut off", errDamaged)
	}
	if err := json.Unmarshal(body[:n], &h); err != nil {
		return h, nil, fmt.Errorf("%w: header: %w", errDamaged, err)
	}
	if err := h.part().Check(); err != nil {
		return h, nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if h.Units != Units || h.Done < 0 || h.Done > Units {
		return h, nil, fmt.Errorf("%w: %d of %d units", errDamaged, h.Done, h.Units)
	}
	if wrong := h.checkCounts(); len(wrong) > 0 {
		return h, nil, fmt.Errorf("%w: %s", errDamaged, wrong[0])
	}
	if games := h.All().Games; h.Done == 0 && games != 0 {
		return h, nil, fmt.Errorf("%w: %d games of no unit", errDamaged, games)
	}
	return h, body[n:], nil
}

func parseHands(data []byte, hands *Hands) error {
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return fmt.Errorf("%w: hands: %w", errDamaged, err)
	}
	defer z.Close()
	in := bufio.NewReaderSize(z, 1<<16)
	for role := range 2 {
		for field := range 6 {
			for i := 0; i < len(hands); {
				buf, err := in.Peek(max(binary.MaxVarintLen64, in.Buffered()))
				at := 0
				for ; i < len(hands) && (err != nil || len(buf)-at >= binary.MaxVarintLen64) && at < len(buf); i++ {
					if buf[at] == 0 { // a zero: the memory of unused hands stays untouched
						at++
						continue
					}
					v, n := binary.Varint(buf[at:])
					if n <= 0 {
						return fmt.Errorf("%w: hands: a number is cut off or too long", errDamaged)
					}
					at += n
					*hands[i][role].fields()[field] = v
				}
				if at == 0 {
					return fmt.Errorf("%w: hands: %w", errDamaged, err)
				}
				_, _ = in.Discard(at) // cannot fail: at bytes are buffered
			}
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return fmt.Errorf("%w: more hands than there are", errDamaged)
	}
	return nil
}

// Merge reads part files and adds them up. It refuses parts that are damaged, not complete, of
// different divisions, overlap, or do not cover all deals; the error lists all faults.
func Merge(paths []string) (*Census, error) {
	if len(paths) == 0 {
		return nil, errors.New("census: no parts given")
	}
	list := parts.NewList()
	for _, path := range paths {
		data, err := readFile(path)
		var h header
		if err == nil {
			h, _, err = parseHeader(data)
		}
		if err != nil {
			list.Refuse("%s: %w", path, err)
			continue
		}
		if list.Add(path, h.part()) && h.Done != Units {
			list.Refuse("%s: part %v is not complete: %d of %d units", path, h.part(), h.Done, Units)
		}
	}
	if err := list.Err(); err != nil {
		return nil, fmt.Errorf("census: %w", err)
	}
	sum := &Census{Part: 1, Parts: 1, Done: Units, Tally: newTally()}
	for _, path := range paths {
		c, err := Load(path)
		if err != nil {
			return nil, err
		}
		sum.Tally.add(c.Tally)
	}
	return sum, nil
}
