package cli

import (
	"context"

	"perfectplay/internal/stacks"
)

// Silent is the end of an interrupted command that waits for a call of a game. Such a call cannot be
// ended. That loses nothing: checkpoints are written before or after calls, and files appear whole
// or not at all.
type Silent struct{ Call string }

func (s Silent) Error() string { return "interrupted: " + s.Call + " does not return" }
func (Silent) Unwrap() error   { return context.Canceled }

// looks is the number of looks, a second apart, that find a silent goroutine in a game.
const looks = 10

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
