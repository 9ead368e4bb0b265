package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"perfectplay/game"
	"perfectplay/play/engine"
	"perfectplay/play/explore"
	"perfectplay/play/player"
	"perfectplay/play/transcript"
)

// Human is the player of a seat whose moves are typed.
const Human = "human"

// Help is the answer to the command help.
const Help = `  MOVE             make a move by its text or its number in moves
  moves            the legal moves with their numbers
  hint             what strongest would play
  values           what every move is worth, as far as that is known
  undo             take back your last move and the answers to it
  level SEAT WHO   let human, random, level-1 to level-9 or strongest play it
  resign           give up; among more than two, strongest plays on for you
  save FILE        write the game to a new file as text
  board            show the board again
  quit             end
`

// Session is a game at a terminal. Set its fields before [Session.Play].
type Session struct {
	Game game.Game
	// From is the first position, as text or start, and Moves are made from there first.
	From  string
	Moves []string
	// Seats has the player of each seat: Human or the name of a player.
	Seats []string
	// Seat makes a player by its name, and Known refuses other names.
	Seat    func(ctx context.Context, name string, g game.Game) (player.Player, error)
	Known   func(name string) error
	Analyst explore.Analyst // answers the command values
	Time    time.Duration   // thinking time for each move of a player
	Intro   string          // the first line of output, before the list of players
	// Draw returns the picture of a position with the cells of the last move marked; nil, or an
	// empty picture, for the position's text. Explain returns the reason why a game is over by
	// its rules; nil names the winner.
	Draw    func(s game.State, last []int) string
	Explain func(s game.State) string
	// Way returns the cells on the way of a legal move; nil for none.
	Way func(s game.State, m game.Move) []int
	// Keep is the file that holds the game after every move; empty for none.
	Keep string
	// Interrupt ends the thinking, with the best move so far, or else the session; nil for
	// never.
	Interrupt <-chan os.Signal
	// Thinking, if not nil, receives the name of a player that begins to think; done is called
	// at the end.
	Thinking func(who string) (done func())
	Out      io.Writer

	c       *game.Course
	players map[string]player.Player
	closed  string // why the game is over other than by its rules
	winner  int    // winner of a closed game
	ending  string // ending of a closed game in the form of records
}

// Play plays until the person quits, or the input or the context ends. A finished game can be
// taken back while a seat is a person's; else it ends the session. The error is the context's,
// or that of the input.
func (t *Session) Play(ctx context.Context, in io.Reader) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t.players = map[string]player.Player{}
	defer func() {
		for _, p := range t.players {
			err = errors.Join(err, p.Close())
		}
	}()
	t.From = cmp.Or(t.From, "start")
	if t.c, err = (&transcript.Game{Position: t.From, Moves: t.Moves}).Course(t.Game); err != nil {
		return err
	}
	fmt.Fprintln(t.Out, strings.TrimSpace(t.Intro+" "+t.who()+" Type help for the commands."))
	err = converse(ctx, in, t.Out, t.Interrupt, t)
	if t.Keep != "" && len(t.c.Path) > 0 {
		fmt.Fprintf(t.Out, "the game is kept: solve play --load %s goes on\n", t.Keep)
	}
	return err
}

// conversation is the part of a session that differs between open and hidden hands.
type conversation interface {
	// follow makes the move of a seat without a person, and reports whether it made a move.
	follow(ctx context.Context) (bool, error)
	// show shows the position. ended reports whether no command can follow.
	show() error
	ended() bool
	// prompt names the seat whose person types.
	prompt() string
	// commands lists the commands besides moves. legal lists the legal moves, none after the end,
	// and move makes a move.
	commands() []command
	legal() []string
	move(ctx context.Context, text string) error
	// sentence turns an error of a command into a sentence for the person.
	sentence(err error) string
}

// converse makes moves and reads commands until the session or the input ends, or the person
// quits. At an interrupt it returns [context.Canceled], else the context's error.
func converse(ctx context.Context, in io.Reader, out io.Writer, interrupt <-chan os.Signal, t conversation) error {
	lines, failed := engine.Lines(ctx, in)
	for show := true; ; {
		played, err := t.follow(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if played {
			show = true
			continue
		}
		if show {
			if err := t.show(); err != nil {
				return err
			}
		}
		if t.ended() {
			return nil
		}
		fmt.Fprintf(out, "%s> ", t.prompt())
		select {
		case line, ok := <-lines:
			if !ok && ctx.Err() == nil {
				fmt.Fprintln(out)
				select {
				case err := <-failed:
					return fmt.Errorf("terminal: %w", err)
				default:
					return nil
				}
			}
			words := strings.Fields(line)
			if len(words) == 1 && strings.HasPrefix("quit", words[0]) {
				return nil
			}
			if show, err = obey(ctx, t, words); err != nil && ctx.Err() == nil {
				fmt.Fprintln(out, t.sentence(err)+"; help lists the commands")
			}
		case <-interrupt:
			fmt.Fprintln(out)
			return context.Canceled
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

func (t *Session) show() error {
	t.board()
	if t.over() {
		fmt.Fprintln(t.Out, t.outcome())
	}
	return nil
}

func (t *Session) ended() bool { return t.over() && !slices.Contains(t.Seats, Human) }

// prompt names the seat to move, or after the end the first seat played by a person.
func (t *Session) prompt() string {
	seat := t.c.State.Seat()
	if t.Seats[seat] != Human {
		seat = slices.Index(t.Seats, Human)
	}
	return t.Game.SeatName(seat)
}

// who lists the players of the seats, the person first.
func (t *Session) who() string {
	var text []string
	for _, who := range append([]string{Human}, t.Seats...) {
		var seats []string
		for seat, w := range t.Seats {
			if w == who {
				seats = append(seats, t.Game.SeatName(seat))
			}
		}
		plays := who + " plays "
		if who == Human {
			plays = "You play "
		}
		if k := len(seats) - 1; k > 0 {
			seats = []string{strings.Join(seats[:k], ", ") + " and " + seats[k]}
		}
		if line := plays + strings.Join(seats, ""); len(seats) > 0 && !slices.Contains(text, line) {
			text = append(text, line)
		}
	}
	return strings.Join(text, ", ") + "."
}

func (t *Session) over() bool {
	return t.closed != "" || t.c.Result() != game.Ongoing
}

// follow makes the move of a seat without a person, or a pass.
func (t *Session) follow(ctx context.Context) (bool, error) {
	if t.over() {
		return false, nil
	}
	seat := t.c.State.Seat()
	name := t.Game.SeatName(seat)
	moves := t.c.State.Moves(nil)
	if len(moves) == 0 {
		return false, game.Stuck(t.Game, t.c.State)
	}
	if moves[0] == game.Pass {
		fmt.Fprintf(t.Out, "%s has no legal move and passes\n", name)
		t.play(game.Pass)
		return true, nil
	}
	who := t.Seats[seat]
	if who == Human {
		return false, nil
	}
	p, err := t.player(ctx, who)
	var c player.Choice
	if err == nil {
		err = t.think(ctx, fmt.Sprintf("%s (%s)", name, who), func(ctx context.Context) (err error) {
			c, err = p.Move(ctx, t.c.State, player.Clock{Time: t.Time})
			return err
		})
	}
	if bad := new(engine.Fault); errors.As(err, &bad) && ctx.Err() == nil {
		return true, t.forfeit(seat, bad.Why)
	}
	if err != nil || ctx.Err() != nil {
		return false, err
	}
	fmt.Fprintf(t.Out, "%s plays %s (%s: %s)\n", name, t.c.State.MoveString(c.Move), who, c.Note)
	t.play(c.Move)
	return true, nil
}

// forfeit ends the game of a program at fault, and its process: as in a match, the other of two
// wins. Among more the strongest player replaces it.
func (t *Session) forfeit(seat int, why string) (err error) {
	who, name := t.Seats[seat], t.Game.SeatName(seat)
	if p := t.players[who]; p != nil {
		delete(t.players, who)
		err = p.Close()
	}
	if t.Game.Seats() == 2 {
		t.closed, t.winner, t.ending = why, 1-seat, "fault"
		return err
	}
	for i := range t.Seats {
		if t.Seats[i] == who {
			t.Seats[i] = player.Strongest
		}
	}
	fmt.Fprintf(t.Out, "%s: %s; %s plays on for it\n", name, why, player.Strongest)
	return err
}

func (t *Session) think(ctx context.Context, who string, work func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if t.Thinking != nil {
		defer t.Thinking(who)()
	}
	go func() {
		select {
		case <-t.Interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	return work(ctx)
}

func (t *Session) player(ctx context.Context, name string) (player.Player, error) {
	if p, ok := t.players[name]; ok {
		return p, nil
	}
	p, err := t.Seat(ctx, name, t.Game)
	if err == nil {
		t.players[name] = p
	}
	return p, err
}

func (t *Session) play(m game.Move) {
	t.c.Play(m)
	t.keep()
}

// keep writes the game to its file. It reports a failure once.
func (t *Session) keep() {
	if t.Keep == "" {
		return
	}
	if err := t.write(t.Keep); err != nil {
		fmt.Fprintf(t.Out, "the game is not kept: %v\n", err)
		t.Keep = ""
	}
}

// outcome describes the ending of the game.
func (t *Session) outcome() string {
	seat, won := t.c.State.Result().Winner()
	why := ""
	switch {
	case t.closed != "":
		seat, won, why = t.winner, t.winner >= 0, t.closed
	case t.c.State.Result() == game.Ongoing:
		why = "this position has come up for the third time: the game is drawn by endless play"
	case t.Explain != nil:
		why = t.Explain(t.c.State)
	}
	result := "a draw"
	if t.closed != "" && t.Game.Seats() == 1 {
		result = "no crossing"
	}
	if won {
		who := t.Seats[seat]
		if who == Human {
			who = "you"
		}
		result = fmt.Sprintf("%s wins: %s", t.Game.SeatName(seat), who)
	}
	if why != "" {
		result += " (" + strings.TrimSuffix(why, ".") + ")"
	}
	return result
}

// sentence drops names of packages from an error.
func (t *Session) sentence(err error) string {
	text := err.Error()
	for _, from := range []string{strings.SplitN(t.Game.ID(), "-", 2)[0], "play", "transcript"} {
		text = strings.TrimPrefix(text, from+": ")
	}
	return text
}

func (t *Session) board() {
	last := game.NoMove
	if len(t.c.Path) > 0 {
		last = t.c.Path[len(t.c.Path)-1]
	}
	var way []int
	if last != game.NoMove && last != game.Pass && t.Way != nil {
		t.c.State.Unmake()
		way = t.Way(t.c.State, last)
		t.c.State.Make(last)
	}
	picture := ""
	if t.Draw != nil {
		picture = t.Draw(t.c.State, way)
	}
	fmt.Fprint(t.Out, cmp.Or(picture, t.c.State.String()+"\n"))
}
