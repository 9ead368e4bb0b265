package match_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"perfectplay/app/explore"
	"perfectplay/app/match"
	"perfectplay/app/player"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
)

// Ten pairs of noughts and crosses, each begun by both: perfect play never loses to chance.
func ExampleMatch_Run() {
	service, err := explore.New(explore.Options{Wings: []wing.Wing{oracle.Wing()}, Memory: explore.MinMemory})
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	side := func(name string) match.Side {
		return match.Side{Name: name, New: func(ctx context.Context, g game.Game, seed uint64) (player.Player, error) {
			return player.New(ctx, name, g, player.Options{Analyst: service, Seed: seed})
		}}
	}
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		log.Fatal(err)
	}
	m := match.Match{Boards: []game.Game{g}, Sides: [2]match.Side{side("perfect"), side("random")}, Pairs: 10, Move: time.Minute}
	records, err := m.Run(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	s := match.NewStanding(records)
	fmt.Println(s.Games, "games,", s.Lost, "lost")
	// Output: 20 games, 0 lost
}
