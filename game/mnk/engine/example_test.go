package engine_test

import (
	"context"
	"log"
	"os"
	"strings"
	"time"

	"perfectplay/game/mnk/engine"
	"perfectplay/game/mnk/player"
)

// One conversation: the engine blocks a line, and the game ends.
func ExampleEngine_Converse() {
	e := &engine.Engine{Player: "greedy", Options: player.Options{Memory: 1 << 20}, Budget: time.Minute}
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
