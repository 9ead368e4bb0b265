package players

import (
	"math/rand/v2"

	"perfectplay/bitboard"
	"perfectplay/game/domino"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/rank"
)

// Table is a deal in play with all that has been seen of it.
type Table struct {
	pos domino.Position
	// denied[s] holds the tiles that seat s cannot hold, as it has passed.
	denied [2]domino.Set
	played domino.Set
	all    domino.Set // the tiles of the set
	first  domino.Tile
	start  equilibrium.State // after the first tile
	past   []domino.Move     // moves since then
}

// NewTable returns the table of a deal before the first tile. all are the tiles of the set.
func NewTable(all domino.Set, d domino.Deal) Table {
	t := Table{pos: d.Start(), all: all, first: d.FirstTile(), past: make([]domino.Move, 0, 2*domino.Dealt)}
	x := int8(t.first.Low())
	may := t.lower(all).Without(t.first)
	t.start = equilibrium.State{Allowed: [2]domino.Set{may, may}, Size: [2]int8{int8(d.Starter.Len() - 1), int8(d.Second.Len())},
		Left: x, Right: x, Mover: domino.Second}
	return t
}

// lower removes the doubles above the one that started the deal, which nobody can hold.
func (t *Table) lower(s domino.Set) domino.Set {
	for x := t.first.Low() + 1; x < domino.Numbers; x++ {
		s = s.Without(domino.Double(x))
	}
	return s
}

// Seen returns the table at an information set of a game by the study's rules: that of a deal in which the mover
// holds the hand, and the other seat any hand that agrees with its moves and passes.
func Seen(g equilibrium.Game, root *equilibrium.Root, s *equilibrium.Spot) Table {
	me := s.Mover & 1
	var hands [2]domino.Set
	hands[me] = s.Hand
	for rest := s.Allowed[me^1] &^ s.Hand; hands[me^1].Len() < int(s.Size[me^1]); rest = rest.DropMin() {
		hands[me^1] = hands[me^1].With(rest.Min())
	}
	hands[domino.Starter] |= root.First
	seat := root.State.Mover
	for _, m := range s.Path {
		if m != domino.Passed {
			hands[seat] = hands[seat].With(m.Tile())
		}
		seat ^= 1
	}
	t := NewTable(g.All(), domino.Deal{Starter: hands[domino.Starter], Second: hands[domino.Second]})
	t.Play(domino.NewMove(t.first, domino.RightEnd))
	for _, m := range s.Path {
		if m == domino.Passed {
			t.Pass()
		} else {
			t.Play(m)
		}
	}
	return t
}

// View is the knowledge of the player to move.
type View struct {
	Hand        domino.Set
	Left, Right int8
	// Unseen holds the tiles that the opponent may have: all but the own hand, those on the
	// table and those that fitted when the opponent passed.
	Unseen domino.Set
	// Possible is Unseen without the doubles above the one that started the deal, which
	// nobody can hold.
	Possible domino.Set
	// Opponent is the number of tiles in the opponent's hand.
	Opponent int
	Seat     uint8
}

// view returns the knowledge of the player to move.
func (t *Table) view() View {
	p := &t.pos
	me, you := p.Mover, p.Mover^1
	v := View{Hand: p.Hands[me], Left: p.Left, Right: p.Right, Opponent: p.Hands[you].Len(), Seat: me}
	v.Unseen = t.all &^ p.Hands[me] &^ t.played &^ t.denied[you]
	v.Possible = t.lower(v.Unseen)
	return v
}

// hands counts the hands that the opponent may have.
func (v *View) hands() uint64 { return rank.Choose(v.Possible.Len(), v.Opponent) }

// eachHand visits the hands that the opponent may have.
func (v *View) eachHand(visit func(domino.Set)) {
	end := domino.Set(1) << v.Possible.Len()
	for hand := domino.Set(1)<<v.Opponent - 1; hand < end; hand = hand.Next() {
		visit(domino.Set(bitboard.Deposit64(uint64(hand), uint64(v.Possible))))
	}
}

// Position returns the position with both hands.
func (t *Table) Position() domino.Position { return t.pos }

// Play makes a move of the player to move.
func (t *Table) Play(m domino.Move) {
	if t.pos.Left != domino.None {
		t.past = append(t.past, m)
	}
	t.played = t.played.With(m.Tile())
	t.pos = t.pos.Play(m)
}

// Pass makes the player to move pass; the other player sees it.
func (t *Table) Pass() {
	t.past = append(t.past, domino.Passed)
	t.denied[t.pos.Mover] |= domino.WithNumber(int(t.pos.Left)) | domino.WithNumber(int(t.pos.Right))
	t.pos = t.pos.Pass()
}

// Player chooses moves. A Player belongs to one goroutine. One that plays by chance is
// [Mixed].
type Player interface {
	// Choose returns one of at least two moves. All randomness comes from r.
	Choose(t *Table, moves []domino.Move, r *rand.Rand) domino.Move
}

// Mixed is a player that plays by chance.
type Mixed interface {
	Player
	// Weights fills weights with numbers proportional to the probabilities of the moves, of which
	// there are at least two. It reports whether they are known.
	Weights(t *Table, moves []domino.Move, weights []float64) bool
}

// Ask fills weights with a player's exact probabilities for the moves of an information set, up to a
// factor. It reports whether they are known.
func Ask(p Player, g equilibrium.Game, root *equilibrium.Root, s *equilibrium.Spot, weights []float64) bool {
	if len(s.Moves) == 1 {
		weights[0] = 1
		return true
	}
	t := Seen(g, root, s)
	if m, ok := p.(Mixed); ok {
		return m.Weights(&t, s.Moves, weights)
	}
	m := p.Choose(&t, s.Moves, nil)
	for i, other := range s.Moves {
		if weights[i] = 0; m == other {
			weights[i] = 1
		}
	}
	return true
}

// Play plays a deal with a set of tiles to its end and returns the score, positive if good for the
// starter.
func Play(all domino.Set, d domino.Deal, starter, second Player, r *rand.Rand) int {
	t := NewTable(all, d)
	var buf [2 * domino.HandSize]domino.Move
	for !t.pos.Over() {
		moves := t.pos.Moves(buf[:0])
		switch {
		case len(moves) == 0:
			t.Pass()
		case len(moves) == 1:
			t.Play(moves[0])
		case t.pos.Mover == domino.Starter:
			t.Play(starter.Choose(&t, moves, r))
		default:
			t.Play(second.Choose(&t, moves, r))
		}
	}
	return t.pos.Score()
}
