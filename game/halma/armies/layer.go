package armies

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"perfectplay/game/halma"
	"perfectplay/internal/blocks"
	"perfectplay/internal/store"
)

// layer is the positions answered yes in one number of plies, at all nodes of an orbit: a chunk for
// each group of each node, in memory or in a file of its own.
type layer struct {
	*store.File
	counts []uint64 // number of positions at each node
	first  []int    // first block of each node in the file
}

// total is the number of positions of all nodes.
func (l *layer) total() (n uint64) {
	for _, c := range l.counts {
		n += c
	}
	return n
}

type layerHead struct {
	store.Job
	Ours   uint8    `json:"ours"` // the question at seats of kind 0, see Question
	Wins   uint8    `json:"wins"`
	Ply    int      `json:"ply"`
	Counts []uint64 `json:"positions"` // number of positions at each node
}

var layerFormat = blocks.Format{
	What: "layer", Magic: "perfectplay layer 3\n", Family: "perfectplay layer", MaxBlock: math.MaxUint32, MaxDescription: 1 << 12,
}

// layers is the store of an orbit's layers.
type layers struct {
	dir    string // directory of the files, empty if layers are in memory
	job    store.Job
	q      Question
	groups []int // number of groups at each node
}

const layerFiles = "layer-??-??-???"

func (s *layers) name(ply int) string {
	if s.dir == "" {
		return ""
	}
	return filepath.Join(s.dir, fmt.Sprintf("layer-%02x-%02x-%03d", s.q.Ours, s.q.Wins, ply))
}

// put makes the layer of a ply. The function of returns the chunks of a node and its number of
// positions. put writes these chunks before it calls of for the next node.
func (s *layers) put(ply int, of func(node int) ([][]byte, uint64, error)) (*layer, error) {
	head := layerHead{Job: s.job, Ours: s.q.Ours, Wins: s.q.Wins, Ply: ply}
	f, err := store.Make(s.name(ply), layerFormat, func(w *blocks.Writer) (any, error) {
		for i := range s.groups {
			chunks, n, err := of(i)
			if err != nil {
				return nil, err
			}
			head.Counts = append(head.Counts, n)
			for _, c := range chunks {
				if err := w.Append(c); err != nil {
					return nil, fmt.Errorf("armies: writing a layer: %w", err)
				}
			}
		}
		return head, nil
	})
	if err != nil {
		return nil, err
	}
	return s.layer(f, ply)
}

// open opens the layer of a ply. The error is fs.ErrNotExist if the layer does not exist.
func (s *layers) open(ply int) (*layer, error) {
	f, err := store.Open(s.name(ply), layerFormat)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("armies: layer %w", err)
	}
	l, err := s.layer(f, ply)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("armies: layer %s: %w", s.name(ply), err)
	}
	return l, nil
}

func (s *layers) layer(f *store.File, ply int) (*layer, error) {
	var head layerHead
	if err := f.Describe(&head); err != nil {
		return nil, err
	}
	if err := head.Is(s.job); err != nil {
		return nil, err
	}
	l := &layer{File: f, counts: head.Counts}
	blocks := 0
	for _, n := range s.groups {
		l.first = append(l.first, blocks)
		blocks += n
	}
	if head.Ours != s.q.Ours || head.Wins != s.q.Wins || head.Ply != ply || len(head.Counts) != len(s.groups) || f.Blocks() != blocks {
		return nil, errors.New("its content does not fit its name")
	}
	return l, nil
}

// restore opens the existing layers in order.
func (s *layers) restore() (list []*layer, err error) {
	for s.dir != "" {
		l, err := s.open(len(list))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			for _, l := range list {
				l.Close()
			}
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}

func job(t *halma.Armies) store.Job { return store.NewJob(t.ID, t.Rules, t.Fingerprint(), t) }

// State returns the layers of a solve in a directory.
func State(dir string, t *halma.Armies) store.State {
	return store.State{Dir: dir, Job: job(t), Kinds: []store.Kind{{Pattern: layerFiles, Format: layerFormat}}}
}
