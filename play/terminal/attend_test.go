package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/play/player"
	"perfectplay/play/transcript"
)

// thinker thinks until it is stopped and then makes the last legal move.
type thinker struct{ begun chan struct{} }

func (thinker) Close() error { return nil }
func (p thinker) Move(ctx context.Context, s game.State, _ player.Clock) (player.Choice, error) {
	p.begun <- struct{}{}
	<-ctx.Done()
	moves := s.Moves(nil)
	return player.Choice{Move: moves[len(moves)-1], Note: "stopped"}, nil
}

// TestInterruptThinking: an interrupt ends the thinking with a move, and at the prompt it ends
// the session. Thinking receives the name of the thinker, and its end.
func TestInterruptThinking(t *testing.T) {
	s, out, _ := session(open(t, "mnk-3x3k3", ""), "thinker", Human)
	p := thinker{make(chan struct{})}
	s.Seat = func(context.Context, string, game.Game) (player.Player, error) { return p, nil }
	interrupt := make(chan os.Signal, 1)
	s.Interrupt = interrupt
	var told []string
	s.Thinking = func(who string) func() {
		told = append(told, who)
		return func() {
			told = append(told, "ended")
			time.AfterFunc(50*time.Millisecond, func() { interrupt <- os.Interrupt }) // this interrupt comes at the prompt
		}
	}
	go func() {
		<-p.begun
		interrupt <- os.Interrupt
	}()
	in, typed := io.Pipe() // the input stays empty
	defer typed.Close()
	if err := s.Play(t.Context(), in); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if !strings.Contains(out.String(), "x plays c1 (thinker: stopped)\n") || strings.Join(told, ", ") != "x (thinker), ended" {
		t.Errorf("told %q:\n%s", told, out)
	}
}

// TestKeep: the file holds the game after every move and step back, and a failed write is
// reported once.
func TestKeep(t *testing.T) {
	s, out, _ := session(open(t, "mnk-3x3k3", ""), Human, Human)
	s.Keep = filepath.Join(t.TempDir(), "game.txt")
	kept := func() string {
		f, err := os.Open(s.Keep)
		if err != nil {
			return "none"
		}
		defer f.Close()
		games, err := transcript.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(games[0].Moves, " ")
	}
	var seen []string
	in := reader(func() string {
		seen = append(seen, kept())
		if n := len(seen) - 1; n < 4 {
			return []string{"a1\n", "b2\n", "undo\n", "c3\n"}[n]
		}
		return ""
	})
	if err := s.Play(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	// The session may read a line a little before it has carried out the line before.
	if got := kept(); got != "a1 c3" || !strings.HasSuffix(out.String(), "--load "+s.Keep+" goes on\n") {
		t.Errorf("kept %q, and meanwhile %q:\n%s", got, seen, out)
	}
	s, out, _ = session(open(t, "mnk-3x3k3", ""), Human, Human)
	s.Keep = filepath.Join(t.TempDir(), "none", "game.txt")
	if err := s.Play(t.Context(), strings.NewReader("a1\nb2\n")); err != nil || bytes.Count(out.Bytes(), []byte("the game is not kept")) != 1 {
		t.Errorf("%v\n%s", err, out)
	}
}

// reader reads from a function until the function returns an empty text.
type reader func() string

func (r reader) Read(p []byte) (int, error) {
	text := r()
	if text == "" {
		return 0, io.EOF
	}
	return copy(p, text), nil
}

// TestWay: the picture receives the cells of the last move in the position before it.
func TestWay(t *testing.T) {
	s, out, _ := session(open(t, "halma-star37-2p", "base"), Human, Human)
	s.Way = func(at game.State, m game.Move) []int { return []int{at.Seat(), len(s.c.Path)} }
	s.Draw = func(at game.State, last []int) string { return fmt.Sprintln("drawn", at.Seat(), last) }
	if err := s.Play(t.Context(), strings.NewReader("1\n1\nundo\n")); err != nil {
		t.Fatal(err)
	}
	var drawn []string
	for line := range strings.Lines(out.String()) {
		if _, picture, ok := strings.Cut(line, "drawn "); ok || strings.HasPrefix(line, "drawn ") {
			drawn = append(drawn, strings.TrimSpace(picture))
		}
	}
	if want := []string{"0 []", "1 [0 1]", "0 [1 2]", "1 [0 1]"}; !slices.Equal(drawn, want) {
		t.Errorf("drawn %q, want %q in\n%s", drawn, want, out)
	}
}
