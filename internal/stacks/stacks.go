// Package stacks finds calls of games that do not return, or list moves without end. Nothing can
// end such a call, so a program names it and ends.
package stacks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strings"
)

// gameCall matches the call of a method of package game in a stack, with its file and line.
var gameCall = regexp.MustCompile(`(?m)^(\S+\.\(?\*?\w+\)?\.(?:Start|Parse|Seat|Result|Moves|Make|Unmake|Clone|Key|SetKey|PliesLeft|SafeMoves|WinningMove|` +
	`MoveString|ParseMove|CountMoves|Number|At|After|Before))\(.*\n\t.*?([^/\s]+:\d+)`)

// Calls returns, for each goroutine that is in a call of a game, the function, and the line of its
// file. stacks is memory for the stacks of all goroutines.
func Calls(stacks []byte) map[string]string {
	calls := map[string]string{}
	for stack := range bytes.SplitSeq(stacks[:runtime.Stack(stacks, true)], []byte("\n\n")) {
		id, _, _ := bytes.Cut(stack, []byte(" ["))
		if m := gameCall.FindSubmatch(stack); m != nil {
			calls[string(id)] = fmt.Sprintf("%s (%s)", m[1][bytes.LastIndexByte(m[1], '/')+1:], m[2])
		}
	}
	return calls
}

// flood is the number of bytes of a list of moves that has no end: 16 million moves.
const flood = 64 << 20

// Floods looks in the profile of the heap for a list of moves that has no end, and returns the
// function that makes it, and the line of its file. The profile is as old as two collections of
// garbage.
func Floods() (call string, ok bool) {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() < flood {
		return "", false
	}
	n, _ := runtime.MemProfile(nil, false)
	records := make([]runtime.MemProfileRecord, n+64) // the number may have grown
	n, _ = runtime.MemProfile(records, false)
	for _, r := range records[:min(n, len(records))] {
		if r.InUseObjects() == 0 || r.InUseBytes()/r.InUseObjects() < flood {
			continue
		}
		for frames := runtime.CallersFrames(r.Stack()); ; {
			f, more := frames.Next()
			if at := strings.LastIndexByte(f.Function, '.'); at > 0 {
				switch f.Function[at+1:] {
				case "Moves", "SafeMoves", "Before", "After":
					return fmt.Sprintf("%s (%s:%d)", f.Function[strings.LastIndexByte(f.Function, '/')+1:], filepath.Base(f.File), f.Line), true
				}
			}
			if !more {
				break
			}
		}
	}
	return "", false
}
