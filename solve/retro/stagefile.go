package retro

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"perfectplay/internal/blocks"
	"perfectplay/internal/store"
)

// stageInfo describes a file of a stage: of its keys or of its values.
type stageInfo struct {
	store.Job
	Left      int    `json:"left"`
	Positions uint64 `json:"positions"`
	Blocks    int    `json:"blocks"`          // number of blocks of positions
	Later     []int  `json:"later,omitempty"` // as stage.later
	// Counts are positions by layer, seat to move and code, of a file of values.
	Counts [][MaxSeats][]uint64 `json:"counts,omitempty"`
}

// stageFormat is the format of a stage's files. A file of keys has a block of differences for each
// block of positions, then the directory. A file of values has the codes of each block, layer by
// layer: bytes, or words if the plies left need them.
var stageFormat = blocks.Format{
	What: "checkpoint", Anew: "finish it with the version that began it, or start over with --fresh",
	Magic: "perfectplay retro stage 1\n", Family: "perfectplay retro stage", MaxBlock: 1 << 30, MaxDescription: 1 << 24,
}

const stageFiles = "stage-*.*"

// packed is a file of compressed blocks, on disk or in memory.
type packed struct {
	*store.File
	unpacker *blocks.Unpacker
}

func (p *packed) memory() uint64 {
	if p == nil {
		return 0
	}
	return uint64(p.Bytes)
}

func (p *packed) close() {
	if p != nil {
		p.Close()
	}
}

func stageName(left int, ext string) string { return fmt.Sprintf("stage-%05d%s", left, ext) }

// make makes a file of a stage: in Options.Work, or in memory without that directory.
func (s *stages) make(left int, kind string, fill func(w *blocks.Writer) (any, error)) (*packed, error) {
	name := ""
	if s.o.Work != "" {
		name = filepath.Join(s.o.Work, stageName(left, "."+kind))
	}
	f, err := store.Make(name, stageFormat, fill)
	if err != nil {
		return nil, err
	}
	return &packed{f, s.unpacker.Of(f.Reader)}, nil
}

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

// directory is the last block of a file of keys: the first key, end and size of each block.
func (st *stage) directory() (text []byte) {
	text, _ = binary.Append(text, binary.LittleEndian, st.firsts)
	text, _ = binary.Append(text, binary.LittleEndian, st.ends)
	text, _ = binary.Append(text, binary.LittleEndian, st.sizes)
	return text
}

// block is the number of positions of a block.
func (st *stage) block(b int) int {
	if b == 0 {
		return int(st.ends[0])
	}
	return int(st.ends[b] - st.ends[b-1])
}

// readKeys appends the keys of a block.
func (s *stages) readKeys(st *stage, b int, keys []uint64) ([]uint64, error) {
	text, err := st.keys.unpacker.Unpack(b, int(st.sizes[b]), nil)
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

func (st *stage) damaged(f *packed, err error) error {
	return fmt.Errorf("the checkpoint %s: stage %d: %w", f.Name, st.left, err)
}

// width is the bytes of a code.
func (st *stage) width() int {
	if st.left > longCode {
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
	b = sort.Search(len(st.ends), func(b int) bool { return less(key, st.firsts[b*s.words:][:s.words]) }) - 1
	if b < 0 {
		return 0, 0, false, nil
	}
	keys, err := s.readKeys(st, b, nil)
	at, ok = sort.Find(len(keys)/s.words, func(i int) int { return slices.Compare(key, keys[i*s.words:][:s.words]) })
	return b, at, ok, err
}

// open opens a file of a stage.
func (s *stages) open(name string) (*packed, stageInfo, error) {
	var have stageInfo
	f, err := store.Open(name, stageFormat)
	if err == nil {
		if err = f.Describe(&have); err == nil {
			err = have.Is(s.job)
		}
		if err == nil && (have.Left < 0 || have.Left > s.first || have.Blocks < 0 || uint64(have.Blocks) > have.Positions || have.Positions > uint64(have.Blocks)*perStage ||
			slices.ContainsFunc(have.Later, func(left int) bool { return left < 0 || left >= have.Left }) || filepath.Base(name) != stageName(have.Left, filepath.Ext(name))) {
			err = errors.New("its description contradicts itself")
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
			f.Close()
		}
	}
	if err != nil {
		return nil, have, fmt.Errorf("the checkpoint %w", err)
	}
	return &packed{f, s.unpacker.Of(f.Reader)}, have, nil
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
		st := &stage{left: have.Left, positions: have.Positions, later: have.Later, keys: p}
		if err := s.readDirectory(st, have.Blocks); err != nil {
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
		if st == nil || have.Positions != st.positions || have.Blocks != len(st.ends) || p.Blocks() != have.Blocks || len(have.Counts) != s.layers {
			p.close()
			return fmt.Errorf("the checkpoint %s: its description contradicts that of the keys", name)
		}
		st.values = p
		s.solved += st.positions
		s.plus(have.Counts)
	}
	s.resumed = s.met > 0
	return err
}

// readDirectory reads the directory of a file of keys.
func (s *stages) readDirectory(st *stage, n int) error {
	if st.keys.Blocks() != n+1 {
		return fmt.Errorf("it has %d blocks, want %d", st.keys.Blocks(), n+1)
	}
	text, err := st.keys.unpacker.Unpack(n, n*(8*s.words+12), nil)
	if err != nil {
		return err
	}
	st.firsts, st.ends, st.sizes = make([]uint64, n*s.words), make([]uint64, n), make([]uint32, n)
	for _, list := range []any{st.firsts, st.ends, st.sizes} {
		size, err := binary.Decode(text, binary.LittleEndian, list)
		if err != nil {
			return err
		}
		text = text[size:]
	}
	end := uint64(0)
	for b, e := range st.ends {
		if e <= end || e-end > perStage || st.sizes[b] > uint32(perStage*mostKeyBytes) || b > 0 && !less(st.firsts[(b-1)*s.words:][:s.words], st.firsts[b*s.words:][:s.words]) {
			return fmt.Errorf("block %d of keys is not in order", b)
		}
		end = e
	}
	if end != st.positions {
		return fmt.Errorf("it has %d positions, want %d", end, st.positions)
	}
	return nil
}
