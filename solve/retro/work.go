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

// work is a directory of checkpoints: a file for each layer, complete or after some ply. A nil work
// keeps none.
type work struct {
	dir  string
	job  store.Job
	last time.Time     // when the last checkpoint was written, or the solve began
	cost time.Duration // time that the last checkpoint took
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

// workFormat is the format of a layer's file: cells, bits of odd.
var workFormat = blocks.Format{
	What: "checkpoint", Anew: "finish it with the version that began it, or start over with --fresh",
	Magic: "perfectplay retro work 5\n", Family: "perfectplay retro work", MaxBlock: 2 * workBlock, MaxDescription: 1 << 24,
}

const workBlock = 1 << 20 // bytes of a block

func openWork(g game.Game, o Options, description any) *work {
	if o.Work == "" {
		return nil
	}
	return &work{dir: o.Work, job: store.NewJob(g.ID(), g.Rules(), game.Fingerprint(g), description), last: time.Now(), cost: 100 * time.Millisecond}
}

func (w *work) file(layer int) string {
	return filepath.Join(w.dir, fmt.Sprintf("layer-%d.retro", layer))
}

// State returns the checkpoints of a game in a directory. The job of the result has no mark,
// because marks depend on the method.
func State(dir string, g game.Game) store.State {
	return store.State{Dir: dir, Job: store.Job{Game: g.ID(), Rules: g.Rules(), Fingerprint: game.Fingerprint(g)},
		Kinds: []store.Kind{{Pattern: "layer-*.retro", Format: workFormat}, {Pattern: stageFiles, Format: stageFormat}}}
}

// open reads a checkpoint if it exists: the description into have, the rest by read. It refuses a
// checkpoint of another game.
func (w *work) open(layer int, have interface{ Is(store.Job) error }, read func(*blocks.Unpacker) error) (bool, error) {
	if w == nil {
		return false, nil
	}
	found := false
	err := store.Read(w.file(layer), workFormat, workBlock, func(u *blocks.Unpacker) error {
		found = true
		if err := u.Describe(have); err != nil {
			return err
		}
		if err := have.Is(w.job); err != nil {
			return err
		}
		return read(u)
	})
	switch {
	case err == nil:
		return true, nil
	case !found && errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, fmt.Errorf("the checkpoint %w", err)
}

// load resumes a layer from its checkpoint, if there is one.
func (w *work) load(layer int, r *run) (bool, error) {
	var have layerInfo
	l := r.layer
	return w.open(layer, &have, func(u *blocks.Unpacker) error {
		if have.Set != l.set || have.Numbers != l.size || have.Code < 1 || have.Code > MaxDistance+2 || have.Most < 0 || have.Most > wideMax || have.Positions > have.Numbers || have.Decided > have.Positions {
			return errors.New("its description contradicts itself")
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
			if buf, err = u.Unpack(block, binary.Size(part), buf); err != nil {
				return err
			}
			l.space.Charge(len(buf))
			if _, err := binary.Decode(buf, binary.LittleEndian, part); err != nil {
				return err
			}
			block++
		}
		if u.Blocks() != block {
			return fmt.Errorf("it has %d blocks, want %d", u.Blocks(), block)
		}
		r.code, r.most, r.positions, r.decided, r.finished = have.Code, have.Most, have.Positions, have.Decided, have.Finished
		return nil
	})
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
	if w == nil || !now && !w.due() {
		return nil
	}
	l := r.layer
	return w.write(layer, func(append func(text []byte) error) (any, error) {
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
func (w *work) due() bool { return w != nil && time.Since(w.last) >= 10*w.cost }

// write writes a checkpoint of blocks of text.
func (w *work) write(layer int, fill func(append func(text []byte) error) (info any, err error)) error {
	begin := time.Now()
	err := store.Write(w.file(layer), workFormat, workBlock, fill)
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
	return x.work.write(0, func(write func(text []byte) error) (any, error) {
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
func (x *explorer) load() (err error) {
	var have keyedInfo
	x.resumed, err = x.work.open(0, &have, func(u *blocks.Unpacker) error {
		size := 8*x.words + 2*x.layers
		per := uint64(workBlock / size)
		if have.Positions >= mostKeyed || uint64(u.Blocks()) != (have.Positions+per-1)/per || len(have.Counts) != x.layers {
			return errors.New("its description contradicts itself")
		}
		x.plus(have.Counts)
		var key [maxWords]uint64
		var text []byte
		for b := range u.Blocks() {
			n := min(per, have.Positions-uint64(b)*per)
			if text, err = u.Unpack(b, int(n)*size, text); err != nil {
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
	})
	return err
}
