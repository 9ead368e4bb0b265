package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"perfectplay/game"
	"perfectplay/play/player"
)

// Fault is a program's fault, in words for people.
type Fault struct {
	Why string
	// Late says that the program was silent for too long. It gets no more questions.
	Late bool
}

func (f *Fault) Error() string { return f.Why }

// program is a process that speaks the protocol, with all its children.
type program struct {
	name   string
	quit   string // the command that ends the program
	cmd    *exec.Cmd
	all    family // the program with its children
	in     io.WriteCloser
	lines  <-chan string
	errors tail          // standard error
	ended  chan struct{} // closed when the program has ended
	end    func()        // kills the program with all its children
	late   *Fault        // nil as long as the program answers in time

	// waited is how long the program has waited for a processor.
	waited func() time.Duration
}

const (
	// patience is the time of a program beyond its time to think: to start, to take a command,
	// to answer after stop, to quit.
	patience = time.Second
	// longestWait bounds the wait for a processor that does not count as time to start.
	longestWait = 10 * time.Second
)

// Start runs a program that speaks the protocol, as a player of a game. Errors of
// [player.Player.Move] by the program's fault are of type [*Fault], with the last line of its
// standard error. The program has the time ready and one second to begin the game. Under Linux, up
// to ten seconds in which it waits for a processor do not count. When the context ends, or the
// player is closed, the program and all its children end, except those that left its process group.
func Start(ctx context.Context, name string, command []string, g game.Game, ready time.Duration) (player.Player, error) {
	p, err := launch(ctx, name, command, "quit")
	if err != nil {
		return nil, err
	}
	begin := strings.TrimSpace("new " + g.ID() + " " + g.Rules())
	if _, err := p.start(ctx, ready, func(ctx context.Context) (string, error) { return p.ask(ctx, begin) }); err != nil {
		return nil, err
	}
	return p, nil
}

// start waits until a program is ready to play, and otherwise ends it.
func (p *program) start(ctx context.Context, ready time.Duration, begin func(context.Context) (string, error)) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go p.bound(ctx, ready+patience, cancel)
	text, err := begin(ctx)
	if err != nil {
		p.end()
		err = errors.Join(fmt.Errorf("engine: %s: %w", p.name, err), p.Close())
	}
	return text, err
}

// bound calls stop after the time most, not counting the program's wait for a processor, unless
// the context ends before.
func (p *program) bound(ctx context.Context, most time.Duration, stop func()) {
	begin := time.Now()
	for left := most; left > 0; left = most + min(p.waited(), longestWait) - time.Since(begin) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(left):
		}
	}
	stop()
}

// waited is how long a program, with all its threads, has waited for a processor; 0 if the system
// does not say, as only Linux does.
func waited(cmd *exec.Cmd) (sum time.Duration) {
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", cmd.Process.Pid))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		var ran, wait time.Duration // in nanoseconds
		if n, _ := fmt.Sscan(string(text), &ran, &wait); n == 2 {
			sum += wait
		}
	}
	return sum
}

// launch runs a program that ends at the command quit.
func launch(ctx context.Context, name string, command []string, quit string) (_ *program, err error) {
	if len(command) == 0 {
		return nil, errors.New("engine: no program")
	}
	p := &program{name: name, quit: quit, ended: make(chan struct{})}
	ctx, p.end = context.WithCancel(ctx)
	p.cmd = exec.CommandContext(ctx, command[0], command[1:]...)
	p.cmd.WaitDelay = patience / 4 // then pipes are closed that children of the program still hold
	p.cmd.Cancel = func() error {
		p.all.kill()
		return nil
	}
	p.all.cmd = p.cmd
	gather(p.cmd)
	p.waited = func() time.Duration { return waited(p.cmd) }
	out, theirs := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = theirs, &p.errors
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		started := make(chan error)
		go p.run(started, theirs)
		err = <-started
	}
	if err != nil {
		p.end()
		return nil, fmt.Errorf("engine: %w", err)
	}
	p.lines, _ = Lines(ctx, lineEnds{out})
	context.AfterFunc(ctx, func() { out.Close() })
	return p, nil
}

// lineEnds reads a carriage return as the end of a line: programs may end lines by it.
type lineEnds struct{ io.Reader }

func (l lineEnds) Read(p []byte) (n int, err error) {
	n, err = l.Reader.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// run starts the command, waits until it has ended, and then closes its output. Linux kills it when
// its starting thread ends, so the thread is kept until then.
func (p *program) run(started chan<- error, out io.Closer) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	if err == nil {
		p.all.hold()
	}
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait()
	p.all.kill() // children left behind
	out.Close()
	close(p.ended)
}

// within bounds a move by its clock, unless the caller bounds it.
func within(ctx context.Context, c player.Clock) (context.Context, context.CancelFunc) {
	if _, bounded := ctx.Deadline(); bounded || c.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.Time+patience)
}

// Move implements [player.Player]. When the context ends, or a second after the time of the
// clock, it sends stop and waits a while for the answer.
func (p *program) Move(ctx context.Context, s game.State, c player.Clock) (choice player.Choice, err error) {
	ctx, cancel := within(ctx, c)
	defer cancel()
	if _, err := p.ask(ctx, "position "+s.String()); err != nil {
		return choice, err
	}
	command := "hint"
	if c.Time > 0 {
		command += " " + c.Time.String()
	}
	if c.Depth > 0 {
		command += fmt.Sprintf(" depth %d", c.Depth)
	}
	if c == (player.Clock{}) {
		command += " infinite"
	}
	text, err := p.ask(ctx, command)
	if p.late != nil {
		p.late = nil
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		if text, err = p.ask(late, "stop"); err == nil {
			_, err = p.answer(late, "stop") // the answer to stop follows
		}
	}
	if err != nil {
		return choice, err
	}
	if choice.Move, err = s.ParseMove(text); err != nil {
		return choice, &Fault{Why: fmt.Sprintf("%s answered %.60q: %v", p.name, text, err)}
	}
	return choice, nil
}

func (p *program) ask(ctx context.Context, command string) (string, error) {
	if err := p.send(command); err != nil {
		return "", err
	}
	return p.answer(ctx, command)
}

// send sends lines. A program that does not read them is ended.
func (p *program) send(lines ...string) error {
	if p.late != nil {
		return p.late
	}
	impatient := time.AfterFunc(patience, p.end)
	_, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n")
	if intime := impatient.Stop(); err == nil {
		return nil
	} else if intime {
		return p.gone()
	}
	p.late = &Fault{fmt.Sprintf("%s did not take %.60q in time", p.name, lines[0]), true}
	return p.late
}

// line returns the next line of the program, without blanks around it.
func (p *program) line(ctx context.Context, command string) (string, error) {
	select {
	case line, ok := <-p.lines:
		if ok {
			return strings.TrimSpace(line), nil
		}
		if ctx.Err() == nil {
			return "", p.gone()
		}
	case <-ctx.Done():
	}
	p.late = &Fault{fmt.Sprintf("%s did not answer %.60q in time", p.name, command), true}
	return "", p.late
}

// answer returns the next answer, without lines before it.
func (p *program) answer(ctx context.Context, command string) (string, error) {
	for {
		line, err := p.line(ctx, command)
		switch {
		case err != nil:
			return "", err
		case strings.HasPrefix(line, "="):
			return strings.TrimSpace(line[1:]), nil
		case strings.HasPrefix(line, "?"):
			why := strings.TrimSpace(line[1:])
			if text, err := strconv.Unquote(why); err == nil {
				why = text
			}
			return "", &Fault{Why: fmt.Sprintf("%s refused %.60q: %.200s", p.name, command, why)}
		}
	}
}

// gone is the fault of a program that has ended, or does not read any more. Its last words are
// complete once it has ended.
func (p *program) gone() error {
	select {
	case <-p.ended:
	case <-time.After(patience / 4):
	}
	why := p.name + " ended"
	if last := p.errors.last(); last != "" {
		why += ": " + last
	}
	return &Fault{Why: why}
}

// Close asks the program to quit, unless it is late already. If it does not end soon, Close
// ends it with all its children.
func (p *program) Close() error {
	if p.late == nil && p.send(p.quit) == nil {
		p.in.Close()
		p.settle()
	}
	p.end()
	p.settle()
	return nil
}

// settle waits a short time until the program has ended, and for its last words.
func (p *program) settle() {
	soon := time.NewTimer(patience)
	defer soon.Stop()
	for {
		select {
		case _, ok := <-p.lines:
			if !ok {
				p.lines = nil
			}
		case <-soon.C:
			return
		case <-p.ended:
			return
		}
	}
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - 4096; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// last returns the printable part of the last line.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return fmt.Sprintf("%.200s", strings.ToValidUTF8(strings.Join(strings.Fields(string(lines[len(lines)-1])), " "), "?"))
}
