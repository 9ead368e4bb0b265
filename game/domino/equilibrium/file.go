package equilibrium

import (
	"bufio"
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
	"slices"
	"strings"
	"unsafe"

	"perfectplay/game/domino"
	"perfectplay/internal/files"
)

// A strategy file holds one opener's strategies:
//
//	the line "perfectplay domino equilibrium 2"
//	a line of JSON, see header
//	the regrets, then the sums of the average strategy, in the order of the tree, lowest byte first
//	the SHA-256 of everything before it
const fileMagic = "perfectplay domino equilibrium 2\n"

type header struct {
	Game       string `json:"game"`
	Rules      Rules  `json:"rules"`
	Opener     string `json:"opener"`
	Iterations int    `json:"iterations"`
	Numbers    int    `json:"numbers"`
	Bytes      int    `json:"bytes"` // bytes of a stored number: 4 or 8
}

// errDamaged is the error about a file that has changed since it was written.
var errDamaged = errors.New("damaged")

// Save writes the strategies to files in a directory, one for each opener, each whole or not at
// all.
func (s *Solver) Save(dir string) error {
	for _, p := range s.parts {
		if err := p.save(s.Game, dir); err != nil {
			return err
		}
	}
	return nil
}

// Load continues from the files in a directory; a missing file is no error. It refuses damaged
// files and files of another game. After an error the solver must not be used.
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
			for chunk := range slices.Chunk(list, chunkNumbers) {
				if err := binary.Write(w, binary.LittleEndian, chunk); err != nil {
					return err
				}
			}
		}
		_, err = out.Write(sum.Sum(nil))
		return err
	})
}

type limits struct{ least, most float64 }

const chunkNumbers = 1 << 13

// limits returns the limits of the regrets and of the sums after the iterations done, with a
// margin for rounding. In an iteration a regret grows by at most its weight times the largest
// difference of two scores, for each hand of the other seat; below snap it becomes 0. A sum grows
// by at most the square of the iteration. The probability of a move that is played is at least
// the quotient of the smallest and the largest regret, and a seat plays seven tiles.
func (p *part[S]) limits() (regrets, sums limits) {
	t, hands := float64(p.done), float64(max(p.hands(0), p.hands(1)))
	regrets = limits{float64(S(snap)), 2 * t * p.weight * 2 * domino.MaxScore * hands}
	sums = limits{math.Pow(snap/max(1, 2*domino.HandSize*regrets.most), domino.HandSize), t * (t + 1) * (2*t + 1) / 3}
	if unsafe.Sizeof(S(0)) == 4 {
		sums.least = math.SmallestNonzeroFloat32
	}
	return regrets, sums
}

func (p *part[S]) load(g Game, dir string) error {
	name := p.file(dir)
	in, err := files.Open(name, 1<<40)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := p.read(g, in); err != nil {
		return fmt.Errorf("%s%w", name, err)
	}
	return nil
}

// read reads a file. The caller puts the name of the file before its errors.
func (p *part[S]) read(g Game, in io.Reader) error {
	damaged := func(format string, args ...any) error {
		return fmt.Errorf(": %w: %w", errDamaged, fmt.Errorf(format, args...))
	}
	file, sum := bufio.NewReader(in), sha256.New()
	r := io.TeeReader(file, sum)
	start := make([]byte, len(fileMagic))
	if _, err := io.ReadFull(r, start); err != nil || string(start) != fileMagic {
		return errors.New(": not a strategy of hidden dominoes, or of another version")
	}
	line, err := file.ReadSlice('\n')
	if err != nil {
		return damaged("its header is cut off")
	}
	sum.Write(line)
	line = bytes.Clone(line[:len(line)-1])
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return damaged("its header: %w", err)
	}
	want := p.header(g)
	if h.Game != want.Game || h.Rules != want.Rules || h.Opener != want.Opener {
		return fmt.Errorf(" holds %s of %s (%s rules), not %s of %s (%s rules)", h.Opener, h.Game, h.Rules, want.Opener, want.Game, want.Rules)
	}
	if h.Numbers != want.Numbers || h.Bytes != want.Bytes {
		return damaged("it says %d numbers of %d bytes: %s of %s has %d of %d", h.Numbers, h.Bytes, h.Opener, h.Game, want.Numbers, want.Bytes)
	}
	if h.Iterations < 0 || h.Iterations > MaxIterations {
		return damaged("it says %d iterations: want 0 to %d", h.Iterations, MaxIterations)
	}
	if text, err := json.Marshal(h); err != nil || !bytes.Equal(text, line) {
		return damaged("its header says more than a header does")
	}
	p.done, p.weight = h.Iterations, 0
	for t := range p.done {
		p.weight = weight(t+1, p.weight)
	}
	regrets, sums := p.limits()
	for _, of := range []struct {
		list []S
		limits
	}{{p.regrets, regrets}, {p.sums, sums}} {
		for chunk := range slices.Chunk(of.list, chunkNumbers) {
			if err := binary.Read(r, binary.LittleEndian, chunk); err != nil {
				return damaged("it is cut off")
			}
			for _, v := range chunk {
				if v := float64(v); v != 0 && !(v >= of.least && v <= of.most) {
					return damaged("a weight is %v: want 0, or %.3g to %.3g", v, of.least, of.most)
				}
			}
		}
	}
	got, check := sum.Sum(nil), make([]byte, sha256.Size+1)
	if n, _ := io.ReadFull(file, check); n != sha256.Size || !bytes.Equal(check[:n], got) {
		return damaged("its checksum is wrong")
	}
	return nil
}
