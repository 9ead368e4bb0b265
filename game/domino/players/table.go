package players

import (
	"math/rand/v2"

	"perfectplay/game/domino"
)

// Table is a deal in play with what has been seen of it.
type Table struct {
	pos domino.Position
	// denied[s] holds the tiles that seat s has shown not to hold by passing.
	denied [2]domino.Set
	played domino.Set
	all    domino.Set // the tiles of the set
	first  domino.Tile
}

// NewTable returns the table before the first tile.
func NewTable(d domino.Deal) Table {
	return Table{pos: d.Start(), all: domino.AllTiles, first: d.FirstTile()}
}

// Seen returns the table of who sees only the own hand, in a deal of any set of tiles that began with
// a tile: pos has the hand of the mover, and any one of as many tiles as the other seat has left. unseen
// holds the tiles that the other one may hold, first one left out.
func Seen(pos domino.Position, first domino.Tile, unseen domino.Set) Table {
	return Table{pos: pos, all: unseen | pos.Hands[pos.Mover], first: first}
}

// View is what the player to move knows.
type View struct {
	Hand        domino.Set
	Left, Right int8
	// Unseen holds the tiles that the opponent may have: all but the own hand,
	// those on the table and those that fitted when the opponent passed.
	Unseen domino.Set
	// Possible is Unseen without the doubles above the one that started the
	// deal, of which nobody can hold any.
	Possible domino.Set
	// Opponent is the number of tiles in the opponent's hand.
	Opponent int
	Seat     uint8
}

// View returns what the player to move knows.
func (t *Table) View() View {
	p := &t.pos
	me, you := p.Mover, p.Mover^1
	v := View{Hand: p.Hands[me], Left: p.Left, Right: p.Right, Opponent: p.Hands[you].Len(), Seat: me}
	v.Unseen = t.all &^ p.Hands[me] &^ t.played &^ t.denied[you]
	v.Possible = v.Unseen
	for x := t.first.Low() + 1; x < domino.Numbers; x++ {
		v.Possible = v.Possible.Without(domino.Double(x))
	}
	return v
}

// Position returns the whole truth.
func (t *Table) Position() domino.Position { return t.pos }

// Play makes a move of the player to move.
func (t *Table) Play(m domino.Move) {
	t.played = t.played.With(m.Tile())
	t.pos = t.pos.Play(m)
}

// Pass lets the player to move pass, for everyone to see.
func (t *Table) Pass() {
	t.denied[t.pos.Mover] |= domino.WithNumber(int(t.pos.Left)) | domino.WithNumber(int(t.pos.Right))
	t.pos = t.pos.Pass()
}

// Player chooses moves. A Player belongs to one goroutine.
type Player interface {
	// Choose returns one of the moves, of which there are at least two. All
	// randomness comes from r.
	Choose(t *Table, moves []domino.Move, r *rand.Rand) domino.Move
}

// Mixed is a player of whom chance is known.
type Mixed interface {
	Player
	// Weights fills weights, by move, with numbers that are proportional to the
	// probabilities of the moves.
	Weights(moves []domino.Move, weights []float64)
}

// Play plays a deal to its end and returns the score, positive if good for the
// starter.
func Play(d domino.Deal, starter, second Player, r *rand.Rand) int {
	t := NewTable(d)
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
