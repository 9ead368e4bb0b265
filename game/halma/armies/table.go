package armies

import (
	"sync"

	"perfectplay/game/halma/numbering"
	"perfectplay/solve/table"
)

// Describe returns the description of a solution's table, its numbering, and its contents, see
// [table.Write]. If census is not nil, writing the contents counts the positions in it.
func (s *Solution) Describe(program string, census *Census) (i table.Info, n *numbering.Several, from table.Contents, err error) {
	return s.describe(program, census, table.LongDistance)
}

// describe is Describe for tables whose bytes hold wins in up to most plies. Longer ones make codes
// of two bytes.
func (s *Solution) describe(program string, census *Census, most int) (i table.Info, n *numbering.Several, from table.Contents, err error) {
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
		for set := range uint8(1<<b.n - 2) {
			if len(s.Plies(Coalition(set+1), kind))-1 > most {
				i.Bits = 16
			}
		}
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
	from.Fill = s.fill(groups, census, i.Bits/8)
	return i, n, from, err
}

// fill gives codes of width bytes.
func (s *Solution) fill(groups [][2]int, census *Census, width int) func(task int, codes [][]byte) error {
	sheets := sync.Pool{New: func() any { return s.newSheet() }}
	return func(task int, codes [][]byte) (err error) {
		w := sheets.Get().(*sheet)
		defer sheets.Put(w)
		w.open(groups[task][0], groups[task][1])
		for i := range codes {
			if codes[i], err = w.encode(uint8(2*i+1), width, codes[i]); err != nil {
				return err
			}
		}
		if census != nil {
			return census.count(w)
		}
		return nil
	}
}

// Plies returns the number of positions of a kind where the answer to a question is yes in 0, 1, …
// plies, up to the largest number of plies.
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
