package turns

import "perfectplay/game/halma/internal/sets"

// Over1 is Over on the bits of one word.
type Over1 struct{ Some, Inside, Full sets.Set1 }

// NewOver1 returns a condition on a board whose cell c stands at bit[c].
func NewOver1(o Over, bit []uint8) Over1 {
	return Over1{Bits1(o.Some, bit), Bits1(o.Inside, bit), Bits1(o.Full, bit)}
}

func (o *Over1) Won(own, taken sets.Set1) bool {
	return own.Meets(o.Some) && own.Within(o.Inside) && o.Full.Within(taken)
}

// Pattern1 is a condition on an army s: s & Mask == Value.
type Pattern1 struct{ Mask, Value sets.Set1 }

// Own returns a pattern that an army meets exactly if it has won; others are the pieces of all
// other armies, pieces is the size of the army, and cells are all cells of the board.
func (o *Over1) Own(pieces int, cells, others sets.Set1) Pattern1 {
	hold := o.Full.AndNot(others)
	if o.Inside.Count() == pieces {
		hold = o.Inside // no other army of that size stands inside
	}
	return Pattern1{hold.Or(cells.AndNot(o.Inside)), hold}
}

// Other returns a pattern that one other army must meet for an army with the pieces own to have
// won; ok is false if the army has not won wherever the other army stands.
func (o *Over1) Other(own sets.Set1) (p Pattern1, ok bool) {
	rest := o.Full.AndNot(own)
	return Pattern1{rest, rest}, own.Meets(o.Some) && own.Within(o.Inside)
}
