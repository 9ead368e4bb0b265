package player

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// Player chooses moves in one game. Its methods are for one goroutine.
type Player interface {
	// Name is the player's name as in New.
	Name() string
	// Move returns a cell to play in an undecided position, within the budget
	// whatever the search is doing. It also returns, at once, when the context
	// ends. Positions follow each other in a game, but need not.
	Move(ctx context.Context, s *mnk.Plain, budget time.Duration) int
	// Note says in a few words how the last move was found.
	Note() string
	// Rest waits until nothing that Move began is still running. Where Move is
	// called without it, the wait is part of the next budget.
	Rest()
	// Close rests and gives the memory of tables back. The player cannot be used
	// any more.
	Close() error
}

// Options say what a player may use.
type Options struct {
	Memory  int64  // bytes of tables; default 64 MiB
	Threads int    // default 1
	Seed    uint64 // for players that choose at random
}

// Names lists the players.
func Names() []string { return []string{"perfect", "monkey", "sufferingdoge", "greedy", "random"} }

// Known returns an error unless a player has this name.
func Known(name string) error {
	if !slices.Contains(Names(), name) {
		return fmt.Errorf("player: %q: not known: choose one of %s", name, strings.Join(Names(), ", "))
	}
	return nil
}

// New returns a player for one game at a time of g. All memory that it will use
// is asked for here.
func New(name string, g *mnk.Game, o Options) (Player, error) {
	if err := Known(name); err != nil {
		return nil, err
	}
	o.Memory, o.Threads = cmp.Or(o.Memory, 64<<20), max(o.Threads, 1)
	var th chooser
	var err error
	switch name {
	case "perfect":
		th, err = newPerfect(g, o)
	case "monkey":
		th, err = newMonkey(g, o.Memory)
	case "sufferingdoge":
		th = newDoge(g)
	case "greedy":
		th = &greedy{f: newField(g), rng: newRand(o.Seed)}
	case "random":
		th = &random{rng: newRand(o.Seed)}
	}
	if err != nil {
		return nil, err
	}
	return newClocked(name, g, th), nil
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5e3d)) }

// random plays any legal move.
type random struct {
	rng   *rand.Rand
	moves []game.Move
}

func (p *random) choose(t *turn, s *mnk.Plain) {
	p.moves = s.Moves(p.moves[:0])
	t.propose(int(p.moves[p.rng.IntN(len(p.moves))]), "any cell")
}

// greedy completes a window if it can, blocks one if it must, and otherwise
// plays the cell with the most valuable open windows of both sides, any of them
// where several are.
type greedy struct {
	f   *field
	rng *rand.Rand
}

func (p *greedy) choose(t *turn, s *mnk.Plain) {
	p.f.follow(s)
	if forced(t, p.f, s.Seat()) {
		return
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
	t.propose(best, "open windows")
}

// forced says the cell that completes a window of player me or else of the
// opponent, and reports whether there is one.
func forced(t *turn, f *field, me int) bool {
	if c, _ := f.completes(me); c >= 0 {
		t.propose(int(c), "completes a line")
		return true
	}
	c, more := f.completes(1 - me)
	switch {
	case c < 0:
		return false
	case more:
		t.propose(int(c), "is lost: two lines to block")
	default:
		t.propose(int(c), "blocks a line")
	}
	return true
}
