package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"perfectplay/app/player"
	"perfectplay/game"
)

// Fault is what a program did wrong, in words for people.
type Fault struct{ Why string }

func (f *Fault) Error() string { return f.Why }

// program is a process that speaks the protocol.
type program struct {
	name   string
	quit   string // ends it
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  <-chan string
	errors tail
	stop   context.CancelFunc
	waited chan error
}

// patience is how long a program may take for what is no thinking, and to answer
// once its time is up.
const patience = 5 * time.Second

// Start runs a program that speaks the protocol, as a player of a game. Errors of
// [player.Player.Move] that are the program's are of type [*Fault]. Its standard
// error is not shown; its last line is part of a fault.
func Start(ctx context.Context, name string, command []string, g game.Game) (player.Player, error) {
	p, err := launch(ctx, name, command, "quit")
	if err != nil {
		return nil, err
	}
	begin := strings.TrimSpace("new " + g.ID() + " " + g.Rules())
	ready, cancel := context.WithTimeout(ctx, 6*patience) // it may have to solve the game
	defer cancel()
	if _, err := p.ask(ready, begin); err != nil {
		return nil, errors.Join(fmt.Errorf("engine: %s: %w", name, err), p.Close())
	}
	return p, nil
}

// launch runs a program that ends when it is told a word.
func launch(ctx context.Context, name string, command []string, quit string) (_ *program, err error) {
	if len(command) == 0 {
		return nil, errors.New("engine: no program")
	}
	ctx, stop := context.WithCancel(ctx)
	p := &program{name: name, quit: quit, cmd: exec.CommandContext(ctx, command[0], command[1:]...), stop: stop, waited: make(chan error, 1)}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	p.cmd.Stderr = &p.errors
	p.cmd.WaitDelay = time.Second
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	// A pipe of our own: that of the command is closed when the process ends, with
	// what it has said last unread.
	out, said := io.Pipe()
	p.cmd.Stdout = said
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	p.lines, _ = Lines(ctx, out)
	go func() {
		err := p.cmd.Wait()
		said.Close()
		p.waited <- err
	}()
	return p, nil
}

func (p *program) Name() string { return p.name }

// Move implements [player.Player]. When the context ends the program is told to
// stop, and its answer is awaited for a while.
func (p *program) Move(ctx context.Context, s game.State, c player.Clock) (choice player.Choice, err error) {
	set, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := p.ask(set, "position "+s.String()); err != nil {
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
	if ctx.Err() != nil && err != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		if text, err = p.ask(late, "stop"); err == nil {
			_, _ = p.answer(late, "stop") // that of stop follows
		}
	}
	if err != nil {
		return choice, err
	}
	if choice.Move, err = s.ParseMove(text); err != nil {
		return choice, &Fault{fmt.Sprintf("%s answered %.60q: %v", p.name, text, err)}
	}
	return choice, nil
}

// ask sends a command and returns what the program answers.
func (p *program) ask(ctx context.Context, command string) (string, error) {
	if err := p.send(command); err != nil {
		return "", err
	}
	return p.answer(ctx, command)
}

// send sends lines.
func (p *program) send(lines ...string) error {
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		return p.ended()
	}
	return nil
}

// line returns the next line of the program, without blanks around it.
func (p *program) line(ctx context.Context, command string) (string, error) {
	select {
	case line, ok := <-p.lines:
		if ok {
			return strings.TrimSpace(line), nil
		}
		if ctx.Err() == nil {
			return "", p.ended()
		}
	case <-ctx.Done():
	}
	return "", &Fault{fmt.Sprintf("%s did not answer %.60q in time", p.name, command)}
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
			return "", &Fault{fmt.Sprintf("%s refused %.60q: %.200s", p.name, command, why)}
		}
	}
}

// ended is the fault of a program that is gone, or does not listen any more. What
// it has said on standard error is complete once it has been waited for.
func (p *program) ended() error {
	select {
	case err := <-p.waited:
		p.waited <- err
	case <-time.After(time.Second):
	}
	why := p.name + " ended"
	if last := p.errors.last(); last != "" {
		why += ": " + last
	}
	return &Fault{why}
}

// Close asks the program to quit, and ends it if it does not soon.
func (p *program) Close() error {
	fmt.Fprintln(p.in, p.quit)
	p.in.Close()
	defer p.stop()
	soon := time.NewTimer(time.Second)
	defer soon.Stop()
	for {
		select {
		case _, ok := <-p.lines: // let it say what it has to
			if !ok {
				p.lines = nil
			}
		case <-soon.C:
			p.stop()
		case <-p.waited:
			return nil
		}
	}
}

// tail keeps the end of what is written to it.
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

// last is the last line, as far as it is printable.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return fmt.Sprintf("%.200s", strings.ToValidUTF8(strings.Join(strings.Fields(string(lines[len(lines)-1])), " "), "?"))
}
