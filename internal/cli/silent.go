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

// A call of a game that does not return cannot be ended, and its caller waits for ever. Once a
// command should end, silent looks at the stacks of all goroutines, and ends the process if one
// of them is in a game at each look. That loses nothing: checkpoints are written before or
// after calls, and files appear whole or not at all.

// looks is how often a goroutine must be in a game to count as silent, and pause the time
// between two looks.
const (
	looks = 10
	pause = time.Second
)

// gameCall is a line of a stack that calls a game by a name of package game.
var gameCall = regexp.MustCompile(`(?m)^(\S+\.\(?\*?\w+\)?\.(?:Start|Parse|Seat|Result|Moves|Make|Unmake|Clone|Key|CountMoves|Number|At|After|Before))\(.*\n\t.*?([^/\s]+:\d+)`)

// silent waits until a goroutine does not come back from a game, reports it and ends the
// process.
func silent(out io.Writer, name string) {
	for l := (Looker{}); ; time.Sleep(pause) {
		if call, ok := l.Look(); ok {
			fmt.Fprintf(out, "%s: interrupted: %s does not return\n", name, call)
			os.Exit(ExitInterrupted)
		}
	}
}

// Looker looks at the calls of goroutines. The zero value is ready.
type Looker struct {
	met    map[string]int // looks by goroutine
	stacks []byte
}

// Look returns a game's call that a goroutine is in, and true if the last looks all found it in
// one. A goroutine that only asks a game counts, too.
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
