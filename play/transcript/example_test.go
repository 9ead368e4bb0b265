package transcript_test

import (
	"fmt"
	"log"
	"strings"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/play/transcript"
)

// A recorded game is read, and played again move by move.
func ExampleRead() {
	games, err := transcript.Read(strings.NewReader("game mnk-3x3k3\nresult x\n\na3 b3 b2 c1 a1 c3 a2\n"))
	if err != nil {
		log.Fatal(err)
	}
	g, err := mnk.ByID(games[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	s, err := games[0].Start(g)
	if err != nil {
		log.Fatal(err)
	}
	err = games[0].Replay(g, s, func(ply int, m game.Move) { fmt.Println(ply, s.MoveString(m)) })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s)
	// Output:
	// 0 a3
	// 1 b3
	// 2 b2
	// 3 c1
	// 4 a1
	// 5 c3
	// 6 a2
	// xoo.xx1.x1o
}
