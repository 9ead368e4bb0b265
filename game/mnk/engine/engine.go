package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
)

// Engine is one conversation. Its fields are set before [Engine.Converse].
type Engine struct {
	Program string // and its version: the answer to name
	Player  string // who chooses at first, see player.Names
	Options player.Options
	Budget  time.Duration // of go and hint without a time
	Most    time.Duration // no go or hint gets more; 0 for no limit

	g     *mnk.Game
	s     game.State
	p     player.Player
	depth int // moves that can be taken back

	lines <-chan string
	ahead []string // lines read while a move was chosen
}

// Commands describes the commands, one a line or more.
func Commands() string {
	return `  new M N K            begin a game: M rows, N columns, K in a row; answers with
                       its id
  position TEXT        go to a position of the game as text, such as 4.1xo1.4
                       for 3 rows of 4: rows from the top, numbers are empty
                       cells; there is no undo beyond it
  play CELL            make a move for the side to move: a1 is the lower left
  undo                 take the last move back
  go [TIME]            choose and make a move within TIME (such as 500ms or 2s;
                       default --time); answers with the cell
  hint [TIME]          choose, and do not make it
  stop                 end go or hint early, with the best move so far
  show                 the position as text
  board                the position as a picture
  moves                the legal cells, none if the game is over
  result               ongoing, draw, or x or o, who has won
  player NAME          who chooses: ` + strings.Join(player.Names(), ", ") + `
  note                 how the last move was chosen
  name                 the program and its version
  quit                 answer "= bye" and end`
}

// maxLine is more than the longest command; a position of 70×70 stones fits.
const maxLine = 1 << 16

// Lines sends the lines of a reader, the last one without its newline, too; of a
// line that is too long only so much that it is too long. The channel is closed at
// the end of the context or of the input; failed gets an error other than these.
func Lines(ctx context.Context, r io.Reader) (lines <-chan string, failed <-chan error) {
	out, bad := make(chan string), make(chan error, 1)
	go func() {
		defer close(out)
		in := bufio.NewReaderSize(r, maxLine)
		for {
			part, err := in.ReadSlice('\n')
			line := string(part)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
			if len(line) > 0 {
				select {
				case out <- line:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					bad <- err
				}
				return
			}
		}
	}()
	return out, bad
}

// Converse answers the commands of a reader until it ends, or quit is said, which
// are no error, or until the context ends, with the context's error. It closes the
// player.
func (e *Engine) Converse(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	defer func() { err = errors.Join(err, e.unseat()) }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines, failed := Lines(ctx, in)
	e.lines = lines
	for {
		line, ok := e.next(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !ok {
			select {
			case err := <-failed:
				return fmt.Errorf("engine: reading commands: %w", err)
			default:
				return nil
			}
		}
		tooLong := len(line) >= maxLine
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 && !tooLong {
			continue
		}
		var answer string
		err := fmt.Errorf("line too long: want less than %d bytes", maxLine)
		if !tooLong {
			answer, err = e.obey(ctx, out, words)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			_, err = fmt.Fprintf(out, "? %q\n", err.Error())
		case answer == "":
			_, err = fmt.Fprintln(out, "=")
		default:
			_, err = fmt.Fprintln(out, "=", answer)
		}
		if err != nil {
			return fmt.Errorf("engine: answering: %w", err)
		}
		if answer == bye {
			return nil
		}
	}
}

// bye answers quit.
const bye = "bye"

// next returns the next line, unless there is none or the context ends.
func (e *Engine) next(ctx context.Context) (line string, ok bool) {
	if len(e.ahead) > 0 {
		line, e.ahead = e.ahead[0], e.ahead[1:]
		return line, true
	}
	select {
	case line, ok = <-e.lines:
	case <-ctx.Done():
	}
	return line, ok
}

// arguments says how many words each command takes after its own.
var arguments = map[string][2]int{
	"new": {3, 3}, "position": {1, 1}, "play": {1, 1}, "undo": {0, 0}, "go": {0, 1}, "hint": {0, 1}, "stop": {0, 0}, "show": {0, 0},
	"board": {0, 0}, "moves": {0, 0}, "result": {0, 0}, "player": {1, 1}, "note": {0, 0}, "name": {0, 0}, "quit": {0, 0},
}

// obey carries out one command.
func (e *Engine) obey(ctx context.Context, out io.Writer, words []string) (string, error) {
	args := words[1:]
	n, ok := arguments[words[0]]
	switch {
	case !ok:
		return "", fmt.Errorf("unknown command %.20q", words[0])
	case len(args) < n[0]:
		return "", fmt.Errorf("%s: too few arguments", words[0])
	case len(args) > n[1]:
		return "", fmt.Errorf("%s: too many arguments", words[0])
	}
	switch words[0] {
	case "quit":
		return bye, nil
	case "stop":
		return "", nil // what it stops has ended by now
	case "name":
		return e.Program, nil
	case "new":
		g, err := mnk.Read(args[0], args[1], args[2])
		if err != nil {
			return "", err
		}
		if err := e.seat(g, e.Player); err != nil {
			return "", err
		}
		e.s, e.depth = g.Plain().Start(), 0
		return g.ID(), nil
	case "player":
		if err := player.Known(args[0]); err != nil {
			return "", err
		}
		if e.g != nil {
			if err := e.seat(e.g, args[0]); err != nil {
				return "", err
			}
		}
		e.Player = args[0]
		return e.Player, nil
	}
	if e.g == nil {
		return "", fmt.Errorf("%s: no game: begin with new M N K", words[0])
	}
	switch words[0] {
	case "position":
		s, err := e.g.Plain().Parse(args[0])
		if err != nil {
			return "", err
		}
		e.s, e.depth = s, 0
		return e.g.ID(), nil
	case "play":
		m, err := e.s.ParseMove(args[0])
		if err != nil {
			return "", err
		}
		e.s.Make(m)
		e.depth++
		return e.s.MoveString(m), nil
	case "undo":
		if e.depth == 0 {
			return "", errors.New("undo: no move to take back")
		}
		e.s.Unmake()
		e.depth--
		return "", nil
	case "go", "hint":
		return e.choose(ctx, words[0] == "go", args)
	case "show":
		return e.s.String(), nil
	case "board":
		_, err := io.WriteString(out, e.s.(game.Drawer).Picture())
		return "", err
	case "moves":
		var names []string
		for _, m := range e.s.Moves(nil) {
			names = append(names, e.s.MoveString(m))
		}
		return strings.Join(names, " "), nil
	case "result":
		if w, ok := e.s.Result().Winner(); ok {
			return e.g.SeatName(w), nil
		}
		if e.s.Result() == game.Drawn {
			return "draw", nil
		}
		return "ongoing", nil
	case "note":
		return e.p.Note(), nil
	}
	return "", fmt.Errorf("unknown command %.20q", words[0])
}

// unseat closes the player, if there is one.
func (e *Engine) unseat() error {
	p := e.p
	if e.p = nil; p == nil {
		return nil
	}
	return p.Close()
}

// seat makes a player for a game. The one before is closed first: the tables of
// both would exceed the budget.
func (e *Engine) seat(g *mnk.Game, name string) error {
	if err := e.unseat(); err != nil {
		return err
	}
	p, err := player.New(name, g, e.Options)
	if err != nil {
		e.g = nil // no game without a player; names and memory are checked before
		return err
	}
	e.g, e.p = g, p
	return nil
}

// choose lets the player choose a move. Meanwhile it reads lines ahead, until
// one says stop or another has to wait.
func (e *Engine) choose(ctx context.Context, play bool, args []string) (string, error) {
	budget := e.Budget
	if len(args) > 0 {
		d, err := time.ParseDuration(args[0])
		if err != nil || d < time.Millisecond {
			return "", fmt.Errorf("time %.20q: want for instance 500ms or 2s", args[0])
		}
		budget = d
	}
	if e.Most > 0 {
		budget = min(budget, e.Most)
	}
	if e.s.Result() != game.Ongoing {
		return "", errors.New("the game is over")
	}
	think, stop := context.WithCancel(ctx)
	defer stop()
	chosen := make(chan int, 1)
	go func() { chosen <- e.p.Move(think, e.s.(*mnk.Plain), budget) }()
	var lines <-chan string
	if len(e.ahead) == 0 {
		lines = e.lines
	}
	for {
		select {
		case line, ok := <-lines:
			lines = nil
			if !ok {
				break
			}
			e.ahead = append(e.ahead, line)
			if command, _, _ := strings.Cut(line, "#"); strings.TrimSpace(command) == "stop" {
				stop()
			} else if strings.TrimSpace(command) == "" {
				e.ahead, lines = e.ahead[:0], e.lines
			}
		case c := <-chosen:
			name := e.s.MoveString(game.Move(c))
			if play {
				e.s.Make(game.Move(c))
				e.depth++
			}
			return name, nil
		}
	}
}
