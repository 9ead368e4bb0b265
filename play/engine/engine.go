package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/game/wing/drawing"
	"perfectplay/play/explore"
	"perfectplay/play/player"
)

// Engine is one conversation. Set its fields before [Engine.Converse].
type Engine struct {
	Program string // the engine's name and version
	// Open returns the game of an id under rules, empty rules being the default.
	Open func(id, rules string) (game.Game, error)
	// Analyst answers analyse and questions in JSON.
	Analyst explore.Analyst
	// Seat makes a player by its name, and Known refuses other names.
	Seat  func(ctx context.Context, name string, g game.Game) (player.Player, error)
	Known func(name string) error
	// Wing returns the wing of a game, for its picture and, in [Engine.Gomocup], its cells. Nil
	// for engines without either.
	Wing func(id string) (wing.Wing, error)
	// Option sets an option that the engine does not know; nil if there are no such options.
	Option func(name, value string) error
	// Memory sets the memory to use, or the nearest possible amount; nil if it cannot be set.
	Memory func(bytes int64) error

	Player string        // name of the player at the beginning
	Budget time.Duration // time to think if the command names none
	Most   time.Duration // longest time to think; 0 for no limit

	g    game.Game
	c    *game.Course // its moves can be taken back
	p    player.Player
	note string
	info bool

	out   io.Writer
	lines <-chan string
	ahead []string // lines read during thinking
	halt  string   // the word that ends thinking
}

// Commands describes the commands, one a line or more.
func Commands() string {
	return `  new GAME [RULES]     begin a game, such as halma-star37-2p house; answers with
                       its id and rules. new M N K is an m,n,k-game
  position TEXT [moves MOVE...]
                       go to a position of the game as text, or to start, and
                       make moves from there; there is no undo beyond TEXT
  play MOVE...         make moves for the seats to move
  undo                 take the last move back
  go [TIME] [depth N] [infinite]
                       choose and make a move within TIME (such as 500ms or 2s;
                       default --time), looking ahead N plies at most, or until
                       stop; answers with the move
  hint ...             choose, and do not make it
  analyse ...          a line "move ..." with the value of each move, best first;
                       answers with the value of the position. Lines "info ..."
                       say what is known meanwhile
  stop                 end the thinking early, with the best move so far
  show                 the position as text
  board                the position as a picture
  moves                the legal moves, none if the game is over
  result               ongoing, draw, or the seat that has won
  seat                 the seat to move
  player NAME          who chooses: a level, or a player that the game has
  option NAME VALUE    info on (lines "info ..." during go, too) or off; mem SIZE;
                       threads N; time TIME; player NAME
  note                 how the last move was chosen
  name                 the program and its version
  quit                 answer "= bye" and end`
}

// Converse answers commands until the input ends or quit comes, which are no errors, or the
// context ends, with the context's error. It closes the player.
func (e *Engine) Converse(ctx context.Context, in io.Reader, out io.Writer) error {
	e.halt = "stop"
	return e.converse(ctx, in, out, e.answer)
}

func (e *Engine) converse(ctx context.Context, in io.Reader, out io.Writer, answer func(context.Context, string) bool) (err error) {
	defer func() { err = errors.Join(err, e.unseat()) }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &sink{w: out}
	e.out = w
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
		ended := answer(ctx, line)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if w.err != nil {
			return fmt.Errorf("engine: answering: %w", w.err)
		}
		if ended {
			return nil
		}
	}
}

// sink keeps the first error of a writer.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err == nil {
		_, s.err = s.w.Write(p)
	}
	return len(p), s.err
}

// answer answers a line and reports whether it ends the conversation. After the end of the
// context it answers nothing.
func (e *Engine) answer(ctx context.Context, line string) (ended bool) {
	tooLong := len(line) >= maxLine
	if !tooLong && strings.HasPrefix(strings.TrimSpace(line), "{") {
		e.question(ctx, line)
		return false
	}
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) == 0 && !tooLong {
		return false
	}
	var text string
	err := fmt.Errorf("line too long: want less than %d bytes", maxLine)
	if !tooLong {
		text, err = e.obey(ctx, words)
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		fmt.Fprintf(e.out, "? %q\n", err.Error())
	case text == "":
		fmt.Fprintln(e.out, "=")
	default:
		fmt.Fprintln(e.out, "=", text)
	}
	return err == nil && text == bye
}

const bye = "bye"

// next returns the next line; false at the end of the input or the context.
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

// arguments has the least and the most words after each command.
var arguments = map[string][2]int{
	"new": {1, 3}, "position": {1, maxLine}, "play": {1, maxLine}, "undo": {0, 0}, "go": {0, 4}, "hint": {0, 4}, "analyse": {0, 4}, "stop": {0, 0},
	"show": {0, 0}, "board": {0, 0}, "moves": {0, 0}, "result": {0, 0}, "seat": {0, 0}, "player": {1, 1}, "option": {2, 2}, "note": {0, 0},
	"name": {0, 0}, "quit": {0, 0},
}

func (e *Engine) obey(ctx context.Context, words []string) (string, error) {
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
		return "", nil // the thinking has ended already
	case "name":
		return e.Program, nil
	case "new":
		return e.begin(ctx, args)
	case "player":
		return e.player(ctx, args[0])
	case "option":
		return e.option(ctx, args[0], args[1])
	}
	if e.g == nil {
		return "", fmt.Errorf("%s: no game: begin with new GAME", words[0])
	}
	switch words[0] {
	case "position":
		return e.position(args)
	case "play":
		return e.play(args)
	case "undo":
		if len(e.c.Path) == 0 {
			return "", errors.New("undo: no move to take back")
		}
		e.c.Back()
		return "", nil
	case "go", "hint", "analyse":
		c, err := e.clock(words[0], args)
		if err != nil {
			return "", err
		}
		if e.over() {
			return "", errors.New("the game is over")
		}
		if words[0] == "analyse" {
			return e.analyse(ctx, c)
		}
		return e.choose(ctx, words[0] == "go", c)
	case "board":
		if e.Wing == nil {
			return "", fmt.Errorf("%s has no picture", e.g.ID())
		}
		w, err := e.Wing(e.g.ID())
		if err != nil {
			return "", err
		}
		fmt.Fprint(e.out, drawing.Text(w.Board(e.g), w.Picture(e.g, e.c.State), e.c.State.Seat(), drawing.Terminal{}))
		return "", nil
	case "moves":
		if e.over() {
			return "", nil
		}
		var names []string
		for _, m := range e.c.State.Moves(nil) {
			names = append(names, e.c.State.MoveString(m))
		}
		return strings.Join(names, " "), nil
	case "result":
		return cmp.Or(e.c.Outcome(), "ongoing"), nil
	case "seat":
		return e.g.SeatName(e.c.State.Seat()), nil
	case "note":
		return e.note, nil
	}
	return e.c.State.String(), nil // show
}

func (e *Engine) over() bool { return e.c.Result() != game.Ongoing }

func (e *Engine) title() string { return strings.TrimSpace(e.g.ID() + " " + e.g.Rules()) }

func (e *Engine) begin(ctx context.Context, args []string) (string, error) {
	id, rules := args[0], ""
	switch len(args) {
	case 2:
		rules = args[1]
	case 3:
		id = fmt.Sprintf("mnk-%sx%sk%s", args[0], args[1], args[2])
	}
	if _, err := strconv.Atoi(id); err == nil {
		return "", errors.New("new: too few arguments")
	}
	g, err := e.Open(id, rules)
	if err != nil {
		return "", err
	}
	if err := e.seat(ctx, g, e.Player); err != nil {
		return "", err
	}
	e.c, e.note = game.NewCourse(g, g.Start()), ""
	return e.title(), nil
}

func (e *Engine) player(ctx context.Context, name string) (string, error) {
	if err := e.Known(name); err != nil {
		return "", err
	}
	if e.g != nil {
		if err := e.seat(ctx, e.g, name); err != nil {
			return "", err
		}
	}
	e.Player = name
	return e.Player, nil
}

func (e *Engine) option(ctx context.Context, name, value string) (string, error) {
	switch name {
	case "info":
		on := slices.Index([]string{"off", "on"}, value)
		if on < 0 {
			return "", fmt.Errorf("option info %.20q: want on or off", value)
		}
		e.info = on == 1
		return "", nil
	case "time":
		d, err := duration(value)
		if err == nil {
			e.Budget = d
		}
		return "", err
	case "player":
		return e.player(ctx, value)
	}
	if e.Option == nil {
		return "", fmt.Errorf("unknown option %.20q", name)
	}
	if err := e.Option(name, value); err != nil || e.g == nil {
		return "", err
	}
	return "", e.seat(ctx, e.g, e.Player) // a new player, within the new bounds
}

func (e *Engine) position(args []string) (string, error) {
	if len(args) > 1 && args[1] != "moves" {
		return "", fmt.Errorf("position: %.20q: want the word moves, and moves after it", args[1])
	}
	s := e.g.Start()
	if args[0] != "start" {
		var err error
		if s, err = e.g.Parse(args[0]); err != nil {
			return "", err
		}
	}
	c := game.NewCourse(e.g, s)
	if len(args) > 2 {
		if err := playAll(c, args[2:]); err != nil {
			return "", err
		}
	}
	e.c = c
	return e.title(), nil
}

func (e *Engine) play(args []string) (string, error) {
	return args[len(args)-1], playAll(e.c, args)
}

// playAll makes all moves, or none if one of them is illegal.
func playAll(c *game.Course, moves []string) error {
	for i, text := range moves {
		m, err := game.ReadMove(c.State, text)
		if err == nil && c.Endless() {
			err = errors.New("the game is over: its position has come up for the third time")
		}
		if err != nil {
			for range i {
				c.Back()
			}
			if len(moves) > 1 {
				err = fmt.Errorf("move %d: %w", i+1, err)
			}
			return err
		}
		c.Play(m)
	}
	return nil
}

func (e *Engine) unseat() error {
	p := e.p
	if e.p = nil; p == nil {
		return nil
	}
	return p.Close()
}

// seat makes a player for a game. It closes the old one first: together they would exceed the
// memory. If the game has no such player, the old one comes back.
func (e *Engine) seat(ctx context.Context, g game.Game, name string) error {
	if err := e.unseat(); err != nil {
		return err
	}
	p, err := e.Seat(ctx, name, g)
	if err != nil {
		if e.g != nil {
			var again error
			if e.p, again = e.Seat(ctx, e.Player, e.g); again != nil {
				e.g, e.p = nil, nil // no game without a player
				err = errors.Join(err, again)
			}
		}
		return err
	}
	e.g, e.p = g, p
	return nil
}

func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond {
		return 0, fmt.Errorf("time %.20q: want for instance 500ms or 2s", text)
	}
	return d, nil
}

// clock reads the bounds of thinking: without a word the default time.
func (e *Engine) clock(command string, args []string) (c player.Clock, err error) {
	infinite := false
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "infinite":
			infinite = true
		case "depth":
			if i++; i == len(args) {
				return c, fmt.Errorf("%s: depth: want a number of plies", command)
			}
			if c.Depth, err = strconv.Atoi(args[i]); err != nil || c.Depth < 1 || c.Depth > 10000 {
				return c, fmt.Errorf("%s: depth %.20q: want 1 to 10000 plies", command, args[i])
			}
		default:
			if c.Time > 0 {
				return c, fmt.Errorf("%s: too many arguments", command)
			}
			if c.Time, err = duration(args[i]); err != nil {
				return c, err
			}
		}
	}
	if infinite && c.Time > 0 {
		return c, fmt.Errorf("%s: infinite and a time exclude each other", command)
	}
	if !infinite && c.Time == 0 && c.Depth == 0 {
		c.Time = e.Budget
	}
	if e.Most > 0 && (c.Time == 0 || c.Time > e.Most) {
		c.Time = e.Most
	}
	return c, nil
}

// bounded reports whether a clock bounds the thinking.
func bounded(c player.Clock) bool { return c.Time > 0 || c.Depth > 0 }

// think runs work on a goroutine of its own. Meanwhile it reads one line ahead: [Engine.halt]
// cancels the work's context, any other command waits. The end of the input cancels unbounded
// work.
func (e *Engine) think(ctx context.Context, bounded bool, work func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- work(ctx) }()
	var lines <-chan string
	if len(e.ahead) == 0 {
		lines = e.lines
	}
	for {
		select {
		case line, ok := <-lines:
			command, _, _ := strings.Cut(line, "#")
			switch command = strings.TrimSpace(command); {
			case ok && command == "":
				continue
			case ok:
				e.ahead = append(e.ahead, line)
			}
			if strings.EqualFold(command, e.halt) || !ok && !bounded {
				stop()
			}
			lines = nil
		case err := <-done:
			return err
		}
	}
}

func (e *Engine) choose(ctx context.Context, play bool, c player.Clock) (string, error) {
	if r, ok := e.p.(player.Reporter); ok {
		r.Report(nil)
		if e.info {
			r.Report(func(a *explore.Answer) { fmt.Fprintln(e.out, infoLine(a)) })
		}
	}
	var choice player.Choice
	err := e.think(ctx, bounded(c), func(ctx context.Context) (err error) {
		choice, err = e.p.Move(ctx, e.c.State, c)
		return err
	})
	if err != nil {
		return "", err
	}
	e.note = choice.Note
	name := e.c.State.MoveString(choice.Move)
	if play {
		e.c.Play(choice.Move)
	}
	return name, nil
}
