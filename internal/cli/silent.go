package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
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
	for l := (Looker{}); ; time.Sleep(pause) {
		if call, ok := l.Look(); ok {
			fmt.Fprintf(out, "%s: interrupted: %s does not return\n", name, call)
			os.Exit(ExitInterrupted)
		}
	}
}

// Looker looks at what goroutines are in. The zero value is ready.
type Looker struct {
	met    map[string]int // looks by goroutine
	stacks []byte
}

// Look returns a call of a game that a goroutine is in, and true where the last looks have
// all found it in one. A goroutine that does nothing else but ask a game is met so, too.
func (l *Looker) Look() (call string, ok bool) {
	calls := l.inGames()
	if l.met == nil {
		l.met = map[string]int{}
	}
	for id := range l.met {
		if calls[id] == "" {
			delete(l.met, id)
		}
	}
	for id, call := range calls {
		if l.met[id]++; l.met[id] > looks {
			return call, true
		}
	}
	return "", false
}

// inGames returns the calls that goroutines are in, by the goroutine.
func (l *Looker) inGames() map[string]string {
	if l.stacks == nil {
		l.stacks = make([]byte, 1<<18)
	}
	stacks := l.stacks[:runtime.Stack(l.stacks, true)]
	calls := map[string]string{}
	for stack := range bytes.SplitSeq(stacks, []byte("\n\n")) {
		id, _, _ := bytes.Cut(stack, []byte(" ["))
		if m := gameCall.FindSubmatch(stack); m != nil {
			calls[string(id)] = fmt.Sprintf("%s (%s)", m[1][bytes.LastIndexByte(m[1], '/')+1:], m[2])
		}
	}
	return calls
}
