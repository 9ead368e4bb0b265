package player

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"perfectplay/game/mnk"
)

// Player chooses moves in one game. Its methods are for one goroutine.
type Player interface {
	// Name is the player's name as in New.
	Name() string
	// Move returns a cell to play in an undecided position and describes how it was found
	// in a few words. It keeps the limits whatever the search is doing, and returns at once
	// when the context ends. Positions may follow each other in a game, but need not.
	Move(ctx context.Context, s *mnk.Plain, l Limits) (cell int, note string)
	// Rest waits until all work that Move began has ended. Without Rest, the wait takes time from
	// the next move's budget.
	Rest()
	// Close rests and releases the memory of tables. The player cannot be used any more.
	Close() error
}

// Limits bound a move. Without any limit a move ends with its context, or when nothing is left to
// search.
type Limits struct {
	Time      time.Duration // 0 for no bound
	Processor bool          // count only time in which the process has a processor
	Positions uint64        // positions to visit, instead of time; 0 for no bound
	Depth     int           // plies to look ahead; 0 for no bound
}

// Options are the resources of a player.
type Options struct {
	Memory  int64  // bytes of tables; default 64 MiB
	Threads int    // default 1
	Seed    uint64 // seed of players that choose at random
}

// best is the name of the strongest player.
const best = "strongest"

// Opponents lists the players that are written after reports on others.
func Opponents() []string { return []string{"monkey", "sufferingdoge"} }

// names lists all players; the levels come last.
func names() []string {
	names := append([]string{best}, Opponents()...)
	for n := range ladder {
		names = append(names, fmt.Sprintf("level-%d", n+1))
	}
	return names
}

// step is a level of the ladder: the probabilities of a random cell and of looking only one
// stone ahead, and otherwise the number of positions visited.
type step struct {
	slips, hasty float64
	positions    uint64
}

var ladder = [...]step{
	{slips: 0.5, hasty: 1},
	{slips: 0.2, hasty: 1},
	{hasty: 1},
	{hasty: 0.5, positions: 200},
	{hasty: 0.25, positions: 200},
	{positions: 200},
	{positions: 3_200},
	{positions: 12_800},
	{positions: 51_200},
}

// New returns a player for one game of g at a time. It allocates all memory that the player
// will use.
func New(name string, g *mnk.Game, o Options) (Player, error) {
	all := names()
	if !slices.Contains(all, name) {
		return nil, fmt.Errorf("player: %q: not known: choose one of %s", name, strings.Join(all, ", "))
	}
	o.Memory, o.Threads = cmp.Or(o.Memory, 64<<20), max(o.Threads, 1)
	var th chooser
	var err error
	switch name {
	case best:
		th, err = newStrongest(g, o, 0)
	case "monkey":
		th, err = newMonkey(g, o.Memory)
	case "sufferingdoge":
		th = newDoge(g)
	default:
		at := ladder[slices.Index(all, name)-len(all)+len(ladder)]
		rng := rand.New(rand.NewPCG(o.Seed, 0x5e3d))
		one := &greedy{g: g, errs: at.slips, rng: rng}
		if at.positions == 0 {
			th = one
			break
		}
		var more *strongest
		o.Memory = min(o.Memory, 16<<20)
		if more, err = newStrongest(g, o, at.positions); at.hasty == 0 {
			th = more
		} else {
			th = &mixed{more, one, at.hasty}
		}
	}
	if err != nil {
		return nil, err
	}
	return newClocked(name, g, th), nil
}
