package retro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/store"
)

// work is a directory of checkpoints: a file for each layer, complete or as after some ply. Nil
// means no directory.
type work struct {
	dir  string
	job  store.Job
	last time.Time     // time of the last checkpoint, or of the start
	cost time.Duration // of the last checkpoint
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

const workBlock = 1 << 20 // bytes

func openWork(g game.Game, o Options, description any) *work {
	if o.Work == "" {
		return nil
	}
	return &work{dir: o.Work, job: store.NewJob(g.ID(), g.Rules(), game.Fingerprint(g), description), last: time.Now(), cost: 100 * time.Millisecond}
}

func (w *work) file(layer int) string {
	return filepath.Join(w.dir, fmt.Sprintf("layer-%d.retro", layer))
}

// State is the checkpoints of a game in a directory. The mark of their job is known once the game's
// positions are.
func State(dir string, g game.Game) store.State {
	return store.State{Dir: dir, Job: store.Job{Game: g.ID(), Rules: g.Rules(), Fingerprint: game.Fingerprint(g)},
		Kinds: []store.Kind{{Pattern: "layer-*.retro", Format: workFormat}, {Pattern: stageFiles, Format: stageFormat}}}
}

// load resumes a layer from its checkpoint, if there is one. It refuses that of another game.
func (w *work) load(layer int, r *run) (bool, error) {
	return w.open(layer, func(f *store.File, u *blocks.Unpacker) error { return w.read(f, u, r) })
}

// open reads a checkpoint, if there is one.
func (w *work) open(layer int, read func(*store.File, *blocks.Unpacker) error) (bool, error) {
	if w == nil {
		return false, nil
	}
	f, err := store.Open(w.file(layer), workFormat)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		defer f.Close()
		var u *blocks.Unpacker
		if u, err = blocks.NewUnpacker(f.Reader, workBlock); err == nil {
			defer u.Close()
			if err = read(f, u); err != nil {
				err = fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	if err != nil {
		return false, fmt.Errorf("the checkpoint %w", err)
	}
	return true, nil
}

func (w *work) read(file *store.File, u *blocks.Unpacker, r *run) error {
	var have layerInfo
	if err := file.Describe(&have); err != nil {
		return err
	}
	l := r.layer
	if err := have.Is(w.job); err != nil {
		return err
	}
	if have.Set != l.set || have.Numbers != uint64(len(l.cells)) || have.Code < 1 || have.Code > MaxDistance+2 || have.Most < 0 || have.Most > wideMax || have.Positions > have.Numbers || have.Decided > have.Positions {
		return errors.New("its description contradicts itself")
	}
	if have.Odd {
		odd, err := plane[uint64](l.space, "positions won by who did not move last", (have.Numbers+63)/64)
		if err != nil {
			return err
		}
		l.odd.Store(&odd)
	}
	for into, has := range map[*[]uint16]bool{&l.wide: have.Wide, &l.far: have.Far} {
		if has {
			var err error
			if *into, err = plane[uint16](l.space, "positions with many moves or far from the end", have.Numbers); err != nil {
				return err
			}
		}
	}
	block := 0
	var buf []byte
	var err error
	for _, c := range l.columns() {
		for from := 0; from < c.items; from += c.perBlock {
			part := c.part(from, min(from+c.perBlock, c.items))
			if buf, err = u.Unpack(block, binary.Size(part), buf); err != nil {
				return err
			}
			l.space.Charge(len(buf))
			if _, err := binary.Decode(buf, binary.LittleEndian, part); err != nil {
				return err
			}
			block++
		}
	}
	if file.Blocks() != block {
		return fmt.Errorf("it has %d blocks, want %d", file.Blocks(), block)
	}
	r.code, r.most, r.positions, r.decided, r.finished = have.Code, have.Most, have.Positions, have.Decided, have.Finished
	return nil
}

// column is a plane of a layer as the file stores it, in little-endian order.
type column struct {
	items, perBlock int
	part            func(from, to int) any // a slice of some of its items
}

// columns are the planes of a layer.
func (l *layer) columns() []column {
	list := []column{{len(l.cells), workBlock, func(from, to int) any { return l.cells[from:to] }}}
	if p := l.odd.Load(); p != nil {
		odd := *p
		list = append(list, column{len(odd), workBlock / 8, func(from, to int) any { return odd[from:to] }})
	}
	for _, words := range [][]uint16{l.wide, l.far} {
		if words != nil {
			list = append(list, column{len(words), workBlock / 2, func(from, to int) any { return words[from:to] }})
		}
	}
	return list
}

// save writes a layer, unless now is false and no checkpoint is due.
func (w *work) save(layer int, r *run, now, final bool) error {
	if w == nil || !now && !w.due() {
		return nil
	}
	l := r.layer
	return w.write(layer, func(append func(text []byte) error) (any, error) {
		raw := make([]byte, 0, workBlock)
		for _, c := range l.columns() {
			for from := 0; from < c.items; from += c.perBlock {
				var err error
				if raw, err = binary.Append(raw[:0], binary.LittleEndian, c.part(from, min(from+c.perBlock, c.items))); err != nil {
					return nil, err
				}
				l.space.Charge(len(raw))
				if err := append(raw); err != nil {
					return nil, err
				}
			}
		}
		return layerInfo{w.job, uint64(len(l.cells)), l.set, r.code, r.most, r.positions, r.decided, final, l.odd.Load() != nil, l.wide != nil, l.far != nil}, nil
	})
}

// due says whether to write a checkpoint now: they take a tenth of the time at most.
func (w *work) due() bool { return w != nil && time.Since(w.last) >= 10*w.cost }

// write writes a checkpoint of blocks of text.
func (w *work) write(layer int, fill func(append func(text []byte) error) (info any, err error)) error {
	begin := time.Now()
	f, err := store.Make(w.file(layer), workFormat, func(to *blocks.Writer) (any, error) {
		zip, zipped := blocks.NewEncoder(1, workBlock, zstd.SpeedFastest), []byte(nil)
		return fill(func(text []byte) error {
			zipped = zip.EncodeAll(text, zipped[:0])
			return to.Append(zipped)
		})
	})
	if err == nil {
		err = f.Close()
	}
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

// save writes all positions whose values are known: the key of each, and for each layer a code of
// two bytes.
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

// load takes the positions of a checkpoint, if there is one.
func (x *explorer) load() (err error) {
	x.resumed, err = x.work.open(0, func(file *store.File, u *blocks.Unpacker) error {
		var have keyedInfo
		if err := file.Describe(&have); err != nil {
			return err
		}
		if err := have.Is(x.work.job); err != nil {
			return err
		}
		size := 8*x.words + 2*x.layers
		per := uint64(workBlock / size)
		if have.Positions >= mostKeyed || uint64(file.Blocks()) != (have.Positions+per-1)/per || len(have.Counts) != x.layers {
			return errors.New("its description contradicts itself")
		}
		x.plus(have.Counts)
		var key [maxWords]uint64
		var text []byte
		for b := range file.Blocks() {
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
