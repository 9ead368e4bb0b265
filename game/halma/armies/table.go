package armies

import (
	"sync"

	"perfectplay/game/halma/numbering"
	"perfectplay/solve/table"
)

// Describe returns the description of a solution's table, its numbering, and its contents,
// see [table.Write]; call release after writing. Unless census is nil the positions are
// counted in it meanwhile.
func (s *Solution) Describe(program string, census *Census) (i table.Info, n *numbering.Several, from table.Contents, release func(), err error) {
	b := s.b
	t := b.spec
	turn := make([]int, t.Cells)
	cellAt := map[uint8]int{}
	for c, bit := range b.bit {
		cellAt[bit] = c
	}
	for c, bit := range b.bit {
		if turn[c] = c; b.period < b.n {
			turn[c] = cellAt[b.turned[bit]]
		}
	}
	var places [][]int
	var tiles []int
	for kind := range b.kinds {
		places = append(places, b.kernel.places(kind))
		l := b.layout(kind)
		tiles = append(tiles, l.tile*l.slabRows)
	}
	i, n, err = numbering.SeveralInfo(t, b.n, s.Positions, turn, places, tiles, program)
	for kind := range b.kinds {
		for set, count := range map[uint8]*uint64{1: &i.Wins, uint8(1<<b.n - 2): &i.Losses} {
			for _, positions := range s.Plies(Coalition(set), kind) {
				*count += positions
			}
		}
	}
	i.Draws = i.Positions - i.Wins - i.Losses
	var groups [][2]int // kind and group of each task
	for kind := range b.kinds {
		l := b.layout(kind)
		for group := range l.groups {
			from.First = append(from.First, n.First(kind, group*(l.group/l.tile)))
			groups = append(groups, [2]int{kind, group})
		}
	}
	from.Fill, release = s.fill(groups, census)
	return i, n, from, release, err
}

// fill returns the function that writes the codes of a group, and the one that releases its
// memory.
func (s *Solution) fill(groups [][2]int, census *Census) (fill func(task int, codes [][]byte) error, release func()) {
	var mu sync.Mutex
	var all, idle []*sheet // idle ones serve the next groups
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
	fill = func(task int, codes [][]byte) error {
		w, err := take()
		if err != nil {
			return err
		}
		defer func() {
			mu.Lock()
			idle = append(idle, w)
			mu.Unlock()
		}()
		w.open(groups[task][0], groups[task][1])
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

// Plies returns the number of positions of a kind where the answer to a question is yes in
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

// Kind is the kind of a seat: seats of one kind are alike after a turn of the board.
func (s *Solution) Kind(seat int) int { return seat % s.b.period }
