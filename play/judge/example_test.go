package judge_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/judge"
	"perfectplay/play/transcript"
)

// A recorded game is compared with perfect play: which moves gave something away?
func ExampleJudge() {
	service, err := explore.New(explore.Options{Wings: []wing.Wing{oracle.Wing()}, Memory: explore.MinMemory})
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	games, err := transcript.Read(strings.NewReader("game mnk-3x3k3\nresult x\n\na3 b3 b2 c1 a1 c3 a2\n"))
	if err != nil {
		log.Fatal(err)
	}
	g, err := mnk.ByID(games[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	moves, err := judge.Judge(context.Background(), service, g, &games[0], explore.Query{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range moves {
		if m.ValueLost != nil && *m.ValueLost > 0 {
			fmt.Printf("%d. %s by %s: %v, %s keeps a %v\n", m.Ply, m.Text, m.Seat, m.Kept, m.Best, m.Value)
		}
	}
	// Output: 2. b3 by o: loss, b2 keeps a draw
}
