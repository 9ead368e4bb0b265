package prove

import (
	"context"
	"errors"
	"fmt"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// The search is written for sets of one word, and made for two by genkernel. This file
// holds the callers' view of both, pack.go the differences.
//
//go:generate go run ../../../internal/genkernel 64,128 search.go analysis.go pairing.go lambda.go dfpn.go parallel.go prove.go solver.go facts.go

// errTooLarge says that a board has more than 128 cells, or more than 64 and lines of
// more than MostWide cells.
var errTooLarge = errors.New("prove: board too large")

// MostWide is the longest line of boards of more than 64 cells: the weights of longer lines do not
// fit a word. Boards of that size with longer lines are draws by a pairing.
const MostWide = 48

// Fits reports whether a board can be searched.
func Fits(g *mnk.Game) bool {
	return g.Lines64() != nil || g.Lines128() != nil && g.K() <= MostWide
}

// Prover answers questions about one game, one at a time, and keeps its table between them.
type Prover struct{ searches }

// searches are the searches of one width of sets.
type searches interface {
	ask(ctx context.Context, x, o bitboard.Set128, seat, attacker int) Result
	solver(ctx context.Context, claim Claim) Strategy
	recall(Proof)
	keeper() *keeper // nil without a book
	bound(nodes uint64)
	close() error
}

// New returns a prover for a game that Fits. The error may be an error of the book.
func New(g *mnk.Game, opt Options) (*Prover, error) {
	if !Fits(g) {
		return nil, tooLarge(g)
	}
	var p Prover
	var err error
	if g.Lines64() != nil {
		p.searches, err = newProver64(g, opt)
	} else {
		p.searches, err = newProver128(g, opt)
	}
	if err != nil {
		return nil, err
	}
	if opt.Book != nil {
		err = opt.Book.Proofs(func(known Proof) error {
			p.recall(known)
			return nil
		})
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return &p, nil
}

func tooLarge(g *mnk.Game) error {
	return fmt.Errorf("%w: %s has %d cells and lines of %d: want at most 128 cells, and lines of at most %d if there are more than 64", errTooLarge, g.ID(), g.Cells(), g.K(), MostWide)
}

// Bound sets Options.Nodes for the questions that follow.
func (p *Prover) Bound(nodes uint64) { p.bound(nodes) }

// Close gives the memory of the table back. The prover and its strategies must
// not be used afterwards.
func (p *Prover) Close() error { return p.close() }

// Solver returns the prover's strategy for a claim that it has proved. It searches for
// answers that the table has lost, and has none once the context has ended. It is for one
// goroutine, and the prover may not be used for anything else meanwhile.
func (p *Prover) Solver(ctx context.Context, claim Claim) Strategy { return p.solver(ctx, claim) }

// CanWin answers whether the attacker, a seat index, can complete a window
// before the opponent does, from a position with these stones and this seat to
// move. The stones need not come from a game, but nobody may have won. The
// context ends the search early; then Known is false.
func (p *Prover) CanWin(ctx context.Context, x, o bitboard.Set128, seat, attacker int) Result {
	return p.ask(ctx, x, o, seat, attacker)
}

// Value returns the value of the empty board to the first player. The second player never
// wins with best play, because an extra stone does no harm (Nash's strategy stealing, see
// Hales and Jewett 1963): without a win the game is a draw.
func (p *Prover) Value(ctx context.Context) (game.Value, Result) {
	var none bitboard.Set128
	r := p.ask(ctx, none, none, 0, 0)
	switch {
	case !r.Known:
		return game.Unknown, r
	case r.Won:
		return game.Win, r
	}
	if k := p.keeper(); k != nil {
		k.learnStart()
	}
	return game.Draw, r
}

// ValueAt returns the value of a position to the side to move: it asks whether either side
// can win. The stones are as for [Prover.CanWin]. The result adds up the work of both
// questions; Won and Move belong to the side to move.
func (p *Prover) ValueAt(ctx context.Context, x, o bitboard.Set128, seat int) (game.Value, Result) {
	own := p.ask(ctx, x, o, seat, seat)
	switch {
	case own.Known && own.Won:
		return game.Win, own
	case !own.Known:
		return game.Unknown, own
	}
	r := p.ask(ctx, x, o, seat, 1-seat)
	v := game.Draw
	switch {
	case !r.Known:
		v = game.Unknown
	case r.Won:
		v = game.Loss
	}
	r.Won = false
	r.Add(own)
	return v, r
}
