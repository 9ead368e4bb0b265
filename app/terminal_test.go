package app

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestInterruptedInput: an interrupt ends a command that waits for standard input.
func TestInterruptedInput(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"probe halma-star13-2p -", "domino deal --file -", "judge -"} {
		ctx, cancel := context.WithCancel(t.Context())
		in, typed := io.Pipe()
		defer typed.Close()
		root := newRoot(newApp(ours...))
		root.SetIn(in)
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		root.SetArgs(strings.Fields(words))
		ended := make(chan error, 1)
		go func() { ended <- root.ExecuteContext(ctx) }()
		if _, err := typed.Write([]byte("\n")); err != nil { // returns once the command reads the input
			t.Fatal(err)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("solve %s: %v", words, err)
		}
	}
}

// screen is the output, line by line, as a terminal shows it.
type screen struct {
	mu   sync.Mutex
	text string
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text += string(p)
	return len(p), nil
}

func (s *screen) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text, text)
}

// TestThinking: the line about the thinker shows the time that passes and the time left, and goes
// away at the end.
func TestThinking(t *testing.T) {
	t.Parallel()
	var s screen
	a := newApp(ours...)
	root := newRoot(a)
	root.SetErr(&s)
	if err := root.PersistentFlags().Set("progress", "on"); err != nil {
		t.Fatal(err)
	}
	done := thinking(&a.Progress, root, time.Hour)("o (strongest)")
	for !s.has("o (strongest) thinks, 1s, about 59m59s left") {
		time.Sleep(time.Millisecond)
	}
	done()
	if lines := strings.Split(s.text, "\r"); strings.TrimSpace(lines[len(lines)-2]) != "" || lines[len(lines)-1] != "" {
		t.Errorf("what is left is %q", lines[len(lines)-2:])
	}
}
