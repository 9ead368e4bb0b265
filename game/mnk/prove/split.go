package prove

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// Split divides the question whether the first player can complete a window into claims
// about the positions after some stones, one for each set of mirror images. Each claim is
// proved separately, with a certificate ([Split.Prove]). The proofs are joined to a
// strategy for the empty board ([Split.Join]), which [Certify] replays like any other.
type Split struct {
	g         *mnk.Game
	stones    int
	positions []mnk.Position
}

// maxSplit bounds the positions of a split.
const maxSplit = 100_000

// NewSplit divides a board that Fits after the given number of stones.
func NewSplit(g *mnk.Game, stones int) (*Split, error) {
	if !Fits(g) {
		return nil, tooLarge(g)
	}
	if stones < 1 || stones >= g.Cells() {
		return nil, fmt.Errorf("prove: %s is not divided after %d stones: want 1 to %d", g.ID(), stones, g.Cells()-1)
	}
	p := &Split{g: g, stones: stones}
	layer := []mnk.Position{g.Start().(mnk.Position)}
	for range stones {
		seen := map[[4]uint64]bool{} // positions seen so far, by key
		var next []mnk.Position
		for _, s := range layer {
			for _, m := range s.Moves(nil) {
				at := s.Clone().(mnk.Position)
				at.Make(m)
				var key [4]uint64 // on a board of at most 64 cells the last two words are zero
				if at.Key(key[:]); at.Result() == game.Ongoing && !seen[key] {
					seen[key], next = true, append(next, at)
				}
			}
			if len(next) > maxSplit {
				return nil, fmt.Errorf("prove: %s: more than %d positions after %d stones", g.ID(), maxSplit, stones)
			}
		}
		layer = next
	}
	p.positions = layer
	return p, nil
}

// Len is the number of positions.
func (p *Split) Len() int { return len(p.positions) }

// Position returns position i as text.
func (p *Split) Position(i int) string { return p.positions[i].String() }

// Proved is the proof of a position of a split.
type Proved struct {
	Won    bool   // the first player can complete a window
	Proof  []byte // certificate of the answer, compressed
	Result Result // work of the proof
}

// sampleNodes bounds the searches that estimate costs.
const sampleNodes = 5000

// Costs estimates the cost of each position by the nodes of a small search, which are the
// same on every machine.
func (p *Split) Costs(ctx context.Context, o Options) (list []float64, err error) {
	o.Threads, o.Nodes, o.Memory, o.Progress = 1, sampleNodes, MinMemory, nil
	for _, s := range p.positions {
		x, stones := s.Stones()
		r, err := question(ctx, p.g, o, x, stones, s.Seat(), nil)
		if err != nil {
			return nil, err
		}
		list = append(list, float64(1+r.Nodes))
	}
	return list, ctx.Err()
}

// question asks a new prover. If the prover has the answer, question calls then with it.
func question(ctx context.Context, g *mnk.Game, opt Options, x, o bitboard.Set128, seat int, then func(*Prover, Result) error) (r Result, err error) {
	q, err := New(g, opt)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	if r = q.CanWin(ctx, x, o, seat, 0); r.Known && then != nil {
		err = then(q, r)
	}
	return r, err
}

// Prove proves position i on one thread, with a table of its own, and writes the proof
// down, checked. opt.Memory is for the table; the writing takes [RoomBytes] of room beside
// it. The same options and room give the same bytes.
func (p *Split) Prove(ctx context.Context, i int, opt Options, room uint64) (proved Proved, err error) {
	opt.Threads = 1
	x, o := p.positions[i].Stones()
	seat := p.positions[i].Seat()
	proved.Result, err = question(ctx, p.g, opt, x, o, seat, func(q *Prover, r Result) error {
		claim := Claim{Win: r.Won}
		var b bytes.Buffer
		_, err := certifyAt(ctx, p.g, x, o, seat, claim, q.Solver(ctx, claim), RoomFor(p.g, r.Nodes, room), &b, nil)
		proved.Won, proved.Proof = r.Won, b.Bytes()
		return err
	})
	if err == nil && !proved.Result.Known {
		err = cmp.Or(ctx.Err(), fmt.Errorf("prove: %s: no answer", p.positions[i]))
	}
	return proved, err
}

// Join returns the value of the empty board by the proofs of all positions, in order of the
// split, and a first move that wins, or -1. [Joined.Certify] checks the proofs.
func (p *Split) Join(proved []Proved) (*Joined, error) {
	if len(proved) != len(p.positions) {
		return nil, fmt.Errorf("prove: %d positions are proved, of %d", len(proved), len(p.positions))
	}
	var start sides
	// P is the first player here.
	j := &Joined{split: p, proofs: make([][]byte, len(p.positions)), won: map[sides]bool{}, First: -1, board: newReplay(context.Background(), p.g, Claim{Win: true}, nil)}
	for i, s := range p.positions {
		j.won[j.at(s.Stones())] = proved[i].Won
	}
	j.Claim.Win = j.wins(start, 0)
	if j.Claim.Win {
		j.First = j.move(start, 0)
	}
	for i := range p.positions {
		if proved[i].Won == j.Claim.Win {
			j.proofs[i] = proved[i].Proof
		}
	}
	return j, nil
}

// Joined is a claim about the empty board, with proofs of its parts.
type Joined struct {
	Claim  Claim
	First  int // a first move that wins, as a cell; −1 without one
	split  *Split
	board  *replay
	won    map[sides]bool // by canonical position after the division: the first player wins
	proofs [][]byte       // certificates of the positions that the claim needs, by number
}

// at returns the canonical position with these stones, written with its walls.
func (j *Joined) at(x, o bitboard.Set128) sides {
	walls := j.board.look(sides{x, o}).walls
	s, _ := j.board.canonical(sides{x.Or(walls), o.Or(walls)})
	return s
}

// wins says whether the first player wins at a position with the given number of stones, at most as
// many as after the division.
func (j *Joined) wins(at sides, stones int) bool {
	if stones == j.split.stones {
		return j.won[j.at(at.p, at.o)]
	}
	v, first := j.board.look(at), stones%2 == 0
	switch {
	case v.live.IsEmpty() || !first && !v.your.IsEmpty():
		return false
	case first && !v.mine.IsEmpty():
		return true
	}
	for c := range v.live.Cells() {
		if j.wins(at.with(c, first), stones+1) == first {
			return first
		}
	}
	return !first
}

func (s sides) with(cell int, mine bool) sides {
	if mine {
		return sides{s.p.With(cell), s.o}
	}
	return sides{s.p, s.o.With(cell)}
}

// move returns a cell that keeps the claim, or -1.
func (j *Joined) move(at sides, stones int) int {
	for c := range j.board.look(at).live.Cells() {
		if j.wins(at.with(c, stones%2 == 0), stones+1) == j.Claim.Win {
			return c
		}
	}
	return -1
}

// splitBits is the size of the memory of positions before a division.
const splitBits = 12

// Certify joins the certificates to one, which it checks as [Certify] does. If the
// positions of one certificate take more than memory bytes, the error wraps ErrMemory.
func (j *Joined) Certify(ctx context.Context, memory uint64, w io.Writer, told func(Checked)) (Checked, error) {
	seen, err := newMemory(j.split.g, splitBits)
	if err != nil {
		return Checked{}, err
	}
	var none bitboard.Set128
	return certify(ctx, j.split.g, none, none, 0, j.Claim, RoomFor(j.split.g, 0, memory).Window, w, told, func(r *replay, out *bufio.Writer) source {
		s := &joiner{recorder: recorder{board: r, seen: seen, out: out}, j: j, memory: memory, pieces: map[sides]piece{}}
		for i, p := range j.split.positions {
			if proof := j.proofs[i]; proof != nil {
				x, o := p.Stones()
				if at, ok := r.settle(sidesOf(j.Claim, x, o), p.Seat() == j.Claim.side()); ok {
					c, _ := r.canonical(at)
					s.pieces[c] = piece{at, proof}
				}
			}
		}
		return s
	})
}

// settle plays the stones that the rules force, and returns the position after them,
// written with its walls; ok is false if they decide the game.
func (r *replay) settle(at sides, mine bool) (s sides, ok bool) {
	for {
		v := r.look(at)
		win, stop := v.mine, v.your
		if !mine {
			win, stop = stop, win
		}
		switch c := stop.First(); {
		case v.live.IsEmpty() || !win.IsEmpty() || stop != c:
			return at, false
		case stop.IsEmpty():
			return sides{at.p.Or(v.walls), at.o.Or(v.walls)}, true
		case mine:
			at.p = at.p.Or(c)
		default:
			at.o = at.o.Or(c)
		}
		mine = !mine
	}
}

var errOtherClaim = errors.New("prove: a certificate of another claim")

// piece is a proof of a position, in the picture in which the walk through it begins.
type piece struct {
	at    sides
	proof []byte
}

// joiner is the source of a joined claim. Before the division it answers by itself, after
// it from the certificate of the position, to the end of that proof. It writes all answers
// down.
type joiner struct {
	recorder
	j      *Joined
	memory uint64          // bytes for the positions of a piece
	pieces map[sides]piece // pieces by the smallest picture of the position where the walk asks
	part   *Certificate    // nil before the division
}

func (s *joiner) end() error {
	err := s.part.in.over()
	s.part.Close()
	s.part = nil
	return err
}

func (s *joiner) settled() error {
	if s.part != nil {
		if err := s.part.in.settled(); err != nil {
			return err
		}
	}
	return s.recorder.settled()
}

func (s *joiner) at(at sides, mine bool, stones int) (a step, err error) {
	known, ok := step{}, false
	if s.part == nil {
		known, ok = s.seen.get(s.board, at, mine)
	}
	switch {
	case s.part != nil:
		a, err = s.part.in.at(at, mine, stones)
	case ok:
		a = known
	case stones >= s.j.split.stones:
		a.kind = stepSection
		a.sym, err = s.open(at)
	case mine:
		a.kind, a.cell = stepStone, s.j.move(sidesOf(s.j.Claim, at.p, at.o), stones)
		if a.cell < 0 {
			a.kind = stepReplies // no move keeps the claim: the file is then refused
		}
	default:
		a.kind = stepReplies
	}
	if err != nil {
		return a, err
	}
	return a, writeStep(s.out, a, mine)
}

// open begins to read the piece of a position and returns the picture in which it is
// proved.
func (s *joiner) open(at sides) (sym int, err error) {
	c, _ := s.board.canonical(at)
	p, ok := s.pieces[c]
	if !ok {
		return 0, errors.New("prove: no proof of a position of the split")
	}
	if s.part, err = OpenCertificate(bytes.NewReader(p.proof)); err != nil {
		return 0, err
	}
	if s.part.g.ID() != s.j.split.g.ID() || s.part.Claim != s.j.Claim {
		return 0, errOtherClaim
	}
	s.part.in.use(s.board, s.memory)
	for sym, q := range s.board.perms {
		if q.Apply(at.p) == p.at.p && q.Apply(at.o) == p.at.o {
			return sym, nil
		}
	}
	panic("prove: two positions with one smallest picture are no pictures of each other")
}

func (s *joiner) reply(at sides, live bitboard.Set128, order *[]int) (c int, err error) {
	if s.part == nil {
		return s.recorder.reply(at, live, order)
	}
	if c, err = s.part.in.reply(at, live, order); err != nil {
		return c, err
	}
	return writeReply(s.out, c)
}

func (s *joiner) found(at sides, mine bool, zone bitboard.Set128, work uint64) error {
	if s.part != nil {
		return s.part.in.found(at, mine, zone, work)
	}
	return s.recorder.found(at, mine, zone, work)
}
