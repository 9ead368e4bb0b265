package oracle

import (
	"context"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/game/wing"
)

// newPlayer returns a player by its name.
func newPlayer(name string, g game.Game, r wing.Resources, seed uint64) (wing.Player, error) {
	m := g.(*mnk.Game)
	p, err := player.New(name, m, player.Options{Memory: r.Memory, Threads: r.Threads, Seed: seed})
	if err != nil {
		return nil, err
	}
	return seated{p, m}, nil
}

// seated is one of the players as a player of any game.
type seated struct {
	player.Player
	g *mnk.Game
}

// Move implements [wing.Player].
func (p seated) Move(ctx context.Context, s game.State, l wing.Limits) (game.Move, string, error) {
	at, err := p.g.Plain().Parse(s.String())
	if err != nil {
		return game.NoMove, "", err
	}
	c, note := p.Player.Move(ctx, at.(*mnk.Plain), player.Limits{Time: l.Time, Processor: l.Processor, Depth: l.Depth})
	return game.Move(c), note, nil
}
