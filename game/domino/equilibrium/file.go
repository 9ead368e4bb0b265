package equilibrium

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"perfectplay/game/domino"
	"perfectplay/internal/blocks"
	"perfectplay/internal/store"
)

// fileFormat is the format of strategy files, one for each opener: the regrets, then the sums of
// the average strategy, in the order of the tree.
var fileFormat = blocks.Format{
	What: "strategy of hidden dominoes", Anew: "finish it with the version that began it",
	Magic: "perfectplay domino equilibrium 3\n", Family: "perfectplay domino equilibrium", MaxBlock: 2 * fileBlock, MaxDescription: 1 << 12,
}

const fileBlock = 1 << 16 // bytes of a block

// description is the description of a strategy file.
type description struct {
	Game       string `json:"game"`
	Rules      Rules  `json:"rules"`
	Opener     string `json:"opener"`
	Iterations int    `json:"iterations"`
	Numbers    int    `json:"numbers"`
	Bytes      int    `json:"bytes"` // bytes of a stored number: 4 or 8
}

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

func (p *part[S]) describe(g Game) description {
	return description{g.String(), g.Rules, p.Name, p.done, len(p.regrets), int(unsafe.Sizeof(S(0)))}
}

func (p *part[S]) file(dir string) string {
	return filepath.Join(dir, "opener-"+strings.Replace(p.Name, "|", "-", 1)+".equilibrium")
}

func (p *part[S]) save(g Game, dir string) error {
	return store.Write(p.file(dir), fileFormat, fileBlock, func(put func([]byte) error) (any, error) {
		var raw []byte
		for _, list := range [][]S{p.regrets, p.sums} {
			for chunk := range slices.Chunk(list, chunkNumbers) {
				raw, _ = binary.Append(raw[:0], binary.LittleEndian, chunk) // numbers always encode
				if err := put(raw); err != nil {
					return nil, err
				}
			}
		}
		return p.describe(g), nil
	})
}

type limits struct{ least, most float64 }

const chunkNumbers = fileBlock / 8

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
	return store.Read(p.file(dir), fileFormat, fileBlock, func(u *blocks.Unpacker) error {
		var d description
		if err := u.Describe(&d); err != nil {
			return err
		}
		switch want := p.describe(g); {
		case d.Game != want.Game || d.Rules != want.Rules || d.Opener != want.Opener:
			return fmt.Errorf("it holds %s of %s (%s rules), not %s of %s (%s rules)", d.Opener, d.Game, d.Rules, want.Opener, want.Game, want.Rules)
		case d.Numbers != want.Numbers || d.Bytes != want.Bytes:
			return fmt.Errorf("damaged: it says %d numbers of %d bytes: %s of %s has %d of %d", d.Numbers, d.Bytes, d.Opener, d.Game, want.Numbers, want.Bytes)
		case d.Iterations < 0 || d.Iterations > MaxIterations:
			return fmt.Errorf("damaged: it says %d iterations: want 0 to %d", d.Iterations, MaxIterations)
		}
		p.done, p.weight = d.Iterations, 0
		for t := range p.done {
			p.weight = weight(t+1, p.weight)
		}
		return p.read(u)
	})
}

// read reads the regrets and the sums after the iterations done.
func (p *part[S]) read(u *blocks.Unpacker) error {
	var raw []byte
	block := 0
	regrets, sums := p.limits()
	for _, of := range []struct {
		list []S
		limits
	}{{p.regrets, regrets}, {p.sums, sums}} {
		for chunk := range slices.Chunk(of.list, chunkNumbers) {
			var err error
			if raw, err = u.Unpack(block, binary.Size(chunk), raw); err != nil {
				return err
			}
			block++
			_, _ = binary.Decode(raw, binary.LittleEndian, chunk) // raw has the size of chunk
			for _, v := range chunk {
				if v := float64(v); v != 0 && !(v >= of.least && v <= of.most) {
					return fmt.Errorf("damaged: a weight is %v: want 0, or %.3g to %.3g", v, of.least, of.most)
				}
			}
		}
	}
	if block != u.Blocks() {
		return fmt.Errorf("damaged: %d blocks, want %d", u.Blocks(), block)
	}
	return nil
}
