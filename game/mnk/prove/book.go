package prove

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// Proof is the answer to the question about one position, true whatever search found
// it, with what options.
//
// Of what searches find, these are proofs: entries of the table with the verdict won or
// refuted. Each is shown for all plies to come, not up to a horizon: every move of the
// side that is said to fail was tried, or lies outside the zone of one that was. The
// question asks of the stones alone, never of the moves that led there, and no stone is
// ever taken off, so neither path nor repetition matters. That the table knows positions
// by a key that leaves out what matters to nobody (doc.go) gives a proof to all
// positions with that key. What is not a proof stays out: proof and disproof
// numbers above zero, what a search returns once it is stopped, and of λ-searches all
// but wins, since that there is no win of some order says nothing about other wins.
type Proof struct {
	// X and O are the stones of the first and the second player, as many of each, or
	// one more of the first's: so they say whose turn it is.
	X, O bitboard.Set128
	// Attacker is the seat that was asked about, and Won whether it can complete a
	// window before the other.
	Attacker int
	Won      bool
	// Move proves it, if it is the turn of the side that succeeds; −1 if it is not, or
	// if no move was needed, as for a pairing.
	Move int
	// Zone are empty cells such that the answer is the same if all others hold stones of
	// the side that fails, which complete no window of its own (doc.go).
	Zone bitboard.Set128
	// Nodes is what the proof took, of the thread that ended it; 0 if that is not known.
	Nodes uint64
}

// Seat is the seat to move.
func (p Proof) Seat() int { return p.X.Count() - p.O.Count() }

// Check says what about a proof makes no sense on a board, whatever the game's rules
// say about its answer.
func (p Proof) Check(g *mnk.Game) error {
	all := bitboard.First128(g.Cells())
	free := all.AndNot(p.X.Or(p.O))
	// Who succeeds is to move: the attacker who wins, or the other who holds.
	turn := p.Won == (p.Seat() == p.Attacker)
	switch {
	case !p.X.Or(p.O).AndNot(all).IsEmpty() || p.X.Meets(p.O):
		return fmt.Errorf("prove: %s: no position: stones %x and %x", g.ID(), p.X, p.O)
	case p.Seat() != 0 && p.Seat() != 1 || p.Attacker != 0 && p.Attacker != 1:
		return fmt.Errorf("prove: %s: nobody's turn: %d and %d stones, seat %d", g.ID(), p.X.Count(), p.O.Count(), p.Attacker)
	case !p.Zone.AndNot(free).IsEmpty():
		return fmt.Errorf("prove: %s: a zone beyond the empty cells: %x", g.Text(p.X, p.O), p.Zone)
	case p.Move < -1 || p.Move >= g.Cells() || p.Move >= 0 && (!turn || !free.Has(p.Move)), p.Move < 0 && turn && p.Won:
		return fmt.Errorf("prove: %s: a proof by move %d", g.Text(p.X, p.O), p.Move)
	}
	return nil
}

// Book is what was proved before, and what will be proved.
type Book interface {
	// Proofs calls f with each proof about the game, until it returns an error.
	Proofs(f func(Proof) error) error
	// Learn adds a proof. It is called by several threads at once.
	Learn(Proof)
}

// DefaultBookNodes is the least proof that goes to a book: some milliseconds of a thread.
const DefaultBookNodes = 20_000

// keeper is where the proofs of a prover go.
type keeper struct {
	g    *mnk.Game
	book Book
}

// learn adds the proof that attacker a can win against defender d, or that it cannot.
// move is one on the board, or any other number for none.
func (k *keeper) learn(a, d bitboard.Set128, attack, won bool, move int, zone bitboard.Set128, nodes uint64) {
	p := Proof{X: a, O: d, Won: won, Move: -1, Nodes: nodes}
	if attack != (a.Count() == d.Count()) {
		p.X, p.O, p.Attacker = d, a, 1 // first to move is the defender, or second the attacker
	}
	free := bitboard.First128(k.g.Cells()).AndNot(a.Or(d))
	p.Zone = zone.And(free) // that of two words may be too large
	if won == attack && move >= 0 && move < k.g.Cells() && free.Has(move) {
		p.Move = move
	}
	if p.Check(k.g) != nil {
		return // stones that come from no game
	}
	k.book.Learn(p)
}

// learnStart adds that the second player does not win from the empty board, where that
// of the first is known not to: an extra stone does no harm, see [Prover.Value].
func (k *keeper) learnStart() {
	k.book.Learn(Proof{Attacker: 1, Move: -1, Zone: bitboard.First128(k.g.Cells())})
}

// sides returns the stones of a proof's attacker and defender, and whether the attacker
// is to move.
func (p Proof) sides() (a, d bitboard.Set128, attack bool) {
	if p.Attacker == 1 {
		return p.O, p.X, p.Seat() == 1
	}
	return p.X, p.O, p.Seat() == 0
}

// verdict is the answer of a proof.
func (p Proof) verdict() verdict {
	if p.Won {
		return won
	}
	return refuted
}
