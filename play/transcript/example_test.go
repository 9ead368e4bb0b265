package transcript_test

import (
	"fmt"
	"log"
	"strings"

	"perfectplay/game/mnk"
	"perfectplay/play/transcript"
)

// A recorded game is read and played again.
func ExampleRead() {
	games, err := transcript.Read(strings.NewReader("game mnk-3x3k3\nresult x\n\na3 b3 b2 c1 a1 c3 a2\n"))
	if err != nil {
		log.Fatal(err)
	}
	g, err := mnk.ByID(games[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	c, err := games[0].Course(g)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Names(), c.State)
	// Output:
	// [a3 b3 b2 c1 a1 c3 a2] xoo.xx1.x1o
}
