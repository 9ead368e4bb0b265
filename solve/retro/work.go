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

	"github.com/klauspost/compress/zstd"

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
	Wide      bool   `json:"wide"`
	Far       bool   `json:"far,omitempty"`
}

// workFormat is the format of a layer's file: cells, bits of odd, moves in wide, codes in far.
var workFormat = blocks.Format{
	What: "checkpoint", Anew: "finish it with the version that began it, or start over with --fresh",
	Magic: "perfectplay retro work 4\n", Family: "perfectplay retro work", MaxBlock: 2 * workBlock, MaxDescription: 1 << 24,
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

// load resumes a layer from its checkpoint, if there is one. It refuses a checkpoint of another game.
func (w *work) load(layer int, r *run) (bool, error) {
	if w == nil {
		return false, nil
	}
	f, err := store.Open(w.file(layer), workFormat)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		defer f.Close()
		var have layerInfo
		if err = f.Describe(&have); err == nil {
			err = have.Is(w.job)
		}
		if err == nil {
			err = r.load(f, &have)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if err != nil {
		return false, fmt.Errorf("the checkpoint %w", err)
	}
	return true, nil
}

// load reads the layer of a checkpoint.
func (r *run) load(file *store.File, have *layerInfo) error {
	l := r.layer
	if have.Set != l.set || have.Numbers != uint64(len(l.cells)) || have.Code < 1 || have.Code > MaxDistance+2 || have.Most < 0 || have.Most > wideMax || have.Positions > have.Numbers || have.Decided > have.Positions {
		return errors.New("its description contradicts itself")
	}
	u, err := blocks.NewUnpacker(file.Reader, workBlock)
	if err != nil {
		return err
	}
	defer u.Close()
	if have.Odd {
		odd, err := plane[uint64](l.space, "positions won by who did not move last", (have.Numbers+63)/64)
		if err != nil {
			return err
		}
		l.odd.Store(&odd)
	}
	for into, has := range map[*[]uint16]bool{&l.wide: have.Wide, &l.far: have.Far} {
		if has {
			if *into, err = plane[uint16](l.space, "positions with many moves or far from the end", have.Numbers); err != nil {
				return err
			}
		}
	}
	block := 0
	var buf []byte
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
	if file.Blocks() != block {
		return fmt.Errorf("it has %d blocks, want %d", file.Blocks(), block)
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
	_ = yieldParts(l.cells, yield) && yieldParts(odd, yield) && yieldParts(l.wide, yield) && yieldParts(l.far, yield)
}

func yieldParts[T any](list []T, yield func(part any) bool) bool {
	for part := range slices.Chunk(list, workBlock/int(unsafe.Sizeof(*new(T)))) {
		if !yield(part) {
			return false
		}
	}
	return true
}

// save writes a layer, unless now is false and no checkpoint is due. Checkpoints take at most a tenth
// of the time.
func (w *work) save(layer int, r *run, now, final bool) error {
	if w == nil || !now && time.Since(w.last) < 10*w.cost {
		return nil
	}
	begin, l := time.Now(), r.layer
	f, err := store.Make(w.file(layer), workFormat, func(to *blocks.Writer) (any, error) {
		zip := blocks.NewEncoder(1, workBlock, zstd.SpeedFastest)
		var raw, zipped []byte
		var err error
		for part := range l.parts {
			if raw, err = binary.Append(raw[:0], binary.LittleEndian, part); err != nil {
				return nil, err
			}
			l.space.Charge(len(raw))
			zipped = zip.EncodeAll(raw, zipped[:0])
			if err := to.Append(zipped); err != nil {
				return nil, err
			}
		}
		return layerInfo{w.job, uint64(len(l.cells)), l.set, r.code, r.most, r.positions, r.decided, final, l.odd.Load() != nil, l.wide != nil, l.far != nil}, nil
	})
	if err == nil {
		err = f.Close()
	}
	if w.last, w.cost = time.Now(), max(time.Since(begin), 100*time.Millisecond); err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	return nil
}
