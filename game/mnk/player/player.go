package player

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"perfectplay/game/mnk"
)

// Limits bound a move. Without any it ends with its context, or where all is known.
type Limits struct {
	Time      time.Duration // 0 for no bound
	Processor bool          // only time counts in which the process has a processor
	Depth     int           // plies to look ahead; 0 for no bound
}

// Options say what a player may use.
type Options struct {
	Memory  int64  // bytes of tables; default 64 MiB
	Threads int    // default 1
	Seed    uint64 // for players that choose at random
}

// levels is the number of levels.
const levels = 9

// strongestName is the name of the player that asks the prover, too.
const strongestName = "strongest"

// step is a level of the ladder: how often it takes any cell, how often it looks one stone
// ahead only, and how many positions it visits else.
type step struct {
	slips, hasty float64
	positions    uint64
}

var ladder = [levels]step{
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

// New returns a player for one game at a time of g: strongest, or level-1 to level-9. All
// memory that it will use is asked for here.
func New(name string, g *mnk.Game, o Options) (*Player, error) {
	o.Memory, o.Threads = cmp.Or(o.Memory, 64<<20), max(o.Threads, 1)
	if name == strongestName {
		th, err := newStrongest(g, o, 0)
		if err != nil {
			return nil, err
		}
		return newPlayer(g, th), nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(name, "level-"))
	if err != nil || n < 1 || n > levels {
		return nil, fmt.Errorf("player: %q: not known: want %s or level-1 to level-%d", name, strongestName, levels)
	}
	at := ladder[n-1]
	rng := rand.New(rand.NewPCG(o.Seed, 0x5e3d))
	one := &greedy{g: g, errs: at.slips, rng: rng}
	if at.positions == 0 {
		return newPlayer(g, one), nil
	}
	o.Memory = min(o.Memory, 16<<20)
	more, err := newStrongest(g, o, at.positions)
	switch {
	case err != nil:
		return nil, err
	case at.hasty == 0:
		return newPlayer(g, more), nil
	}
	return newPlayer(g, &mixed{more, one, at.hasty}), nil
}
