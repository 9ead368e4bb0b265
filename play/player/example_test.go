package player_test

import (
	"context"
	"fmt"
	"log"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/player"
)

// A player of any game by its name. Solved games have perfect.
func ExampleNew() {
	service, err := explore.New(explore.Options{Wings: []wing.Wing{oracle.Wing()}, Memory: explore.MinMemory})
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		log.Fatal(err)
	}
	p, err := player.New(context.Background(), "perfect", g, player.Options{Analyst: service})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	s, err := g.Parse("xx1.1o1.3")
	if err != nil {
		log.Fatal(err)
	}
	choice, err := p.Move(context.Background(), s, player.Clock{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.MoveString(choice.Move))
	// Output: c3
}
