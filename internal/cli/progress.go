package cli

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Progress is the flag --progress: whether to show progress on stderr.
type Progress struct {
	mode string
}

// Flags adds the flag to a command and all below it.
func (p *Progress) Flags(root *cobra.Command) {
	p.mode = "auto"
	root.PersistentFlags().Var(&choice[string]{&p.mode, []string{"auto", "on", "off"}}, "progress",
		"`WHEN` to show progress: auto, on or off")
}

// Start begins the progress of a job of some steps, or of one of the kinds [Shares] and
// [Endless]. The result is never nil; without progress it does nothing. It shows after a
// moment, so that short jobs show nothing.
func (p *Progress) Start(cmd *cobra.Command, what string, steps int64) *Bar {
	w := cmd.ErrOrStderr()
	terminal := isTerminal(w)
	if p.mode == "off" || p.mode != "on" && !terminal {
		return &Bar{}
	}
	b := newBar(w, terminal, what, steps, time.Now)
	b.quit = make(chan struct{})
	go func() {
		tick := time.NewTicker(refresh)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				b.draw()
			case <-b.quit:
				return
			}
		}
	}()
	return b
}

const (
	refresh = 200 * time.Millisecond
	// barRoom includes the share, blanks and the bar's ends.
	barWidth, barRoom = 16, barWidth + 10
	shares            = 1000 // the number of steps of the library's bar
)

// Bar is the progress of a whole job: the share done, the time so far, and the estimated time left.
// It is safe for concurrent use. The zero value shows nothing.
//
// The time left follows from the share left at the speed so far. If a job resumes, the first
// call of [Bar.Share] or [Bar.Set] reports the work done before this run, which does not count
// as speed.
type Bar struct {
	mu   sync.Mutex
	bar  *progressbar.ProgressBar // nil if nothing is shown
	out  io.Writer
	now  func() time.Time
	quit chan struct{}
	done bool

	what      string
	begin     time.Time
	limit     time.Duration // longest time of the job, 0 if unknown
	endless   bool
	from, to  float64   // shares of the whole between which the part lies
	end       float64   // share at which the running part ends; 0 before the first part
	partSteps int64     // steps of the part, 0 if it reports shares
	count     int64     // steps done of the part
	share     float64   // share of the whole that is done, 0…1
	first     float64   // share done at the time since; the speed is measured from there
	since     time.Time // time of the first report; zero before it
}

func newBar(w io.Writer, terminal bool, what string, steps int64, now func() time.Time) *Bar {
	b := &Bar{now: now, what: what, begin: now(), endless: steps == Endless, to: 1, partSteps: max(steps, 0), out: w}
	most := int64(shares)
	if steps == Endless {
		most = -1
	}
	b.bar = progressbar.NewOptions64(most,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(barWidth),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionUseANSICodes(terminal))
	return b
}

// Limit sets the longest time of the job; 0 is no limit.
func (b *Bar) Limit(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit = d; d > 0 && b.bar != nil && b.endless {
		b.bar.ChangeMax64(shares)
	}
}

// Share reports the share done of the whole work, or of its part: 0…1. A smaller share than
// before, as an estimate may give, is ignored.
func (b *Bar) Share(done float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reach(b.from + (b.to-b.from)*done)
}

// Set reports the number of steps done.
func (b *Bar) Set(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count = n
	b.reach(b.counted())
}

// Add reports n more steps.
func (b *Bar) Add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.since.IsZero() {
		b.since = b.begin // no earlier run did a part of the work
	}
	b.count += n
	b.reach(b.counted())
}

func (b *Bar) counted() float64 {
	if b.partSteps <= 0 {
		return b.from
	}
	return b.from + (b.to-b.from)*float64(b.count)/float64(b.partSteps)
}

// reach takes a new share. The speed counts from the first share on.
func (b *Bar) reach(share float64) {
	if b.bar == nil {
		return
	}
	if b.share = max(b.share, min(share, 1)); b.since.IsZero() {
		b.since, b.first = b.now(), b.share
	}
}

// Part begins a part of the work, of some steps or of [Shares], which ends at the share to, 0…1, of
// the whole. Shares and steps are of this part until the next part begins.
func (b *Bar) Part(to float64, steps int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.from, b.to, b.end, b.partSteps, b.count = b.end, to, to, max(steps, 0), 0
	b.reach(b.from)
}

// Describe replaces the text before the bar.
func (b *Bar) Describe(format string, args ...any) {
	if b.bar == nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	b.mu.Lock()
	b.what = text
	b.mu.Unlock()
}

// Stop removes the bar. It may be called more than once.
func (b *Bar) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar == nil || b.done {
		return
	}
	b.done = true
	if b.quit != nil {
		close(b.quit)
	}
	_ = b.bar.Clear()
}

func (b *Bar) draw() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar == nil || b.done {
		return
	}
	elapsed := b.now().Sub(b.begin)
	share, known := b.reached(elapsed)
	times := passed(elapsed)
	if left, ok := b.left(elapsed); ok {
		times += ", about " + passed(left) + " left"
	}
	room := max(Width(b.out)-1-barRoom-len(times)-2, leastText)
	what := b.what
	if b.partSteps > 0 {
		what = fmt.Sprintf("%s %s of %s", what, Count(b.count), Count(b.partSteps))
	}
	b.bar.Describe(fit(what, room) + ", " + times)
	if known {
		_ = b.bar.Set64(int64(share * shares))
	}
}

// leastText is the room for the text before a bar on the narrowest terminal: the length of "999.9 k
// of 999.9 G".
const leastText = 18

// fit makes a text fit the room: it shortens large numbers, then drops clauses and words from
// the beginning, since the end changes. It cuts a single word that is wider.
func fit(s string, room int) string {
	wide := func(s string) bool { return text.StringWidthWithoutEscSequences(s) > room }
	if wide(s) {
		s = large.ReplaceAllStringFunc(s, func(n string) string {
			count, err := strconv.ParseUint(strings.ReplaceAll(n, ",", ""), 10, 64)
			if err != nil {
				return n
			}
			return Short(count)
		})
	}
	for _, gap := range []string{", ", " "} {
		for wide(s) {
			_, rest, ok := strings.Cut(s, gap)
			if !ok {
				break
			}
			s = "…" + rest
		}
	}
	return text.Snip(s, room, "…")
}

// large matches a number of seven digits or more, as a [Count] prints it.
var large = regexp.MustCompile(`\b[0-9]{1,3}(,[0-9]{3}){2,}\b`)

// reached is the share of the work done, or the share of the time limit used if that is larger.
// known is false if neither is known.
func (b *Bar) reached(elapsed time.Duration) (share float64, known bool) {
	share = b.share
	if b.limit > 0 {
		share = min(max(share, float64(elapsed)/float64(b.limit)), 1)
	}
	return share, !b.endless || b.limit > 0
}

// left is the time for the rest at the speed so far, within the time limit; ok is false while
// too little is done.
func (b *Bar) left(elapsed time.Duration) (left time.Duration, ok bool) {
	const enough = 0.002
	if spent, done := b.now().Sub(b.since), b.share-b.first; done >= enough && spent >= time.Second {
		left, ok = time.Duration(float64(spent)*(1-b.share)/done), true
	}
	if rest := max(b.limit-elapsed, 0); b.limit > 0 && (!ok || rest < left) {
		left, ok = rest, true
	}
	return left, ok
}

// passed is a time for waiting people: whole seconds, or minutes if there are many.
func passed(d time.Duration) string {
	if d >= 2*time.Hour {
		d = d.Round(time.Minute)
		return strings.TrimSuffix(d.String(), "0s")
	}
	return d.Round(time.Second).String()
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
