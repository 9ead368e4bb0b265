package retro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
	"unsafe"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/store"
)

// work makes and opens the files of a solve: in a directory, where they are checkpoints, or in memory
// without one.
type work struct {
	dir      string
	job      store.Job
	unpacker *blocks.Unpacker
	last     time.Time     // when the last checkpoint was written, or the solve began
	cost     time.Duration // time that the last checkpoint took
}

// packed is a file of compressed blocks.
type packed struct {
	*store.File
	unpacker *blocks.Unpacker
}

// layerInfo describes the file of a layer.
type layerInfo struct {
	store.Job
	Numbers   uint64 `json:"numbers"`
	Set       uint8  `json:"set"`
	Code      int    `json:"code"`
	Most      int    `json:"most"`
	Positions uint64 `json:"positions"`
	Decided   uint64 `json:"decided"`
	Finished  bool   `json:"finished"`
	Odd       bool   `json:"odd"`
	Long      bool   `json:"long"`
}

// workFormat is the format of all files. That of a layer has its cells, then bits of odd.
var workFormat = blocks.Format{
	What: "checkpoint", Anew: "finish it with the version that began it, or start over with --fresh",
	Magic: "perfectplay retro work 6\n", Family: "perfectplay retro", MaxBlock: 2 * workBlock, MaxDescription: 1 << 28,
}

const (
	workBlock  = 1 << 20 // most bytes of a block before compression
	layerFiles = "layer-*.retro"
	stageFiles = "stage-*.*"
)

func newWork(g game.Game, o Options, description any) *work {
	return &work{dir: o.Work, job: store.NewJob(g.ID(), g.Rules(), game.Fingerprint(g), description), unpacker: blocks.NewUnpacker(nil, workBlock),
		last: time.Now(), cost: 100 * time.Millisecond}
}

func layerName(layer int) string { return fmt.Sprintf("layer-%d.retro", layer) }

// State returns the checkpoints of a game in a directory. The job of the result has no mark,
// because marks depend on the method.
func State(dir string, g game.Game) store.State {
	return store.State{Dir: dir, Job: store.Job{Game: g.ID(), Rules: g.Rules(), Fingerprint: game.Fingerprint(g)},
		Kinds: []store.Kind{{Pattern: layerFiles, Format: workFormat}, {Pattern: stageFiles, Format: workFormat}}}
}

// make makes a file and opens it.
func (w *work) make(name string, fill func(w *blocks.Writer) (any, error)) (*packed, error) {
	if w.dir != "" {
		name = filepath.Join(w.dir, name)
	} else {
		name = ""
	}
	f, err := store.Make(name, workFormat, fill)
	if err != nil {
		return nil, err
	}
	return &packed{f, w.unpacker.Of(f.Reader)}, nil
}

// open opens a file of the directory and reads its description. It returns nil if there is no such
// file, and refuses one of another solve.
func (w *work) open(name string, have interface{ Is(store.Job) error }) (*packed, error) {
	if w.dir == "" {
		return nil, nil
	}
	f, err := store.Open(filepath.Join(w.dir, name), workFormat)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the checkpoint %w", err)
	}
	p := &packed{f, w.unpacker.Of(f.Reader)}
	if err = f.Describe(have); err == nil {
		err = have.Is(w.job)
	}
	if err != nil {
		p.close()
		return nil, p.wrong(err)
	}
	return p, nil
}

var errContradicts = errors.New("its description contradicts itself")

// wrong names the file in an error.
func (p *packed) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the checkpoint %s: %w", p.Name, err)
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

// load resumes a layer from its checkpoint, if there is one.
func (w *work) load(layer int, r *run) (bool, error) {
	var have layerInfo
	p, err := w.open(layerName(layer), &have)
	if p == nil {
		return false, err
	}
	defer p.close()
	return true, p.wrong(r.read(p, have))
}

// read reads a layer from its file.
func (r *run) read(p *packed, have layerInfo) error {
	l := r.layer
	if have.Set != l.set || have.Numbers != l.size || have.Code < 1 || have.Code > MaxDistance+2 || have.Most < 0 || have.Most > wideMax || have.Positions > have.Numbers || have.Decided > have.Positions {
		return errContradicts
	}
	if have.Odd {
		odd, err := plane[uint64](l.space, "positions won by who did not move last", (have.Numbers+63)/64)
		if err != nil {
			return err
		}
		l.odd.Store(&odd)
	}
	if have.Long {
		if err := r.lengthen(); err != nil {
			return err
		}
	}
	block := 0
	var buf []byte
	var err error
	for part := range l.parts {
		if buf, err = p.unpacker.Unpack(block, binary.Size(part), buf); err != nil {
			return err
		}
		l.space.Charge(len(buf))
		if _, err := binary.Decode(buf, binary.LittleEndian, part); err != nil {
			return err
		}
		block++
	}
	if p.Blocks() != block {
		return fmt.Errorf("it has %d blocks, want %d", p.Blocks(), block)
	}
	r.code, r.most, r.positions, r.decided, r.finished = have.Code, have.Most, have.Positions, have.Decided, have.Finished
	return nil
}

// parts yields the planes of a layer in the order of the file, each in slices of at most a block.
func (l *layer) parts(yield func(part any) bool) {
	var odd []uint64
	if p := l.odd.Load(); p != nil {
		odd = *p
	}
	_ = yieldParts(l.cells, yield) && yieldParts(l.long, yield) && yieldParts(odd, yield)
}

func yieldParts[T any](list []T, yield func(part any) bool) bool {
	for part := range slices.Chunk(list, workBlock/int(unsafe.Sizeof(*new(T)))) {
		if !yield(part) {
			return false
		}
	}
	return true
}

// save writes a layer, unless now is false and no checkpoint is due.
func (w *work) save(layer int, r *run, now, final bool) error {
	if w.dir == "" || !now && !w.due() {
		return nil
	}
	l := r.layer
	return w.write(layerName(layer), func(append func(text []byte) error) (any, error) {
		raw := make([]byte, 0, workBlock)
		var err error
		for part := range l.parts {
			if raw, err = binary.Append(raw[:0], binary.LittleEndian, part); err != nil {
				return nil, err
			}
			l.space.Charge(len(raw))
			if err := append(raw); err != nil {
				return nil, err
			}
		}
		return layerInfo{w.job, l.size, l.set, r.code, r.most, r.positions, r.decided, final, l.odd.Load() != nil, l.long != nil}, nil
	})
}

// due says whether to write a checkpoint now. Checkpoints take at most a tenth of the time.
func (w *work) due() bool { return w.dir != "" && time.Since(w.last) >= 10*w.cost }

// write writes a checkpoint of blocks of text.
func (w *work) write(name string, fill func(put func(text []byte) error) (info any, err error)) error {
	begin := time.Now()
	err := store.Write(filepath.Join(w.dir, name), workFormat, workBlock, fill)
	if w.last, w.cost = time.Now(), max(time.Since(begin), 100*time.Millisecond); err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	return nil
}

// keyedInfo describes the file of positions by keys.
type keyedInfo struct {
	store.Job
	Positions uint64 `json:"positions"`
	// Counts are positions by layer, seat to move and code.
	Counts [][MaxSeats][]uint64 `json:"counts"`
}

// save writes the positions with known values: the key of each, and a code of two bytes for each
// layer.
func (x *explorer) save() error {
	return x.work.write(layerName(0), func(write func(text []byte) error) (any, error) {
		info := keyedInfo{Job: x.work.job, Counts: x.counts}
		var text []byte
		size := 8*x.words + 2*x.layers
		for n := range uint32(x.n) {
			if !x.known(n) {
				continue
			}
			info.Positions++
			text = append(text, x.record(n)[:8*x.words]...)
			for l := range x.layers {
				text = binary.LittleEndian.AppendUint16(text, code(x.score(n, l)))
			}
			if len(text)+size > workBlock {
				if err := write(text); err != nil {
					return nil, err
				}
				text = text[:0]
			}
		}
		if len(text) > 0 {
			return info, write(text)
		}
		return info, nil
	})
}

// load reads the positions of a checkpoint, if there is one.
func (x *explorer) load() error {
	var have keyedInfo
	p, err := x.work.open(layerName(0), &have)
	if p == nil {
		return err
	}
	defer p.close()
	x.resumed = true
	return p.wrong(x.read(p, have))
}

func (x *explorer) read(p *packed, have keyedInfo) (err error) {
	size := 8*x.words + 2*x.layers
	per := uint64(workBlock / size)
	if have.Positions >= mostKeyed || uint64(p.Blocks()) != (have.Positions+per-1)/per || len(have.Counts) != x.layers {
		return errContradicts
	}
	x.plus(have.Counts)
	var key [maxWords]uint64
	var text []byte
	for b := range p.Blocks() {
		n := min(per, have.Positions-uint64(b)*per)
		if text, err = p.unpacker.Unpack(b, int(n)*size, text); err != nil {
			return err
		}
		for at := text; len(at) > 0; at = at[size:] {
			for w := range x.words {
				key[w] = binary.LittleEndian.Uint64(at[8*w:])
			}
			n := x.add(key[:x.words], hash(key[:x.words]))
			for l := range x.layers {
				c := binary.LittleEndian.Uint16(at[8*x.words+2*l:])
				if x.codes(n)[l] != 0 || c == 0 {
					return fmt.Errorf("block %d: a key stands there twice, or without a value", b)
				}
				x.put(n, l, c)
			}
		}
		if err := x.fits(0); err != nil {
			return err
		}
	}
	return nil
}
