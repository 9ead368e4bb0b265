// Command solve computes perfect play: it searches, counts and checks the games
// of this module. Run solve help for what it can do.
package main

import (
	"os"

	"perfectplay/internal/cli"
)

func main() { os.Exit(run()) }

// run is main without the exit, for scripts in tests.
func run() int { return cli.Main(newRoot()) }
