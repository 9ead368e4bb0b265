package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"perfectplay/internal/stacks"
)

// A call of a game that does not return cannot be ended, and its caller waits for ever. Once a
// command should end, silent looks at the stacks of all goroutines, and ends the process if one
// of them is in a game at each look. That loses nothing: checkpoints are written before or
// after calls, and files appear whole or not at all.

// A goroutine counts as silent if it is in a game each time that its stack is read, more than looks
// times with pause between.
const (
	looks = 10
	pause = time.Second
)

// silent waits until a call of a game does not return, reports it and ends the process.
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
	met    map[string]int // number of looks in a row that found a goroutine in a game
	stacks []byte
}

// Look returns the call of a game that a goroutine is in. ok reports whether the last looks all
// found the goroutine in such a call. A goroutine that makes many short calls counts, too.
func (l *Looker) Look() (call string, ok bool) {
	if l.met == nil {
		l.met, l.stacks = map[string]int{}, make([]byte, 1<<18)
	}
	calls := stacks.Calls(l.stacks)
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
