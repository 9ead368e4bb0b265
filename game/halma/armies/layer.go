package armies

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/dgryski/go-farm"

	"perfectplay/game/halma"
	"perfectplay/internal/files"
)

// layer is what one ply adds to the nodes of an orbit, packed group by group: the
// positions whose answer is yes in just so many plies. It is in memory, or in a
// file of its own that appears when the ply is complete. All layers together are
// the answers with their distances, and the checkpoint.
type layer struct {
	counts []uint64   // of positions, by node
	chunks [][][]byte // by node and group; nil where they are in a file
	file   *os.File
	at     [][]extent
}

// extent is where a chunk is in its file.
type extent struct {
	from      uint64
	size, crc uint32
}

// total is the number of positions of all nodes.
func (l *layer) total() (n uint64) {
	for _, c := range l.counts {
		n += c
	}
	return n
}

// chunk returns the chunk of a group of a node. It may be called concurrently.
func (l *layer) chunk(node, group int) ([]byte, error) {
	if l.file == nil {
		return l.chunks[node][group], nil
	}
	e := l.at[node][group]
	b := make([]byte, e.size)
	if _, err := l.file.ReadAt(b, int64(e.from)); err != nil {
		return nil, fmt.Errorf("armies: %s: group %d: %w", l.file.Name(), group, err)
	}
	if checksum(b) != e.crc {
		return nil, fmt.Errorf("armies: %s: group %d is damaged: its checksum is wrong", l.file.Name(), group)
	}
	return b, nil
}

// close closes the file.
func (l *layer) close() {
	if l.file != nil {
		l.file.Close()
	}
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// layerHead describes a layer's file. The file begins with the chunks, node by
// node and group by group. Then come the size and the checksum of each chunk, the
// head as JSON, its size, and a checksum of all that follows the chunks; numbers
// have four bytes, the least significant first.
type layerHead struct {
	Format int      `json:"format"`
	Game   string   `json:"game"`
	Rules  string   `json:"rules"`
	Mark   string   `json:"mark"` // of the whole description of the game
	Ours   uint8    `json:"ours"` // the question at seats of kind 0, see Question
	Wins   uint8    `json:"wins"`
	Ply    int      `json:"ply"`
	Counts []uint64 `json:"positions"` // by node
	Bytes  uint64   `json:"bytes"`     // of all chunks
}

const (
	layerFormat = 1
	// maxHead bounds the head: a file that is none may claim any size.
	maxHead = 1 << 12
)

// mark identifies a game by its whole description.
func mark(t *halma.Armies) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic("armies: a description cannot be written: " + err.Error())
	}
	lo, hi := farm.Fingerprint128(text)
	return fmt.Sprintf("%016x%016x", hi, lo)
}

// shelf is where the layers of an orbit are kept.
type shelf struct {
	dir    string // empty for memory
	spec   *halma.Armies
	q      Question
	nodes  []node
	groups []int // by node
}

// layerPrefix is what the names of layers begin with.
const layerPrefix = "layer-"

// name is the file of a ply.
func (s *shelf) name(ply int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s%02x-%02x-%03d", layerPrefix, s.q.Ours, s.q.Wins, ply))
}

// put makes a layer of what plies returns for node after node. The chunks of a
// node are written before the next node is asked for.
func (s *shelf) put(ply int, of func(node int) ([][]byte, uint64, error)) (*layer, error) {
	l := &layer{}
	if s.dir == "" {
		for i := range s.nodes {
			chunks, n, err := of(i)
			if err != nil {
				return nil, err
			}
			l.chunks, l.counts = append(l.chunks, chunks), append(l.counts, n)
		}
		return l, nil
	}
	failed := error(nil) // of the work, which says itself what failed
	err := files.Write(s.name(ply), func(w io.Writer) error {
		var index []byte
		head := layerHead{Format: layerFormat, Game: s.spec.ID, Rules: s.spec.Rules, Mark: mark(s.spec), Ours: s.q.Ours, Wins: s.q.Wins, Ply: ply}
		for i := range s.nodes {
			chunks, n, err := of(i)
			if err != nil {
				failed = err
				return err
			}
			head.Counts = append(head.Counts, n)
			for _, c := range chunks {
				if _, err := w.Write(c); err != nil {
					return err
				}
				head.Bytes += uint64(len(c))
				index = binary.LittleEndian.AppendUint32(index, uint32(len(c)))
				index = binary.LittleEndian.AppendUint32(index, checksum(c))
			}
		}
		text, err := json.Marshal(head)
		if err != nil {
			return err
		}
		index = append(index, text...)
		index = binary.LittleEndian.AppendUint32(index, uint32(len(text)))
		index = binary.LittleEndian.AppendUint32(index, checksum(index))
		_, err = w.Write(index)
		return err
	})
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, fmt.Errorf("armies: writing a layer: %w", err)
	}
	return s.open(ply)
}

// open opens the layer of a ply. The error is fs.ErrNotExist where there is none.
func (s *shelf) open(ply int) (_ *layer, err error) {
	name := s.name(ply)
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
			err = fmt.Errorf("armies: layer %s: %w", name, err)
		}
	}()
	head, index, err := readIndex(f)
	if err != nil {
		return nil, err
	}
	if head.Game != s.spec.ID || head.Rules != s.spec.Rules || head.Mark != mark(s.spec) {
		return nil, fmt.Errorf("%w: of %s under rules %s", ErrOther, head.Game, head.Rules)
	}
	if head.Ours != s.q.Ours || head.Wins != s.q.Wins || head.Ply != ply || len(head.Counts) != len(s.nodes) {
		return nil, errors.New("it is not what its name says")
	}
	l := &layer{counts: head.Counts, file: f}
	from := uint64(0)
	for i := range s.nodes {
		var list []extent
		for range s.groups[i] {
			if len(index) < 8 {
				return nil, errors.New("its index is too short")
			}
			e := extent{from, binary.LittleEndian.Uint32(index), binary.LittleEndian.Uint32(index[4:])}
			list = append(list, e)
			from += uint64(e.size)
			index = index[8:]
		}
		l.at = append(l.at, list)
	}
	if len(index) != 0 || from != head.Bytes {
		return nil, errors.New("its index does not fit it")
	}
	return l, nil
}

// readIndex reads what follows the chunks of a layer.
func readIndex(f *os.File) (head layerHead, index []byte, err error) {
	stat, err := f.Stat()
	if err != nil {
		return head, nil, err
	}
	size := stat.Size()
	end := make([]byte, 8)
	if size < 8 {
		return head, nil, errors.New("it is cut off")
	}
	if _, err := f.ReadAt(end, size-8); err != nil {
		return head, nil, err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	if length > maxHead || length > size-8 {
		return head, nil, errors.New("this is no layer")
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, size-8-length); err != nil {
		return head, nil, err
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return head, nil, fmt.Errorf("this is no layer: %w", err)
	}
	if head.Format != layerFormat {
		return head, nil, fmt.Errorf("its format is %d, this program reads %d", head.Format, layerFormat)
	}
	if head.Bytes > uint64(size-8-length) {
		return head, nil, errors.New("it is cut off")
	}
	index = make([]byte, uint64(size)-head.Bytes)
	if _, err := io.ReadFull(io.NewSectionReader(f, int64(head.Bytes), int64(len(index))), index); err != nil {
		return head, nil, err
	}
	if last := len(index) - 4; checksum(index[:last]) != binary.LittleEndian.Uint32(index[last:]) {
		return head, nil, errors.New("its index is damaged")
	}
	return head, index[:int64(len(index))-8-length], nil
}

// ErrOther is in the error about layers that are not of the game and the rules
// that are to be solved.
var ErrOther = errors.New("the layers are of another solve")

// restore opens the layers that are there, in order.
func (s *shelf) restore() (list []*layer, err error) {
	if s.dir == "" {
		return nil, nil
	}
	for {
		l, err := s.open(len(list))
		if errors.Is(err, fs.ErrNotExist) {
			return list, nil
		}
		if err != nil {
			for _, l := range list {
				l.close()
			}
			return nil, err
		}
		list = append(list, l)
	}
}
