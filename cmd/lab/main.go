// Command lab is the laboratory of perfectplay: it computes published figures again,
// counts and compares move sequences, runs fixed jobs, maps boards and plans for
// clusters. Run lab help for what it can do.
package main

import (
	"os"

	"perfectplay/app"
	domino "perfectplay/game/domino/command"
	mnk "perfectplay/game/mnk/command"
	"perfectplay/lab"
	"perfectplay/lab/halma"
)

func main() { os.Exit(app.Lab(lab.Commands, halma.Family(), mnk.Lab(), domino.Lab())) }
