package retro

import (
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"perfectplay/internal/files"
)

const (
	maxWords     = 6 // most words of a key
	mostKeyBytes = maxWords * binary.MaxVarintLen64
)

// appendKey appends a key as its difference from the key before it in ascending order: the
// differences of words up to the first that is not 0, then the words themselves.
func appendKey(b []byte, key, before []uint64) []byte {
	same := true
	for i, w := range key {
		if same {
			same = w == before[i]
			w -= before[i]
		}
		if w < 0x80 {
			b = append(b, byte(w))
		} else {
			b = binary.AppendUvarint(b, w)
		}
	}
	return b
}

// readKey replaces key by the next key in b, and returns the bytes after it; nil if b ends too
// early.
func readKey(b []byte, key []uint64) []byte {
	same := true
	for i := range key {
		if len(b) == 0 {
			return nil
		}
		w, n := uint64(b[0]), 1
		if w >= 0x80 {
			if w, n = binary.Uvarint(b); n <= 0 {
				return nil
			}
		}
		b = b[n:]
		if same {
			same = w == 0
			w += key[i]
		}
		key[i] = w
	}
	return b
}

// sortKeys sorts the keys in a. Each key has words words, and the first of them, by in number,
// decide. It is a radix sort by digits of eleven bits that skips equal digits. spare has room for
// all keys. It returns the sorted keys, in a or in spare, and the other slice.
func sortKeys(a, spare []uint64, words, by int) (sorted, other []uint64) {
	spare = spare[:len(a)]
	if words == 1 && len(a) < 1<<11 {
		slices.Sort(a)
		return a, spare
	}
	var place [1 << 11]int
	for word := by - 1; word >= 0; word-- {
		or, and := uint64(0), ^uint64(0)
		for i := word; i < len(a); i += words {
			or |= a[i]
			and &= a[i]
		}
		for shift := 0; shift < 64; shift += 11 {
			if (or&^and)>>shift&(1<<11-1) == 0 {
				continue
			}
			clear(place[:])
			for i := word; i < len(a); i += words {
				place[a[i]>>shift&(1<<11-1)]++
			}
			at := 0
			for d, n := range place {
				place[d] = at
				at += n
			}
			if words == 1 {
				for _, k := range a {
					p := &place[k>>shift&(1<<11-1)]
					spare[*p] = k
					*p++
				}
			} else {
				for i := 0; i < len(a); i += words {
					p := &place[a[i+word]>>shift&(1<<11-1)]
					copy(spare[*p*words:], a[i:i+words])
					*p++
				}
			}
			a, spare = spare, a
		}
	}
	return a, spare
}

// keyRun is a run of sorted distinct keys, stored as differences.
type keyRun struct {
	keys     uint64
	text     []byte // nil if the run is in a file
	at, size int64
}

// pool gathers the runs of keys of a stage.
type pool struct {
	runs  []keyRun
	file  *os.File // a file that has no name any more; nil if runs are in memory
	bytes int64
}

// add adds a run: in memory, or in a file of a directory.
func (p *pool) add(keys uint64, text []byte, dir string) (err error) {
	r := keyRun{keys: keys, at: p.bytes, size: int64(len(text))}
	if dir == "" {
		r.text = slices.Clone(text)
	} else {
		if p.file == nil {
			if p.file, err = files.Scratch(dir); err != nil {
				return err
			}
		}
		if _, err := p.file.WriteAt(text, r.at); err != nil {
			return err
		}
	}
	p.bytes += r.size
	p.runs = append(p.runs, r)
	return nil
}

// close releases the runs.
func (p *pool) close() {
	if p.file != nil {
		p.file.Close()
	}
	p.runs, p.file, p.bytes = nil, nil, 0
}

// Bounds of the buffer of a run in a file.
const leastBuffer, mostBuffer = 1 << 9, 1 << 16

// runReader reads a run.
type runReader struct {
	key  []uint64 // the current key
	left uint64   // number of keys after it
	text []byte
	from io.Reader // the bytes after text; nil at the end
	buf  []byte
}

// next implements [keySource].
func (r *runReader) next() ([]uint64, error) {
	if r.left == 0 {
		return nil, nil
	}
	r.left--
	if r.from != nil && len(r.text) < mostKeyBytes {
		n := copy(r.buf, r.text)
		more, err := io.ReadFull(r.from, r.buf[n:])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			r.from = nil
		} else if err != nil {
			return nil, err
		}
		r.text = r.buf[:n+more]
	}
	if r.text = readKey(r.text, r.key); r.text == nil {
		return nil, errors.New("a run of keys is damaged")
	}
	return r.key, nil
}

// keySource yields keys in ascending order.
type keySource interface {
	// next goes to the next key and returns it, nil after the last. The key is good until the
	// next call.
	next() ([]uint64, error)
}

// heads is a heap of sources by their current keys, the least first.
type heads []head

type head struct {
	key  []uint64
	from keySource
}

func (h heads) Len() int           { return len(h) }
func (h heads) Less(i, j int) bool { return less(h[i].key, h[j].key) }
func (h heads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heads) Push(x any)        { *h = append(*h, x.(head)) }
func (h *heads) Pop() any          { *h = (*h)[:len(*h)-1]; return nil }

// add adds a source at its first key, unless it is empty.
func (h *heads) add(from keySource) error {
	key, err := from.next()
	if key != nil {
		heap.Push(h, head{key, from})
	}
	return err
}

// next moves the first source to its next key.
func (h *heads) next() error {
	key, err := (*h)[0].from.next()
	if (*h)[0].key = key; key == nil {
		heap.Pop(h)
	} else {
		heap.Fix(h, 0)
	}
	return err
}

// merger goes through the keys of several sources in ascending order, equal keys once. It yields
// them in blocks; goroutines take the blocks in turn, from block 0 on.
type merger struct {
	heads  heads
	before []uint64 // the key yielded last
	turn   *sync.Cond
	next   int   // the next block
	err    error // error of a source
}

func newMerger() *merger { return &merger{turn: sync.NewCond(new(sync.Mutex))} }

// merger returns a merger of the runs. The buffers of runs in files share memory bytes, within
// their bounds.
func (p *pool) merger(words int, memory uint64) (*merger, error) {
	buffer := int(min(max(memory/uint64(max(len(p.runs), 1)), leastBuffer), mostBuffer))
	m := newMerger()
	for _, r := range p.runs {
		reader := &runReader{key: make([]uint64, words), left: r.keys, text: r.text}
		if r.text == nil {
			reader.from, reader.buf = io.NewSectionReader(p.file, r.at, r.size), make([]byte, min(buffer, int(r.size)+mostKeyBytes))
		}
		if err := m.heads.add(reader); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// block calls do with each key of a block, of most keys, and its source. After an error all blocks
// have it.
func (m *merger) block(number, most int, do func(key []uint64, from keySource)) error {
	m.turn.L.Lock()
	defer m.turn.L.Unlock()
	for m.next != number {
		m.turn.Wait()
	}
	for n := 0; n < most && len(m.heads) > 0 && m.err == nil; {
		if h := m.heads[0]; !slices.Equal(h.key, m.before) {
			do(h.key, h.from)
			m.before = append(m.before[:0], h.key...)
			n++
		}
		m.err = m.heads.next()
	}
	m.next++
	m.turn.Broadcast()
	return m.err
}

func less(a, b []uint64) bool {
	for i, w := range a {
		if w != b[i] {
			return w < b[i]
		}
	}
	return false
}
