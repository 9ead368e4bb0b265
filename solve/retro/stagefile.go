package retro

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"perfectplay/internal/store"
)

// stageInfo describes a stage and its files. The file of keys has a block of differences for each
// block of positions, that of values the codes of each block, layer by layer: bytes, or words if the
// plies left need them.
type stageInfo struct {
	store.Job
	Left      int    `json:"left"`
	Positions uint64 `json:"positions"`
	// Of each block: the first key, the number of positions up to its end, and the bytes of its keys
	// before compression.
	Firsts []uint64 `json:"firsts,omitempty"`
	Ends   []uint64 `json:"ends,omitempty"`
	Sizes  []uint32 `json:"sizes,omitempty"`
	Later  []int    `json:"later,omitempty"` // stages that moves of the stage with one more ply left lead to
	// Counts are positions by layer, seat to move and code, of a file of values.
	Counts [][MaxSeats][]uint64 `json:"counts,omitempty"`
}

func stageName(left int, ext string) string { return fmt.Sprintf("stage-%05d%s", left, ext) }

// packKeys compresses a block's keys.
func (s *stages) packKeys(to *slot) {
	to.text = to.text[:0]
	before := make([]uint64, s.words)
	for k := 0; k < len(to.mine); k += s.words {
		to.text = appendKey(to.text, to.mine[k:k+s.words], before)
		copy(before, to.mine[k:])
	}
	to.zipped = s.zip.EncodeAll(to.text, to.zipped[:0])
}

// block is the number of positions of a block.
func (st *stage) block(b int) int {
	if b == 0 {
		return int(st.Ends[0])
	}
	return int(st.Ends[b] - st.Ends[b-1])
}

// readKeys appends the keys of a block.
func (s *stages) readKeys(st *stage, b int, keys []uint64) ([]uint64, error) {
	text, err := st.keys.unpacker.Unpack(b, int(st.Sizes[b]), nil)
	if err != nil {
		return nil, st.damaged(st.keys, err)
	}
	n := st.block(b)
	at := len(keys)
	keys = slices.Grow(keys, n*s.words)[:at+n*s.words]
	var none [maxWords]uint64
	for before := none[:s.words]; at < len(keys); at += s.words {
		key := keys[at : at+s.words]
		copy(key, before)
		if text = readKey(text, key); text == nil {
			return nil, st.damaged(st.keys, fmt.Errorf("block %d is cut off", b))
		}
		before = key
	}
	return keys, nil
}

func (st *stage) damaged(p *packed, err error) error {
	return p.wrong(fmt.Errorf("stage %d: %w", st.Left, err))
}

// width is the bytes of a code.
func (st *stage) width() int {
	if st.Left > longCode {
		return 2
	}
	return 1
}

// readCodes returns the codes of a block, layer by layer.
func (s *stages) readCodes(st *stage, b int, buf []byte) ([]byte, error) {
	text, err := st.values.unpacker.Unpack(b, st.block(b)*s.layers*st.width(), buf)
	if err != nil {
		return nil, st.damaged(st.values, err)
	}
	return text, nil
}

// codeAt returns the code in a layer of the position at place at in a block of n positions.
func (st *stage) codeAt(codes []byte, layer, n, at int) uint16 {
	if i := layer*n + at; st.width() == 1 {
		return uint16(codes[i])
	} else {
		return binary.LittleEndian.Uint16(codes[2*i:])
	}
}

// find returns the block of a key and its place there.
func (s *stages) find(st *stage, key []uint64) (b, at int, ok bool, err error) {
	b = sort.Search(len(st.Ends), func(b int) bool { return less(key, st.Firsts[b*s.words:][:s.words]) }) - 1
	if b < 0 {
		return 0, 0, false, nil
	}
	keys, err := s.readKeys(st, b, nil)
	at, ok = sort.Find(len(keys)/s.words, func(i int) int { return slices.Compare(key, keys[i*s.words:][:s.words]) })
	return b, at, ok, err
}

// open opens a file of a stage.
func (s *stages) open(name string) (p *packed, have stageInfo, err error) {
	p, err = s.work.open(filepath.Base(name), &have)
	if p != nil && (have.Left < 0 || have.Left > s.first || filepath.Base(name) != stageName(have.Left, filepath.Ext(name))) {
		p.close()
		return nil, have, p.wrong(errContradicts)
	}
	return p, have, err
}

// load reads the stages of checkpoints.
func (s *stages) load(context.Context) error {
	if s.o.Work == "" {
		return nil
	}
	names, err := store.List(s.o.Work, "stage-*.keys") // the first stage first
	if err != nil {
		return err
	}
	for _, name := range names {
		p, have, err := s.open(name)
		if err != nil {
			return err
		}
		st := &stage{stageInfo: have, keys: p}
		if err := s.check(st); err != nil {
			p.close()
			return st.damaged(p, err)
		}
		s.enter(st)
	}
	names, err = store.List(s.o.Work, "stage-*.values")
	for _, name := range names {
		p, have, err := s.open(name)
		if err != nil {
			return err
		}
		st := s.list[have.Left]
		if st == nil || have.Positions != st.Positions || p.Blocks() != len(st.Ends) || len(have.Counts) != s.layers {
			p.close()
			return p.wrong(errors.New("its description contradicts that of the keys"))
		}
		st.values = p
		s.solved += st.Positions
		s.plus(have.Counts)
	}
	s.resumed = s.met > 0
	return err
}

// check returns a contradiction in the description of a file of keys.
func (s *stages) check(st *stage) error {
	n, end := len(st.Ends), uint64(0)
	if st.keys.Blocks() != n || len(st.Firsts) != n*s.words || len(st.Sizes) != n || slices.ContainsFunc(st.Later, func(left int) bool { return left < 0 || left >= st.Left }) {
		return errContradicts
	}
	for b, e := range st.Ends {
		if e <= end || e-end > perStage || st.Sizes[b] > uint32(perStage*mostKeyBytes) || b > 0 && !less(st.Firsts[(b-1)*s.words:][:s.words], st.Firsts[b*s.words:][:s.words]) {
			return fmt.Errorf("block %d of keys is not in order", b)
		}
		end = e
	}
	if end != st.Positions {
		return fmt.Errorf("it has %d positions, want %d", end, st.Positions)
	}
	return nil
}
