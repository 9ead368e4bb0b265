package retro

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// work is a directory of checkpoints: a file for each layer, which is complete, or as it
// was after some ply. Nil is none.
type work struct {
	dir  string
	id   layerInfo
	last time.Time     // a checkpoint was written, or work began
	cost time.Duration // of the last one
}

// layerInfo describes the file of a layer. Rules of the first part must agree.
type layerInfo struct {
	Game    string `json:"game"`
	Rules   string `json:"rules"`
	Method  Method `json:"method"`
	Numbers uint64 `json:"numbers"`
	Keys    uint32 `json:"keys"` // checksum of keys in the order of numbers, 0 without

	Set       uint8  `json:"set"`
	Code      int    `json:"code"`
	Most      int    `json:"most"`
	Positions uint64 `json:"positions"`
	Decided   uint64 `json:"decided"`
	Finished  bool   `json:"finished"`
	Odd       bool   `json:"odd"`
	Wide      bool   `json:"wide"`
}

// workFormat is a file of a layer: cells, then the bits of odd, then the moves of wide.
var workFormat = blocks.Format{
	What: "checkpoint", Magic: "perfectplay retro work 1\n", End: "retro work end\n", Family: "perfectplay retro work", MaxBlock: workBlock, MaxDescription: 1 << 12,
}

const workBlock = 1 << 20 // bytes

func openWork(g game.Game, s source, o Options) (*work, error) {
	if o.Work == "" {
		return nil, nil
	}
	w := &work{dir: o.Work, last: time.Now(), cost: 100 * time.Millisecond}
	w.id = layerInfo{Game: g.ID(), Rules: g.Rules(), Method: o.Method, Numbers: s.size()}
	if graph, ok := s.(*graph); ok && graph.keys != nil {
		sum := crc32.NewIEEE()
		to := bufio.NewWriter(sum)
		for _, word := range graph.keys.words {
			_ = binary.Write(to, binary.LittleEndian, word)
		}
		_ = to.Flush()
		w.id.Keys = sum.Sum32()
	}
	return w, nil
}

func (w *work) file(layer int) string {
	return filepath.Join(w.dir, fmt.Sprintf("layer-%d.retro", layer))
}

// RemoveWork removes the checkpoints of a directory.
func RemoveWork(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "layer-*.retro"))
	for _, name := range names {
		err = errors.Join(err, files.Remove(name))
	}
	return err
}

// load goes on with a layer, if there is a checkpoint; that of another game is refused.
func (w *work) load(layer int, r *run) (bool, error) {
	if w == nil {
		return false, nil
	}
	f, err := os.Open(w.file(layer))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	defer f.Close()
	if err := w.read(f, layer, r); err != nil {
		return false, fmt.Errorf("the checkpoint %s: %w", f.Name(), err)
	}
	return true, nil
}

func (w *work) read(f *os.File, layer int, r *run) error {
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := blocks.Read(f, uint64(stat.Size()), workFormat)
	if err != nil {
		return err
	}
	var have layerInfo
	if err := file.Describe(&have); err != nil {
		return err
	}
	want := w.id
	want.Method, want.Set = r.method, r.layer.set
	same := have
	same.Code, same.Most, same.Positions, same.Decided, same.Finished, same.Odd, same.Wide = 0, 0, 0, 0, false, false, false
	if same != want {
		a, _ := json.Marshal(same)
		b, _ := json.Marshal(want)
		return fmt.Errorf("it is of another job, %s, this one is %s", a, b)
	}
	if have.Code < 1 || have.Code > MaxDistance+2 || have.Most < 0 || have.Most > wideMax || have.Positions > have.Numbers || have.Decided > have.Positions {
		return errors.New("its description contradicts itself")
	}
	l := r.layer
	if have.Odd {
		odd, err := plane[uint64](l.space, (have.Numbers+63)/64)
		if err != nil {
			return err
		}
		l.odd.Store(&odd)
	}
	if have.Wide {
		if l.wide, err = plane[uint16](l.space, have.Numbers); err != nil {
			return err
		}
	}
	block := 0
	for _, c := range l.columns() {
		for from := 0; from < c.items; from += c.perBlock {
			want := min(c.perBlock, c.items-from) * workBlock / c.perBlock
			b, err := file.Block(block, workBlock)
			if err != nil || len(b) != want {
				return fmt.Errorf("block %d has %d bytes, want %d: %w", block, len(b), want, errors.Join(err, errSize))
			}
			l.space.Charge(len(b))
			c.decode(b, from)
			block++
		}
	}
	if file.Blocks() != block {
		return fmt.Errorf("it has %d blocks, want %d", file.Blocks(), block)
	}
	r.code, r.most, r.positions, r.decided, r.finished = have.Code, have.Most, have.Positions, have.Decided, have.Finished
	return nil
}

// column is a plane of a layer as a file has it.
type column struct {
	items, perBlock int
	encode          func(buf []byte, from, to int) []byte
	decode          func(b []byte, from int)
}

// columns are the planes of a layer.
func (l *layer) columns() []column {
	list := []column{{len(l.cells), workBlock, func(buf []byte, from, to int) []byte { return append(buf, l.cells[from:to]...) },
		func(b []byte, from int) { copy(l.cells[from:], b) }}}
	if p := l.odd.Load(); p != nil {
		odd := *p
		list = append(list, column{len(odd), workBlock / 8, func(buf []byte, from, to int) []byte {
			for _, word := range odd[from:to] {
				buf = binary.LittleEndian.AppendUint64(buf, word)
			}
			return buf
		}, func(b []byte, from int) {
			for i := range len(b) / 8 {
				odd[from+i] = binary.LittleEndian.Uint64(b[8*i:])
			}
		}})
	}
	if wide := l.wide; wide != nil {
		list = append(list, column{len(wide), workBlock / 2, func(buf []byte, from, to int) []byte {
			for _, n := range wide[from:to] {
				buf = binary.LittleEndian.AppendUint16(buf, n)
			}
			return buf
		}, func(b []byte, from int) {
			for i := range len(b) / 2 {
				wide[from+i] = binary.LittleEndian.Uint16(b[2*i:])
			}
		}})
	}
	return list
}

var errSize = errors.New("the file does not fit the game")

// save writes a layer, unless now is false and one was written a short time ago: these
// checkpoints take a tenth of the time at most.
func (w *work) save(layer int, r *run, now, final bool) error {
	if w == nil || !now && time.Since(w.last) < 10*w.cost {
		return nil
	}
	begin := time.Now()
	l, d := r.layer, w.id
	if final {
		l.wide = nil // nothing is left in it
	}
	d.Method, d.Set, d.Code, d.Most, d.Positions, d.Decided = r.method, l.set, r.code, r.most, r.positions, r.decided
	d.Finished, d.Odd, d.Wide = final, l.odd.Load() != nil, l.wide != nil
	err := files.Write(w.file(layer), func(out io.Writer) error {
		to, err := blocks.NewWriter(out, workFormat)
		if err != nil {
			return err
		}
		buf := make([]byte, 0, workBlock)
		for _, c := range l.columns() {
			for from := 0; from < c.items; from += c.perBlock {
				buf = c.encode(buf[:0], from, min(from+c.perBlock, c.items))
				l.space.Charge(len(buf))
				if err := to.Append(buf); err != nil {
					return err
				}
			}
		}
		return to.Close(d)
	})
	w.last, w.cost = time.Now(), max(time.Since(begin), 100*time.Millisecond)
	if err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	return nil
}
