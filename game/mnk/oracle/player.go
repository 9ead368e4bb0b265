package oracle

import (
	"context"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/game/wing"
)

func newPlayer(name string, g game.Game, r wing.Resources, seed uint64) (wing.Player, error) {
	m := g.(*mnk.Game)
	p, err := player.New(name, m, player.Options{Memory: r.Memory, Threads: r.Threads, Seed: seed})
	if err != nil {
		return nil, err
	}
	return seated{p, m}, nil
}

// seated adapts a player to the players of any game.
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

// look reports the search's estimate of a position.
func look(ctx context.Context, g game.Game, s game.State, r wing.Resources, l wing.Limits, report func(*wing.Outlook)) error {
	m := g.(*mnk.Game)
	at, err := m.Plain().Parse(s.String())
	if err != nil {
		return err
	}
	me := s.Seat()
	return player.Look(ctx, m, at.(*mnk.Plain), player.Options{Memory: r.Memory, Threads: r.Threads}, player.Limits{Time: l.Time, Depth: l.Depth}, func(v *player.View) {
		o := &wing.Outlook{Seats: make([]wing.Estimate, 2), Depth: v.Depth, Nodes: int64(v.Nodes)}
		o.Seats[me].Share, o.Seats[1-me].Share = v.Share, 1-v.Share
		for i, c := range v.Cells {
			o.Moves = append(o.Moves, game.Move(c))
			o.Estimates = append(o.Estimates, wing.Estimate{Share: v.Shares[i]})
		}
		for _, c := range v.Line {
			o.Line = append(o.Line, game.Move(c))
		}
		for seat, cells := range v.Complete {
			if len(cells) > 0 {
				o.Threats = append(o.Threats, wing.Threat{Seat: seat, Cells: cells, Text: "completes a line"})
			}
		}
		switch {
		case len(o.Threats) > 0:
		case v.Wins >= 0:
			o.Threats = append(o.Threats, wing.Threat{Seat: me, Cells: []int{v.Wins}, Text: "wins by threats"})
		case v.Meets != nil:
			o.Threats = append(o.Threats, wing.Threat{Seat: 1 - me, Cells: v.Meets, Text: "threatens to win"})
		}
		report(o)
	})
}
