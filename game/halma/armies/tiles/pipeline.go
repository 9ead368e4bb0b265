package tiles

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"runtime"
	"sync"
)

// tileJob is a tile on its way, with the buffers that one tile after another
// uses.
type tileJob struct {
	kind, tile int
	codes      [][]byte // by set
	raw        []byte
	at         []uint32
	blocks     [][]byte
	tally      [][256]uint64 // of each set: positions by code
	digest     hash.Hash
	done       chan error
}

// eachTile calls do for every tile, several at a time, and then for one after the
// other, in the order of the file.
func (n *numbering) eachTile(ctx context.Context, threads int, progress func(done float64), do, then func(j *tileJob) error) error {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	all := 0
	for _, s := range n.shapes {
		all += s.tiles
	}
	idle, work, order := make(chan *tileJob, threads+2), make(chan *tileJob), make(chan *tileJob, threads+2)
	for range cap(idle) {
		idle <- &tileJob{codes: make([][]byte, len(n.info.Sets)), tally: make([][256]uint64, len(n.info.Sets)), digest: sha256.New(), done: make(chan error, 1)}
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	defer stop()
	wait.Go(func() {
		defer close(work)
		defer close(order)
		for kind := range n.shapes {
			for tile := range n.shapes[kind].tiles {
				select {
				case j := <-idle:
					j.kind, j.tile = kind, tile
					order <- j // never full: it has room for all
					work <- j
				case <-ctx.Done():
					return
				}
			}
		}
	})
	for range threads {
		wait.Go(func() {
			for j := range work {
				j.digest.Reset()
				clear(j.tally)
				j.done <- do(j)
			}
		})
	}
	passed := 0
	for j := range order {
		if err := <-j.done; err != nil {
			return err
		}
		if err := then(j); err != nil {
			return err
		}
		idle <- j
		if passed++; progress != nil {
			progress(float64(passed) / float64(all))
		}
	}
	return ctx.Err()
}

// count counts positions of a set by their codes.
func (j *tileJob) count(set int, codes []byte) error {
	// Neighbours are often alike: two tallies, so that one count does not wait for
	// the one before.
	var odd [256]uint64
	tally := &j.tally[set]
	for ; len(codes) > 1; codes = codes[2:] {
		tally[codes[0]]++
		odd[codes[1]]++
	}
	for _, c := range codes {
		tally[c]++
	}
	for c, n := range odd {
		tally[c] += n
	}
	if tally[0] > 0 {
		return errors.New("a byte that means nothing")
	}
	return nil
}

// counts are the positions by kind and set.
type counts [][]Counts

func newCounts(i *Info) (c counts) {
	for range i.Period {
		c = append(c, make([]Counts, len(i.Sets)))
	}
	return c
}

// add adds those of a tile.
func (c counts) add(j *tileJob) {
	for set := range j.tally {
		for code, n := range j.tally[set] {
			c[j.kind][set].add(byte(code), n)
		}
	}
}
