package retro

import (
	"context"

	"perfectplay/game"
	"perfectplay/solve/table"
)

// results holds the values of all positions. It is safe for concurrent use.
type results interface {
	// forced is the score of a position in a layer, 0 past the last layer. It returns false if the
	// position was not solved, and an error if a file is damaged.
	forced(at game.State, layer int) (score int16, ok bool, err error)
	// count counts positions by their value to the set of seats that set returns for the seat to
	// move.
	count(ctx context.Context, set func(seat int) uint8) (Count, error)
	// walk calls yield with a state at each position until it returns false.
	walk(yield func(game.State) bool) error
	// contents describes a table and returns its data.
	contents(info *table.Info) (table.Numbering, table.Contents, error)
	// close releases files.
	close()
}

// teams divides the seats by layers: in each layer the seats of a set play against all others.
type teams struct {
	seats, layers int
	side          [][MaxSeats]uint8 // side of each seat by layer: 0 in the set, 1 not
}

func newTeams(seats, layers int) teams {
	t := teams{seats: seats, layers: layers, side: make([][MaxSeats]uint8, layers)}
	for l, set := range table.Sets(layers) {
		for seat := range seats {
			t.side[l][seat] = 1 &^ uint8(set>>seat)
		}
	}
	return t
}

// layer returns the layer of a set of seats. For the set of both seats in a game of two there is no
// layer, and it returns 1.
func (t *teams) layer(set uint8) int {
	if set&1 == 0 {
		set ^= 1<<t.seats - 1
	}
	return int(set >> 1)
}

// final is the score of a finished position in a layer.
func (t *teams) final(layer, seat int, result game.Result) int16 {
	winner, won := result.Winner()
	switch {
	case !won:
		return 0
	case t.side[layer][winner] == t.side[layer][seat]:
		return lastPly
	}
	return -lastPly
}

// ahead turns the score after a move into the score of that move for the seat that makes it.
func (t *teams) ahead(layer, seat int, score int16) int16 {
	next := seat + 1
	if next == t.seats {
		next = 0
	}
	if t.side[layer][seat] != t.side[layer][next] {
		score = -score
	}
	switch {
	case score > 0:
		return score - 1
	case score < 0:
		return score + 1
	}
	return 0
}

// tally counts positions by layer, seat to move and code.
type tally struct {
	teams
	counts [][MaxSeats][]uint64
}

func newTally(seats, layers int) tally {
	return tally{newTeams(seats, layers), make([][MaxSeats][]uint64, layers)}
}

// enter counts positions of a code.
func (t *tally) enter(layer, seat int, code uint16, n uint64) {
	list := &t.counts[layer][seat]
	for len(*list) <= int(code) {
		*list = append(*list, 0)
	}
	(*list)[code] += n
}

// plus adds the counts of other positions.
func (t *tally) plus(counts [][MaxSeats][]uint64) {
	for l := range counts {
		for seat, list := range counts[l] {
			for code, n := range list {
				t.enter(l, seat, uint16(code), n)
			}
		}
	}
}

// count implements [results].
func (t *tally) count(_ context.Context, set func(seat int) uint8) (c Count, err error) {
	for seat := range t.seats {
		seats := set(seat)
		layer := t.layer(seats)
		if layer >= t.layers {
			for _, n := range t.counts[0][seat] {
				c.Draws += n
			}
			continue
		}
		for code, n := range t.counts[layer][seat] {
			addScore(&c, scoreOf(uint16(code)), seats>>seat&1 != 0, n)
		}
	}
	return c, nil
}

// addScore counts n positions by their score; member says whether the seat to move is in the set.
func addScore(c *Count, score int16, member bool, n uint64) {
	if v, plies := worth(score); v == game.Draw {
		c.Draws += n
	} else {
		c.Add(v == game.Win == member, plies, n)
	}
}

// bits is the size of a code that holds the codes of all positions.
func (t *tally) bits() int {
	for _, layer := range t.counts {
		for _, list := range layer {
			if len(list) > int(table.Code(game.Win, table.LongDistance, true))+1 {
				return 16
			}
		}
	}
	return 8
}

// appendCode appends a code of eight or sixteen bits.
func appendCode(codes []byte, code uint16, bits int) []byte {
	if codes = append(codes, byte(code)); bits == 16 {
		codes = append(codes, byte(code>>8))
	}
	return codes
}
