// Command lab is the laboratory of perfectplay: it computes published figures again,
// counts and compares move sequences, runs fixed jobs, maps boards and plans for
// clusters. Run lab help for what it can do.
package main

import (
	"os"

	"perfectplay/app"
	domino "perfectplay/game/domino/command"
	halma "perfectplay/game/halma/command"
	mnk "perfectplay/game/mnk/command"
	"perfectplay/lab"
)

func main() { os.Exit(app.Lab(lab.Commands, halma.Lab(), mnk.Lab(), domino.Lab())) }
