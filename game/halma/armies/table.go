package armies

import (
	"cmp"
	"fmt"
	"slices"
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
		var places []int
		for c, bit := range b.bit {
			if b.kinds[kind].moves.open>>bit&1 != 0 {
				places = append(places, c)
			}
		}
		slices.SortFunc(places, func(x, y int) int { return cmp.Compare(b.bit[x], b.bit[y]) })
		i.Places = append(i.Places, places)
	}
	return i
}

// Fill returns what writes the codes of a slab, for [tiles.Write] and
// [tiles.Count] with the description of [Solution.Describe]. Every slab is counted
// in census, unless that is nil.
func (s *Solution) Fill(census *Census) tiles.Fill {
	var mu sync.Mutex
	var idle []*Reader // of the goroutines that have finished a slab
	return func(kind, slab int, codes [][]byte) (err error) {
		var r *Reader
		mu.Lock()
		if n := len(idle); n > 0 {
			r, idle = idle[n-1], idle[:n-1]
		}
		mu.Unlock()
		if r == nil {
			if r, err = s.Reader(); err != nil {
				return err
			}
		}
		defer func() {
			mu.Lock()
			idle = append(idle, r)
			mu.Unlock()
		}()
		b := s.b
		whole := uint8(1<<b.n - 1)
		l := b.layout(kind)
		for i := range codes {
			set := uint8(2*i + 1)
			allWon, err := r.read(Coalition(set), kind, slab)
			if err != nil {
				return err
			}
			allLost, err := r.read(Coalition(whole&^set), kind, slab)
			if err != nil {
				return err
			}
			row := l.dims[b.n-1]
			for r := range l.slabRows {
				won, lost := allWon[r*64*l.words:], allLost[r*64*l.words:]
				for c := range row {
					code := byte(1)
					switch {
					case max(won[c], lost[c]) > tiles.MaxPlies+1:
						return fmt.Errorf("armies: %s: a forced win of more than %d plies does not fit a table", b.spec.ID, tiles.MaxPlies)
					case won[c] > 0:
						code = 1 + 2*won[c]
					case lost[c] > 0:
						code = 2 * lost[c]
					}
					codes[i][r*row+c] = code
				}
			}
		}
		b.blot(kind, slab, codes)
		if census != nil {
			return census.count(r, kind, slab, codes)
		}
		return nil
	}
}

// read returns the answers to a question for a slab, see plies.
func (r *Reader) read(q Question, kind, slab int) ([]uint8, error) {
	orbit, node, ok := r.s.find(q, kind)
	if !ok {
		return nil, fmt.Errorf("armies: %s: the question %b, %b was not solved", r.s.b.spec.ID, q.Ours, q.Wins)
	}
	return r.plies(orbit, node, slab)
}

// blot gives the places of a slab that are no positions the code 0.
func (b *board) blot(kind, slab int, codes [][]byte) {
	l := b.layout(kind)
	ranks := make([]int, b.n-2)
	l.prefix(ranks, slab)
	still, real := uint64(0), true
	for i, r := range ranks {
		army := b.army[(kind+i)%b.n][r]
		real = real && still&army == 0
		still |= army
	}
	last := b.army[(kind+b.n-1)%b.n]
	for r, army := range b.army[(kind+b.n-2)%b.n] {
		blocked, whole := still|army, !real || still&army != 0
		for c, army := range last {
			if whole || army&blocked != 0 {
				for _, set := range codes {
					set[r*len(last)+c] = 0
				}
			}
		}
	}
}

// Longest returns the largest number of plies in which the answer to a question
// is yes at seats of a kind, −1 if nowhere.
func (s *Solution) Longest(q Question, kind int) int {
	orbit, node, ok := s.find(q, kind)
	if !ok {
		return -1
	}
	layers := s.orbits[orbit].layers
	for ply := len(layers) - 1; ply >= 0; ply-- {
		if layers[ply].counts[node] > 0 {
			return ply
		}
	}
	return -1
}

// Count returns at how many positions of a kind the answer to a question is yes.
func (s *Solution) Count(q Question, kind int) (n uint64) {
	if orbit, node, ok := s.find(q, kind); ok {
		for _, l := range s.orbits[orbit].layers {
			n += l.counts[node]
		}
	}
	return n
}

// Kind is the kind of a seat: seats of one kind are alike after a turn of the
// board.
func (s *Solution) Kind(seat int) int { return seat % s.b.period }
