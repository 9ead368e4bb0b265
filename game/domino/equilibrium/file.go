package equilibrium

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"unsafe"

	"perfectplay/internal/files"
)

// A strategy file holds one opening:
//
//	the line "perfectplay domino equilibrium 2"
//	a line of JSON, see header
//	the regrets, then the sums of the average strategy, in the order of the tree, lowest byte first
//	the SHA-256 of everything before it
const fileMagic = "perfectplay domino equilibrium 2\n"

// header says what a file holds.
type header struct {
	Game       string `json:"game"`
	Rules      Rules  `json:"rules"`
	Opener     string `json:"opener"`
	Iterations int    `json:"iterations"`
	Numbers    int    `json:"numbers"`
	Bytes      int    `json:"bytes"` // of a number
}

// ErrDamaged is the reason to refuse a file that is not what was written.
var ErrDamaged = errors.New("damaged")

// Save writes what is known to files in a directory, one for each opener, each whole or not at all.
func (s *Solver) Save(dir string) error {
	for _, p := range s.parts {
		if err := p.save(s.Game, dir); err != nil {
			return err
		}
	}
	return nil
}

// Load goes on from the files of a directory, those that are there. It refuses damaged
// files and those of another game, and then the solver is of no use.
func (s *Solver) Load(dir string) error {
	for _, p := range s.parts {
		if err := p.load(s.Game, dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (p *part[S]) header(g Game) header {
	return header{g.String(), g.Rules, p.Name, p.done, len(p.regrets), int(unsafe.Sizeof(S(0)))}
}

// file is where a part is kept.
func (p *part[S]) file(dir string) string {
	return filepath.Join(dir, "opener-"+strings.Replace(p.Name, "|", "-", 1)+".equilibrium")
}

func (p *part[S]) save(g Game, dir string) error {
	return files.Write(p.file(dir), func(out io.Writer) error {
		sum := sha256.New()
		w := io.MultiWriter(out, sum)
		text, err := json.Marshal(p.header(g))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", fileMagic, text); err != nil {
			return err
		}
		for _, list := range [][]S{p.regrets, p.sums} {
			if err := eachChunk(list, func(chunk []S, b []byte) error {
				encode(b, chunk)
				_, err := w.Write(b)
				return err
			}); err != nil {
				return err
			}
		}
		_, err = out.Write(sum.Sum(nil))
		return err
	})
}

// eachChunk shows visit the numbers bit by bit, with room for their bytes.
func eachChunk[S real](list []S, visit func(chunk []S, b []byte) error) error {
	size := int(unsafe.Sizeof(S(0)))
	room := make([]byte, 1<<16)
	for len(list) > 0 {
		n := min(len(list), len(room)/size)
		if err := visit(list[:n], room[:n*size]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

func encode[S real](b []byte, list []S) {
	for i, v := range list {
		if unsafe.Sizeof(v) == 4 {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(v)))
		} else {
			binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(float64(v)))
		}
	}
}

func decode[S real](list []S, b []byte) error {
	for i := range list {
		if unsafe.Sizeof(list[i]) == 4 {
			list[i] = S(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		} else {
			list[i] = S(math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		}
		if v := float64(list[i]); !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("a weight is %v", v)
		}
	}
	return nil
}

func (p *part[S]) load(g Game, dir string) error {
	name := p.file(dir)
	want := p.header(g)
	in, err := files.Open(name, 1<<40) // what is too long is not damaged, perhaps, but of another game
	if err != nil {
		return err
	}
	defer in.Close()
	damaged := func(why error) error { return fmt.Errorf("%s: %w: %w", name, ErrDamaged, why) }
	sum := sha256.New()
	r := io.TeeReader(in, sum)
	start := make([]byte, len(fileMagic))
	if _, err := io.ReadFull(r, start); err != nil || string(start) != fileMagic {
		return fmt.Errorf("%s: not a strategy of hidden dominoes, or of another version", name)
	}
	var line []byte
	for b := make([]byte, 1); ; {
		if _, err := io.ReadFull(r, b); err != nil || len(line) > 1024 {
			return damaged(errors.New("its header is cut off"))
		}
		if b[0] == '\n' {
			break
		}
		line = append(line, b[0])
	}
	var h header
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return damaged(err)
	}
	want.Iterations = h.Iterations
	if h != want || h.Iterations < 0 || h.Iterations > 1<<30 {
		return fmt.Errorf("%s holds %s of %s (%s rules), not %s of %s (%s rules)", name, h.Opener, h.Game, h.Rules, want.Opener, want.Game, want.Rules)
	}
	for _, list := range [][]S{p.regrets, p.sums} {
		if err := eachChunk(list, func(chunk []S, b []byte) error {
			if _, err := io.ReadFull(r, b); err != nil {
				return errors.New("it is cut off")
			}
			return decode(chunk, b)
		}); err != nil {
			return damaged(err)
		}
	}
	got, check := sum.Sum(nil), make([]byte, sha256.Size+1)
	if n, _ := io.ReadFull(in, check); n != sha256.Size || !bytes.Equal(check[:n], got) {
		return damaged(errors.New("its checksum is wrong"))
	}
	p.done = h.Iterations
	for t := range p.done {
		p.weight = weight(t+1, p.weight)
	}
	return nil
}
