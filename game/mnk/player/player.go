package player

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
)

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

// New returns a player for one game of of at a time, see [wing.Wing]. The seed is for players that
// choose at random. By default a player has 64 MiB for its tables, and one thread.
func New(name string, of game.Game, r wing.Resources, seed uint64) (wing.Player, error) {
	g := of.(*mnk.Game)
	all := names()
	if !slices.Contains(all, name) {
		return nil, fmt.Errorf("player: %q: not known: choose one of %s", name, strings.Join(all, ", "))
	}
	r.Memory, r.Threads = cmp.Or(r.Memory, 64<<20), max(r.Threads, 1)
	var th chooser
	var err error
	switch name {
	case best:
		th, err = newStrongest(g, r, 0)
	case "monkey":
		th, err = newMonkey(g, r.Memory)
	case "sufferingdoge":
		th = newDoge(g)
	default:
		at := ladder[slices.Index(all, name)-len(all)+len(ladder)]
		rng := rand.New(rand.NewPCG(seed, 0x5e3d))
		if at.positions == 0 {
			th = &greedy{newField(g, 1), at.slips, rng}
			break
		}
		var more *strongest
		r.Memory = min(r.Memory, 16<<20)
		if more, err = newStrongest(g, r, at.positions); err == nil && at.hasty > 0 {
			th = &mixed{more, &greedy{more.s.f, 0, rng}, at.hasty}
		} else {
			th = more
		}
	}
	if err != nil {
		return nil, err
	}
	return newClocked(g, th), nil
}
