package prove

import (
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// Proof is the answer to the question about one position. It is true for any search and any
// options. Entries of the table with the verdict won or refuted are proofs:
//
//  1. There is no horizon. Every move of the side that fails was tried, or lies outside the
//     zone of a move that was.
//  2. The answer depends on the stones alone. None is ever taken off, so neither path nor
//     repetition matters.
//  3. The table's key leaves out only cells that matter to neither side (doc.go).
//
// Three results are not proofs: proof and disproof numbers above zero, the result of a stopped
// search, and a λ-search without a win, which says nothing about wins of higher orders.
type Proof struct {
	// X and O are the stones of the first and the second player. Their numbers are equal if
	// the first player is to move, else X has one more.
	X, O bitboard.Set128
	// Attacker is the seat asked about, and Won whether it can complete a window before the
	// other.
	Attacker int
	Won      bool
	// Move is a move that proves the answer, if the side that succeeds is to move. Otherwise Move
	// is −1, as for a pairing, which needs no move.
	Move int
	// Zone is a set of empty cells. The answer stays the same if the side that fails has
	// stones on all other empty cells; these complete no window (doc.go).
	Zone bitboard.Set128
	// Nodes is the work of the thread that ended the proof, 0 if unknown.
	Nodes uint64
}

// Seat is the seat to move.
func (p Proof) Seat() int { return p.X.Count() - p.O.Count() }

// Check returns an error if a proof is malformed for a board. It does not test whether the
// answer is true.
func (p Proof) Check(g *mnk.Game) error {
	all := bitboard.First128(g.Cells())
	free := all.AndNot(p.X.Or(p.O))
	// The side that succeeds is to move: the attacker who wins, or the defender who holds.
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

// Book keeps proofs from one search to the next.
type Book interface {
	// Proofs calls f with each proof about the game, until it returns an error.
	Proofs(f func(Proof) error) error
	// Learn adds a proof. It is called by several threads at once.
	Learn(Proof)
}

// defaultBookNodes is the least work of a proof that goes to a book: some milliseconds of a
// thread.
const defaultBookNodes = 20_000

// keeper passes the proofs of a prover to its book.
type keeper struct {
	g    *mnk.Game
	book Book
}

// learn adds the proof that attacker a can win against defender d, or cannot. move is a
// cell, or any other number for none.
func (k *keeper) learn(a, d bitboard.Set128, attack, won bool, move int, zone bitboard.Set128, nodes uint64) {
	p := Proof{X: a, O: d, Won: won, Move: -1, Nodes: nodes}
	if attack != (a.Count() == d.Count()) {
		p.X, p.O, p.Attacker = d, a, 1 // the first player defends, or the second attacks
	}
	free := bitboard.First128(k.g.Cells()).AndNot(a.Or(d))
	p.Zone = zone.And(free) // a zone of two words may be too large
	if won == attack && move >= 0 && move < k.g.Cells() && free.Has(move) {
		p.Move = move
	}
	if p.Check(k.g) != nil {
		return // these stones come from no game
	}
	k.book.Learn(p)
}

// learnStart adds that the second player does not win from the empty board, once the first
// is known not to: an extra stone does no harm, see [Prover.Value].
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
