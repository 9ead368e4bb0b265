package command

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"perfectplay/app/family"
	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
	"perfectplay/solve"
	"perfectplay/solve/book"
	"perfectplay/solve/retro"
)

// proofs is a book for a prover. A proof becomes a fact, from which all searches can answer,
// with a note for the prover: the zone, and the move that proves the answer. A fact has two
// notes: whether the seat to move can win, and whether the other can.
//
// A fact bounds the plies of a win, a proof does not. The bound in a fact is the number of empty
// cells, or one less if the winner cannot put the last stone.
type proofs struct {
	g    *mnk.Game
	book *book.Book
	// recalled counts the proofs found in the book, learned the proofs added to it.
	recalled, learned atomic.Uint64

	mu   sync.Mutex
	have map[answer]struct{} // answers found in the book or added to it
}

// answer names a proof: its position, and the seat whose win it proves or refutes.
type answer struct {
	x, o     bitboard.Set128
	attacker int
}

func newProofs(g *mnk.Game, b *book.Book) *proofs {
	return &proofs{g: g, book: b, have: map[answer]struct{}{}}
}

// reader is a book from which a prover begins, and to which it adds nothing.
type reader struct{ *proofs }

// Learn implements [prove.Book].
func (reader) Learn(prove.Proof) {}

// proved returns the proofs in a book for provers of a game, a [prove.Book].
func proved(g game.Game, b *book.Book) any {
	m := g.(*mnk.Game)
	if !prove.Fits(m) {
		return nil
	}
	return reader{newProofs(m, b)}
}

// add reports whether a proof, in the frame of its position's key, is new.
func (b *proofs) add(p prove.Proof) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.have)
	b.have[answer{p.X, p.O, p.Attacker}] = struct{}{}
	return len(b.have) > before
}

// String counts the proofs taken from the book and added to it.
func (b *proofs) String() string {
	return fmt.Sprintf("%s proofs to begin with, %s added", cli.Count(b.recalled.Load()), cli.Count(b.learned.Load()))
}

// Proofs implements [prove.Book]. It leaves out facts without a note: the prover finds their
// answers faster than it can use them.
func (b *proofs) Proofs(f func(prove.Proof) error) error {
	return b.book.Noted(b.g, 0, func(it book.Item) error {
		known, err := readProofs(b.g, it)
		if err != nil {
			return err
		}
		for _, p := range known {
			b.recalled.Add(1)
			b.add(p)
			if err := f(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// Learn implements [prove.Book].
func (b *proofs) Learn(p prove.Proof) {
	s, err := b.g.Parse(b.g.Text(p.X, p.O))
	if err != nil {
		return // the stones come from no game
	}
	st := s.(mnk.Position)
	key := make([]uint64, st.KeyWords())
	sym := st.Key(key)
	turn := func(set bitboard.Set128) (turned bitboard.Set128) {
		for c := range set.Cells() {
			turned = turned.With(int(st.Canonical(game.Move(c), sym)))
		}
		return turned
	}
	p.X, p.O, p.Zone = turn(p.X), turn(p.O), turn(p.Zone)
	if p.Move >= 0 {
		p.Move = int(st.Canonical(game.Move(p.Move), sym))
	}
	if !b.add(p) {
		return
	}
	b.learned.Add(1)
	fact, notes := toFact(b.g, p)
	b.book.LearnNoted(b.g, 0, st, key, fact, notes)
}

// lastPly returns the last ply in which a stone can be put by the mover of a position with
// empty empty cells, or by the other seat.
func lastPly(empty int, mover bool) int {
	if mover == (empty%2 == 1) {
		return empty
	}
	return empty - 1
}

// toFact turns a proof, in the frame of its position's key, into a fact with notes.
func toFact(g *mnk.Game, p prove.Proof) (f solve.Fact, notes book.Notes) {
	f = solve.Fact{WinBy: solve.Never, LossBy: solve.Never, Best: game.NoMove, Nodes: p.Nodes}
	empty := g.Cells() - p.X.Count() - p.O.Count()
	mover := p.Attacker == p.Seat()
	switch {
	case p.Won && mover:
		f.WinBy, f.LossOver = lastPly(empty, true), solve.Never
	case p.Won:
		f.WinOver, f.LossBy = solve.Never, lastPly(empty, false)
	case mover:
		f.WinOver = solve.Never
	default:
		f.LossOver = solve.Never
	}
	if p.Move >= 0 {
		f.Best = game.Move(p.Move)
	}
	notes[about(mover)] = writeNote(g, p)
	return f, notes
}

// about is the index of the note about the seat to move, or about the other seat.
func about(mover bool) int {
	if mover {
		return 0
	}
	return 1
}

// noteForm is the first byte of a note. The second is the move plus 1, or 0 for none. Then
// comes the zone: a bit for each cell, the first the lowest of the first byte.
const noteForm = 1

var errNote = errors.New("the prover's note is damaged")

func writeNote(g *mnk.Game, p prove.Proof) string {
	v := make([]byte, noteBytes(g))
	v[0], v[1] = noteForm, byte(p.Move+1)
	for c := range p.Zone.Cells() {
		v[2+c/8] |= 1 << (c % 8)
	}
	return string(v)
}

func noteBytes(g *mnk.Game) int { return 2 + (g.Cells()+7)/8 }

// readNote fills in a proof from its note; position and answer are there already.
func readNote(g *mnk.Game, note string, p *prove.Proof) error {
	if len(note) != noteBytes(g) || note[0] != noteForm || int(note[1]) > g.Cells() {
		return errNote
	}
	p.Move = int(note[1]) - 1
	for c := range 8 * (len(note) - 2) {
		switch {
		case note[2+c/8]>>(c%8)&1 == 0:
		case c >= g.Cells():
			return errNote
		default:
			p.Zone = p.Zone.With(c)
		}
	}
	if err := p.Check(g); err != nil {
		return fmt.Errorf("%w: %w", errNote, err)
	}
	return nil
}

// readProofs returns the proofs in a fact of a book: one for each note.
func readProofs(g *mnk.Game, it book.Item) (list []prove.Proof, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("book: %s: fact %x: %w", g.ID(), it.Key, err)
		}
	}()
	var x, o bitboard.Set128
	switch k := it.Key; {
	case g.Lines64() != nil && len(k) == 2:
		x, o = bitboard.Set128{Lo: k[0]}, bitboard.Set128{Lo: k[1]}
	case g.Lines64() == nil && len(k) == 4:
		x, o = bitboard.Set128{Lo: k[0], Hi: k[1]}, bitboard.Set128{Lo: k[2], Hi: k[3]}
	default:
		return nil, fmt.Errorf("a key of %d words", len(k))
	}
	f := it.Fact
	for i, note := range it.Notes {
		if note == "" {
			continue
		}
		p := prove.Proof{X: x, O: o, Nodes: f.Nodes}
		over, by := f.WinOver, f.WinBy
		if p.Attacker = p.Seat(); i != about(true) {
			p.Attacker, over, by = 1-p.Attacker, f.LossOver, f.LossBy
		}
		if p.Won = by < solve.Never; !p.Won && over < solve.Never {
			return nil, fmt.Errorf("%w: nothing is settled there", errNote)
		}
		if err := readNote(g, note, &p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// mostSolved is the largest number of positions of a board whose facts are compared with
// its complete solution.
const mostSolved = 1 << 24

// checker proves the contents of books about one game anew: by the complete solution of
// small boards, else by a prover without a book.
type checker struct {
	g      *mnk.Game
	o      solve.Options
	solved *retro.Solution // nil if the board is too large
	p      *prove.Prover
}

// newChecker returns a checker of books about a game, nil if the prover cannot search it.
func newChecker(ctx context.Context, g game.Game, o solve.Options) (family.Checker, error) {
	m := g.(*mnk.Game)
	if !prove.Fits(m) {
		return nil, nil
	}
	c := &checker{g: m, o: o}
	opt := prove.Options{Memory: max(o.Memory/4, prove.MinMemory), Threads: o.Threads}
	all := retro.Options{Threads: o.Threads, Memory: uint64(o.Memory / 2)}
	if _, err := retro.NewPlan(m, all); err == nil && 0 < m.Numbers() && m.Numbers() <= mostSolved {
		if c.solved, err = retro.Solve(ctx, m, all); err != nil {
			return nil, err
		}
		opt.Cuts.NoZone = true // the prover then judges only zones, and must not rely on any
	}
	var err error
	c.p, err = prove.New(m, opt)
	return c, err
}

// Kind implements [family.Checker].
func (c *checker) Kind() wing.Kind {
	if c.solved != nil {
		return wing.BySolution
	}
	return wing.ByProof
}

// Close releases the memory.
func (c *checker) Close() error {
	if c.solved != nil {
		c.solved.Close()
	}
	return c.p.Close()
}

// Check implements [family.Checker].
func (c *checker) Check(ctx context.Context, s game.State, it book.Item) (wrong, err error) {
	st := s.(mnk.Position)
	if c.solved != nil {
		wrong = c.exact(s, it.Fact)
	} else {
		wrong, err = c.fact(ctx, st, it.Fact)
	}
	if wrong != nil || err != nil {
		return wrong, err
	}
	known, wrong := readProofs(c.g, it)
	for _, p := range known {
		if wrong, err = c.note(ctx, p); wrong != nil || err != nil {
			break
		}
	}
	return wrong, err
}

func (c *checker) exact(s game.State, f solve.Fact) (wrong error) {
	if v, plies, ok := c.solved.Value(s); !ok || !f.Holds(v, plies) {
		return fmt.Errorf("%s: %v in %d plies by the solution, not %+v", s, v, plies, f)
	}
	return nil
}

// fact proves a fact: statements about any number of plies by the prover, the others by a
// search.
func (c *checker) fact(ctx context.Context, s mnk.Position, f solve.Fact) (wrong, err error) {
	for _, mover := range []bool{true, false} {
		if wrong, err = c.ever(ctx, s, mover, &f); wrong != nil || err != nil {
			return wrong, err
		}
		f.WinOver, f.WinBy, f.LossOver, f.LossBy = f.LossOver, f.LossBy, f.WinOver, f.WinBy
	}
	if f.WinOver == 0 && f.LossOver == 0 && f.WinBy == solve.Never && f.LossBy == solve.Never {
		return nil, nil
	}
	return solve.Check(ctx, c.g, s, 0, f, c.o)
}

// ever checks the part of f that says whether one side can ever win: the side of f.WinBy. It
// removes this part from f. mover says that this side is to move.
func (c *checker) ever(ctx context.Context, s mnk.Position, mover bool, f *solve.Fact) (wrong, err error) {
	won := f.WinBy < solve.Never
	if !won && (f.WinOver < solve.Never || f.LossBy < solve.Never) {
		return nil, nil // f does not say so, or the other side's win implies it
	}
	attacker := s.Seat()
	if !mover {
		attacker = 1 - attacker
	}
	x, o := s.Stones()
	can, known := c.wins(ctx, x, o, s.Seat(), attacker)
	switch {
	case !known:
		return nil, ctx.Err()
	case can != won:
		return fmt.Errorf("%s: whether %s wins is %v, not %v", s, c.g.SeatName(attacker), can, won), nil
	case !won:
		f.WinOver = 0
	case f.WinBy == lastPly(c.g.Cells()-x.Count()-o.Count(), mover):
		f.WinBy, f.LossOver = solve.Never, 0
	}
	return nil, nil
}

// note proves the further parts of a proof: its move, and its zone.
func (c *checker) note(ctx context.Context, p prove.Proof) (wrong, err error) {
	sides := [2]bitboard.Set128{p.X, p.O}
	if p.Move >= 0 {
		after := sides
		after[p.Seat()] = after[p.Seat()].With(p.Move)
		if !c.line(after[p.Seat()]) {
			switch can, known := c.wins(ctx, after[0], after[1], 1-p.Seat(), p.Attacker); {
			case !known:
				return nil, ctx.Err()
			case can != p.Won:
				return fmt.Errorf("%s: not by %s", c.g.Text(p.X, p.O), c.g.CellName(p.Move)), nil
			}
		}
	}
	loser := p.Attacker
	if p.Won {
		loser = 1 - loser
	}
	free := bitboard.First128(c.g.Cells()).AndNot(p.X.Or(p.O))
	sides[loser] = sides[loser].Or(free.AndNot(p.Zone))
	if !c.line(sides[loser]) && (!p.Zone.IsEmpty() || !p.Won) {
		if p.Zone.IsEmpty() {
			return nil, nil
		}
		can, known := c.wins(ctx, sides[0], sides[1], p.Seat(), p.Attacker)
		if !known {
			return nil, ctx.Err()
		}
		if can == p.Won {
			return nil, nil
		}
	}
	return fmt.Errorf("%s: the zone %x does not hold", c.g.Text(p.X, p.O), p.Zone), nil
}

func (c *checker) line(stones bitboard.Set128) bool {
	if l := c.g.Lines64(); l != nil {
		return l.Won(bitboard.Set64{Lo: stones.Lo})
	}
	return c.g.Lines128().Won(stones)
}

// wins answers the prover's question. From the empty board the second player does not
// win, because an extra stone does no harm.
func (c *checker) wins(ctx context.Context, x, o bitboard.Set128, seat, attacker int) (won, known bool) {
	if x.IsEmpty() && o.IsEmpty() && attacker == 1 {
		return false, true
	}
	r := c.p.CanWin(ctx, x, o, seat, attacker)
	return r.Won, r.Known
}
