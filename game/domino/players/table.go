package players

import (
	"math/rand/v2"

	"perfectplay/game/domino"
	"perfectplay/game/domino/equilibrium"
	"perfectplay/rank"
)

// Table is a deal in play with its history.
type Table struct {
	pos   domino.Position
	first domino.Tile
	// state is the public part, as if the doubles above the first tile might be in a hand; start is
	// the public part after the first tile.
	state, start equilibrium.State
	past         []domino.Move // moves after the first tile
}

// NewTable returns the table of a deal before the first tile. all are the tiles of the set.
func NewTable(all domino.Set, d domino.Deal) Table {
	t := Table{pos: d.Start(), first: d.FirstTile(), past: make([]domino.Move, 0, 2*domino.Dealt)}
	x, may := int8(t.first.Low()), all.Without(t.first)
	t.state = equilibrium.State{Allowed: [2]domino.Set{may, may}, Size: [2]int8{int8(d.Starter.Len() - 1), int8(d.Second.Len())},
		Left: x, Right: x, Mover: domino.Second}
	t.start = t.state
	t.start.Allowed = [2]domino.Set{t.lower(may), t.lower(may)}
	return t
}

// lower removes the doubles above the first tile, which nobody can hold.
func (t *Table) lower(s domino.Set) domino.Set {
	for x := t.first.Low() + 1; x < domino.Numbers; x++ {
		s = s.Without(domino.Double(x))
	}
	return s
}

// Seen returns the table at an information set, by the study's rules, of some deal that leads to
// the set.
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
		t.Play(m)
	}
	return t
}

// View is the knowledge of the player to move.
type View struct {
	Hand        domino.Set
	Left, Right int8
	Unseen      domino.Set // without tiles that fitted when the opponent passed
	Possible    domino.Set // Unseen without the doubles above the first tile
	Opponent    int        // tiles in the opponent's hand
	Seat        uint8
}

func (t *Table) view() View {
	p := &t.pos
	me, you := p.Mover, p.Mover^1
	v := View{Hand: p.Hands[me], Left: p.Left, Right: p.Right, Opponent: p.Hands[you].Len(), Seat: me}
	v.Unseen = t.state.Allowed[you] &^ v.Hand
	v.Possible = t.lower(v.Unseen)
	return v
}

// hands counts the hands that the opponent may have.
func (v *View) hands() uint64 { return rank.Choose(v.Possible.Len(), v.Opponent) }

// Position returns the position with both hands.
func (t *Table) Position() domino.Position { return t.pos }

// Play makes a move, or passes the turn.
func (t *Table) Play(m domino.Move) {
	if t.pos.Left != domino.None {
		t.past, t.state = append(t.past, m), t.state.Play(m)
	}
	t.pos = t.pos.Play(m)
}

// Player chooses moves. It belongs to one goroutine. Players that play by chance are [Mixed].
type Player interface {
	// Choose returns one of at least two moves. All randomness comes from r.
	Choose(t *Table, moves []domino.Move, r *rand.Rand) domino.Move
}

// Mixed is a player that plays by chance.
type Mixed interface {
	Player
	// Weights fills weights with numbers proportional to the probabilities of at least two moves.
	// It reports whether they are known.
	Weights(t *Table, moves []domino.Move, weights []float64) bool
}

// Ask fills weights with numbers proportional to a player's probabilities of the moves of an
// information set. It reports whether they are known.
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

// Play plays a deal of a set of tiles to its end and returns the score for the starter.
func Play(all domino.Set, d domino.Deal, starter, second Player, r *rand.Rand) int {
	t := NewTable(all, d)
	var buf [2 * domino.HandSize]domino.Move
	for !t.pos.Over() {
		moves := t.pos.Moves(buf[:0])
		switch {
		case len(moves) == 0:
			t.Play(domino.Passed)
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
