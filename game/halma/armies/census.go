package armies

import (
	"math/bits"
	"sync"
)

// Census counts positions by what each seat can force alone against all others
// together: Vectors[kind][v], where digit i of v to base 3, the lowest first, is
// 0, 1 or 2 if the seat i turns after the one to move loses, draws or wins.
// Reached counts those of them that play from the start can lead to.
//
// Deciders[kind][i] counts the positions where the seat i turns after the one to
// move cannot win alone, but decides who does: with each of two others or more it
// can force that the other one wins. It is nil where [Options.Named] was not asked.
type Census struct {
	Vectors, Reached, Deciders [][]uint64

	solution *Solution
	reach    *Reach // nil where nobody asks
	mu       sync.Mutex
}

// Census returns counts of nothing yet, for [Solution.Fill]. reach may be nil.
func (s *Solution) Census(reach *Reach) *Census {
	c := &Census{solution: s, reach: reach}
	size := 1
	for range s.b.n {
		size *= 3
	}
	for range s.b.period {
		c.Vectors, c.Reached = append(c.Vectors, make([]uint64, size)), append(c.Reached, make([]uint64, size))
		if _, _, named := s.find(Question{3, 1}, 0); named {
			c.Deciders = append(c.Deciders, make([]uint64, s.b.n))
		}
	}
	return c
}

// count counts the positions of a slab, which r reads.
func (c *Census) count(r *Reader, kind, slab int, codes [][]byte) error {
	n := c.solution.b.n
	// A lone seat that is not to move is the complement of a set.
	lone := make([][]byte, n)
	for seat := range lone {
		set := (1<<n - 1) &^ (1 << seat)
		if seat == 0 {
			set = 1
		}
		lone[seat] = codes[set/2]
	}
	vectors, reached := make([]uint64, len(c.Vectors[kind])), make([]uint64, len(c.Vectors[kind]))
	l := c.solution.b.layout(kind)
	width := l.dims[n-1]
	for at, code := range lone[0] {
		if code == 0 {
			continue
		}
		v, digit := 0, 1
		for seat, codes := range lone {
			d := 1
			if code := codes[at]; code > 1 {
				d = 2 * int(code&1)
				if seat > 0 {
					d = 2 - d
				}
			}
			v += d * digit
			digit *= 3
		}
		vectors[v]++
		if c.reach != nil && c.reach.has(kind, (slab*l.slabRows+at/width)*l.words, at%width) {
			reached[v]++
		}
	}
	deciders := make([]uint64, n)
	if c.Deciders != nil {
		partners := make([]uint8, len(lone[0]))
		for seat := range n {
			clear(partners)
			for other := range n {
				if other == seat {
					continue
				}
				plies, err := r.read(Question{1<<seat | 1<<other, 1 << other}, kind, slab)
				if err != nil {
					return err
				}
				for at := range partners {
					if plies[at/width*64*l.words+at%width] > 0 {
						partners[at]++
					}
				}
			}
			for at, code := range lone[seat] {
				// Of another seat than the one to move it is the others' code.
				wins := code > 1 && (code&1 == 1) == (seat == 0)
				if code != 0 && !wins && partners[at] > 1 {
					deciders[seat]++
				}
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Deciders != nil {
		for seat := range n {
			c.Deciders[kind][seat] += deciders[seat]
		}
	}
	for v := range vectors {
		c.Vectors[kind][v] += vectors[v]
		c.Reached[kind][v] += reached[v]
	}
	return nil
}

// Reach is the positions that play from the start can lead to, each seen by the
// seat to move, up to the turn of the board that takes the seats to one another.
type Reach struct {
	seen [][]uint64 // by kind
}

// has reports whether a place is reached: of a row that begins at a word.
func (r *Reach) has(kind, row, last int) bool {
	return r.seen[kind][row+last>>6]>>(last&63)&1 != 0
}

// Positions counts the positions of a kind of seats.
func (r *Reach) Positions(kind int) (n uint64) {
	for _, x := range r.seen[kind] {
		n += uint64(bits.OnesCount64(x))
	}
	return n
}
