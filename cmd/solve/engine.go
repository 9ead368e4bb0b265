package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/internal/cli"
)

func newEngineCommand(*app) *cobra.Command {
	e := &engine{}
	cmd := &cobra.Command{
		Use:     "engine",
		Short:   "play m,n,k-games over a line protocol on standard input and output",
		GroupID: groupSolve,
		Long: `engine reads commands from standard input, one a line, and answers each with one
line on standard output: "= " and the answer, or "? " and what is wrong. After
an error the game is as before. The board picture alone takes more lines; they
come before the line with the equals sign. Empty lines and what follows # are
ignored. The end of input is like quit.

  new M N K            begin a game
  position TEXT        begin at a position as text, such as 4.1xo1.4
  play CELL            make a move for the side to move
  undo                 take the last move back
  go [TIME]            choose and make a move within TIME (such as 500ms; default
                       --time); answers with the cell
  hint [TIME]          choose, and do not make it
  show                 the position as text
  board                the position as a picture
  moves                the legal cells
  result               ongoing, draw, or x or o, who has won
  player NAME          who chooses: ` + strings.Join(player.Names(), ", ") + `
  note                 how the last move was chosen
  name                 the program
  quit                 end`,
		Example: `  printf 'new 3 3 3\ngo 1s\nquit\n' | solve engine`,
		Args:    cli.Args(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.run(cmd) },
	}
	e.res.Flags(cmd)
	cmd.Flags().DurationVar(&e.budget, "time", 10*time.Second, "time for go and hint without a time")
	cmd.Flags().StringVar(&e.name, "player", "perfect", "who chooses at first")
	return cmd
}

// engine is one conversation.
type engine struct {
	res    cli.Resources
	budget time.Duration
	name   string

	g     *mnk.Game
	s     game.State
	p     player.Player
	depth int // moves that can be taken back
}

// maxLine is the longest command; a position of 70×70 stones fits.
const maxLine = 1 << 16

func (e *engine) run(cmd *cobra.Command) error {
	if err := e.res.Resolve(cmd, 1<<20, 256<<20); err != nil {
		return err
	}
	if e.budget < time.Millisecond {
		return cli.Usagef("--time %v: want at least 1ms", e.budget)
	}
	if err := knownPlayer(e.name); err != nil {
		return cli.Usage(err)
	}
	lines := make(chan string)
	failed := make(chan error, 1)
	go func() {
		defer close(lines)
		in := bufio.NewReaderSize(cmd.InOrStdin(), maxLine)
		for {
			line, err := in.ReadSlice('\n')
			for errors.Is(err, bufio.ErrBufferFull) { // too long: one line all the same
				line = line[:1]
				_, err = in.ReadSlice('\n')
			}
			if len(line) > 0 {
				lines <- string(line)
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					failed <- err
				}
				return
			}
		}
	}()
	out := cmd.OutOrStdout()
	for {
		var line string
		var ok bool
		select {
		case line, ok = <-lines:
		case <-cmd.Context().Done():
			return cli.ErrInterrupted
		}
		if !ok {
			select {
			case err := <-failed:
				return fmt.Errorf("engine: reading commands: %w", err)
			default:
				return nil
			}
		}
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		answer, err := e.obey(cmd.Context(), out, words)
		switch {
		case cmd.Context().Err() != nil:
			return cli.ErrInterrupted
		case err != nil:
			_, err = fmt.Fprintf(out, "? %s\n", strings.Join(strings.Fields(fmt.Sprintf("%q", err.Error())), " "))
		case answer == "":
			_, err = fmt.Fprintln(out, "=")
		default:
			_, err = fmt.Fprintln(out, "=", answer)
		}
		if err != nil {
			return fmt.Errorf("engine: answering: %w", err)
		}
		if words[0] == "quit" && len(words) == 1 {
			return nil
		}
	}
}

// knownPlayer returns an error unless a player has this name.
func knownPlayer(name string) error {
	tiny, err := mnk.New(1, 1, 1)
	if err == nil {
		_, err = player.New(name, tiny, player.Options{Memory: 1 << 20})
	}
	return err
}

// arguments says how many words each command takes after its own.
var engineArguments = map[string][2]int{
	"new": {3, 3}, "position": {1, 1}, "play": {1, 1}, "undo": {0, 0}, "go": {0, 1}, "hint": {0, 1}, "show": {0, 0}, "board": {0, 0},
	"moves": {0, 0}, "result": {0, 0}, "player": {1, 1}, "note": {0, 0}, "name": {0, 0}, "quit": {0, 0},
}

// obey carries out one command.
func (e *engine) obey(ctx context.Context, out io.Writer, words []string) (string, error) {
	args := words[1:]
	n, ok := engineArguments[words[0]]
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
		return "bye", nil
	case "name":
		return "perfectplay " + moduleVersion(), nil
	case "new":
		g, err := mnkGame(args)
		if err != nil {
			return "", err
		}
		return e.begin(g, g.Plain().Start(), e.name)
	case "player":
		if err := knownPlayer(args[0]); err != nil {
			return "", err
		}
		if e.g == nil {
			e.name = args[0]
			return e.name, nil
		}
		depth := e.depth
		answer, err := e.begin(e.g, e.s, args[0])
		e.depth = depth
		if err == nil {
			e.name = args[0]
			answer = e.name
		}
		return answer, err
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
		return e.begin(e.g, s, e.name)
	case "play":
		m, err := e.s.ParseMove(args[0])
		if err != nil {
			return "", err
		}
		e.s.Make(m)
		e.depth++
		return args[0], nil
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

// begin sets up a game and its player.
func (e *engine) begin(g *mnk.Game, s game.State, name string) (string, error) {
	p, err := player.New(name, g, player.Options{Memory: int64(e.res.Mem), Threads: e.res.Threads})
	if err != nil {
		return "", err
	}
	e.g, e.s, e.p, e.depth = g, s, p, 0
	return g.ID(), nil
}

// choose lets the player choose a move.
func (e *engine) choose(ctx context.Context, play bool, args []string) (string, error) {
	budget := e.budget
	if len(args) > 0 {
		d, err := time.ParseDuration(args[0])
		if err != nil || d < time.Millisecond {
			return "", fmt.Errorf("time %.20q: want for instance 500ms or 2s", args[0])
		}
		budget = d
	}
	if e.s.Result() != game.Ongoing {
		return "", errors.New("the game is over")
	}
	m := game.Move(e.p.Move(ctx, e.s.Clone().(*mnk.Plain), budget))
	name := e.s.MoveString(m)
	if play {
		e.s.Make(m)
		e.depth++
	}
	return name, nil
}
