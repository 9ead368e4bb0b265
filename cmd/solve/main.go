// Command solve computes perfect play: it searches, solves, counts, checks and plays the games
// of this module. Run solve help for the list.
package main

import (
	"os"

	"perfectplay/app"
	domino "perfectplay/game/domino/command"
	halma "perfectplay/game/halma/command"
	mnk "perfectplay/game/mnk/command"
)

func main() { os.Exit(app.Main(halma.Family(), mnk.Family(), domino.Family())) }
