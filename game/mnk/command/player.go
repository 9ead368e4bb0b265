package command

import (
	"context"
	"time"

	"perfectplay/app/player"
	"perfectplay/game"
	"perfectplay/game/mnk"
	own "perfectplay/game/mnk/player"
)

// endless is a time that no context outlives.
const endless = 10000 * time.Hour

// seated is one of the players of m,n,k-games as a player of any game.
type seated struct {
	own.Player
	g *mnk.Game
}

// newSeated returns the player of a name.
func newSeated(name string, g game.Game, o player.Options) (player.Player, error) {
	m := g.(*mnk.Game)
	p, err := own.New(name, m, own.Options{Memory: o.Memory, Threads: o.Threads, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	return &seated{p, m}, nil
}

// Move implements [player.Player]. These players know no bound of plies; without a
// time they think until they know or the context ends.
func (p *seated) Move(ctx context.Context, s game.State, c player.Clock) (player.Choice, error) {
	at, err := p.g.Plain().Parse(s.String())
	if err != nil {
		return player.Choice{}, err
	}
	budget := c.Time
	if budget == 0 {
		budget = endless
	}
	m, err := s.ParseMove(p.g.CellName(p.Player.Move(ctx, at.(*mnk.Plain), budget)))
	return player.Choice{Move: m, Note: p.Note()}, err
}
