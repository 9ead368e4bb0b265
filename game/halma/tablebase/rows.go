package tablebase

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// Rows looks up many positions that have something in common: numbers near each
// other, or one mover's army after another. It holds the blocks that it has read last,
// which take no lock, and belongs to one goroutine.
type Rows struct {
	t       *Table
	held    [2]held // the last used first
	start   uint64  // number of the first position of the row
	mover   bitboard.Set128
	free    bitboard.Set128 // places that the mover's army leaves, as they are numbered
	flipped bool
}

// held is a block by its number; nil is none.
type held struct {
	block int
	raw   []byte
}

// Rows returns a reader that is at no row yet: see [Rows.Seek].
func (t *Table) Rows() *Rows { return &Rows{t: t} }

// Seek goes to the positions of a mover's army.
func (r *Rows) Seek(mover bitboard.Set128) error {
	n := r.t.number
	if mover.Count() != n.armies.K() || !mover.AndNot(n.places).IsEmpty() {
		return fmt.Errorf("tablebase: an army of %d pieces, want %d on the places of the table", mover.Count(), n.armies.K())
	}
	army := n.army(mover)
	r.start, r.flipped = uint64(n.count[army])*n.rowSize, n.flipped[army]
	r.mover, r.free = mover, n.places.AndNot(mover)
	if r.flipped {
		r.free = n.places.AndNot(n.mirror.Apply(mover))
	}
	return nil
}

// Value returns what [Table.Value] does for the mover's army that the last Seek went
// to.
func (r *Rows) Value(other bitboard.Set128) (game.Value, int, error) {
	n := r.t.number
	if other.Count() != n.others.K() || !other.And(r.mover).IsEmpty() || !other.AndNot(n.places).IsEmpty() {
		return game.Unknown, 0, fmt.Errorf("tablebase: the other army has %d pieces, want %d on places that are free", other.Count(), n.others.K())
	}
	if r.flipped {
		other = n.mirror.Apply(other)
	}
	return r.At(r.start + rankOf(n.others, bitboard.Extract128(other, r.free)))
}

// At returns what [Table.At] does.
func (r *Rows) At(index uint64) (game.Value, int, error) {
	per := uint64(r.t.info.Block)
	block := int(index / per)
	if r.held[0].block != block || r.held[0].raw == nil {
		r.held[0], r.held[1] = r.held[1], r.held[0]
		if r.held[0].block != block || r.held[0].raw == nil {
			raw, err := r.t.block(block)
			if err != nil {
				return game.Unknown, 0, err
			}
			r.held[0] = held{block, raw}
		}
	}
	v, d := r.t.info.code(r.held[0].raw, int(index%per))
	return v, d, nil
}
