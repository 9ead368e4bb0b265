// Command lab is the laboratory of perfectplay: it computes published figures again, counts
// and compares move sequences, runs fixed jobs, writes scripts for clusters and Parquet files.
// Run lab help for the list.
package main

import (
	"os"

	"perfectplay/app"
	domino "perfectplay/game/domino/command"
	halma "perfectplay/game/halma/command"
	mnk "perfectplay/game/mnk/command"
	"perfectplay/lab"
)

func main() { os.Exit(app.Lab(lab.Commands, halma.Family(), mnk.Family(), domino.Family())) }
