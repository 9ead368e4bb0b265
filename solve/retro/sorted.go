package retro

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"perfectplay/internal/files"
)

const (
	maxWords = 6 // of a key
	// most bytes of a key as a difference.
	mostKeyBytes = maxWords * binary.MaxVarintLen64
)

// appendKey appends a key as its difference from the one before it in ascending order: word
// by word up to the first that differs, and what follows that as it is.
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

// readKey makes of the key before the next one, and returns what follows it, nil where there
// is no whole key.
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

// sortKeys sorts keys of a number of words by digits of eleven bits, only digits that differ, of
// their first words. spare has room for all. It returns the sorted keys, which stand in a or in
// spare, and the other.
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

// keyRun is sorted keys as differences, each once.
type keyRun struct {
	keys     uint64
	text     []byte // in memory
	at, size int64  // in the file of the pool
}

// pool is the runs of keys that will make a stage. It is safe for concurrent use.
type pool struct {
	mu    sync.Mutex
	runs  []keyRun
	file  *os.File // without a name; nil where runs are in memory
	bytes int64
}

// add puts sorted keys into the pool.
func (p *pool) add(sorted []uint64, words int, buf []byte, dir string) ([]byte, error) {
	r := keyRun{}
	buf = buf[:0]
	before := make([]uint64, words)
	for i := 0; i < len(sorted); i += words {
		key := sorted[i : i+words]
		if i > 0 && slices.Equal(key, before) {
			continue
		}
		buf = appendKey(buf, key, before)
		copy(before, key)
		r.keys++
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if dir == "" {
		r.text = slices.Clone(buf)
	} else {
		if p.file == nil {
			var err error
			if p.file, err = files.Scratch(dir); err != nil {
				return buf, err
			}
		}
		r.at, r.size = p.bytes, int64(len(buf))
		if _, err := p.file.WriteAt(buf, r.at); err != nil {
			return buf, err
		}
	}
	p.bytes += int64(len(buf))
	p.runs = append(p.runs, r)
	return buf, nil
}

// close gives the room of a pool back.
func (p *pool) close() {
	if p.file != nil {
		p.file.Close()
	}
	p.runs, p.file, p.bytes = nil, nil, 0
}

// The least and the most bytes of a run in a file that are in memory at once.
const leastBuffer, mostBuffer = 1 << 9, 1 << 16

// runReader reads a run.
type runReader struct {
	key  []uint64 // at hand
	left uint64   // keys after it
	text []byte
	from io.Reader // of what follows text; nil for nothing
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

// keySource has keys in ascending order.
type keySource interface {
	// next goes to the next key and returns it, nil after the last. The key is good until the
	// next call.
	next() ([]uint64, error)
}

// heads is a heap of sources by the keys that they are at, the least first.
type heads []struct {
	key  []uint64
	from keySource
}

// add goes to the first key of a source, and takes it in if it has one.
func (h *heads) add(from keySource) error {
	key, err := from.next()
	if key == nil {
		return err
	}
	*h = append(*h, heads{{key, from}}...)
	for i := len(*h) - 1; i > 0 && less((*h)[i].key, (*h)[(i-1)/2].key); i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
	return nil
}

// next goes to the next key of the first source.
func (h *heads) next() error {
	list := *h
	key, err := list[0].from.next()
	if err != nil {
		return err
	}
	if list[0].key = key; key == nil {
		last := len(list) - 1
		list[0] = list[last]
		list = list[:last]
	}
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(list) && less(list[child+1].key, list[child].key) {
			child++
		}
		if child >= len(list) || !less(list[child].key, list[i].key) {
			break
		}
		list[i], list[child] = list[child], list[i]
		i = child
	}
	*h = list
	return nil
}

// merger goes through the keys of several runs in ascending order, each once.
type merger struct {
	heads  heads
	before []uint64 // returned last
	begun  bool
}

// newMerger returns a merger of a pool's runs. Runs in files share buffers of memory bytes, of
// which each has at least leastBuffer and at most mostBuffer.
func newMerger(p *pool, words int, memory uint64) (*merger, error) {
	buffer := int(min(max(memory/uint64(max(len(p.runs), 1)), leastBuffer), mostBuffer))
	m := &merger{before: make([]uint64, words)}
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

// fill appends keys up to a number of words.
func (m *merger) fill(keys []uint64, most int) ([]uint64, error) {
	for len(keys) < most && len(m.heads) > 0 {
		if key := m.heads[0].key; !m.begun || !slices.Equal(key, m.before) {
			keys = append(keys, key...)
			copy(m.before, key)
			m.begun = true
		}
		if err := m.heads.next(); err != nil {
			return keys, err
		}
	}
	return keys, nil
}

func less(a, b []uint64) bool {
	for i, w := range a {
		if w != b[i] {
			return w < b[i]
		}
	}
	return false
}
