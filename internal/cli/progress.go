package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Progress is the flag --progress: whether work under way shows on stderr.
type Progress struct {
	mode string
}

// Flags adds the flag to a command and all below it.
func (p *Progress) Flags(root *cobra.Command) {
	root.PersistentFlags().StringVar(&p.mode, "progress", "auto", "show progress on standard error: `auto|on|off`; auto does on a terminal")
}

// Check refuses an unknown mode.
func (p *Progress) Check() error {
	switch p.mode {
	case "auto", "on", "off", "":
		return nil
	}
	return Usagef("--progress %q: want auto, on or off", p.mode)
}

// shares is the number of steps of a bar without steps of its own.
const shares = 1000

// Start begins a bar of so many steps, or one of the kinds [Shares] and [Endless].
// The result is never nil; where no progress is shown it does nothing.
func (p *Progress) Start(cmd *cobra.Command, what string, steps int64) *Bar {
	w := cmd.ErrOrStderr()
	terminal := isTerminal(w)
	if p.mode == "off" || p.mode != "on" && !terminal {
		return &Bar{}
	}
	var options []progressbar.Option
	if steps == Shares {
		steps = shares
	} else {
		options = append(options, progressbar.OptionShowCount())
	}
	options = append(options,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(terminal),
		progressbar.OptionSetRenderBlankState(true),
	)
	return &Bar{bar: progressbar.NewOptions64(steps, options...)}
}

// Bar is progress under way. It is safe for concurrent use. The zero value
// shows nothing.
type Bar struct {
	mu   sync.Mutex
	bar  *progressbar.ProgressBar
	last float64
	done bool
}

// Share says what part of the work is done, 0…1. Where it goes back, new work
// has begun, and with it the estimate of the time left.
func (b *Bar) Share(done float64) {
	b.with(func(p *progressbar.ProgressBar) {
		if done < b.last {
			p.Reset()
		}
		b.last = done
		p.Set64(int64(done * (shares - 1))) // the last step would end the bar
	})
}

// Set says how many steps are done.
func (b *Bar) Set(n int64) {
	b.with(func(p *progressbar.ProgressBar) { p.Set64(n) })
}

// Add says that n more steps are done.
func (b *Bar) Add(n int64) {
	b.with(func(p *progressbar.ProgressBar) { p.Add64(n) })
}

// Describe replaces the text before the bar.
func (b *Bar) Describe(format string, args ...any) {
	b.with(func(p *progressbar.ProgressBar) { p.Describe(fmt.Sprintf(format, args...)) })
}

// Stop removes the bar. It may be called more than once.
func (b *Bar) Stop() {
	b.with(func(p *progressbar.ProgressBar) { p.Clear() })
	b.mu.Lock()
	b.done = true
	b.mu.Unlock()
}

// with calls f unless nothing is shown.
func (b *Bar) with(f func(*progressbar.ProgressBar)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil && !b.done {
		f(b.bar)
	}
}

// isTerminal reports whether a writer is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
