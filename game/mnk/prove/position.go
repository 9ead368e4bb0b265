package prove

import (
	"iter"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// position is the exact key of a position up to symmetry; of a board of at most 64
// cells the last two words are zero.
type position [4]uint64

// positionOf returns the key of a position and the symmetry that leads to it.
func positionOf(s mnk.Position) (key position, sym uint8) {
	sym = s.Key(key[:])
	return key, sym
}

// byPosition holds values by positions of one board, in as many words as it needs.
type byPosition[V any] struct {
	g      *mnk.Game
	narrow map[[2]uint64]V // at most 64 cells
	wide   map[position]V
}

func newByPosition[V any](g *mnk.Game) byPosition[V] {
	b := byPosition[V]{g: g}
	if g.Lines() != nil {
		b.narrow = map[[2]uint64]V{}
	} else {
		b.wide = map[position]V{}
	}
	return b
}

func (b *byPosition[V]) get(key position) (v V, ok bool) {
	if b.narrow != nil {
		v, ok = b.narrow[[2]uint64(key[:])]
	} else {
		v, ok = b.wide[key]
	}
	return v, ok
}

func (b *byPosition[V]) put(key position, v V) {
	if b.narrow != nil {
		b.narrow[[2]uint64(key[:])] = v
	} else {
		b.wide[key] = v
	}
}

func (b *byPosition[V]) len() int { return len(b.narrow) + len(b.wide) }

// all ranges over all positions, in no order.
func (b *byPosition[V]) all() iter.Seq2[position, V] {
	return func(yield func(position, V) bool) {
		for key, v := range b.narrow {
			if !yield(position{key[0], key[1]}, v) {
				return
			}
		}
		for key, v := range b.wide {
			if !yield(key, v) {
				return
			}
		}
	}
}

// text is a position as text.
func (b *byPosition[V]) text(key position) string {
	if b.narrow != nil {
		return b.g.Text(bitboard.Set128{Lo: key[0]}, bitboard.Set128{Lo: key[1]})
	}
	return b.g.Text(bitboard.Set128{Lo: key[0], Hi: key[1]}, bitboard.Set128{Lo: key[2], Hi: key[3]})
}
