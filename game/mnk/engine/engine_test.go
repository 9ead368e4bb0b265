package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"perfectplay/game/mnk/player"
)

// newTestEngine returns an engine whose moves take little memory and no time
// worth mentioning.
func newTestEngine() *Engine {
	return &Engine{Options: player.Options{Threads: 1, Memory: 1 << 20}, Budget: time.Millisecond, Most: time.Millisecond, Player: "perfect"}
}

// TestEngineInterrupt: the end of the context ends a conversation in which
// nothing is said, and one in which a move takes an hour.
func TestEngineInterrupt(t *testing.T) {
	for _, said := range []string{"", "new 10 10 5\nplay e5\ngo 1h\n"} {
		ctx, cancel := context.WithCancel(t.Context())
		in, commands := io.Pipe()
		out, answers := io.Pipe()
		done := make(chan error)
		go func() {
			e := newTestEngine()
			e.Most = 0
			done <- e.Converse(ctx, in, answers)
		}()
		go io.WriteString(commands, said)
		if said != "" { // it has begun when the commands before are answered
			buf := make([]byte, len("= mnk-10x10k5\n= e5\n"))
			if _, err := io.ReadFull(out, buf); err != nil || string(buf) != "= mnk-10x10k5\n= e5\n" {
				t.Fatalf("%q, %v", buf, err)
			}
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("after %q: %v", said, err)
		}
		commands.Close()
	}
}

// TestEngineEndOfInput: what was said before the end is done, also a move under
// way, and a broken input is an error.
func TestEngineEndOfInput(t *testing.T) {
	var out bytes.Buffer
	if err := newTestEngine().Converse(t.Context(), strings.NewReader("new 3 3 3\ngo\nplay b2"), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || lines[0] != "= mnk-3x3k3" || !strings.HasPrefix(lines[1], "= ") || lines[3] != "" {
		t.Errorf("%q", lines)
	}
	broken := errors.New("broken")
	err := newTestEngine().Converse(t.Context(), io.MultiReader(strings.NewReader("name\n"), errReader{broken}), io.Discard)
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// TestEngineMemory: a new game takes the memory of the one before.
func TestEngineMemory(t *testing.T) {
	const budget = 128 << 20
	e := newTestEngine()
	e.Options.Memory, e.Player = budget, "monkey" // its table has the whole size at once
	debug.FreeOSMemory()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := e.Converse(t.Context(), strings.NewReader(strings.Repeat("new 4 4 4\ngo\n", 6)), io.Discard); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if more := int64(after.HeapSys-after.HeapReleased) - int64(before.HeapSys-before.HeapReleased); more > budget*5/4 {
		t.Errorf("%d MiB of heap for six games of %d MiB, one after the other", more>>20, budget>>20)
	}
}

// TestEngineLongLine: a line without end is one command, and is answered once.
func TestEngineLongLine(t *testing.T) {
	for _, n := range []int{maxLine - 1, maxLine, maxLine + 1, 3*maxLine + 5} {
		var out bytes.Buffer
		if err := newTestEngine().Converse(t.Context(), strings.NewReader(strings.Repeat("go ", n/3)+"aa"[:n%3]+"\nquit\n"), &out); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(out.String(), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "? ") || lines[1] != "= bye" {
			t.Errorf("%d bytes: %.200q", n, out.String())
		}
	}
}

// FuzzEngine holds any conversation against what the help promises: one answer a
// command and in order, errors that change nothing, and moves that are legal.
func FuzzEngine(f *testing.F) {
	f.Add("new 3 3 3\ngo\ngo\nundo\nshow\nboard\nmoves\nresult\nnote\nquit\n")
	f.Add("new 5 4 4 # five rows\nplay a1\nposition 4.4.4.4.4\nhint 2ms\nplayer monkey\ngo\nname\n")
	f.Add("go\nnew 0 3 3\nnew 70 70 71\nnew x\nplayer\nposition xxx\n\x00\xff\nundo undo")
	f.Add("new 9 9 9\nplayer sufferingdoge\ngo 1ns\ngo 1000h\nstop\nquit now\n")
	f.Add("new 1 1 1\ngo\nhint\nplay a1\nundo\nundo\nplay a01\nplay A1\n")
	f.Fuzz(func(t *testing.T, said string) {
		commands := 0
		ended := false
		for line := range strings.Lines(said) {
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(line)
			if len(words) == 0 || ended {
				continue
			}
			if words[0] == "new" && len(words) > 2 && (len(words[1]) > 1 || len(words[2]) > 1) && strings.ContainsAny(words[1]+words[2], "123456789") {
				t.Skip("large boards are slow to set up")
			}
			commands++
			ended = words[0] == "quit" && len(words) == 1
		}
		if commands > 60 || len(said) >= maxLine {
			t.Skip("a longer conversation finds nothing more, and is slow")
		}
		var out bytes.Buffer
		e := newTestEngine()
		if err := e.Converse(t.Context(), strings.NewReader(said), &out); err != nil {
			t.Fatal(err)
		}
		answers := 0
		for line := range strings.Lines(out.String()) {
			if !strings.HasSuffix(line, "\n") {
				t.Fatalf("%q: an answer without an end: %q", said, line)
			}
			switch line[0] {
			case '=', '?':
				answers++
				if bad := strings.IndexFunc(line[:len(line)-1], func(r rune) bool { return r < ' ' }); bad >= 0 {
					t.Fatalf("%q: control characters in %q", said, line)
				}
			}
		}
		if answers != commands {
			t.Fatalf("%q: %d answers to %d commands:\n%s", said, answers, commands, out.String())
		}
		if e.s != nil {
			text := e.s.String()
			if again, err := e.g.Plain().Parse(text); err != nil || again.String() != text {
				t.Fatalf("%q leaves %s: %v", said, text, err)
			}
		}
	})
}
