package armies

import (
	"sync"

	"perfectplay/game/halma/armies/tiles"
)

// Describe returns the description of the table of a solution, without counts.
func (s *Solution) Describe(program string) tiles.Info {
	b := s.b
	t := b.spec
	i := tiles.Info{Game: t.ID, Rules: t.Rules, Choices: t.Choices, Seats: b.n, Pieces: b.k, Cells: t.Cells, Period: b.period,
		Turn: make([]int, t.Cells), Program: program}
	cellAt := map[uint8]int{}
	for c, bit := range b.bit {
		cellAt[bit] = c
	}
	for c, bit := range b.bit {
		if i.Turn[c] = c; b.period < b.n {
			i.Turn[c] = cellAt[b.turned[bit]]
		}
	}
	for kind := range b.kinds {
		i.Places = append(i.Places, b.kernel.places(kind))
		l := b.layout(kind)
		i.Tiles = append(i.Tiles, l.group*l.slabRows)
	}
	return i
}

// Fill returns what writes the codes of a tile, for [tiles.Write] with the
// description of [Solution.Describe], and what releases it. The positions are
// counted in census on the way, unless that is nil.
func (s *Solution) Fill(census *Census) (fill tiles.Fill, release func()) {
	var mu sync.Mutex
	var all, idle []*sheet // idle are of the goroutines that have finished a tile
	take := func() (*sheet, error) {
		mu.Lock()
		defer mu.Unlock()
		if n := len(idle); n > 0 {
			w := idle[n-1]
			idle = idle[:n-1]
			return w, nil
		}
		w, err := s.newSheet()
		if err == nil {
			all = append(all, w)
		}
		return w, err
	}
	fill = func(kind, tile int, codes [][]byte) error {
		w, err := take()
		if err != nil {
			return err
		}
		defer func() {
			mu.Lock()
			idle = append(idle, w)
			mu.Unlock()
		}()
		w.open(kind, tile)
		for i := range codes {
			if codes[i], err = w.encode(uint8(2*i+1), codes[i]); err != nil {
				return err
			}
		}
		if census != nil {
			return census.count(w)
		}
		return nil
	}
	return fill, func() {
		for _, w := range all {
			w.close()
		}
	}
}

// Plies returns at how many positions of a kind the answer to a question is yes in
// 0, 1, … plies, up to the largest number of plies.
func (s *Solution) Plies(q Question, kind int) (counts []uint64) {
	orbit, node, ok := s.find(q, kind)
	if !ok {
		return nil
	}
	longest := 0
	for ply, l := range s.orbits[orbit].layers {
		if counts = append(counts, l.counts[node]); l.counts[node] > 0 {
			longest = ply + 1
		}
	}
	return counts[:longest]
}

// Kind is the kind of a seat: seats of one kind are alike after a turn of the
// board.
func (s *Solution) Kind(seat int) int { return seat % s.b.period }
