package cli

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// A call of a game that does not return cannot be ended, and who waits for it never ends
// either. Once a command is to end, silent looks at what all goroutines are in, and ends the
// process where one of them is in a game at each look. Nothing is lost by that: checkpoints
// are written before or after calls, and files appear whole or not at all.

// looks is how often a goroutine is found in a game before that counts as silent, and pause the
// time between two looks.
const (
	looks = 10
	pause = time.Second
)

// gameCall is a line of a stack that calls a game by a name of package game.
var gameCall = regexp.MustCompile(`(?m)^(\S+\.\(?\*?\w+\)?\.(?:Start|Parse|Seat|Result|Moves|Make|Unmake|Clone|Key|CountMoves|Number|At|After|Before))\(.*\n\t.*?([^/\s]+:\d+)`)

// silent waits until a goroutine does not come back from a game, says so and ends the process.
func silent(out io.Writer, name string) {
	met := map[string]int{} // looks by goroutine
	for {
		calls := inGames()
		for id, call := range calls {
			if met[id]++; met[id] > looks {
				fmt.Fprintf(out, "%s: interrupted: %s does not return\n", name, call)
				os.Exit(ExitInterrupted)
			}
		}
		for id := range met {
			if calls[id] == "" {
				delete(met, id)
			}
		}
		time.Sleep(pause)
	}
}

// inGames returns the calls that goroutines are in, by the goroutine.
func inGames() map[string]string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	calls := map[string]string{}
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		id, _, _ := strings.Cut(stack, " [")
		if m := gameCall.FindStringSubmatch(stack); m != nil {
			calls[id] = fmt.Sprintf("%s (%s)", m[1][strings.LastIndexByte(m[1], '/')+1:], m[2])
		}
	}
	return calls
}
