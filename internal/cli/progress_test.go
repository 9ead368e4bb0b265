package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// TestProgress: without a terminal only --progress on shows anything, and only after a moment.
func TestProgress(t *testing.T) {
	for mode, shown := range map[string]bool{"auto": false, "on": true, "off": false} {
		var b bytes.Buffer
		cmd := &cobra.Command{Use: "x"}
		cmd.SetErr(&b)
		p := Progress{mode: mode}
		bar := p.Start(cmd, "work", 10)
		bar.Limit(time.Hour)
		bar.Set(3)
		bar.Add(1)
		bar.Part(0.5, Shares)
		bar.Describe("more %s", "work")
		bar.Share(0.5)
		if bar.draw(); (b.Len() > 0) != shown {
			t.Errorf("--progress %s printed %q to what is no terminal", mode, b.String())
		}
		bar.Stop()
		bar.Stop()
		b.Reset()
		bar.Set(9)
		if bar.draw(); b.Len() > 0 {
			t.Errorf("--progress %s printed %q after the end", mode, b.String())
		}
	}
	cmd := &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error { return nil }}
	new(Progress).Flags(cmd)
	prepare(cmd)
	cmd.SetArgs([]string{"--progress", "sometimes"})
	if err := cmd.Execute(); Code(err) != ExitUsage {
		t.Errorf("got %v", err)
	}
}

// screen is a terminal for a bar, with a clock that the test sets.
type screen struct {
	written
	clock time.Time
	bar   *Bar
}

// written is the output since the last reset. An endless bar also writes from a goroutine of
// its own.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *written) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *written) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Reset()
}

func (s *written) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func newScreen(what string, steps int64) *screen {
	s := &screen{clock: time.Unix(1e9, 0)}
	s.bar = newBar(&s.written, true, what, steps, func() time.Time { return s.clock })
	return s
}

// after lets some time pass and returns the line on the terminal.
func (s *screen) after(d time.Duration) string {
	s.clock = s.clock.Add(d)
	s.Reset()
	s.bar.draw()
	line := s.String()
	line = line[strings.LastIndexAny(line, "\r")+1:]
	if _, rest, ok := strings.Cut(line, "\x1b[2K"); ok {
		line = rest
	}
	return strings.TrimSuffix(line, "\x1b[0K")
}

// TestBarTimes: the share is the share of the whole job, never goes back and ends at 1; the time
// left follows from the speed so far, without work of earlier runs.
func TestBarTimes(t *testing.T) {
	want := func(line string, parts ...string) {
		t.Helper()
		for _, p := range parts {
			if !strings.Contains(line, p) {
				t.Errorf("%q lacks %q", line, p)
			}
		}
	}
	s := newScreen("solving", Shares)
	s.bar.Share(0)
	want(s.after(time.Second), "solving, 1s ", "0%")
	s.bar.Share(0.25)
	want(s.after(9*time.Second), "solving, 10s, about 30s left", "25%")
	s.bar.Share(0.1)
	want(s.after(0), "25%", "about 30s left")
	s.bar.Share(0.5)
	want(s.after(0), "50%", "about 10s left")
	s.bar.Share(1)
	want(s.after(2*time.Hour), "2h0m, about 0s left", "100%")

	parts := newScreen("rows", Shares)
	parts.bar.Part(0.4, 10)
	parts.bar.Set(5)
	want(parts.after(0), "rows 5 of 10", "20%")
	parts.bar.Part(1, Shares)
	want(parts.after(0), "rows, 0s", "40%")
	parts.bar.Share(0.5)
	want(parts.after(0), "70%")

	resumed := newScreen("units", 100)
	resumed.bar.Set(50)
	want(resumed.after(time.Second), "units 50 of 100, 1s ", "50%")
	resumed.bar.Set(60)
	want(resumed.after(9*time.Second), "about 40s left", "60%")

	counted := newScreen("games", 3)
	counted.after(10 * time.Second)
	counted.bar.Add(1)
	want(counted.after(0), "games 1 of 3, 10s, about 20s left", "33%")

	limited := newScreen("nodes", Endless)
	if line := limited.after(10 * time.Second); strings.Contains(line, "%") || !strings.Contains(line, "nodes, 10s") {
		t.Errorf("of a job without an end: %q", line)
	}
	limited.bar.Limit(40 * time.Second)
	limited.bar.Share(0)
	want(limited.after(0), "nodes, 10s, about 30s left", "25%")
	limited.bar.Share(0.5)
	want(limited.after(10*time.Second), "about 10s left", "50%")
	want(limited.after(time.Hour), "about 0s left", "100%")
}

// TestBarText: a text without room loses words at its beginning, and numbers stay whole or get
// shorter.
func TestBarText(t *testing.T) {
	for what, want := range map[string]string{
		"rows 1,234 of 10,000":                                    "rows 1,234 of 10,000",
		"halma-star121-2p pair 12, seats AB 7 of 20":              "…seats AB 7 of 20",
		"halma-star37-2p 1,234,567,890 of 12,345,678,901":         "halma-star37-2p 1.2 G of 12.3 G",
		"pass 12, 1,234,567,890 of 12,345,678,901 places decided": "…1.2 G of 12.3 G places decided",
		"mnk-9x9k5, 12.3 M nodes, 4.5 M/s, table 12 % full":       "…4.5 M/s, table 12 % full",
		strings.Repeat("x", 40):                                   strings.Repeat("x", 31) + "…",
	} {
		if got := fit(what, 32); got != want {
			t.Errorf("%q: %q, want %q", what, got, want)
		}
	}
	// On a terminal of 80 columns, with times.
	s := newScreen("halma-star121-2p pair 12, seats AB", 20)
	s.bar.Set(0)
	s.bar.Add(7)
	if line := s.after(10 * time.Minute); !strings.HasPrefix(line, "…seats AB 7 of 20, 10m0s, about ") {
		t.Errorf("%q", line)
	}
}

// TestBarWidth: however long the text, a line fits the terminal.
func TestBarWidth(t *testing.T) {
	for _, steps := range []int64{Shares, Endless, 1_000_000_000} {
		s := newScreen(strings.Repeat("ein Brett ", 20), steps)
		s.bar.Set(999_999_999)
		if line := s.after(100 * time.Hour); len([]rune(line)) >= 80 {
			t.Errorf("%d letters: %q", len([]rune(line)), line)
		}
	}
}
