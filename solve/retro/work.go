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
	if have.Code < 1 || have.Code > MaxDistance+3 || have.Most < 0 || have.Most > wideMax || have.Positions > have.Numbers || have.Decided > have.Positions {
		return errors.New("its description contradicts itself")
	}
	l := r.layer
	planes := [][]byte{l.cells}
	var odd []uint64
	if have.Odd {
		odd = make([]uint64, (len(l.cells)+63)/64)
		planes = append(planes, make([]byte, len(odd)*8))
	}
	if have.Wide {
		l.wide = make([]uint16, len(l.cells))
		planes = append(planes, make([]byte, len(l.wide)*2))
	}
	block := 0
	for _, plane := range planes {
		for len(plane) > 0 {
			n := min(len(plane), workBlock)
			b, err := file.Block(block, workBlock)
			if err != nil || len(b) != n {
				return fmt.Errorf("block %d has %d bytes, want %d: %w", block, len(b), n, errors.Join(err, errSize))
			}
			copy(plane, b)
			plane, block = plane[n:], block+1
		}
	}
	if file.Blocks() != block {
		return fmt.Errorf("it has %d blocks, want %d", file.Blocks(), block)
	}
	if have.Odd {
		for i := range odd {
			odd[i] = binary.LittleEndian.Uint64(planes[1][8*i:])
		}
		l.odd.Store(&odd)
	}
	if have.Wide {
		for i := range l.wide {
			l.wide[i] = binary.LittleEndian.Uint16(planes[len(planes)-1][2*i:])
		}
	}
	r.code, r.most, r.positions, r.decided, r.finished = have.Code, have.Most, have.Positions, have.Decided, have.Finished
	return nil
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
	odd := l.odd.Load()
	d.Method, d.Set, d.Code, d.Most, d.Positions, d.Decided = r.method, l.set, r.code, r.most, r.positions, r.decided
	d.Finished, d.Odd, d.Wide = final, odd != nil, l.wide != nil && !final
	err := files.Write(w.file(layer), func(out io.Writer) error {
		to, err := blocks.NewWriter(out, workFormat)
		if err != nil {
			return err
		}
		for from := 0; from < len(l.cells); from += workBlock {
			if err := to.Append(l.cells[from:min(from+workBlock, len(l.cells))]); err != nil {
				return err
			}
		}
		buf := make([]byte, 0, workBlock)
		flush := func(most int) error {
			if len(buf) < most || len(buf) == 0 {
				return nil
			}
			err := to.Append(buf)
			buf = buf[:0]
			return err
		}
		if d.Odd {
			for _, word := range *odd {
				buf = binary.LittleEndian.AppendUint64(buf, word)
				if err := flush(workBlock); err != nil {
					return err
				}
			}
			if err := flush(0); err != nil {
				return err
			}
		}
		if d.Wide {
			for _, n := range l.wide {
				buf = binary.LittleEndian.AppendUint16(buf, n)
				if err := flush(workBlock); err != nil {
					return err
				}
			}
			if err := flush(0); err != nil {
				return err
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
