package turns

import "perfectplay/bitboard"

// Win says when an army has won.
type Win struct {
	// Filled: the goal of the army is full and holds a piece of it, whichever seat made the last
	// turn. Otherwise all pieces of the army stand in its goal.
	Filled bool
	// HomeEmpty: a full goal counts only while no piece of the army stands in its home.
	HomeEmpty bool `json:",omitempty"`
}

// Over says by sets of cells when an army has won: it has a piece in Some, no piece outside
// Inside, and pieces of any armies fill Full. Full is empty or equal to Some.
type Over struct {
	Some, Inside, Full bitboard.Set128
	Last               bitboard.Set128 // cells where a turn may end by which the army itself wins
}

// NewOver returns the condition of an army by its home and goal on a board of cells cells.
func NewOver(cells int, home, goal bitboard.Set128, w Win) Over {
	o := Over{Some: goal, Inside: goal, Last: goal}
	if w.Filled {
		o.Inside, o.Full = bitboard.First128(cells), goal
	}
	if w.HomeEmpty {
		o.Inside = o.Inside.AndNot(home)
		o.Last = o.Inside // a turn that takes the last piece out of the home may win
	}
	return o
}

func (o *Over) Won(own, taken bitboard.Set128) bool {
	return !own.And(o.Some).IsEmpty() && own.AndNot(o.Inside).IsEmpty() && o.Full.AndNot(taken).IsEmpty()
}
