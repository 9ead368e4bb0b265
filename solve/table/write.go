package table

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"runtime"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/blocks"
	"perfectplay/internal/files"
)

// Contents is the data of a table. Its functions are called from several goroutines: each once for
// every task or block, and begun in their order.
type Contents struct {
	// Fill appends to codes, a slice for each layer, the codes of all positions in the blocks of
	// a task, see [Code]: a byte each, or two, the low one first, if Info.Bits is 16.
	Fill func(task int, codes [][]byte) error
	// First is the first block of each task; nil means a task for each block.
	First []int
	// Keys appends the keys of a block of a table by keys.
	Keys func(block int, keys []uint64) ([]uint64, error)
}

// Write makes the file of a table and returns its description, which is info with the signature.
// threads 0 means all processors; the file does not depend on it. report, if not nil, gets the
// share done.
func Write(ctx context.Context, name string, info Info, n Numbering, from Contents, threads int, report func(share float64)) (Info, error) {
	err := files.Write(name, func(out io.Writer) (err error) {
		info, err = write(ctx, out, info, n, from, threads, report)
		return err
	})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("table: writing %s: %w", name, err)
	}
	return info, err
}

// Make makes a table of a game in at most most bytes of memory, and opens it with cache bytes more
// for unpacked blocks: see [Write] and [Open].
func Make(ctx context.Context, g game.Game, info Info, n Numbering, from Contents, threads int, most, cache uint64) (*Table, error) {
	w := bounded{most: most}
	info, err := write(ctx, &w, info, n, from, threads, nil)
	if err != nil {
		return nil, fmt.Errorf("table: %s: %w", info.Game, err)
	}
	t := &Table{name: "in memory", file: io.NopCloser(nil)}
	r, err := t.read(bytes.NewReader(w.b), uint64(len(w.b)))
	if err != nil {
		return nil, err
	}
	return t, t.ready(r, cache, func(Info) (game.Game, Plan, error) {
		return g, Plan{Make: func() (Numbering, error) { return n, nil }}, nil
	})
}

// bounded is a file in memory of at most most bytes.
type bounded struct {
	b    []byte
	most uint64
}

func (w *bounded) Write(p []byte) (int, error) {
	if uint64(len(w.b))+uint64(len(p)) > w.most {
		return 0, fmt.Errorf("the table takes more than %d bytes", w.most)
	}
	w.b = append(w.b, p...)
	return len(p), nil
}

func write(ctx context.Context, out io.Writer, info Info, n Numbering, from Contents, threads int, report func(share float64)) (Info, error) {
	w, err := blocks.NewWriter(out, format)
	if err != nil {
		return info, err
	}
	keys, tasks := 0, n.Size().Blocks
	if info.Numbering == ByKeys {
		keys = tasks
	}
	if from.First != nil {
		tasks = len(from.First)
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	p, sum := packer{&info, n, from}, sha256.New()
	err = blocks.Pack(ctx, w, sum, info.largest(n.Size()), threads, keys+tasks, func() *packed { return &packed{layers: make([][]byte, len(info.Sets))} }, func(i int, to *packed) ([][]byte, error) {
		if i < keys {
			return p.keys(i, to)
		}
		err := p.task(i-keys, to)
		return to.blocks, err
	}, func(done int) {
		if report != nil {
			report(float64(done) / float64(keys+tasks))
		}
	})
	if err != nil {
		return info, err
	}
	info.Signature = hex.EncodeToString(sum.Sum(nil))
	if err := info.check(); err != nil {
		return info, err
	}
	return info, w.Close(info)
}

type packer struct {
	info *Info
	n    Numbering
	from Contents
}

// packed is a task on its way to the file.
type packed struct {
	layers [][]byte // codes of each layer
	blocks [][]byte
	sizes  []int
	at     []uint32
	keys   []uint64
}

// keys makes a block of keys: the first words of all keys, then the second words and so on, each
// word in big-endian order.
func (p *packer) keys(block int, to *packed) (_ [][]byte, err error) {
	n, width := p.at(block, to), p.info.KeyWords
	if to.keys, err = p.from.Keys(block, to.keys[:0]); err != nil {
		return nil, err
	} else if len(to.keys) != n*width {
		return nil, fmt.Errorf("block %d has %d words of keys, want %d", block, len(to.keys), n*width)
	}
	buf := to.layers[0][:0]
	for word := range width {
		for i := word; i < len(to.keys); i += width {
			buf = binary.BigEndian.AppendUint64(buf, to.keys[i])
		}
	}
	to.layers[0] = buf
	to.blocks = append(to.blocks[:0], buf)
	return to.blocks, nil
}

// at is the number of positions of a block.
func (p *packer) at(block int, to *packed) int {
	to.at = p.n.Rows(block, to.at[:0])
	return int(to.at[len(to.at)-1])
}

// task makes the blocks of a task: for each block number, one block of each layer.
func (p *packer) task(task int, to *packed) error {
	from, end := task, task+1
	if first := p.from.First; first != nil {
		from, end = first[task], p.n.Size().Blocks
		if task+1 < len(first) {
			end = first[task+1]
		}
	}
	to.sizes, to.blocks = to.sizes[:0], to.blocks[:0]
	all := 0
	for b := from; b < end; b++ {
		size := p.info.width() * p.at(b, to)
		to.sizes = append(to.sizes, size)
		all += size
	}
	for l := range to.layers {
		to.layers[l] = slices.Grow(to.layers[l][:0], all)
	}
	if err := p.from.Fill(task, to.layers); err != nil {
		return err
	}
	begin := 0
	for _, size := range to.sizes {
		for _, codes := range to.layers {
			if len(codes) != all {
				return fmt.Errorf("task %d has %d codes, want %d", task, len(codes)/p.info.width(), all/p.info.width())
			}
			block := codes[begin : begin+size]
			if p.info.Bits == 2 {
				block = four(block)
			}
			to.blocks = append(to.blocks, block)
		}
		begin += size
	}
	return nil
}

// four packs codes of two bits in place, four to a byte.
func four(codes []byte) []byte {
	n := len(codes) / 4
	for i := range n {
		c := codes[4*i : 4*i+4]
		codes[i] = c[0] | c[1]<<2 | c[2]<<4 | c[3]<<6
	}
	if rest := codes[4*n:]; len(rest) > 0 {
		last := byte(0)
		for j, c := range rest {
			last |= c << (2 * j)
		}
		codes[n] = last
		n++
	}
	return codes[:n]
}
