package engine_test

import (
	"context"
	"log"
	"os"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/engine"
	"perfectplay/play/explore"
	"perfectplay/play/player"
)

// One conversation: the engine blocks a line, and the game ends.
func ExampleEngine_Converse() {
	service, err := explore.New(explore.Options{Wings: []wing.Wing{oracle.Wing()}, Memory: explore.MinMemory})
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	e := &engine.Engine{
		Open: oracle.Wing().Open, Analyst: service, Known: player.Known, Player: "strongest", Budget: time.Minute,
		Seat: func(ctx context.Context, name string, g game.Game) (player.Player, error) {
			return player.New(ctx, name, g, player.Options{Analyst: service})
		},
	}
	commands := `new 3 3 3
position xx1.1o1.3
go
show
play d4
quit
`
	if err := e.Converse(context.Background(), strings.NewReader(commands), os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// = mnk-3x3k3
	// = mnk-3x3k3
	// = c3
	// = xxo.1o1.3
	// ? "mnk: cell \"d4\": want a1 to c3"
	// = bye
}
