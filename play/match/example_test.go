package match_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/play/match"
	"perfectplay/play/player"
)

// Ten pairs of noughts and crosses, each begun by both: a search never loses to chance.
func ExampleMatch_Run() {
	side := func(name string) match.Side {
		return match.Side{Name: name, New: func(ctx context.Context, g game.Game, seed uint64) (player.Player, error) {
			return player.New(ctx, name, g, player.Options{Seed: seed})
		}}
	}
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		log.Fatal(err)
	}
	m := match.Match{Boards: []game.Game{g}, Sides: [2]match.Side{side("level-9"), side("random")}, Pairs: 10, Move: time.Minute}
	records, err := m.Run(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	s := match.NewStanding(records)
	fmt.Println(s.Games, "games,", s.Lost, "lost")
	// Output: 20 games, 0 lost
}
