package prove

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// Split divides the question whether the first player can complete a window into
// claims about the positions after some stones, one for each set of those that mirror
// each other. They are proved apart, each with a certificate ([Split.Prove]), and
// joined to a strategy for the empty board ([Split.Join]), which [Certify] replays like
// any other.
type Split struct {
	g         *mnk.Game
	stones    int
	positions []mnk.Position
}

// maxSplit bounds the positions of a split.
const maxSplit = 100_000

// NewSplit divides a board that Fits after so many stones.
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
		seen := newByPosition[bool](g)
		var next []mnk.Position
		for _, s := range layer {
			for _, m := range s.Moves(nil) {
				at := s.Clone().(mnk.Position)
				at.Make(m)
				key, _ := positionOf(at)
				if at.Result() != game.Ongoing {
					continue
				}
				if _, again := seen.get(key); again {
					continue
				}
				seen.put(key, true)
				next = append(next, at)
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

// Proved is what is proved of a position of a split.
type Proved struct {
	Won    bool   // the first player can complete a window
	Proof  []byte // its certificate, compressed
	Result Result // what it took
}

// sampleNodes bounds the searches that say what a position costs.
const sampleNodes = 5000

// Costs measures what the positions cost: the nodes of a small search of each, which
// are the same on every machine.
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

// question asks a prover of its own, and hands it to then if it knows.
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
// down, replayed by the checker. The same options give the same bytes.
func (p *Split) Prove(ctx context.Context, i int, opt Options) (proved Proved, err error) {
	s := p.positions[i].Clone().(mnk.Position)
	opt.Threads = 1
	x, o := s.Stones()
	proved.Result, err = question(ctx, p.g, opt, x, o, s.Seat(), func(q *Prover, r Result) error {
		claim := Claim{Win: r.Won}
		c, _, err := certifyAt(ctx, s, p.g, claim, q.Solver(ctx, claim), 0)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		proved.Won = r.Won
		err = c.WriteCompressed(&b)
		proved.Proof = b.Bytes()
		return err
	})
	if err == nil && !proved.Result.Known {
		err = cmp.Or(ctx.Err(), fmt.Errorf("prove: %s: no answer", s))
	}
	return proved, err
}

// Join returns what the empty board is worth by what is proved of all positions, and
// the strategy that shows it. Only proofs that it needs are read; whether they hold is
// for [Certify] to say. The positions are proved in order of the split.
func (p *Split) Join(proved []Proved) (Claim, Strategy, error) {
	if len(proved) != len(p.positions) {
		return Claim{}, nil, fmt.Errorf("prove: %d positions are proved, of %d", len(proved), len(p.positions))
	}
	j := &joined{split: p, won: newByPosition[bool](p.g)}
	for i, s := range p.positions {
		key, _ := positionOf(s)
		j.won.put(key, proved[i].Won)
	}
	j.claim.Win = j.wins(p.g.Start().(mnk.Position))
	j.all = newCertificate(p.g, j.claim)
	for i, q := range proved {
		if q.Won != j.claim.Win {
			continue
		}
		g, c, err := ReadCertificate(bytes.NewReader(q.Proof), math.MaxUint64)
		if err == nil && (g.ID() != p.g.ID() || c.Claim != j.claim) {
			err = errors.New("prove: a certificate of another claim")
		}
		if err != nil {
			return Claim{}, nil, fmt.Errorf("position %s: %w", p.Position(i), err)
		}
		// Any answer to a position does: what follows it is in the certificate that has it.
		for key, p := range c.answers.all() {
			if _, have := j.all.answers.get(key); !have {
				j.all.put(key, c.answer(p))
			}
		}
	}
	return j.claim, j, nil
}

// joined is the strategy of claims that are joined.
type joined struct {
	split *Split
	claim Claim
	won   byPosition[bool] // by position: of the split and before
	all   *Certificate     // from the split on
}

// wins says whether the first player wins at a position up to the split.
func (j *joined) wins(s mnk.Position) bool {
	if r := s.Result(); r != game.Ongoing {
		w, ok := r.Winner()
		return ok && w == 0
	}
	key, _ := positionOf(s)
	if win, ok := j.won.get(key); ok {
		return win
	}
	attack := s.Seat() == 0
	win := !attack
	for _, m := range s.Moves(nil) {
		s.Make(m)
		after := j.wins(s)
		s.Unmake()
		if after == attack {
			win = attack
			break
		}
	}
	j.won.put(key, win)
	return win
}

// Answer implements [Strategy].
func (j *joined) Answer(s mnk.Position) (Answer, bool) {
	x, o := s.Stones()
	if x.Or(o).Count() >= j.split.stones {
		return j.all.Answer(s)
	}
	if side := s.Seat(); (side == 0) != j.claim.Win {
		return Answer{}, false
	}
	for _, m := range s.Moves(nil) {
		s.Make(m)
		win := j.wins(s)
		s.Unmake()
		if win == j.claim.Win {
			return Answer{Move: int(m)}, true
		}
	}
	return Answer{}, false
}
