package player

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// Player chooses moves in one game. It belongs to one goroutine.
type Player interface {
	// Name is the player's name as in New.
	Name() string
	// Move returns a cell to play in an undecided position, within the budget.
	// It also returns, at once, when the context ends. Positions follow each
	// other in a game, but need not.
	Move(ctx context.Context, s *mnk.Plain, budget time.Duration) int
	// Note says in a few words how the last move was found.
	Note() string
}

// Options say what a player may use.
type Options struct {
	Memory  int64  // bytes of tables; default 64 MiB
	Threads int    // default 1
	Seed    uint64 // for players that choose at random
}

// Names lists the players.
func Names() []string { return []string{"perfect", "monkey", "sufferingdoge", "greedy", "random"} }

// New returns a player for one game at a time of g.
func New(name string, g *mnk.Game, o Options) (Player, error) {
	if o.Memory == 0 {
		o.Memory = 64 << 20
	}
	if o.Threads <= 0 {
		o.Threads = 1
	}
	switch name {
	case "perfect":
		return newPerfect(g, o)
	case "monkey":
		return newMonkey(g, o)
	case "sufferingdoge":
		return newDoge(g), nil
	case "greedy":
		return &greedy{f: newField(g), rng: newRand(o.Seed)}, nil
	case "random":
		return &random{rng: newRand(o.Seed)}, nil
	}
	return nil, fmt.Errorf("player: %q: not known: choose one of %s", name, strings.Join(Names(), ", "))
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5e3d)) }

// random plays any legal move.
type random struct {
	rng   *rand.Rand
	moves []game.Move
}

func (p *random) Name() string { return "random" }
func (p *random) Note() string { return "any cell" }
func (p *random) Move(_ context.Context, s *mnk.Plain, _ time.Duration) int {
	p.moves = s.Moves(p.moves[:0])
	return int(p.moves[p.rng.IntN(len(p.moves))])
}

// greedy plays the cell with the most valuable open windows of both sides,
// completes a window if it can and blocks one if it must.
type greedy struct {
	f   *field
	rng *rand.Rand
}

func (p *greedy) Name() string { return "greedy" }
func (p *greedy) Note() string { return "open windows" }
func (p *greedy) Move(_ context.Context, s *mnk.Plain, _ time.Duration) int {
	p.f.follow(s)
	me := s.Seat()
	if c, _ := p.f.completes(me); c >= 0 {
		return int(c)
	}
	if c, _ := p.f.completes(1 - me); c >= 0 {
		return int(c)
	}
	best, top := -1, int64(-1)
	same := 0
	for c := range p.f.cells {
		if p.f.cell[c] != 0 {
			continue
		}
		v := p.f.value[0][c] + p.f.value[1][c]
		switch {
		case v > top:
			best, top, same = c, v, 1
		case v == top:
			if same++; p.rng.IntN(same) == 0 {
				best = c
			}
		}
	}
	return best
}

// beam is the width of the local search at each of its first plies.
const beam = 14

// local is an alpha-beta search near the stones by open windows: iterative
// deepening, threats answered at once, a few cells per position.
type local struct {
	f     *field
	nodes uint64
	stop  func() bool
	over  bool
	veto  []bool // cells not to play at the root
	bufs  [64][]scoredCell
}

type scoredCell struct {
	c int32
	v int64
}

const winScore = int64(1) << 40

// moves fills the buffer of a ply with the best cells for player p.
func (l *local) moves(p, ply, width int) []scoredCell {
	f := l.f
	buf := l.bufs[ply][:0]
	for c := range f.cells {
		if f.cell[c] != 0 || f.n > 0 && f.near[c] == 0 && f.cells > 64 {
			continue
		}
		if ply == 0 && l.veto != nil && l.veto[c] {
			continue
		}
		buf = append(buf, scoredCell{int32(c), f.value[p][c]*5/4 + f.value[1-p][c]})
	}
	l.bufs[ply] = buf
	slices.SortFunc(buf, func(a, b scoredCell) int {
		switch {
		case a.v != b.v:
			if a.v > b.v {
				return -1
			}
			return 1
		}
		return int(a.c - b.c)
	})
	if len(buf) > width {
		buf = buf[:width]
	}
	return buf
}

func (l *local) search(p, depth, ply int, alpha, beta int64) int64 {
	f := l.f
	l.nodes++
	if l.nodes&63 == 0 && l.stop() {
		l.over = true
	}
	if l.over {
		return 0
	}
	if f.won(1 - p) {
		return -(winScore - int64(ply))
	}
	if f.n == f.cells {
		return 0
	}
	if c, _ := f.completes(p); c >= 0 {
		return winScore - int64(ply) - 1
	}
	if c, more := f.completes(1 - p); c >= 0 {
		if more {
			return -(winScore - int64(ply) - 2)
		}
		if ply < 60 {
			f.put(c, p)
			v := -l.search(1-p, depth, ply+1, -beta, -alpha)
			f.take()
			return v
		}
	}
	if depth <= 0 || ply >= 62 {
		return f.total[p]*5/4 - f.total[1-p]
	}
	best := -winScore
	any := false
	for _, m := range l.moves(p, ply, max(6, beam-2*ply)) {
		any = true
		f.put(m.c, p)
		v := -l.search(1-p, depth-1, ply+1, -beta, -alpha)
		f.take()
		if l.over {
			return 0
		}
		if v > best {
			best = v
		}
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}
	if !any {
		return 0
	}
	return best
}

// choose returns the best cell found before stop reports true, its score and
// the depth reached. Some cell is always returned if one is empty and not vetoed.
func (l *local) choose(p, deepest int, stop func() bool) (cell int32, score int64, depth int) {
	l.stop, l.over = stop, false
	moves := slices.Clone(l.moves(p, 0, beam))
	if len(moves) == 0 {
		for _, c := range l.f.order {
			if l.f.cell[c] == 0 && (l.veto == nil || !l.veto[c]) {
				moves = append(moves, scoredCell{c, 0})
				break
			}
		}
		if len(moves) == 0 {
			return -1, 0, 0
		}
	}
	cell = moves[0].c
	for d := 1; d <= deepest; d++ {
		alpha := -2 * winScore
		best := -1
		for i, m := range moves {
			l.f.put(m.c, p)
			v := -l.search(1-p, d-1, 1, -2*winScore, -alpha)
			l.f.take()
			if l.over {
				break
			}
			if v > alpha {
				alpha, best = v, i
			}
		}
		if best >= 0 {
			cell, score = moves[best].c, alpha
			m := moves[best]
			copy(moves[1:best+1], moves[:best])
			moves[0] = m
		}
		if l.over {
			break
		}
		depth = d
		if alpha > winScore/2 || alpha < -winScore/2 || d >= l.f.cells-l.f.n {
			break
		}
	}
	return cell, score, depth
}
